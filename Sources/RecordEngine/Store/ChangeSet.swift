import RecordModel

/// All changes that one save makes to a store, or that a context adds to its store or parent.
///
/// If either side of a relationship is a to-one, only the rows of that side store the relationship, and the members of
/// a to-many inverse are derived from these rows. All other to-many relationships are stored as links.
package struct ChangeSet: Equatable, Sendable {
  /// The row of a record before and after the changes.
  package struct Update: Equatable, Sendable {
    package var before: Row
    package var after: Row
  }

  /// The change of the order of one ordered to-many relationship of one record.
  package struct Ordering: Equatable, Sendable {
    package var relationship: RelationshipIndex
    package var owner: RecordID
    /// The new members, in the order in which they were added. They are placed after all others.
    package var added: [RecordID]
    /// All members in their order; nil if no order was set explicitly.
    package var order: [RecordID]?
  }

  /// The inserted rows, in the order in which the records were created.
  package var inserted: [Row] = []
  /// The updated rows, in the order in which the records were first changed.
  package var updated: [Update] = []
  package var deleted: [Row] = []
  /// The new links, in the order in which they were created. None of them is in the store.
  package var linked: [Link] = []
  /// The removed links. All of them are in the store.
  package var unlinked: [Link] = []
  /// One element for each ordered to-many relationship with new members or a new order, whether rows or links store its
  /// members.
  package var orderings: [Ordering] = []
  /// The relationships that the changes name themselves, not only through their inverses. A relationship that has the same
  /// members as before may be among them. Rule: `request.changes`.
  package var namedEnds: [RelationshipEnd] = []

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && linked.isEmpty && unlinked.isEmpty
      && orderings.isEmpty
  }

  /// The records whose rows have changed.
  package var rowIDs: [RecordID] { inserted.map(\.id) + updated.map(\.after.id) + deleted.map(\.id) }
}
