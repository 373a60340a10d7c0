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
    case .detail(let detail):
      return [Target(address: nil, keyPath: keyPath(of: detail.record.value.entity, detail.options))]
    case .await(let name): return lastTarget { $0.requests.contains { $0.name == name } }
    case .nextPage(let page):
      return lastTarget {
        if case .page(let first) = $0.action { first.run == page.run } else { false }
      }
    default:
      return step.requests.map { request in
        Target(address: address(of: request), keyPath: keyPath(of: request.entity, request.options))
      }
    }
  }

  /// Returns the requests of the last of the steps so far that fits.
  private func lastTarget(_ fits: (Step) -> Bool) -> [Target] {
    scenario.steps.prefix(result.snapshot.steps.count).last(where: fits).map(targets) ?? []
  }

  /// Returns the key path of the items in a response; nil if the whole response is the item.
  private func keyPath(of entity: EntityName, _ options: StepOptions) -> MappingPath? {
    let options = options.areStated ? options : scenario.defaults[entity] ?? options
    let path = options.responseKeyPath ?? scenario.model.schema.entity(entity)?.responseKeyPath
    return path?.components.isEmpty ?? true ? nil : path
  }
}
