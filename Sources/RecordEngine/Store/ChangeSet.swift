import RecordModel

/// Everything that one save does to a store.
///
/// A relationship with a to-one on either side is kept by the rows of that side alone: who is a member of the to-many
/// opposite follows from them. All other to-manys are kept as links.
package struct ChangeSet: Sendable {
  package struct Update: Sendable {
    package var before: Row
    package var after: Row
  }

  /// What happened to the order of one ordered to-many relationship of one record.
  package struct Ordering: Sendable {
    package var relationship: Int
    package var owner: RecordID
    /// Members that are new to it, in the order in which they came: they stand behind all others.
    package var added: [RecordID]
    /// All members in order, where it was given an order of its own.
    package var order: [RecordID]?
  }

  /// In the order in which the records were made.
  package var inserted: [Row] = []
  /// In the order in which the records were met.
  package var updated: [Update] = []
  package var deleted: [Row] = []
  /// In the order in which they were made; none of them is in the store yet.
  package var linked: [Link] = []
  /// All of them are in the store.
  package var unlinked: [Link] = []
  /// One for each ordered to-many that has new members or a new order, whether rows or links keep its members.
  package var orderings: [Ordering] = []

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && linked.isEmpty && unlinked.isEmpty
      && orderings.isEmpty
  }

  /// Every record whose row is no longer what it was.
  package var rowIDs: [RecordID] { inserted.map(\.id) + updated.map(\.after.id) + deleted.map(\.id) }
}

extension ChangeSet {
  /// Every relationship whose members are no longer what they were, as each record on either side has it.
  func changedEnds(_ schema: Schema) -> Set<RelationshipEnd> {
    var ends: Set<RelationshipEnd> = []
    func note(_ before: Row?, _ after: Row?) {
      guard let row = after ?? before else { return }
      for relationship in schema.trees[row.id.tree].toOnes.map({ schema.relationships[$0] }) {
        guard let slot = relationship.slot, before?.toOnes[slot] != after?.toOnes[slot] else { continue }
        ends.insert(RelationshipEnd(relationship: relationship.index, owner: row.id))
        guard let inverse = relationship.inverse else { continue }
        for partner in [before?.toOnes[slot], after?.toOnes[slot]].compactMap(\.self) {
          ends.insert(RelationshipEnd(relationship: inverse, owner: partner))
        }
      }
    }
    for row in inserted { note(nil, row) }
    for update in updated { note(update.before, update.after) }
    for row in deleted { note(row, nil) }
    for link in linked + unlinked {
      ends.insert(RelationshipEnd(relationship: link.relationship, owner: link.owner))
      guard let inverse = schema.relationships[link.relationship].inverse else { continue }
      ends.insert(RelationshipEnd(relationship: inverse, owner: link.member))
    }
    for ordering in orderings {
      ends.insert(RelationshipEnd(relationship: ordering.relationship, owner: ordering.owner))
    }
    return ends
  }
}
