import JSONTree
import RecordEngine
import RecordModel
import ScenarioComparison
import ScenarioFormat

extension RequestOptions {
  /// Creates the engine's options from the options of a step. First the declarative hooks are converted, then the hooks
  /// that the step names are applied.
  init(_ step: StepOptions, model: ManagedObjectModel, _ registrations: ScenarioRegistrations) {
    self.init()
    keyPathForResponseObject = step.responseKeyPath
    mergeStrategy = step.merge
    if let hook = step.mergeHook { mergeHook = { hook.answer($0) } }
    if !step.failingCodes.isEmpty || !step.ignoredCodes.isEmpty {
      debugger = CodeDebugger(
        failOn: Set(step.failingCodes.map { DiagnosticCode(text: $0.value) }),
        ignore: Set(step.ignoredCodes.map { DiagnosticCode(text: $0.value) }))
    }
    if let persists = step.automaticallyPersistsRecords { automaticallyPersistsRecords = persists }
    keyPathForMetaData = step.metaDataKeyPath
    isDryRun = step.isDryRun ?? false
    isRecordLevelCachingEnabled = step.isCached
    reportsDrift = step.reportsDrift ?? false
    domain = step.domain
    paging = step.paging.map(Paging.init)
    if let count = step.maxPages { maxPages = count }
    failWhen = step.failWhen
    headers = step.headers
    timeout = step.timeout
    orphans = step.orphans.flatMap(OrphanDeletion.init)
    let schema = model.schema
    if !step.injections.isEmpty {
      keyInjection = { item in
        guard let injection = schema.nearest(step.injections, to: item.entity) else { return nil }
        return switch injection {
        case .whole(let source): source.value(in: item.dictionary, item.parent)
        case .parts(let parts):
          .object(
            JSONObject(
              parts.compactMap { part in
                part.source.value(in: item.dictionary, item.parent).map { (part.key, $0) }
              }))
        }
      }
    }
    if !step.prepopulation.isEmpty {
      prePopulation = { item in
        guard let assignments = schema.nearest(step.prepopulation, to: item.entity),
          case .object(var members) = item.dictionary.value
        else { return nil }
        for assignment in assignments {
          members[assignment.key] = assignment.source.value(in: item.dictionary, item.parent)
        }
        return .object(members)
      }
    }
    for hook in step.hooks { registrations.hooks[hook.value]?(&self) }
  }
}

extension ItemKeyAssignment.Source {
  /// Returns the value for an item; nil if there is none.
  fileprivate func value(in item: JSONNode, _ parent: ParentItem?) -> JSONValue? {
    switch self {
    case .path(let path): path.find(in: item)?.node.value
    case .parentKey: parent?.key
    case .literal(let value): value
    }
  }
}

extension OrphanDeletion {
  /// Creates the deletion of orphans; nil if orphans are kept.
  init?(_ step: OrphanOptions) {
    guard step.areDeleted else { return nil }
    self.init()
    switch step.scope {
    case nil: break
    case .predicate(let predicate): scope = .records(predicate)
    case .response(let text, let paths):
      scope = .response { response in
        let values = paths.compactMap { path in
          path.find(in: response).flatMap { PredicateArgument($0.node.value) }
        }
        guard values.count == paths.count else { return nil }
        return try? RecordPredicate(text, arguments: values)
      }
    }
    switch step.limit {
    case nil: break
    case .count(let count): limit = .count(count)
    case .percent(let percent): limit = .percent(percent)
    }
    guard step.keep != nil || step.stopAfter != nil else { return }
    decide = { [keep = step.keep, last = step.stopAfter] item in
      let isKept = keep.map { item.orphan.matches($0) } ?? false
      let isLast = last == item.index + 1
      return switch (isKept, isLast) {
      case (true, true): .keepAndStop
      case (true, false): .keep
      case (false, true): .deleteAndStop
      case (false, false): .delete
      }
    }
  }
}

extension PredicateArgument {
  /// Creates an argument from a value of a response; nil for a value that predicates cannot express.
  fileprivate init?(_ value: JSONValue) {
    switch value {
    case .string(let text): self = .value(.string(text))
    case .boolean(let boolean): self = .value(.boolean(boolean))
    case .number(let number):
      guard
        let value = number.int64Value.map(AttributeValue.integer)
          ?? number.doubleValue.map(AttributeValue.double)
      else { return nil }
      self = .value(value)
    case .array(let elements):
      var values: [AttributeValue] = []
      for element in elements {
        guard case .value(let value?)? = PredicateArgument(element) else { return nil }
        values.append(value)
      }
      self = .list(values)
    case .null, .object: return nil
    }
  }
}

extension Schema {
  /// Returns the declaration of an entity, or of its nearest ancestor that has one.
  fileprivate func nearest<Value>(_ declarations: [EntityName: Value], to name: EntityName) -> Value? {
    var entity = entity(name)
    while let current = entity {
      if let value = declarations[current.name] { return value }
      entity = current.parent.map { entities[$0] }
    }
    return nil
  }
}
