import OrderedCollections
import RecordModel

/// The properties of records by name. What an entity of the record's tree has and the record's own has not is empty: an
/// import may change the entity of a record that somebody holds. A name that none of them has is a programming error.
extension ManagedObjectContext {
  func value(_ name: PropertyName, of id: RecordID) -> AttributeValue? {
    guard let row = row(id), let attribute = attribute(name, row) else { return nil }
    return row.values[attribute.column]
  }

  func setValue(_ value: AttributeValue?, _ name: PropertyName, of id: RecordID) {
    guard let row = row(id), let attribute = attribute(name, row) else { return }
    precondition(
      value?.fits(attribute.type) ?? true,
      "'\(name)' of '\(schema.entities[row.entity].name)' is \(attribute.type)")
    edit(.setValue(id, column: attribute.column, value?.standingAlone))
  }

  func toOne(_ name: PropertyName, of id: RecordID) -> RecordID? {
    guard let row = row(id), let slot = relationship(name, row, isToMany: false)?.slot,
      let target = row.toOnes[slot], !graph.isDeleted(target)
    else { return nil }
    if !graph.isKnown(target) { loadTargets(slot, of: id) }
    return target
  }

  func setToOne(_ name: PropertyName, of id: RecordID, to target: RecordID?) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: false) else { return }
    // Without knowing whether the target is there, nothing is set.
    guard reading({ () throws(StoreError) in try graph.load(target.map { [$0] } ?? []) }) != nil else {
      return
    }
    // A record that is gone is none.
    let target = target.flatMap { self.row($0) == nil ? nil : $0 }
    guard target.map({ mayLead(relationship, to: $0) }) ?? true else { return }
    edit(.setToOne(id, relationship: relationship.index, target))
  }

  func toMany(_ name: PropertyName, of id: RecordID) -> [RecordID] {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true) else { return [] }
    return members(of: relationship, id) ?? []
  }

  /// Nil if they could not be read.
  private func members(of relationship: SchemaRelationship, _ id: RecordID) -> [RecordID]? {
    prepareMembers(relationship.index, of: id)
    return reading { () throws(StoreError) in try graph.members(of: relationship.index, owner: id) }
  }

  func setToMany(_ name: PropertyName, of id: RecordID, to members: [RecordID]) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true) else { return }
    // What is compared with half of what is there would be another list than the one that is meant.
    guard reading({ () throws(StoreError) in try graph.load(members) }) != nil,
      let read = self.members(of: relationship, id)
    else { return }
    let wanted = OrderedSet(members.filter { mayLead(relationship, to: $0) })
    let present = Set(read)
    for member in present.sorted() where !wanted.contains(member) {
      edit(.removeMember(id, relationship: relationship.index, member))
    }
    for member in wanted where !present.contains(member) {
      edit(.addMember(id, relationship: relationship.index, member))
    }
    if relationship.isOrdered { edit(.order(id, relationship: relationship.index, Array(wanted))) }
  }

  func addMember(_ member: RecordID, to name: PropertyName, of id: RecordID) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true),
      mayLead(relationship, to: member)
    else { return }
    edit(.addMember(id, relationship: relationship.index, member))
  }

  func removeMember(_ member: RecordID, from name: PropertyName, of id: RecordID) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true),
      mayLead(relationship, to: member)
    else { return }
    edit(.removeMember(id, relationship: relationship.index, member))
  }

  // MARK: Names

  private func attribute(_ name: PropertyName, _ row: Row) -> SchemaAttribute? {
    let entity = schema.entities[row.entity]
    if let position = entity.attributePositions[name] { return entity.attributes[position] }
    precondition(
      schema.entities.contains { $0.tree == entity.tree && $0.attributePositions[name] != nil },
      "'\(entity.name)' has no attribute '\(name)'")
    return nil
  }

  private func relationship(_ name: PropertyName, _ row: Row, isToMany: Bool) -> SchemaRelationship? {
    let entity = schema.entities[row.entity]
    func isMeant(_ index: Int) -> Bool { schema.relationships[index].isToMany == isToMany }
    if let index = entity.relationshipIndices[name], isMeant(index) { return schema.relationships[index] }
    precondition(
      schema.entities.contains {
        $0.tree == entity.tree && $0.relationshipIndices[name].map(isMeant) ?? false
      },
      "'\(entity.name)' has no \(isToMany ? "to-many" : "to-one") relationship '\(name)'")
    return nil
  }

  /// Whether a relationship may lead to a record. One that is gone is left out, and so is one whose entity an import has
  /// changed; one of an entity that it never could lead to is a programming error.
  private func mayLead(_ relationship: SchemaRelationship, to target: RecordID) -> Bool {
    guard let row = row(target) else { return false }
    let destination = schema.entities[relationship.destination]
    precondition(
      schema.entities[row.entity].tree == destination.tree,
      "'\(relationship.name)' leads to '\(destination.name)'")
    return schema.isKind(row.entity, of: relationship.destination)
  }
}
