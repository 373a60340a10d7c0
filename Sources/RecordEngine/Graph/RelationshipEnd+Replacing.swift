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
