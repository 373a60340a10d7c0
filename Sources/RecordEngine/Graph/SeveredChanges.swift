import OrderedCollections
import RecordModel

/// Unsaved changes of records that the caller has deleted: on other data, they lead delete rules to the same records again.
struct SeveredChanges: Sendable {
  /// New records.
  var rows: [Row] = []
  /// Changes of saved records, which count again if a record turns out to stay.
  var updates: [ChangeSet.Update] = []
  /// The former targets of to-ones that deletions have emptied.
  var toOnes: OrderedDictionary<RelationshipEnd, RecordID> = [:]
  var links: [Link] = []
  /// To-ones that something other than a deletion has emptied: they stay empty whatever is deleted afterwards.
  var emptied: Set<RelationshipEnd> = []
}

extension WorkingGraph {
  /// Notes what is unsaved of a record that is about to be deleted.
  mutating func noteSevered(_ id: RecordID) throws(StoreError) {
    guard let row = knownRow(id) else { return }
    let stored = storedRow(id)
    if let stored {
      if stored != row { severed.updates.append(ChangeSet.Update(before: stored, after: row)) }
    } else {
      severed.rows.append(row.withoutToOnes)
    }
    for index in schema.entities[row.entity].relationships {
      let relationship = schema.relationships[index]
      if let slot = relationship.slot {
        guard let target = row.toOnes[slot], target != stored?.toOnes[slot] else { continue }
        severed.toOnes[RelationshipEnd(relationship: index, owner: id)] = target
      } else {
        for member in try members(of: index, owner: id) { noteSevered(member, of: relationship, id) }
      }
    }
  }

  private mutating func noteSevered(
    _ member: RecordID, of relationship: SchemaRelationship, _ owner: RecordID
  ) {
    if relationship.isInverseToOne, let inverse = relationship.inverse,
      let slot = schema.relationships[inverse].slot
    {
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
