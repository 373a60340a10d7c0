/// One end of a relationship: a relationship of one record.
package struct RelationshipEnd: Comparable, Hashable, Sendable {
  /// The index of the relationship in the schema.
  package var relationship: RelationshipIndex
  package var owner: RecordID

  package init(relationship: RelationshipIndex, owner: RecordID) {
    self.relationship = relationship
    self.owner = owner
  }

  /// Compares the relationships, and then the owners.
  package static func < (lhs: RelationshipEnd, rhs: RelationshipEnd) -> Bool {
    (lhs.relationship, lhs.owner) < (rhs.relationship, rhs.owner)
  }

  /// The hash for a ``HashIndex``.
  var mixedHash: UInt64 {
    HashIndex.hash(UInt64(bitPattern: owner.rawValue), UInt64(truncatingIfNeeded: relationship.rawValue))
  }
}
