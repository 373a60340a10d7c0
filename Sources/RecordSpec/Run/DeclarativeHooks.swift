import JSONTree
import OrderedCollections
import RecordEngine
import RecordModel

extension RequestOptions {
  /// The options of a step, their declarative hooks turned into the engine's, and then the hooks that it names.
  init(_ step: StepOptions, model: ManagedObjectModel, _ registrations: ScenarioRegistrations) {
    self.init()
    keyPathForResponseObject = step.responseKeyPath
    mergeStrategy = step.merge
    if let persists = step.automaticallyPersistsRecords { automaticallyPersistsRecords = persists }
    isDryRun = step.isDryRun ?? false
    domain = step.domain
    paging = step.paging.map(Paging.init)
    headers = step.headers
    timeout = step.timeout
    let schema = model.schema
    if !step.injections.isEmpty {
      keyInjection = { item in
        guard let injection = schema.nearest(step.injections, to: item.entity) else { return nil }
        return switch injection {
        case .path(let path): path.find(in: item.dictionary)?.node.value
        case .parentKey: item.parent?.key
        case .literal(let value): value
        }
      }
    }
    if !step.prepopulation.isEmpty {
      prePopulation = { item in
        guard let assignments = schema.nearest(step.prepopulation, to: item.entity),
          case .object(var members) = item.dictionary.value
        else { return nil }
        for assignment in assignments {
          switch assignment.source {
          case .path(let path): members[assignment.key] = path.find(in: item.dictionary)?.node.value
          case .parentKey: members[assignment.key] = item.parent?.key
          case .literal(let value): members[assignment.key] = value
          }
        }
        return .object(members)
      }
    }
    for hook in step.hooks { registrations.hooks[hook.value]?(&self) }
  }
}

extension Schema {
  /// What is declared for an entity, or else for the nearest ancestor that something is declared for.
  fileprivate func nearest<Value>(_ declarations: [EntityName: Value], to name: EntityName) -> Value? {
    var entity = entity(name)
    while let current = entity {
      if let value = declarations[current.name] { return value }
      entity = current.parent.map { entities[$0] }
    }
    return nil
  }
}
