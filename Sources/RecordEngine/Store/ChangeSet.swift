/// Everything that one save does to a store.
package struct ChangeSet: Sendable {
  package struct Update: Sendable {
    package var before: Row
    package var after: Row
  }

  /// What happened to the members of one to-many relationship of one record.
  package struct Members: Sendable {
    package var relationship: Int
    package var owner: RecordID
    /// In the order in which they came.
    package var added: [RecordID]
    package var removed: [RecordID]
    /// All members in order, where an ordered relationship was given an order of its own.
    package var order: [RecordID]?
  }

  /// In the order in which the records were made.
  package var inserted: [Row] = []
  /// In the order in which the records were met.
  package var updated: [Update] = []
  package var deleted: [Row] = []
  /// Both sides of a relationship are listed.
  package var members: [Members] = []

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && members.isEmpty }

  /// Every record whose properties are no longer what they were.
  package var touched: Set<RecordID> {
    var ids = Set(inserted.map(\.id))
    ids.formUnion(updated.map(\.after.id))
    ids.formUnion(deleted.map(\.id))
    ids.formUnion(members.map(\.owner))
    return ids
  }
}
