import OrderedCollections
import RecordModel

/// The unsaved changes of responses after a later response has been saved. Rule: `save.child.order`.
///
/// If there are unsaved changes, a response that is saved is populated twice. It is populated over the store, for the
/// save, and over the unsaved changes, for the context. The restated changes are the difference between the two
/// results. As a result, a context ends with the same records whether responses are saved at once, later, or some at
/// once and others later.
struct RestatedChanges: Sendable {
  var changes: ResponseChanges
  /// For each unsaved record that the saved response has also inserted, the saved record.
  var successors: [RecordID: RecordID] = [:]
  /// The records that the response has deleted here.
  var deleted: OrderedSet<RecordID> = []
  /// The relationships that the response has named.
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
  ///   - said: the changes that the response states over the unsaved changes.
  ///   - populated: the changes that the response makes there.
  ///   - saved: the changes that the response makes in the store.
  ///   - pairs: the records of its items.
  /// - Complexity: linear in the number of changes, plus one query for each ordered relationship that the response
  ///   changes and for each relationship without inverse.
  init(
    _ graph: WorkingGraph, _ changes: UnsavedChanges, keeping kept: CallerChanges, said: ResponseChanges,
    populated: ChangeSet, saved: ChangeSet, pairs: [RecordPair]
  ) throws(StoreError) {
    let schema = graph.schema
    for pair in pairs where pair.unsaved != pair.saved && graph.isNew(pair.unsaved) {
      // Records that the caller has inserted are not replaced.
      if changes.caller.inserted[pair.unsaved] == nil { successors[pair.unsaved] = pair.saved }
    }
    let (restored, all) = (Set(successors.values), graph.changes())
    self.changes = graph.responseChanges(
      all, beside: changes.caller, restored: restored,
      named: Set((changes.responses.toOnes + said.toOnes).lazy.map(\.end)))
    named = populated.namedEnds(schema)
    self.deleted = OrderedSet(populated.deleted.lazy.map(\.id))
    let deleted = Set(all.deleted.lazy.map(\.id))
    let isNew = Set(saved.inserted.lazy.map(\.id))
    updateSuccessors(of: all.inserted, schema) { !isNew.contains($0) && !deleted.contains($0) }
    self.changes.replace(successors)
    var view = RestatedView(graph, successors, self.changes, keeping: kept, schema)
    try view.restateOwners(of: deleted.intersection(restored).sorted(), exist: false)
    try view.restate(saved)
    // If an item belongs to another record here, the record that the save has inserted for it does not exist here.
    let brought = Set(pairs.lazy.filter { $0.unsaved != $0.saved }.map(\.saved)).subtracting(restored)
    let made = Set(pairs.lazy.filter { changes.caller.inserted[$0.unsaved] != nil }.map(\.saved))
    self.changes = view.changes
    self.changes.deleted.formUnion(
      saved.inserted.map(\.id).filter { brought.contains($0) && !made.contains($0) })
  }

  /// Turns inserted records that the response has also saved into updates of the saved records.
  ///
  /// - Parameter isHidden: a closure that returns whether a saved record is hidden here only because the caller has
  ///   deleted it.
  private mutating func updateSuccessors(
    of rows: [Row], _ schema: Schema, isHidden: (RecordID) -> Bool
  ) {
    let replaced = rows.filter { successors[$0.id] != nil }
    let isReplaced = Set(replaced.map(\.id))
    let hidden = successors.filter { isReplaced.contains($0.key) && isHidden($0.value) }
    changes.inserted.removeAll { isReplaced.contains($0.id) }
    changes.forgetHidden(hidden)
    for row in replaced where hidden[row.id] == nil { addUpdate(of: row, schema) }
  }

  /// Sets all properties of a record to their values here.
  private mutating func addUpdate(of row: Row, _ schema: Schema) {
    changes.updated.append(
      ResponseChanges.Update(
        id: row.id, entity: row.entity, isStub: row.isStub,
        values: schema.entities[row.entity].attributes.map { ($0.column, row.values[$0.column]) }))
    for (slot, target) in row.toOnes.enumerated() where target == nil {
      let relationship = schema.trees[row.id.tree].toOnes[slot]
      changes.toOnes.append((RelationshipEnd(relationship: relationship, owner: row.id), nil))
    }
  }
}

extension ResponseChanges {
  /// Discards the changes of records that represent saved ones if only the deletions of the caller hide these. The
  /// deletions are then applied to the saved records as the response leaves them, not to the former unsaved changes.
  ///
  /// - Parameter saved: the saved record of each of the records.
  fileprivate mutating func forgetHidden(_ saved: [RecordID: RecordID]) {
    if saved.isEmpty { return }
    let areSaved = Set(saved.values)
    let replacedEnds = Set(
      toOnes.lazy.map(\.end).filter { saved[$0.owner] != nil }.map { $0.replacing(saved) })
    updated.removeAll { areSaved.contains($0.id) }
    toOnes.removeAll { saved[$0.end.owner] != nil || replacedEnds.contains($0.end) }
  }
}

/// The records with the unsaved changes, addressed by the identifiers of the saved records.
private struct RestatedView {
  private var graph: WorkingGraph
  private(set) var changes: ResponseChanges
  private let kept: CallerChanges
  private let schema: Schema
  private let successors: [RecordID: RecordID]
  private let predecessors: [RecordID: RecordID]
  /// The index of each record in the updates, before any is restated. Each is restated once.
  private let updates: [RecordID: Int]
  /// The index of each relationship in the orderings, before any is restated. Each is restated once.
  private let orderings: [RelationshipEnd: Int]
  private var ends: Set<RelationshipEnd> = []
  private var links: Set<Link> = []

  init(
    _ graph: WorkingGraph, _ successors: [RecordID: RecordID], _ changes: ResponseChanges,
    keeping kept: CallerChanges, _ schema: Schema
  ) {
    self.graph = graph
    self.changes = changes
    self.kept = kept
    self.schema = schema
    self.successors = successors
    predecessors = Dictionary(successors.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    updates = Dictionary(changes.updated.enumerated().map { ($1.id, $0) }) { $1 }
    orderings = Dictionary(changes.orderings.enumerated().map { ($1.end, $0) }) { $1 }
    ends = Set(changes.toOnes.map(\.end))
    links = Set(changes.links.map(\.link))
  }

  private func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
  private func before(_ id: RecordID) -> RecordID { predecessors[id] ?? id }

  /// Returns the row as it is here; nil if the record is deleted here.
  private func row(_ saved: Row) -> Row? {
    let id = before(saved.id)
    return graph.isDeleted(id) ? nil : graph.knownRow(id) ?? saved
  }

  /// Adds the changes that keep the state here where the save has changed the store.
  mutating func restate(_ saved: ChangeSet) throws(StoreError) {
    var ordered = try restate(deleted: saved.deleted)
    for update in saved.updated { restate(update) }
    for link in saved.linked { restate(link, isSaved: true) }
    for link in saved.unlinked { restate(link, isSaved: false) }
    ordered += saved.orderings.map(\.end)
    try restateOrders(of: ordered)
  }

  /// Inserts the records that the save has deleted and that still exist here.
  ///
  /// - Returns: the ordered relationships of these records.
  private mutating func restate(deleted saved: [Row]) throws(StoreError) -> [RelationshipEnd] {
    // The store still contains them, so records that have not been read here can be read now.
    try graph.load(saved.map(\.id))
    let rows = saved.filter { predecessors[$0.id] == nil }.compactMap { graph.knownRow($0.id) }
    try restateOwners(of: rows.map(\.id), exist: true)
    return rows.flatMap { reinsert($0) }
  }

  /// Restates the relationships without inverse that lead to the given records. For relationships with an inverse, the
  /// deletion of a record determines the effect on its owners.
  ///
  /// - Parameter exist: true for records that the save has deleted and that exist here, so that their owners keep
  ///   them here; false for records that are deleted here and exist in the store, so that their owners in the store
  ///   lose them here.
  mutating func restateOwners(of members: [RecordID], exist: Bool) throws(StoreError) {
    for relationship in schema.relationships where relationship.inverse == nil {
      let tree = schema.entities[relationship.destination].tree
      let members = members.filter { $0.tree == tree }
      guard !members.isEmpty else { continue }
      let owners =
        exist
        ? try graph.owners(of: relationship.index, members: members)
        : try graph.reader.owners(of: relationship, members: members)
      for (member, owners) in zip(members, owners) {
        // An owner that is deleted here may exist as the successor of an unsaved record.
        for owner in owners { restate(relationship, of: now(owner), to: member, isThere: exist) }
      }
    }
  }

  /// Restates whether a relationship without inverse leads from one record to another, unless the caller has set it.
  private mutating func restate(
    _ relationship: SchemaRelationship, of owner: RecordID, to member: RecordID, isThere: Bool
  ) {
    if relationship.isToMany {
      let link = Link(relationship, owner: owner, member: member)
      guard !kept.sets(link), links.insert(link).inserted else { return }
      changes.links.append((link, isThere))
    } else {
      let end = RelationshipEnd(relationship: relationship.index, owner: owner)
      guard !kept.sets(end), ends.insert(end).inserted else { return }
      changes.toOnes.append((end, isThere ? member : nil))
    }
  }

  /// Inserts a record that the save has deleted.
  ///
  /// - Returns: the ordered relationships of the record.
  private mutating func reinsert(_ row: Row) -> [RelationshipEnd] {
    changes.inserted.append(row.withoutToOnes)
    var ordered: [RelationshipEnd] = []
    for index in schema.entities[row.entity].relationships {
      let end = RelationshipEnd(relationship: index, owner: row.id)
      if let slot = schema.relationships[index].slot {
        guard let target = row.toOnes[slot].map(now), !kept.sets(end), ends.insert(end).inserted else {
          continue
        }
        changes.toOnes.append((end, target))
      } else if schema.relationships[index].isOrdered {
        ordered.append(end)
      }
    }
    return ordered
  }

  private mutating func restate(_ update: ChangeSet.Update) {
    let (id, saved) = (update.after.id, update.after)
    guard let row = row(update.before) else { return }
    if predecessors[id] == nil { restateAttributes(of: row, update) }
    for (slot, relationship) in schema.trees[id.tree].toOnes.enumerated()
    where update.before.toOnes[slot] != saved.toOnes[slot] {
      let end = RelationshipEnd(relationship: relationship, owner: id)
      let target = row.toOnes[slot].map(now)
      let isKept = [target, saved.toOnes[slot]].contains {
        kept.sets(end, to: $0, schema.relationships[relationship])
      }
      guard target != saved.toOnes[slot], !isKept, ends.insert(end).inserted
      else { continue }
      changes.toOnes.append((end, target))
    }
  }

  private mutating func restateAttributes(of row: Row, _ update: ChangeSet.Update) {
    let (id, saved) = (update.after.id, update.after)
    let index = updates[id]
    var restated = index.map { changes.updated[$0] } ?? ResponseChanges.Update(id: id)
    let isKnown = Set(restated.values.map(\.column))
    let isOfOther = update.before.entity != saved.entity && row.entity != saved.entity
    if isOfOther { restated.entity = row.entity }
    if update.before.isStub != saved.isStub, row.isStub != saved.isStub { restated.isStub = row.isStub }
    for column in schema.entities[row.entity].attributes.map(\.column)
    where isOfOther || update.before.values[column] != saved.values[column] {
      guard row.values[column] != saved.values[column] || isOfOther, !isKnown.contains(column),
        !kept.sets(column: column, of: id)
      else { continue }
      restated.values.append((column, row.values[column]))
    }
    if let index {
      changes.updated[index] = restated
    } else if restated.entity != nil || restated.isStub != nil || !restated.values.isEmpty {
      changes.updated.append(restated)
    }
  }

  private mutating func restate(_ link: Link, isSaved: Bool) {
    let former = Link(link.relationship, nil, owner: before(link.owner), member: before(link.member))
    guard !graph.isDeleted(former.owner), !graph.isDeleted(former.member) else { return }
    // A link that has been neither read nor changed here has the state of the store before the save.
    let isThere = graph.isThere(former) ?? !isSaved
    guard isThere != isSaved, !kept.sets(link), links.insert(link).inserted else { return }
    changes.links.append((link, isThere))
  }

  private mutating func restateOrders(of ends: [RelationshipEnd]) throws(StoreError) {
    try graph.load(ends.map { before($0.owner) })
    let present = ends.filter { graph.knownRow(before($0.owner)) != nil }
    try graph.prepare(present.map { RelationshipEnd(relationship: $0.relationship, owner: before($0.owner)) })
    for end in present {
      let members = try graph.members(of: end.relationship, owner: before(end.owner))
      let restated = ChangeSet.Ordering(
        relationship: end.relationship, owner: end.owner, added: [], order: members.map(now))
      if let index = orderings[end] {
        changes.orderings[index] = restated
      } else {
        changes.orderings.append(restated)
      }
    }
  }
}
