/// One end of a relationship: a relationship of one record.
package struct RelationshipEnd: Hashable, Sendable {
  /// The index of the relationship in the schema.
  package var relationship: RelationshipIndex
  package var owner: RecordID

  package init(relationship: RelationshipIndex, owner: RecordID) {
    self.relationship = relationship
    self.owner = owner
  }

  /// The hash for a ``HashIndex``.
  var mixedHash: UInt64 {
    HashIndex.hash(UInt64(bitPattern: owner.rawValue), UInt64(truncatingIfNeeded: relationship.rawValue))
  }
}
