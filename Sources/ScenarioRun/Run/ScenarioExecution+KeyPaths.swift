import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// Response key paths that do not apply, because the response is an array. Rule: `response.array`.
extension ScenarioExecution {
  /// Returns the key paths of a step that do not apply.
  ///
  /// - Parameter arrays: the addresses of the requests of the step whose response is an array.
  package func unappliedKeyPaths(of step: Step, _ arrays: [RequestAddress]) -> [UnappliedKeyPath] {
    guard !arrays.isEmpty else { return [] }
    let targets = targets(of: step)
    return arrays.compactMap { address in
      // Requests of a batch have different entities. Other steps request records of one.
      let target = targets.count == 1 ? targets[0] : targets.first { $0.address == address }
      return target?.keyPath.map { UnappliedKeyPath(path: $0.description, response: address.text) }
    }
  }

  /// A request of a step: its address, which is nil for a request that follows from a record or a response, and the key
  /// path that applies to its response.
  private struct Target {
    var address: RequestAddress?
    var keyPath: MappingPath?
  }

  private func targets(of step: Step) -> [Target] {
    switch step.action {
    case .request(let request): [target(request)]
    case .page(let page): [target(page.request)]
    case .fetchFirst(let fetchFirst): [target(fetchFirst.request)]
    case .detail(let detail):
      [Target(address: nil, keyPath: keyPath(of: detail.record.value.entity, detail.options))]
    case .batch(let batch): batch.entries.flatMap(targets)
    case .await(let name):
      lastTarget { action in
        if case .request(let request) = action, request.name == name { request } else { nil }
      }
    case .nextPage(let page):
      lastTarget { action in
        if case .page(let first) = action, first.run == page.run { first.request } else { nil }
      }
    case .cancel, .fetch, .change, .save, .rollback, .reopen, .tweak, .serialize, .advance, .clearCache: []
    }
  }

  /// Returns the request of the last of the steps so far that fits.
  private func lastTarget(_ request: (Step.Action) -> RequestStep?) -> [Target] {
    for step in scenario.steps.prefix(result.snapshot.steps.count).reversed() {
      if let request = request(step.action) { return [target(request)] }
    }
    return []
  }

  private func target(_ request: RequestStep) -> Target {
    let address = try? RequestAddress(
      method: request.method, urn: request.urn, query: request.query, baseURL: scenario.baseURL)
    return Target(address: address, keyPath: keyPath(of: request.entity, request.options))
  }

  /// Returns the key path of the items in a response; nil if the whole response is the item.
  private func keyPath(of entity: EntityName, _ options: StepOptions) -> MappingPath? {
    let options = options.areStated ? options : scenario.defaults[entity] ?? options
    let path = options.responseKeyPath ?? scenario.model.schema.entity(entity)?.responseKeyPath
    return path?.components.isEmpty ?? true ? nil : path
  }
}
