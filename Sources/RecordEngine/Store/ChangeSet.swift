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
    package var relationship: RelationshipIndex
    package var owner: RecordID
    /// Members that are new to it, in the order in which they came: they stand behind all others.
    package var added: [RecordID]
    /// All members in order, where it was given an order of its own.
    package var order: [RecordID]?

    var end: RelationshipEnd { RelationshipEnd(relationship: relationship, owner: owner) }
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
  /// The members that the relationship of one record has got and lost.
  struct MembershipChange {
    var added: [RecordID] = []
    var removed: [RecordID] = []
  }

  /// What has become of every relationship whose members, or their order, are no longer what they were, as each record on
  /// either side has it.
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
