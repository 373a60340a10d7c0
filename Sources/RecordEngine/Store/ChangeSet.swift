import RecordModel

/// All changes that one save makes to a store.
///
/// If either side of a relationship is a to-one, only the rows of that side store the relationship, and the members of
/// a to-many inverse are derived from these rows. All other to-many relationships are stored as links.
package struct ChangeSet: Sendable {
  package struct Update: Sendable {
    package var before: Row
    package var after: Row
  }

  /// The change of the order of one ordered to-many relationship of one record.
  package struct Ordering: Sendable {
    package var relationship: RelationshipIndex
    package var owner: RecordID
    /// The new members, in the order in which they were added. They are placed after all others.
    package var added: [RecordID]
    /// All members in their order; nil if no order was set explicitly.
    package var order: [RecordID]?

    var end: RelationshipEnd { RelationshipEnd(relationship: relationship, owner: owner) }
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

  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && linked.isEmpty && unlinked.isEmpty
      && orderings.isEmpty
  }

  /// The records whose rows have changed.
  package var rowIDs: [RecordID] { inserted.map(\.id) + updated.map(\.after.id) + deleted.map(\.id) }
}

extension ChangeSet {
  /// The members that a relationship of one record has gained and lost.
  struct MembershipChange {
    var added: [RecordID] = []
    var removed: [RecordID] = []
  }

  /// Returns the changes of all relationships whose members or order have changed, from the perspective of both sides.
  func memberChanges(_ schema: Schema) -> [RelationshipEnd: MembershipChange] {
    var ends: [RelationshipEnd: MembershipChange] = [:]
    func note(_ relationship: RelationshipIndex, _ owner: RecordID, _ member: RecordID, isAddition: Bool) {
      let end = RelationshipEnd(relationship: relationship, owner: owner)
      if isAddition {
        ends[end, default: MembershipChange()].added.append(member)
      } else {
        ends[end, default: MembershipChange()].removed.append(member)
      }
    }
    func note(_ before: Row?, _ after: Row?) {
      guard let row = after ?? before else { return }
      for relationship in schema.trees[row.id.tree].toOnes.map({ schema.relationships[$0] }) {
        guard let slot = relationship.slot, before?.toOnes[slot] != after?.toOnes[slot] else { continue }
        for (partner, isAddition) in [(before?.toOnes[slot], false), (after?.toOnes[slot], true)] {
          guard let partner else { continue }
          note(relationship.index, row.id, partner, isAddition: isAddition)
          if let inverse = relationship.inverse { note(inverse, partner, row.id, isAddition: isAddition) }
        }
      }
    }
    for row in inserted { note(nil, row) }
    for update in updated { note(update.before, update.after) }
    for row in deleted { note(row, nil) }
    for (links, isAddition) in [(linked, true), (unlinked, false)] {
      for link in links {
        note(link.relationship, link.owner, link.member, isAddition: isAddition)
        guard let inverse = schema.relationships[link.relationship].inverse else { continue }
        note(inverse, link.member, link.owner, isAddition: isAddition)
      }
    }
    for ordering in orderings {
      ends[ordering.end] = ends[ordering.end] ?? MembershipChange()
    }
    return ends
  }
}
