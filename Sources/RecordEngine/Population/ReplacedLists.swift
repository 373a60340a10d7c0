import RecordModel

/// The lists with `assignment: replace` that the pages of a run contain. Only the first page with a list removes members:
/// the later ones continue it. Rule: `relationships.replace`.
package struct ReplacedLists: Sendable {
  private var ends: Set<RelationshipEnd> = []
  /// The records of cached pages, whose lists have not been read.
  private var unreadOwners: Set<RecordID> = []

  /// Creates the lists before the first page.
  package init() {}

  /// Returns a Boolean value that indicates whether an earlier page may contain a list.
  func contains(_ end: RelationshipEnd) -> Bool { ends.contains(end) || unreadOwners.contains(end.owner) }

  mutating func insert(_ end: RelationshipEnd) { ends.insert(end) }

  /// Adds the records of a page that the cache has answered.
  mutating func insertUnread(_ owners: some Sequence<RecordID>) { unreadOwners.formUnion(owners) }

  /// Replaces records by those that they have become.
  mutating func replaceRecords(_ current: (RecordID) -> RecordID) {
    unreadOwners = Set(unreadOwners.map(current))
    ends = Set(ends.map { RelationshipEnd(relationship: $0.relationship, owner: current($0.owner)) })
  }
}
