import OrderedCollections
import RecordModel

extension WorkingGraph {
  /// Changes the entities of records, within their trees. Reads the records with a fixed number of queries.
  /// Rule: `identity.sub-entity`.
  package mutating func changeEntities(_ wanted: [(id: RecordID, entity: EntityIndex)]) throws(StoreError) {
    try load(wanted.lazy.map(\.id))
    var former: [RecordID: EntityIndex] = [:]
    for (id, entity) in wanted {
      guard let row = knownRow(id) else { continue }
      former[id] = former[id] ?? row.entity
      try changeEntity(of: id, to: entity)
    }
    try leaveOthersRelationships(former)
  }

  /// Changes the entity of a record, within its tree.
  ///
  /// Properties of both entities keep their values. Properties of the former entity only are cleared. Attributes of the
  /// new entity only get their default values. Relationships of other records that do not lead to the new entity still
  /// contain the record: see ``leaveOthersRelationships(_:)``.
  mutating func changeEntity(of id: RecordID, to entity: EntityIndex) throws(StoreError) {
    guard let row = try row(id), row.entity != entity else { return }
    let former = schema.entities[row.entity]
    let new = schema.entities[entity]
    let kept = Set(new.relationships)
    for relationship in former.relationships where !kept.contains(relationship) {
      try clear(relationship, of: id)
    }
    let formerColumns = Set(former.attributes.map(\.column))
    let newColumns = Set(new.attributes.map(\.column))
    update(id) { row in
      row.entity = entity
      for column in formerColumns.subtracting(newColumns) { row.values[column] = nil }
      for attribute in new.attributes where !formerColumns.contains(attribute.column) {
        row.values[attribute.column] = attribute.defaultValue
      }
    }
  }

  /// Restores the stored properties of a record that was neither inserted nor deleted here, including both sides of its
  /// relationships.
  mutating func revert(_ id: RecordID) throws(StoreError) {
    guard !isUntouched, try row(id) != nil, let stored = storedRow(id) else { return }
    try changeEntity(of: id, to: stored.entity)
    for index in schema.entities[stored.entity].relationships {
      let relationship = schema.relationships[index]
      if let slot = relationship.slot {
        let target = try stored.toOnes[slot].flatMap { (target) throws(StoreError) in try row(target)?.id }
        try setToOne(index, of: id, to: target)
      } else if let change = memberChange(of: index, owner: id) {
        for member in change.added { try removeMember(member, from: index, of: id) }
        for member in change.removed where try row(member) != nil { try addMember(member, to: index, of: id) }
        memberChanges[RelationshipEnd(relationship: index, owner: id)]?.order = nil
      }
    }
    update(id) { ($0.values, $0.isStub) = (stored.values, stored.isStub) }
  }

  /// Removes all records from a relationship.
  package mutating func clear(_ relationship: RelationshipIndex, of id: RecordID) throws(StoreError) {
    name(RelationshipEnd(relationship: relationship, owner: id))
    guard schema.relationships[relationship].isToMany else {
      return try setToOne(relationship, of: id, to: nil)
    }
    for member in try members(of: relationship, owner: id) {
      try removePresentMember(member, from: relationship, of: id)
    }
  }
}
