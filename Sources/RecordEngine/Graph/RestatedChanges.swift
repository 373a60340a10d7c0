import OrderedCollections
import RecordModel

/// Unsaved changes of responses as they are once a later response has been saved.
///
/// A response that is saved is populated twice if there are any: over the store, which is what is saved, and over the
/// unsaved changes, which is what their context shows from then on. What is restated is the difference between the two. So
/// a context comes to the same records whether responses are saved at once, later, or some of them at once and others later.
struct RestatedChanges: Sendable {
  var changes: UnsavedChanges
  /// The unsaved records that the saved response has brought as well: by them, the saved ones.
  var successors: [RecordID: RecordID] = [:]
  /// The relationships that the response has named.
  var named: OrderedSet<RelationshipEnd> = []

  /// Changes that the response leaves as they are.
  init(_ changes: UnsavedChanges) { self.changes = changes }
}

/// One item's record over unsaved changes, and where the response is saved.
struct RecordPair {
  var unsaved: RecordID
  var saved: RecordID
}

extension RestatedChanges {
  /// - Parameters:
  ///   - graph: the unsaved changes with the response populated over them, on what was saved before.
  ///   - changes: the unsaved changes before the response.
  ///   - kept: what the caller has set here and above, which no response changes.
  ///   - populated: what the response changes over the unsaved changes.
  ///   - saved: what it changes in the store.
  ///   - pairs: the records of its items.
  /// - Complexity: linear in the changes, with one question to the store for each ordered relationship that the response
  ///   changes, and for each relationship without inverse.
  init(
    _ graph: inout WorkingGraph, _ changes: UnsavedChanges, keeping kept: CallerChanges, populated: ChangeSet,
    saved: ChangeSet, pairs: [RecordPair]
  ) throws(StoreError) {
    let schema = graph.schema
    for pair in pairs where pair.unsaved != pair.saved && graph.isNew(pair.unsaved) {
      // What the caller has made becomes no other record.
      if !changes.caller.inserted.contains(pair.unsaved) { successors[pair.unsaved] = pair.saved }
    }
    let restored = Set(successors.values)
    let deleted = changes.deleted.union(populated.deleted.map(\.id).filter { !graph.isNew($0) })
    let restated = graph.changes()
    self.changes = UnsavedChanges(
      restated, schema, caller: changes.caller, isKnown: graph.isKnown, deleted: deleted,
      severed: graph.severed, excused: graph.excused, restored: restored)
    named = populated.namedEnds(schema)
    let isNew = Set(saved.inserted.map(\.id))
    for row in restated.inserted {
      guard let successor = successors[row.id] else { continue }
      if isNew.contains(successor) || deleted.contains(successor) {
        makeUpdate(of: row, schema)
      } else {
        self.changes.forgetHidden(row, savedAs: successor)
      }
    }
    self.changes.replace(successors)
    var view = RestatedView(graph, successors, self.changes, keeping: kept, schema)
    try view.restateOwners(of: Array(deleted.intersection(restored)), areThere: false)
    try view.restate(deleted: saved.deleted)
    for update in saved.updated { view.restate(update) }
    for link in saved.linked { view.restate(link, isSaved: true) }
    for link in saved.unlinked { view.restate(link, isSaved: false) }
    for ordering in saved.orderings { try view.restate(ordering) }
    // An item that is another record here has made one too many there.
    let brought = Set(pairs.lazy.filter { $0.unsaved != $0.saved }.map(\.saved)).subtracting(restored)
    let made = Set(pairs.lazy.filter { changes.caller.inserted.contains($0.unsaved) }.map(\.saved))
    view.changes.deleted.formUnion(
      saved.inserted.map(\.id).filter { brought.contains($0) && !made.contains($0) })
    self.changes = view.changes
    graph = view.graph
  }

  /// What is a new record here is a saved one by now, all of whose properties are as they are here.
  private mutating func makeUpdate(of row: Row, _ schema: Schema) {
    changes.inserted.removeAll { $0.id == row.id }
    changes.updated.append(
      UnsavedChanges.Update(
        id: row.id, entity: row.entity, isStub: row.isStub,
        values: schema.entities[row.entity].attributes.map(\.column)
          .filter { !changes.caller.sets(column: $0, of: row.id) }
          .map { ($0, row.values[$0]) }))
    for (slot, target) in row.toOnes.enumerated() where target == nil {
      let end = RelationshipEnd(relationship: schema.trees[row.id.tree].toOnes[slot], owner: row.id)
      if !changes.caller.sets(end) { changes.toOnes.append((end, nil)) }
    }
  }
}

extension UnsavedChanges {
  /// Forgets a record that stands for a saved one, which the caller's deletion alone hides. The deletion is judged anew over
  /// what the response says of it, and not over what was unsaved.
  fileprivate mutating func forgetHidden(_ row: Row, savedAs saved: RecordID) {
    let said = Set(
      toOnes.lazy.filter { $0.end.owner == row.id }
        .map { RelationshipEnd(relationship: $0.end.relationship, owner: saved) })
    inserted.removeAll { $0.id == row.id }
    updated.removeAll { $0.id == saved }
    toOnes.removeAll { $0.end.owner == row.id || said.contains($0.end) }
  }
}

/// The records as the unsaved changes have them, asked by the identifiers of the saved ones.
private struct RestatedView {
  var graph: WorkingGraph
  var changes: UnsavedChanges
  private let kept: CallerChanges
  private let schema: Schema
  private let successors: [RecordID: RecordID]
  private let predecessors: [RecordID: RecordID]
  private var updates: [RecordID: Int] = [:]
  private var ends: Set<RelationshipEnd> = []
  private var links: Set<Link> = []
  private var orderings: [RelationshipEnd: Int] = [:]

  init(
    _ graph: WorkingGraph, _ successors: [RecordID: RecordID], _ changes: UnsavedChanges,
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
    if graph.isDeleted(id) { return nil }
    guard let row = graph.knownRow(id) else { return saved }
    return row
  }

  /// Makes the records again that are deleted in the store and not here.
  mutating func restate(deleted saved: [Row]) throws(StoreError) {
    // They are not deleted in the store yet, so that those nobody has read here can still be read.
    try graph.load(saved.map(\.id))
    let rows = saved.filter { predecessors[$0.id] == nil }.compactMap { graph.knownRow($0.id) }
    for row in rows { try makeAgain(row) }
    try restateOwners(of: rows.map(\.id), areThere: true)
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
      guard !kept.sets(link), !changes.caller.sets(link), links.insert(link).inserted else { return }
      changes.links.append((link, isThere))
    } else {
      let end = RelationshipEnd(relationship: relationship.index, owner: owner)
      guard !kept.sets(end), !changes.caller.sets(end), ends.insert(end).inserted else { return }
      changes.toOnes.append((end, isThere ? member : nil))
    }
  }

  private mutating func makeAgain(_ row: Row) throws(StoreError) {
    changes.inserted.append(row.withoutToOnes)
    for index in schema.entities[row.entity].relationships {
      let end = RelationshipEnd(relationship: index, owner: row.id)
      if let slot = schema.relationships[index].slot {
        guard let target = row.toOnes[slot].map(now), !kept.sets(end), ends.insert(end).inserted else {
          continue
        }
        changes.toOnes.append((end, target))
      } else if schema.relationships[index].isOrdered {
        try restate(ChangeSet.Ordering(relationship: index, owner: row.id, added: [], order: nil))
      }
    }
  }

  /// Keeps what the response has changed in the store and not here.
  mutating func restate(_ update: ChangeSet.Update) {
    let (id, saved) = (update.after.id, update.after)
    guard let row = row(update.before) else { return }
    if predecessors[id] == nil { restateAttributes(of: row, update) }
    for (slot, relationship) in schema.trees[id.tree].toOnes.enumerated()
    where update.before.toOnes[slot] != saved.toOnes[slot] {
      let end = RelationshipEnd(relationship: relationship, owner: id)
      let target = row.toOnes[slot].map(now)
      guard target != saved.toOnes[slot], !changes.caller.empties(end, of: saved.toOnes[slot]),
        !kept.sets(end, to: saved.toOnes[slot], schema.relationships[relationship]),
        ends.insert(end).inserted
      else { continue }
      changes.toOnes.append((end, target))
    }
  }

  private mutating func restateAttributes(of row: Row, _ update: ChangeSet.Update) {
    let (id, saved) = (update.after.id, update.after)
    let index = updates[id]
    var restated = index.map { changes.updated[$0] } ?? UnsavedChanges.Update(id: id)
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

  mutating func restate(_ link: Link, isSaved: Bool) {
    let former = Link(link.relationship, nil, owner: before(link.owner), member: before(link.member))
    guard !graph.isDeleted(former.owner), !graph.isDeleted(former.member) else { return }
    // What nobody has touched here is what the store had before.
    let isThere = graph.isThere(former) ?? !isSaved
    guard isThere != isSaved, !kept.sets(link), links.insert(link).inserted else { return }
    changes.links.append((link, isThere))
  }

  mutating func restate(_ ordering: ChangeSet.Ordering) throws(StoreError) {
    let owner = before(ordering.owner)
    guard try graph.row(owner) != nil else { return }
    let members = try graph.members(of: ordering.relationship, owner: owner)
    let restated = ChangeSet.Ordering(
      relationship: ordering.relationship, owner: ordering.owner, added: [], order: members.map(now))
    if let index = orderings[ordering.end] {
      changes.orderings[index] = restated
    } else {
      orderings[ordering.end] = changes.orderings.count
      changes.orderings.append(restated)
    }
  }
}
