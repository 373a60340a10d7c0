import RecordModel

/// The lists with `assignment: replace` that the pages of a run contain. Only the first page with a list removes members:
/// the later ones continue it. Rule: `relationships.replace`.
package struct ReplacedLists: Sendable {
  private var ends: Set<RelationshipEnd> = []
  /// A Boolean value that indicates whether the cache has answered a page, whose lists are not read and can be any.
  private var hasUnreadPage = false

  /// Creates the lists before the first page.
  package init() {}

  /// Returns a Boolean value that indicates whether an earlier page may contain a list.
  func contains(_ end: RelationshipEnd) -> Bool { hasUnreadPage || ends.contains(end) }

  mutating func insert(_ end: RelationshipEnd) { ends.insert(end) }

  /// Adds the lists of a page that the cache has answered.
  mutating func insertUnreadPage() { hasUnreadPage = true }

  /// Replaces records by those that they have become.
  mutating func replaceRecords(_ current: (RecordID) -> RecordID) {
    ends = Set(ends.map { RelationshipEnd(relationship: $0.relationship, owner: current($0.owner)) })
  }
}
