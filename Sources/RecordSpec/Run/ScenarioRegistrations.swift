public import RecordEngine
public import RecordModel

/// What a test target brings to its scenarios: Swift code that YAML can only name.
///
/// ```swift
/// let app = ScenarioRegistrations(
///   recordTypes: [Post.self],
///   transformers: ["TagList": TagList()],
///   hooks: ["keyFromLink": { options in options.keyInjection = keyFromLink }])
/// ```
public struct ScenarioRegistrations: Sendable {
  /// Sets what it wants of the options of a request; what stands beside it in YAML is set already.
  public typealias Hook = @Sendable (inout RequestOptions) -> Void

  /// Record types, bound to the entities that name them as `class`; records of others are plain ones.
  public var recordTypes: [Record.Type]
  /// Marshalers by entity; what a scenario's `customise:` says of the population of an entity stands in their place.
  public var marshalers: [EntityName: any Marshaler]
  /// Value transformers by the name that attributes give as `transformer`.
  public var transformers: [String: any RecordValueTransformer]
  /// Hooks by the name that scenarios give in `options: {hooks: […]}`.
  public var hooks: [String: Hook]

  public init(
    recordTypes: [Record.Type] = [], marshalers: [EntityName: any Marshaler] = [:],
    transformers: [String: any RecordValueTransformer] = [:],
    hooks: [String: Hook] = [:]
  ) {
    self.recordTypes = recordTypes
    self.marshalers = marshalers
    self.transformers = transformers
    self.hooks = hooks
  }

  /// The record types that a scenario's model has: what is registered is for several models.
  func recordTypes(of model: ManagedObjectModel) -> [Record.Type] {
    recordTypes.filter(model.hasEntity)
  }
}

extension LoadedScenario {
  /// The scenario after the hooks that it names were looked up: without one of them it cannot be run.
  ///
  /// - Parameter registrations: what a test target has registered; nil where there is none, as on the command line.
  package func checkedForHooks(_ registrations: ScenarioRegistrations?) -> LoadedScenario {
    guard let scenario else { return self }
    let missing = scenario.namedHooks.filter { registrations?.hooks[$0.value] == nil }
    guard !missing.isEmpty else { return self }
    var checked = self
    checked.scenario = nil
    checked.diagnostics += missing.map { hook in
      guard let registrations else {
        return AuthorDiagnostic(
          .unknownHook, at: hook.span, "the hook '\(hook.value)' is Swift code, which is not here",
          advice: "run the scenario in the test target that registers '\(hook.value)'")
      }
      let names = registrations.hooks.keys.sorted()
      let near = nearestName(to: hook.value, among: names)
      return AuthorDiagnostic(
        .unknownHook, at: hook.span, "nobody has registered a hook '\(hook.value)'",
        expected: near == nil && !names.isEmpty ? names.joined(separator: ", ") : nil,
        advice: near.map { "did you mean '\($0)'?" } ?? (names.isEmpty ? "register it in the test" : nil))
    }
    checked.diagnostics = checked.diagnostics.sortedByPlace()
    return checked
  }
}

extension Scenario {
  fileprivate var namedHooks: [Located<String>] {
    (steps.flatMap(\.options) + Array(defaults.values)).flatMap(\.hooks)
  }
}

extension Step {
  fileprivate var options: [StepOptions] {
    switch action {
    case .request(let step): [step.options]
    case .page(let step): [step.request.options]
    case .nextPage(let step): [step.options]
    case .detail(let step): [step.options]
    case .fetchFirst(let step): [step.request.options]
    case .serialize(let step): [step.options]
    case .batch(let step): [step.options] + step.entries.flatMap(\.options)
    case .await, .cancel, .fetch, .change, .save, .rollback, .reopen, .tweak: []
    }
  }
}
