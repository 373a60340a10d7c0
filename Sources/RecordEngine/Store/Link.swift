package import RecordModel

/// One membership in a to-many relationship that no row keeps: a many-to-many one, or one without inverse.
///
/// A pair of relationships has one link for each pair of records, under the relationship declared first
/// (`SchemaRelationship.linkRelationship`). A relationship that is its own inverse has two, one for each direction.
package struct Link: Hashable, Sendable {
  package let relationship: RelationshipIndex
  package let owner: RecordID
  package let member: RecordID

  /// The link that says that `member` belongs to the relationship of `owner`, whichever of the pair it is.
  package init(_ relationship: SchemaRelationship, owner: RecordID, member: RecordID) {
    self.init(relationship.index, relationship.linkRelationship, owner: owner, member: member)
  }

  /// The same for the index of a relationship and of the one under which its links are kept.
  init(_ index: RelationshipIndex, _ linkRelationship: RelationshipIndex?, owner: RecordID, member: RecordID)
  {
    relationship = linkRelationship ?? index
    let isReversed = relationship != index
    self.owner = isReversed ? member : owner
    self.member = isReversed ? owner : member
  }
}
