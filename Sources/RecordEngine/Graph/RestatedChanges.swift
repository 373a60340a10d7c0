import OrderedCollections
import RecordModel

/// Unsaved changes of responses as they are once a later response has been saved.
/// Rule: `save.child.order`.
///
/// A response that is saved is populated twice if there are any: over the store, which is what is saved, and over the
/// unsaved changes, which is what their context shows from then on. What is restated is the difference between the two. So
/// a context comes to the same records whether responses are saved at once, later, or some of them at once and others later.
struct RestatedChanges: Sendable {
  var changes: ResponseChanges
  /// The unsaved records that the saved response has brought as well: by them, the saved ones.
  var successors: [RecordID: RecordID] = [:]
  /// The records that the response has deleted here.
  var deleted: OrderedSet<RecordID> = []
  /// The relationships that the response has named.
  var named: OrderedSet<RelationshipEnd> = []

  /// Changes that the response leaves as they are.
  init(_ changes: ResponseChanges) { self.changes = changes }
}

/// One item's record over unsaved changes, and where the response is saved.
struct RecordPair {
  var unsaved: RecordID
  var saved: RecordID
}

extension RestatedChanges {
  /// - Parameters:
  ///   - graph: what responses have left unsaved, the response included, on what was saved before.
  ///   - changes: the unsaved changes before the response.
  ///   - kept: what the caller has set above, which no response changes.
  ///   - said: what the response says over the unsaved changes.
  ///   - populated: what it changes there.
  ///   - saved: what it changes in the store.
  ///   - pairs: the records of its items.
  /// - Complexity: linear in the changes, with one question to the reader for each ordered relationship that the response
  ///   changes, and for each relationship without inverse.
  init(
    _ graph: WorkingGraph, _ changes: UnsavedChanges, keeping kept: CallerChanges, said: ResponseChanges,
    populated: ChangeSet, saved: ChangeSet, pairs: [RecordPair]
  ) throws(StoreError) {
    let schema = graph.schema
    for pair in pairs where pair.unsaved != pair.saved && graph.isNew(pair.unsaved) {
      // What the caller has made becomes no other record.
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
    try view.restateOwners(of: deleted.intersection(restored).sorted(), areThere: false)
    try view.restate(saved)
    // An item that is another record here has made one too many there.
    let brought = Set(pairs.lazy.filter { $0.unsaved != $0.saved }.map(\.saved)).subtracting(restored)
    let made = Set(pairs.lazy.filter { changes.caller.inserted[$0.unsaved] != nil }.map(\.saved))
    self.changes = view.changes
    self.changes.deleted.formUnion(
      saved.inserted.map(\.id).filter { brought.contains($0) && !made.contains($0) })
  }

  /// Turns new records that the response has saved as well into updates of the saved ones.
  ///
  /// - Parameter isHidden: returns whether the caller's deletion alone hides a saved record.
  private mutating func updateSuccessors(
    of rows: [Row], _ schema: Schema, isHidden: (RecordID) -> Bool
  ) {
    let met = rows.filter { successors[$0.id] != nil }
    let isMet = Set(met.map(\.id))
    let hidden = successors.filter { isMet.contains($0.key) && isHidden($0.value) }
    changes.inserted.removeAll { isMet.contains($0.id) }
    changes.forgetHidden(hidden)
    for row in met where hidden[row.id] == nil { addUpdate(of: row, schema) }
  }

  /// Sets all properties of a record to what they are here.
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
  /// Forgets records that stand for saved ones, which the caller's deletions alone hide. The deletions are judged anew over
  /// what the response says of them, and not over what was unsaved.
  ///
  /// - Parameter saved: by each of the records, the saved one.
  fileprivate mutating func forgetHidden(_ saved: [RecordID: RecordID]) {
    if saved.isEmpty { return }
    let areSaved = Set(saved.values)
    let said = Set(
      toOnes.lazy.map(\.end).filter { saved[$0.owner] != nil }.map { $0.replacing(saved) })
    updated.removeAll { areSaved.contains($0.id) }
    toOnes.removeAll { saved[$0.end.owner] != nil || said.contains($0.end) }
  }
}

/// The records as the unsaved changes have them, asked by the identifiers of the saved ones.
private struct RestatedView {
  private var graph: WorkingGraph
  private(set) var changes: ResponseChanges
  private let kept: CallerChanges
  private let schema: Schema
  private let successors: [RecordID: RecordID]
  private let predecessors: [RecordID: RecordID]
  private var updates: [RecordID: Int] = [:]
  private var ends: Set<RelationshipEnd> = []
  private var links: Set<Link> = []
  private var orderings: [RelationshipEnd: Int] = [:]

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
    for (index, update) in changes.updated.enumerated() { updates[update.id] = index }
    ends = Set(changes.toOnes.map(\.end))
    links = Set(changes.links.map(\.link))
    for (index, ordering) in changes.orderings.enumerated() { orderings[ordering.end] = index }
  }

  private func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
  private func before(_ id: RecordID) -> RecordID { predecessors[id] ?? id }

  /// The row as it is here; nil if the record is deleted here.
  private func row(_ saved: Row) -> Row? {
    let id = before(saved.id)
    return graph.isDeleted(id) ? nil : graph.knownRow(id) ?? saved
  }

  /// Keeps what a saved response changes in the store and not here.
  mutating func restate(_ saved: ChangeSet) throws(StoreError) {
    var ordered = try restate(deleted: saved.deleted)
    for update in saved.updated { restate(update) }
    for link in saved.linked { restate(link, isSaved: true) }
    for link in saved.unlinked { restate(link, isSaved: false) }
    ordered += saved.orderings.map(\.end)
    try restateOrders(of: ordered)
  }

  /// Makes the records again that are deleted in the store and not here.
  ///
  /// - Returns: their ordered relationships.
  private mutating func restate(deleted saved: [Row]) throws(StoreError) -> [RelationshipEnd] {
    // The store still has them, so those that have not been read here can be read now.
    try graph.load(saved.map(\.id))
    let rows = saved.filter { predecessors[$0.id] == nil }.compactMap { graph.knownRow($0.id) }
    try restateOwners(of: rows.map(\.id), areThere: true)
    return rows.flatMap { makeAgain($0) }
  }

  /// Restates the relationships without inverse that lead to records: with an inverse, the deletion of a record says what
  /// becomes of its owners.
  ///
  /// - Parameter areThere: true for records that are deleted in the store and not here, so that their owners here have them
  ///   again; false for records that are deleted here and not in the store, so that their owners there lose them.
  mutating func restateOwners(of members: [RecordID], areThere: Bool) throws(StoreError) {
    for relationship in schema.relationships where relationship.inverse == nil {
      let tree = schema.entities[relationship.destination].tree
      let members = members.filter { $0.tree == tree }
      guard !members.isEmpty else { continue }
      let owners =
        areThere
        ? try graph.owners(of: relationship.index, members: members)
        : try graph.reader.owners(of: relationship, members: members)
      for (member, owners) in zip(members, owners) {
        for owner in owners where !graph.isDeleted(owner) {
          restate(relationship, of: now(owner), to: member, isThere: areThere)
        }
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

  /// - Returns: the ordered relationships of the record.
  private mutating func makeAgain(_ row: Row) -> [RelationshipEnd] {
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
      updates[id] = changes.updated.count
      changes.updated.append(restated)
    }
  }

  private mutating func restate(_ link: Link, isSaved: Bool) {
    let former = Link(link.relationship, nil, owner: before(link.owner), member: before(link.member))
    guard !graph.isDeleted(former.owner), !graph.isDeleted(former.member) else { return }
    // What nobody has touched here is what the store had before.
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
        orderings[end] = changes.orderings.count
        changes.orderings.append(restated)
      }
    }
  }
}
