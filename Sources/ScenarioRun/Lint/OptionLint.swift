import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The search for keys of a scenario that have no effect on it.
struct OptionLint {
  private let scenario: Scenario
  private let executed: ExecutedScenario
  private let root: YAMLNode

  /// Creates a search.
  ///
  /// - Parameter root: the mapping of the scenario file.
  init(_ scenario: Scenario, _ executed: ExecutedScenario, root: YAMLNode) {
    (self.scenario, self.executed, self.root) = (scenario, executed, root)
  }

  func warnings() -> [AuthorDiagnostic] {
    [paging(), cache(), sessionTimeout()].compactMap(\.self) + servers() + defaults()
  }

  private func pair(_ key: String, in node: YAMLNode? = nil) -> YAMLPair? {
    (node ?? root).pairs?.first { $0.key == key }
  }

  private func warning(_ pair: YAMLPair, _ reason: String, advice: String = "remove it") -> AuthorDiagnostic {
    AuthorDiagnostic(
      .noEffect, of: pair.key, at: pair.keySpan, "'\(pair.key)' has no effect, because \(reason)",
      advice: advice)
  }

  private var steps: [Step] { scenario.steps.flatMap(\.withEntries) }

  private func paging() -> AuthorDiagnostic? {
    guard let pair = pair("paging"), !pair.value.isNone else { return nil }
    let snapshots = executed.snapshot.steps
    let hasPages = (snapshots + snapshots.flatMap(\.batch)).contains { $0.page != nil }
    let asksForPages = steps.contains { [.page, .nextPage].contains($0.kind) }
    return hasPages || asksForPages ? nil : warning(pair, "no step requests a page")
  }

  private func cache() -> AuthorDiagnostic? {
    guard let pair = pair("cache"), !isCaching else { return nil }
    return warning(
      pair, "caching is off", advice: "write 'cache: true' in an entity or in 'options', or remove it")
  }

  /// A Boolean value that indicates whether the scenario caches responses. Record types and hooks may enable caching.
  private var isCaching: Bool {
    scenario.model.entities.contains { ($0.isRecordLevelCachingEnabled ?? false) || $0.className != nil }
      || (Array(scenario.defaults.values) + scenario.steps.flatMap(\.options)).contains {
        $0.isCached ?? false || !$0.hooks.isEmpty
      }
  }

  private func sessionTimeout() -> AuthorDiagnostic? {
    guard scenario.restartsAfterSessionTimeout, let pair = pair("sessionTimeout"),
      !scenario.responses.contains(where: { $0.responses.contains { $0.failure == .sessionTimeout } })
    else { return nil }
    return warning(pair, "no response has 'error: session-timeout'")
  }

  private func servers() -> [AuthorDiagnostic] {
    scenario.servers.compactMap { server in
      guard let pair = pair(server.entity.rawValue, in: root["servers"]),
        !requested.contains(where: { isKind($0, of: server.entity) })
      else { return nil }
      return AuthorDiagnostic(
        .noEffect, of: "servers", at: pair.keySpan,
        "the server of '\(server.entity)' has no effect, because no step requests it", advice: "remove it")
    }
  }

  private func defaults() -> [AuthorDiagnostic] {
    guard let pairs = root["defaults"]?.pairs, root["options"] == nil else { return [] }
    return pairs.compactMap { pair in
      guard !requestedWithoutOptions.contains(where: { isKind($0, of: EntityName(pair.key)) }) else {
        return nil
      }
      return AuthorDiagnostic(
        .noEffect, of: "defaults", at: pair.keySpan,
        "the defaults of '\(pair.key)' have no effect, because no step requests it without 'options'",
        advice: "remove them, or the 'options' of a step")
    }
  }

  // MARK: Requested entities

  private var requested: [EntityName] { requests.map(\.entity) }
  private var requestedWithoutOptions: [EntityName] {
    requests.filter { !$0.options.areStated }.map(\.entity)
  }

  private var requests: [(entity: EntityName, options: StepOptions)] {
    scenario.steps.flatMap { step in
      if case .detail(let detail) = step.action { return [(detail.record.value.entity, detail.options)] }
      return step.requests.map { ($0.entity, $0.options) }
    }
  }

  private func isKind(_ entity: EntityName, of ancestor: EntityName) -> Bool {
    let schema = scenario.model.schema
    guard let entity = schema.indices[entity], let ancestor = schema.indices[ancestor] else { return true }
    return schema.isKind(entity, of: ancestor)
  }
}
