import RecordModel

extension RelationshipEnd {
  func replacing(_ successors: [RecordID: RecordID]) -> RelationshipEnd {
    RelationshipEnd(relationship: relationship, owner: successors[owner] ?? owner)
  }
}

extension Link {
  func replacing(_ successors: [RecordID: RecordID]) -> Link {
    Link(relationship, nil, owner: successors[owner] ?? owner, member: successors[member] ?? member)
  }
}

extension ChangeSet.Ordering {
  func replacing(_ successors: [RecordID: RecordID]) -> ChangeSet.Ordering {
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    return ChangeSet.Ordering(
      relationship: relationship, owner: now(owner), added: added.map(now), order: order?.map(now))
  }
}

extension Row {
  func replacing(_ successors: [RecordID: RecordID]) -> Row {
    Row(
      id: successors[id] ?? id, entity: entity, isStub: isStub, values: values,
      toOnes: toOnes.map { $0.map { successors[$0] ?? $0 } })
  }
}
