extension WorkingGraph {
  /// Makes records ones of other entities of their trees. The store is asked for groups, never for a record.
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

  /// Makes a record one of another entity of its tree, in place: what both entities have stays, what only the former
  /// has goes, what only the new one has starts with its default. It still stands in the relationships of others that
  /// do not know of it: see ``leaveOthersRelationships(_:)``.
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

  /// Takes every record out of a relationship.
  package mutating func clear(_ relationship: RelationshipIndex, of id: RecordID) throws(StoreError) {
    guard schema.relationships[relationship].isToMany else {
      return try setToOne(relationship, of: id, to: nil)
    }
    for member in try members(of: relationship, owner: id) {
      try removePresentMember(member, from: relationship, of: id)
    }
  }
}
