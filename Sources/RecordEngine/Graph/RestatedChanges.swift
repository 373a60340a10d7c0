import OrderedCollections
import RecordModel

/// The unsaved changes of responses after a later response has been saved. Rule: `save.child.order`.
///
/// If there are unsaved responses, a response that is saved is populated again. It is populated over the store, for the
/// save, and over the unsaved responses, for the context. The restated changes are the difference between the two
/// results. As a result, a context ends with the same records whether responses are saved at once, later, or some at
/// once and others later.
struct RestatedChanges: Sendable {
  var changes: ResponseChanges
  /// For each unsaved record of responses that the saved response has also inserted, the saved record.
  var successors: [RecordID: RecordID] = [:]
  /// The records that the response has deleted here.
  var deleted: OrderedSet<RecordID> = []
  /// The relationships that the response has named and changed here.
  var named: OrderedSet<RelationshipEnd> = []

  /// Creates changes that the response does not modify.
  init(_ changes: ResponseChanges) { self.changes = changes }
}

/// The records of one item: over the unsaved changes, and in the store where the response is saved.
struct RecordPair {
  var unsaved: RecordID
  var saved: RecordID
}

extension RestatedChanges {
  /// Creates the restated changes.
  ///
  /// - Parameters:
  ///   - graph: the state before the save, with the changes of all responses including the saved one.
  ///   - changes: the unsaved changes before the response.
  ///   - kept: the properties that the caller has set in parent contexts. Responses do not change them.
  ///   - stated: the changes that the response states over the unsaved responses.
  ///   - saved: the changes that the response makes in the store.
  ///   - pairs: the records of its items.
  ///   - absent: the records that the caller has deleted in parent contexts. They do not exist here.
  /// - Complexity: linear in the number of changes, plus one query for each ordered relationship of records that the save
  ///   deletes and that stay here, and up to two for each relationship without inverse.
  init(
    _ graph: WorkingGraph, _ changes: UnsavedChanges, keeping kept: CallerChanges, stated: ResponseChanges,
    saved: ChangeSet, pairs: [RecordPair], without absent: Set<RecordID>
  ) throws(StoreError) {
    let others = pairs.filter { $0.unsaved != $0.saved }
    for pair in others where graph.isNew(pair.unsaved) && changes.caller.inserted[pair.unsaved] == nil {
      successors[pair.unsaved] = pair.saved
    }
    // If an item belongs to another record here, the record that the save has inserted for it does not exist here.
    let hidden = Set(saved.inserted.lazy.map(\.id)).intersection(others.lazy.map(\.saved))
      .subtracting(successors.values)
    var view = RestatedView(graph, successors, saved)
    self.changes = try view.changes(
      of: changes, stated: stated, keeping: kept, hiding: hidden, without: absent)
  }
}

/// The records with the unsaved changes, beside a save.
private struct RestatedView {
  private var graph: WorkingGraph
  private let saved: ChangeSet
  private let successors: [RecordID: RecordID]
  private let predecessors: [RecordID: RecordID]

  init(_ graph: WorkingGraph, _ successors: [RecordID: RecordID], _ saved: ChangeSet) {
    self.graph = graph
    self.saved = saved
    self.successors = successors
    predecessors = Dictionary(successors.map { ($0.value, $0.key) }, uniquingKeysWith: max)
  }

  private func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
  private func before(_ id: RecordID) -> RecordID { predecessors[id] ?? id }

  /// Returns the changes that lead from the saved records to the records here.
  ///
  /// - Parameters:
  ///   - unsaved: the unsaved changes before the response.
  ///   - stated: the changes that the response states over the unsaved responses.
  ///   - absent: the records that the caller has deleted in parent contexts.
  mutating func changes(
    of unsaved: UnsavedChanges, stated: ResponseChanges, keeping kept: CallerChanges,
    hiding hidden: Set<RecordID>, without absent: Set<RecordID>
  ) throws(StoreError) -> ResponseChanges {
    let schema = graph.schema
    // The changes have not been saved yet, so these are the rows without them, also of records that the save deletes.
    try graph.load(saved.updated.lazy.map(\.after.id))
    try graph.load(saved.deleted.lazy.map(\.id))
    let own = graph.changes()
    var rebased = own.rebased(
      onto: saved, replacing: successors, hiding: hidden, keeping: kept, schema
    ) { [graph] in graph.knownRow($0) }
    if !absent.isEmpty { rebased.inserted.removeAll { absent.contains($0.id) } }
    var changes = ResponseChanges(
      rebased, schema, insertedByCaller: unsaved.caller.inserted,
      named: Set((unsaved.responses.toOnes + stated.toOnes).map { $0.end.replacing(successors) }))
    changes.excused = Set(graph.stillExcused.map { $0.replacing(successors) })
    let areDeleted = Set(saved.deleted.lazy.map(\.id))
    let restored = rebased.inserted.filter { areDeleted.contains($0.id) }
    changes.restored = unsaved.responses.restored.merging(
      restoredRecords(restored.map(\.id), in: own, stated)
    ) { $0.union($1) }
    let deletedSuccessors = own.deleted.map(\.id).filter { predecessors[$0] != nil }
    let restoredOrReplaced = OrderedSet(restored.map(\.id) + deletedSuccessors)
    try restateOwners(of: restoredOrReplaced, without: areDeleted, in: &changes, keeping: kept)
    let linked = changes.links.lazy.filter(\.isThere).map(\.link)
    try restateOrders(of: orderedEnds(of: restored, linked), in: &changes)
    return changes
  }

  /// Returns records that only these changes keep, each with the relationships without inverse from which unsaved
  /// responses have removed it. The links that they have added are explicit changes.
  ///
  /// - Parameters:
  ///   - own: the changes of all responses, including the saved one.
  ///   - stated: the changes that the saved response states.
  private func restoredRecords(
    _ ids: [RecordID], in own: ChangeSet, _ stated: ResponseChanges
  ) -> ResponseChanges.RestoredRecords {
    if ids.isEmpty { return [:] }
    var records: ResponseChanges.RestoredRecords = [:]
    for id in ids { records[id] = [] }
    let (ends, links) = (Set(stated.toOnes.lazy.map(\.end)), Set(stated.links.lazy.map(\.link)))
    for (end, change) in own.memberChanges(graph.schema) {
      let relationship = graph.schema.relationships[end.relationship]
      guard relationship.inverse == nil, !ends.contains(end) else { continue }
      for member in change.removed
      where !links.contains(Link(relationship, owner: end.owner, member: member)) {
        records[member]?.insert(end)
      }
    }
    return records
  }

  /// Restates the relationships without inverse that lead to records that have been deleted either here or by the save,
  /// and that exist here. The changes do not contain all of these relationships.
  ///
  /// - Parameters:
  ///   - deleted: the records that the save has deleted, and that no stored relationship leads to any more.
  ///   - kept: the properties that the caller has set in parent contexts.
  private mutating func restateOwners(
    of members: OrderedSet<RecordID>, without deleted: Set<RecordID>, in changes: inout ResponseChanges,
    keeping kept: CallerChanges
  ) throws(StoreError) {
    if members.isEmpty { return }
    for relationship in graph.schema.relationships where relationship.inverse == nil {
      let tree = graph.schema.entities[relationship.destination].tree
      let members = Array(members.filter { $0.tree == tree })
      guard !members.isEmpty else { continue }
      let here = try graph.owners(of: relationship.index, members: members.map(before))
      let remaining = members.filter { !deleted.contains($0) }
      let found = remaining.isEmpty ? [] : try graph.reader.owners(of: relationship, members: remaining)
      var stored = Dictionary(zip(remaining, found.lazy.map { Set($0) })) { first, _ in first }
      saved.moveOwners(&stored, of: relationship, graph.schema)
      for (member, here) in zip(members, here) {
        // An owner that is deleted here may exist as the successor of an unsaved record.
        let (areHere, areStored) = (Set(here.map(now)), stored[member] ?? [])
        for owner in areHere.symmetricDifference(areStored).sorted() {
          let isHere = areHere.contains(owner)
          let end = RelationshipEnd(relationship: relationship.index, owner: owner)
          let link = Link(relationship, owner: owner, member: member)
          if relationship.isToMany {
            if !kept.sets(link) { changes.links.append((link, isHere)) }
          } else if !kept.sets(end) {
            changes.toOnes.append((end, isHere ? member : nil))
          }
        }
      }
    }
  }

  /// Returns the ordered relationships from and to records that exist here and that the save deletes.
  private func orderedEnds(
    of restored: [Row], _ links: some Sequence<Link>
  ) -> OrderedSet<RelationshipEnd> {
    let schema = graph.schema
    var ends: OrderedSet<RelationshipEnd> = []
    func add(_ relationship: RelationshipIndex?, _ owner: RecordID) {
      guard let relationship, schema.relationships[relationship].isOrdered else { return }
      ends.append(RelationshipEnd(relationship: relationship, owner: owner))
    }
    for row in restored {
      for relationship in schema.entities[row.entity].relationships { add(relationship, row.id) }
      for (slot, target) in row.slots {
        guard let target else { continue }
        add(schema.relationships[schema.trees[row.id.tree].toOnes[for: slot]].inverse, target)
      }
    }
    let areRestored = Set(restored.map(\.id))
    for link in links where areRestored.contains(link.owner) || areRestored.contains(link.member) {
      add(link.relationship, link.owner)
      add(schema.relationships[link.relationship].inverse, link.member)
    }
    return ends
  }

  /// Sets the order of the members of relationships to their order here. A save has unlinked the members of deleted
  /// records, and the members that are linked again would come last.
  private mutating func restateOrders(
    of ends: OrderedSet<RelationshipEnd>, in changes: inout ResponseChanges
  ) throws(StoreError) {
    try graph.prepare(ends.map { RelationshipEnd(relationship: $0.relationship, owner: before($0.owner)) })
    for end in ends {
      let members = try graph.members(of: end.relationship, owner: before(end.owner))
      changes.orderings.append(
        ChangeSet.Ordering(
          relationship: end.relationship, owner: end.owner, added: [], order: members.map(now)))
    }
  }
}

extension ChangeSet {
  /// Removes from the owners of each member those whose to-one relationship without inverse these changes set to another
  /// target.
  fileprivate func moveOwners(
    _ owners: inout [RecordID: Set<RecordID>], of relationship: SchemaRelationship, _ schema: Schema
  ) {
    guard let slot = relationship.slot else { return }
    let tree = schema.entities[relationship.entity].tree
    for update in updated where update.after.id.tree == tree {
      if let former = update.before.toOnes[slot] { owners[former]?.remove(update.after.id) }
    }
  }
}
