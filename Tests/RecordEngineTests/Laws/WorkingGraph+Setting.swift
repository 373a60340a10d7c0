import RecordModel

@testable import RecordEngine

extension WorkingGraph {
  /// Sets the members of a to-many relationship, and their order if it is ordered. A context does this in three edits.
  mutating func setMembers(_ members: [RecordID], of relationship: RelationshipIndex, owner: RecordID) throws
  {
    for member in try self.members(of: relationship, owner: owner) where !members.contains(member) {
      try removeMember(member, from: relationship, of: owner)
    }
    for member in members { try addMember(member, to: relationship, of: owner) }
    if schema.relationships[relationship].isOrdered { try setOrder(members, of: relationship, owner: owner) }
  }
}
