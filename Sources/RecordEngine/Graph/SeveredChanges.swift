import OrderedCollections
import RecordModel

/// Unsaved changes of records that the caller has deleted: on other data, they lead delete rules to the same records again, and
/// to no others.
struct SeveredChanges: Sendable {
  /// The records that the caller's deletions have taken.
  var records: Set<RecordID> = []
  /// New records.
  var rows: [Row] = []
  /// Changes of saved records, which count again if a record turns out to stay.
  var updates: [ChangeSet.Update] = []
  /// The former targets of to-ones that deletions have emptied; nil where a to-one was empty before.
  var toOnes: OrderedDictionary<RelationshipEnd, RecordID?> = [:]
  var links: [Link] = []
  /// The links that deletions have cut.
  var cut: Set<Link> = []
  /// To-ones that something other than a deletion has emptied: they stay empty whatever is deleted afterwards.
  var emptied: Set<RelationshipEnd> = []

  /// Returns whether a link of a deleted record, which is not there, was removed before the deletion.
  func isCutBefore(_ link: Link) -> Bool {
    !cut.contains(link) && (records.contains(link.owner) || records.contains(link.member))
  }
}

extension WorkingGraph {
  /// Notes what is unsaved of a record that is about to be deleted.
  mutating func noteSevered(_ id: RecordID) throws(StoreError) {
    guard let row = knownRow(id) else { return }
    severed.records.insert(id)
    let stored = storedRow(id)
    if let stored {
      if stored != row { severed.updates.append(ChangeSet.Update(before: stored, after: row)) }
    } else {
      severed.rows.append(row.withoutToOnes)
    }
    for index in schema.entities[row.entity].relationships {
      let relationship = schema.relationships[index]
      if let slot = relationship.slot {
        let (target, end) = (row.toOnes[slot], RelationshipEnd(relationship: index, owner: id))
        guard target != stored?.toOnes[slot], target != nil || severed.emptied.contains(end) else { continue }
        severed.toOnes.updateValue(target, forKey: end)
      } else {
        for member in try members(of: index, owner: id) { noteSevered(member, of: relationship, id) }
      }
    }
  }

  /// Returns the severed changes with the unsaved links without inverse that lead to deleted records.
  func severedChanges() -> SeveredChanges {
    if severed.records.isEmpty { return severed }
    var severed = severed
    for place in changed where !records[place].isDeleted {
      let (row, stored) = (records[place].row, records[place].stored)
      for (slot, target) in row.slots where target != stored?.toOnes[slot] {
        guard let target, severed.records.contains(target) else { continue }
        let relationship = schema.trees[row.id.tree].toOnes[for: slot]
        severed.toOnes[RelationshipEnd(relationship: relationship, owner: row.id)] = target
      }
    }
    for link in changedLinks.map({ links.links[$0] })
    where isUnsaved(link) && severed.records.contains(link.member) {
      if !isDeleted(link.owner) { severed.links.append(link) }
    }
    return severed
  }

  private mutating func noteSevered(
    _ member: RecordID, of relationship: SchemaRelationship, _ owner: RecordID
  ) {
    if let inverse = relationship.inverse, let slot = schema.relationships[inverse].slot {
      // A member whose row nobody has read is as it is stored.
      guard let row = knownRow(member), row.toOnes[slot] == owner,
        storedRow(member)?.toOnes[slot] != owner
      else { return }
      severed.toOnes[RelationshipEnd(relationship: inverse, owner: member)] = owner
    } else {
      let link = Link(relationship, owner: owner, member: member)
      if isUnsaved(link) { severed.links.append(link) }
    }
  }
}
