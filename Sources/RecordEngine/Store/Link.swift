package import RecordModel

/// A membership in a to-many relationship that no row stores: a many-to-many relationship, or one without inverse.
///
/// A pair of inverse relationships has one link for each pair of records. It belongs to the relationship declared first
/// (`SchemaRelationship.linkRelationship`). A relationship that is its own inverse has two links, one for each
/// direction.
package struct Link: Hashable, Sendable {
  package let relationship: RelationshipIndex
  package let owner: RecordID
  package let member: RecordID

  /// Creates the link for the membership of `member` in the relationship of `owner`. The relationship can be either one
  /// of the pair.
  package init(_ relationship: SchemaRelationship, owner: RecordID, member: RecordID) {
    self.init(relationship.index, relationship.linkRelationship, owner: owner, member: member)
  }

  /// Creates the link from the indices of a relationship and of the relationship that stores its links.
  init(_ index: RelationshipIndex, _ linkRelationship: RelationshipIndex?, owner: RecordID, member: RecordID)
  {
    relationship = linkRelationship ?? index
    let isReversed = relationship != index
    self.owner = isReversed ? member : owner
    self.member = isReversed ? owner : member
  }
}
