import OrderedCollections
import RecordModel

/// Access to the properties of records by name.
///
/// If the entity of the record does not have a property, but another entity of its inheritance tree does, the property
/// is empty. An import may have changed the entity of a record that an object represents. A name that no entity of the
/// tree has is a programming error.
extension ManagedObjectContext {
  func value(_ name: PropertyName, of id: RecordID) -> AttributeValue? {
    if let known = held.value(name, of: id) { return known }
    guard let row = row(id), let attribute = attributeIndex(name, row) else { return nil }
    return row.values[schema.entities[row.entity].attributes[attribute].column]
  }

  func setValue(_ value: AttributeValue?, _ name: PropertyName, of id: RecordID) {
    guard let row = row(id), let attribute = attribute(name, row) else { return }
    if let value, !value.fits(attribute.type) {
      preconditionFailure(
        "'\(name)' of '\(schema.entities[row.entity].name)' is \(attribute.type), and cannot be set to \(value)"
      )
    }
    let resolved = value?.standingAlone
    change(ChangedRecords(id)) { graph in
      graph.update(id) { row in
        row.values[attribute.column] = resolved
        row.isStub = false
      }
    }
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
    // If a read error hides whether the target exists, nothing is set.
    guard reading({ () throws(StoreError) in try graph.load(target.map { [$0] } ?? []) }) != nil else {
      return
    }
    // A record that no longer exists counts as nil.
    let target = target.flatMap { self.row($0) == nil ? nil : $0 }
    guard target.map({ canLead(relationship, to: $0) }) ?? true else { return }
    change(relationship) { graph throws(StoreError) in
      graph.name(RelationshipEnd(relationship: relationship.index, owner: id))
      let former = relationship.slot.flatMap { row.toOnes[$0] }
      try graph.setToOne(relationship.index, of: id, to: target)
      guard let target, target != former, let inverse = relationship.inverse else { return }
      try graph.placeNewMember(id, in: inverse, of: target)
    }
  }

  func toMany(_ name: PropertyName, of id: RecordID) -> [RecordID] {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true) else { return [] }
    return members(of: relationship, id) ?? []
  }

  /// Returns the members of a to-many; nil if they could not be read.
  private func members(of relationship: SchemaRelationship, _ id: RecordID) -> [RecordID]? {
    prepareMembers(relationship.index, of: id)
    return reading { () throws(StoreError) in try graph.members(of: relationship.index, owner: id) }
  }

  func setToMany(_ name: PropertyName, of id: RecordID, to members: [RecordID]) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true) else { return }
    // A comparison with only some of the members would produce the wrong list.
    guard reading({ () throws(StoreError) in try graph.load(members) }) != nil,
      let read = self.members(of: relationship, id)
    else { return }
    let wanted = OrderedSet(members.filter { canLead(relationship, to: $0) })
    let present = Set(read)
    for member in present.sorted() where !wanted.contains(member) {
      remove(member, from: relationship, of: id)
    }
    for member in wanted where !present.contains(member) {
      add(member, to: relationship, of: id)
    }
    guard relationship.isOrdered else { return }
    // The order can change without a change of the members.
    change(relationship) { graph throws(StoreError) in
      if !wanted.elementsEqual(read) {
        graph.name(RelationshipEnd(relationship: relationship.index, owner: id))
      }
      try graph.placeLast(Array(wanted), in: relationship.index, of: id)
    }
  }

  private func add(_ member: RecordID, to relationship: SchemaRelationship, of owner: RecordID) {
    change(relationship) { graph throws(StoreError) in
      graph.name(RelationshipEnd(relationship: relationship.index, owner: owner))
      if try graph.isMember(member, of: relationship.index, owner: owner) { return }
      try graph.addMember(member, to: relationship.index, of: owner)
      try graph.placeNewMember(member, in: relationship.index, of: owner)
      if let inverse = relationship.inverse { try graph.placeNewMember(owner, in: inverse, of: member) }
    }
  }

  private func remove(_ member: RecordID, from relationship: SchemaRelationship, of owner: RecordID) {
    change(relationship) { graph throws(StoreError) in
      graph.name(RelationshipEnd(relationship: relationship.index, owner: owner))
      try graph.removeMember(member, from: relationship.index, of: owner)
    }
  }

  func addMember(_ member: RecordID, to name: PropertyName, of id: RecordID) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true),
      canLead(relationship, to: member)
    else { return }
    add(member, to: relationship, of: id)
  }

  func removeMember(_ member: RecordID, from name: PropertyName, of id: RecordID) {
    guard let row = row(id), let relationship = relationship(name, row, isToMany: true),
      canLead(relationship, to: member)
    else { return }
    remove(member, from: relationship, of: id)
  }

  // MARK: Names

  private func attribute(_ name: PropertyName, _ row: Row) -> SchemaAttribute? {
    attributeIndex(name, row).map { schema.entities[row.entity].attributes[$0] }
  }

  private func attributeIndex(_ name: PropertyName, _ row: Row) -> AttributeIndex? {
    if let index = schema.entities[row.entity].attributeIndices[name] { return index }
    let entity = schema.entities[row.entity]
    precondition(
      schema.entities.contains { $0.tree == entity.tree && $0.attributeIndices[name] != nil },
      "'\(entity.name)' has no attribute '\(name)'")
    return nil
  }

  private func relationship(_ name: PropertyName, _ row: Row, isToMany: Bool) -> SchemaRelationship? {
    func isMeant(_ index: RelationshipIndex) -> Bool { schema.relationships[index].isToMany == isToMany }
    if let index = schema.entities[row.entity].relationshipIndices[name], isMeant(index) {
      return schema.relationships[index]
    }
    let entity = schema.entities[row.entity]
    precondition(
      schema.entities.contains {
        $0.tree == entity.tree && $0.relationshipIndices[name].map(isMeant) ?? false
      },
      "'\(entity.name)' has no \(isToMany ? "to-many" : "to-one") relationship '\(name)'")
    return nil
  }

  /// Returns whether a relationship can lead to a record. It cannot lead to a record that no longer exists, or to one
  /// whose entity an import has changed. A record outside the inheritance tree of the destination is a programming
  /// error.
  private func canLead(_ relationship: SchemaRelationship, to target: RecordID) -> Bool {
    guard let row = row(target) else { return false }
    let destination = schema.entities[relationship.destination]
    precondition(
      schema.entities[row.entity].tree == destination.tree,
      "the destination of '\(relationship.name)' is '\(destination.name)'")
    return schema.isKind(row.entity, of: relationship.destination)
  }
}

extension WorkingGraph {
  /// Moves a new member behind all others, even if it was a member before and had a position.
  fileprivate mutating func placeNewMember(
    _ member: RecordID, in relationship: RelationshipIndex, of owner: RecordID
  ) throws(StoreError) {
    if schema.relationships[relationship].isOrdered { try placeLast([member], in: relationship, of: owner) }
  }
}
