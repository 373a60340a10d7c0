import JSONTree
import RecordModel

extension ManagedObjectContext {
  /// The records that a request asks for, unsaved changes included.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for an entity or attribute that the model does not have,
  ///   `fetch-error` if the store could not be read.
  /// - Complexity: linear in the records of the entity.
  public func fetch(_ request: RecordFetchRequest) throws(RequestFailure) -> [Record] {
    let entity = try coordinator.entity(request.entity)
    if let error = request.predicate?.syntaxError {
      throw RequestFailure(
        Diagnostic(.fetchError, entity: entity.name, message: "the predicate is none: \(error.message)"))
    }
    for keyPath in request.predicate?.keyPaths ?? [] {
      guard let name = keyPath.keys.first, !coordinator.isProperty(name, of: entity) else { continue }
      throw coordinator.unknownAttribute(PropertyName(name), entity)
    }
    let sort = try request.sortDescriptors.map { descriptor throws(RequestFailure) in
      guard let position = entity.attributePositions[descriptor.attribute] else {
        throw coordinator.unknownAttribute(descriptor.attribute, entity)
      }
      return (column: entity.attributes[position].column, isAscending: descriptor.isAscending)
    }
    do {
      var rows = try graph.rows(of: entity.index)
      if let predicate = request.predicate {
        let evaluator = PredicateEvaluator(predicate)
        rows = rows.filter { evaluator.matches(RecordSubject(context: self, id: $0.id)) }
      }
      try throwReadFailure()
      if !sort.isEmpty { rows.sort { left, right in Self.isBefore(left, right, sort) } }
      return records(with: rows.prefix(max(0, request.limit ?? .max)).map(\.id))
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, entity: entity.name, message: error.message))
    }
  }

  private static func isBefore(_ left: Row, _ right: Row, _ sort: [(column: Int, isAscending: Bool)]) -> Bool
  {
    for (column, isAscending) in sort {
      let (first, second) = isAscending ? (left, right) : (right, left)
      if AttributeValue.areInIncreasingOrder(first.values[column], second.values[column]) { return true }
      if AttributeValue.areInIncreasingOrder(second.values[column], first.values[column]) { return false }
    }
    return left.id < right.id
  }
}

extension WorkingGraph {
  /// All rows of an entity and its sub-entities as they are now, oldest first.
  mutating func rows(of entity: Int) throws(StoreError) -> [Row] {
    let stored = try reader.rows(of: entity)
    adopt(stored)
    let others = changedRows.filter { row in
      storedRow(row.id).map { !schema.isKind($0.entity, of: entity) } ?? true
    }
    return (stored.compactMap { knownRow($0.id) } + others)
      .filter { schema.isKind($0.entity, of: entity) }
      .sorted { $0.id < $1.id }
  }
}

/// A record as predicates see it.
struct RecordSubject: PredicateSubject {
  let context: ManagedObjectContext
  let id: RecordID

  func value(at keyPath: [String]) -> PredicateValue { value(at: keyPath[...], of: id) }

  private func value(at keyPath: ArraySlice<String>, of id: RecordID) -> PredicateValue {
    guard let row = context.row(id) else { return .null }
    guard let name = keyPath.first.map(PropertyName.init(_:)) else { return .opaque(String(id.rawValue)) }
    let rest = keyPath.dropFirst()
    let entity = context.schema.entities[row.entity]
    if let position = entity.attributePositions[name] {
      guard let value = row.values[entity.attributes[position].column] else { return .null }
      return rest.isEmpty ? value.predicateValue(entity.attributes[position].type) : .null
    }
    guard let index = entity.relationshipIndices[name] else { return .null }
    if context.schema.relationships[index].isToMany {
      let members = context.toMany(name, of: id)
      if rest == ["@count"] { return .number(JSONNumber(Int64(members.count))) }
      return .list(members.map { value(at: rest, of: $0) })
    }
    return context.toOne(name, of: id).map { value(at: rest, of: $0) } ?? .null
  }
}

extension AttributeValue {
  /// The value as predicates see it: binary data, and transformable values that are no scalar, are opaque.
  fileprivate func predicateValue(_ type: AttributeType) -> PredicateValue {
    switch self {
    case .boolean(let value): .boolean(value)
    case .date(let value): .date(value)
    case .json(let value): JSONDocument(value).root.value(at: [])
    case .binary: .opaque(literal(type: type).compactText())
    case .integer, .double, .decimal, .string, .uuid, .uri:
      switch literal(type: type) {
      case .number(let number): .number(number)
      case .string(let text): .string(text)
      default: .null
      }
    }
  }
}
