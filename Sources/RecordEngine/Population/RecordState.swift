import OrderedCollections
public import RecordModel

/// A record in its unsaved state during the population of a response, including the values of the response.
///
/// Use it only inside the hook that receives it, and do not store it. Naming a property that the entity does not have
/// is a programming error and stops the program, as in ``Record``.
public struct RecordState {
  /// The identifier of the record.
  public var recordID: RecordID { row.id }
  /// The name of the record's entity.
  public var entityName: EntityName { group.reading.schema.entities[row.entity].name }

  private let row: Row
  private let group: RecordGroup

  fileprivate init(_ row: Row, _ group: RecordGroup) {
    self.row = row
    self.group = group
  }

  /// Accesses the value of an attribute; nil if it has none.
  public subscript<Value: AttributeConvertible>(name: PropertyName) -> Value? {
    value(of: name).flatMap(Value.init)
  }

  /// Returns the value of an attribute of any type; nil if it has none.
  public func value(of name: PropertyName) -> AttributeValue? {
    let entity = group.reading.schema.entities[row.entity]
    if let position = entity.attributeIndices[name] {
      return row.values[entity.attributes[position].column]
    }
    group.expect(name, of: entity, "attribute") { $0.attributeIndices[name] != nil }
    return nil
  }

  /// The record at the other end of a to-one relationship; nil if there is none.
  public subscript(name: PropertyName) -> RecordState? {
    guard let relationship = relationship(name, isToMany: false), let slot = relationship.slot else {
      return nil
    }
    return row.toOnes[slot].flatMap { group.related(through: relationship).state(of: $0) }
  }

  /// The records of a to-many relationship: in their order if it is ordered, otherwise oldest first.
  public subscript(name: PropertyName) -> [RecordState] {
    guard let relationship = relationship(name, isToMany: true) else { return [] }
    let related = group.related(through: relationship)
    return group.members(of: relationship, owner: row.id).compactMap { related.state(of: $0) }
  }

  /// Returns a Boolean value that indicates whether a predicate holds for the record.
  ///
  /// The data that the predicate needs is read once for all records that the hook receives together. An invalid
  /// predicate, or one that names a property that the entity does not have, fails the request.
  public func matches(_ predicate: RecordPredicate) -> Bool { group.matching(predicate).contains(row.id) }

  private func relationship(_ name: PropertyName, isToMany: Bool) -> SchemaRelationship? {
    let schema = group.reading.schema
    let entity = schema.entities[row.entity]
    func isMeant(_ index: RelationshipIndex) -> Bool { schema.relationships[index].isToMany == isToMany }
    if let index = entity.relationshipIndices[name], isMeant(index) { return schema.relationships[index] }
    group.expect(name, of: entity, isToMany ? "to-many relationship" : "to-one relationship") {
      $0.relationshipIndices[name].map(isMeant) ?? false
    }
    return nil
  }
}

/// A reader of records for hooks, which cannot throw. The first failure is stored in ``failure`` for the caller of the
/// hook.
final class RecordReading {
  let schema: Schema
  fileprivate(set) var graph: WorkingGraph
  private(set) var failure: RequestFailure?

  init(_ graph: WorkingGraph) {
    schema = graph.schema
    self.graph = graph
  }

  /// Returns the existing records of an entity as one group, in the order of `ids`.
  func states(of ids: [RecordID], _ entity: EntityIndex) -> [RecordState] {
    let group = group(of: ids, entity)
    return ids.compactMap { group.state(of: $0) }
  }

  fileprivate func group(of ids: [RecordID], _ entity: EntityIndex) -> RecordGroup {
    let rows = attempt { () throws(StoreError) in try graph.rows(ids) } ?? []
    return RecordGroup(self, entity, rows.compactMap(\.self))
  }

  fileprivate func attempt<Answer>(_ read: () throws(StoreError) -> Answer) -> Answer? {
    do {
      return try read()
    } catch {
      fail(RequestFailure(Diagnostic(.fetchError, message: error.message)))
      return nil
    }
  }

  fileprivate func fail(_ failure: RequestFailure) {
    if self.failure == nil { self.failure = failure }
  }
}

/// Records that a hook receives together. Related records are read for all of them at once.
private final class RecordGroup {
  // Not weak: states should not outlive the reading, but they can.
  let reading: RecordReading
  private let entity: EntityIndex
  private let rows: OrderedDictionary<RecordID, Row>
  private var matching: [RecordPredicate: Set<RecordID>] = [:]
  private var related: [RelationshipIndex: RecordGroup] = [:]

  init(_ reading: RecordReading, _ entity: EntityIndex, _ rows: [Row]) {
    self.reading = reading
    self.entity = entity
    self.rows = OrderedDictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func state(of id: RecordID) -> RecordState? { rows[id].map { RecordState($0, self) } }

  func matching(_ predicate: RecordPredicate) -> Set<RecordID> {
    if let known = matching[predicate] { return known }
    var found: Set<RecordID> = []
    do {
      try reading.schema.check(predicate, over: reading.schema.entities[entity])
      let fetch = StoreFetch(entity: entity, predicate: predicate)
      let rows = Array(rows.values)
      let matches = reading.attempt { () throws(StoreError) in
        try fetch.matches(among: rows, reading.schema, from: &reading.graph)
      }
      found = Set((matches ?? []).map(\.id))
    } catch {
      reading.fail(error)
    }
    matching[predicate] = found
    return found
  }

  func related(through relationship: SchemaRelationship) -> RecordGroup {
    if let known = related[relationship.index] { return known }
    let owners = owners(of: relationship)
    var ids: [RecordID] = []
    if let slot = relationship.slot {
      ids = owners.compactMap { $0.toOnes[slot] }
    } else {
      let members = reading.attempt { () throws(StoreError) in
        try reading.graph.members(of: relationship.index, owners: owners.map(\.id))
      }
      ids = (members ?? []).flatMap(\.self)
    }
    let group = reading.group(of: Array(Set(ids)).sorted(), relationship.destination)
    related[relationship.index] = group
    return group
  }

  /// Returns the members of a record, after they have been read for all records of the group.
  func members(of relationship: SchemaRelationship, owner: RecordID) -> [RecordID] {
    reading.attempt { () throws(StoreError) in
      try reading.graph.members(of: relationship.index, owner: owner)
    } ?? []
  }

  private func owners(of relationship: SchemaRelationship) -> [Row] {
    rows.values.filter { reading.schema.isKind($0.entity, of: relationship.entity) }
  }

  /// Stops the program if no entity of the tree has the property.
  func expect(
    _ name: PropertyName, of entity: SchemaEntity, _ what: String, isThere: (SchemaEntity) -> Bool
  ) {
    precondition(
      reading.schema.entities.contains { $0.tree == entity.tree && isThere($0) },
      "'\(entity.name)' has no \(what) '\(name)'")
  }
}
