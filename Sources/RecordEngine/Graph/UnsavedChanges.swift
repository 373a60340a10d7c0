import OrderedCollections
import RecordModel

/// The changes that a context adds to its store or parent, as state and not as a list of edits.
///
/// It is merged into whatever the store has by now (``WorkingGraph/merge(_:keeping:)``): property by property, what stands
/// here counts, and everything else is the store's.
struct UnsavedChanges: Sendable {
  /// A record of the store, and what has changed of it.
  struct Update: Sendable {
    var id: RecordID
    /// Nil if the record stays of the entity that it is of.
    var entity: EntityIndex?
    /// Nil if it stays a stub, or none.
    var isStub: Bool?
    var values: [(column: ColumnIndex, value: AttributeValue?)] = []
  }

  /// New records, in the order in which they were made. Their to-ones stand in ``toOnes``.
  var inserted: [Row] = []
  /// The new records that the caller's deletions take with them.
  var severed: Set<RecordID> = []
  var updated: [Update] = []
  var toOnes: [(end: RelationshipEnd, target: RecordID?)] = []
  var links: [(link: Link, isThere: Bool)] = []
  var orderings: [ChangeSet.Ordering] = []
  /// The records that responses have deleted. Their delete rules have been applied.
  var deleted: OrderedSet<RecordID> = []
  /// The relationships that may have too few members, since deletions by `noAction` rules took them.
  var excused: Set<RelationshipEnd> = []
  /// What the caller has set, which counts more than all of the above.
  var caller = CallerChanges()

  /// A Boolean value that indicates whether responses have changed anything.
  var areOfResponses: Bool {
    inserted.contains { !caller.inserted.contains($0.id) } || !updated.isEmpty || !toOnes.isEmpty
      || !links.isEmpty || !deleted.isEmpty
      || orderings.contains { !caller.ordered.contains($0.end) }
  }

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && toOnes.isEmpty && links.isEmpty && orderings.isEmpty
      && deleted.isEmpty && caller.isEmpty
  }
}

extension UnsavedChanges {
  /// The changes without the caller's deletions, which are judged anew over what a response changes.
  var withoutDeletions: UnsavedChanges {
    var changes = self
    changes.caller.deleted = []
    return changes
  }

  /// The changes over which a response is populated. It finds records that the caller has deleted, and none that the caller
  /// has made and deleted.
  var foundByResponses: UnsavedChanges {
    var changes = withoutDeletions
    changes.deleted.formUnion(caller.deleted.filter(caller.inserted.contains))
    return changes
  }
}

extension ChangeSet.Ordering {
  var end: RelationshipEnd { RelationshipEnd(relationship: relationship, owner: owner) }
}

extension UnsavedChanges {
  /// The changes of a response.
  init(_ changes: ChangeSet, _ schema: Schema) {
    self.init(
      changes, schema, caller: CallerChanges(), deleted: OrderedSet(changes.deleted.map(\.id)),
      severed: SeveredChanges(), excused: [], restored: [])
  }

  fileprivate init(
    _ changes: ChangeSet, _ schema: Schema, caller: CallerChanges, deleted: OrderedSet<RecordID>,
    severed: SeveredChanges, excused: Set<RelationshipEnd>, restored: Set<RecordID>
  ) {
    self.caller = caller
    self.excused = excused
    inserted = severed.rows
    self.severed = Set(severed.rows.map(\.id))
    updated = severed.updates.compactMap { Update($0, schema, caller) }
    toOnes = severed.toOnes.filter { !caller.sets($0.key) }.map { ($0.key, $0.value) }
    links = severed.links.filter { !caller.sets($0) }.map { ($0, true) }
    let gone = Set(changes.deleted.map(\.id)).subtracting(restored)
    self.deleted = deleted.subtracting(restored)
    for row in changes.inserted {
      inserted.append(row.withoutToOnes)
      for (slot, target) in row.slots where target != nil {
        note(slot, of: row.id, target, schema)
      }
    }
    let consequences = Consequences(changes, schema, caller, gone, severed)
    for update in changes.updated {
      if let update = Update(update, schema, caller) { updated.append(update) }
      for (slot, target) in update.after.slots where target != update.before.toOnes[slot] {
        if target == nil, consequences.contain(slot, of: update) { continue }
        note(slot, of: update.after.id, target, schema)
      }
    }
    for (links, areThere) in [(changes.unlinked, false), (changes.linked, true)] {
      for link in links where !caller.sets(link) {
        let isOfGone = gone.contains(link.owner) || gone.contains(link.member)
        if !isOfGone || severed.isCutBefore(link) { self.links.append((link, areThere)) }
      }
    }
    orderings = changes.orderings
  }

  private mutating func note(_ slot: SlotIndex, of owner: RecordID, _ target: RecordID?, _ schema: Schema) {
    let relationship = schema.relationships[schema.trees[owner.tree].toOnes[for: slot]]
    let end = RelationshipEnd(relationship: relationship.index, owner: owner)
    if caller.sets(end, to: target, relationship) { return }
    toOnes.append((end, target))
  }
}

extension WorkingGraph {
  /// The changes of this graph as unsaved ones.
  ///
  /// - Parameters:
  ///   - caller: what of them the caller has set.
  ///   - deleted: the records that responses have deleted.
  ///   - restored: deleted records that are there all the same, since others have become them.
  func unsavedChanges(
    caller: CallerChanges, deleted: OrderedSet<RecordID>, restored: Set<RecordID> = []
  ) -> UnsavedChanges {
    var unsaved = UnsavedChanges(
      changes(), schema, caller: caller.leading(to: isKnown), deleted: deleted,
      severed: severedChanges(), excused: excused, restored: restored)
    // A record that is gone may be back later.
    unsaved.caller = caller
    return unsaved
  }
}

extension UnsavedChanges.Update {
  /// Nil if only to-ones have changed, or what the caller has set.
  fileprivate init?(_ update: ChangeSet.Update, _ schema: Schema, _ caller: CallerChanges) {
    let (before, after) = (update.before, update.after)
    id = after.id
    if before.entity != after.entity { entity = after.entity }
    if before.isStub != after.isStub { isStub = after.isStub }
    // What only the new entity has would begin with its default, so that a nil has to be said.
    let isGained = schema.columns(of: after.entity, missingFrom: before.entity)
    for attribute in schema.entities[after.entity].attributes {
      let column = attribute.column
      guard before.values[column] != after.values[column] || isGained.contains(column),
        !caller.sets(column: column, of: id)
      else { continue }
      values.append((column, after.values[column]))
    }
    if entity == nil && isStub == nil && values.isEmpty { return nil }
  }
}

extension Schema {
  /// The columns that records of one entity have and those of another have not.
  fileprivate func columns(of entity: EntityIndex, missingFrom other: EntityIndex) -> Set<ColumnIndex> {
    if entity == other { return [] }
    return Set(entities[entity].attributes.map(\.column))
      .subtracting(entities[other].attributes.map(\.column))
  }
}

extension UnsavedChanges {
  /// Forgets what has changed of a record, by either side of a relationship. That it is new or deleted stays.
  ///
  /// - Parameter newRow: makes the row of a new record of an entity.
  mutating func forget(_ id: RecordID, _ schema: Schema, newRow: (RecordID, EntityIndex) -> Row) {
    for index in inserted.indices where inserted[index].id == id && caller.inserted.contains(id) {
      inserted[index] = newRow(id, inserted[index].entity)
    }
    updated.removeAll { $0.id == id && $0.entity == nil }
    for index in updated.indices where updated[index].id == id { updated[index].values = [] }
    toOnes.removeAll { end, target in
      end.owner == id || target == id && schema.relationships[end.relationship].inverse != nil
    }
    links.removeAll { link, _ in
      link.owner == id || link.member == id && schema.relationships[link.relationship].inverse != nil
    }
    orderings.removeAll { $0.owner == id }
    caller.forget(id, schema)
  }
}

extension UnsavedChanges {
  /// Adds what a response says over the context above of properties that the caller has set in such a context. Here it may
  /// repeat what a former response has left unsaved, and so change nothing.
  mutating func add(_ above: UnsavedChanges, setBy kept: CallerChanges, _ schema: Schema) {
    if kept.isEmpty { return }
    for var update in above.updated {
      update.values = update.values.filter { kept.sets(column: $0.column, of: update.id) }
      if !update.values.isEmpty { updated.append(Update(id: update.id, values: update.values)) }
    }
    toOnes += above.toOnes.filter { end, target in
      kept.sets(end, to: target, schema.relationships[end.relationship])
    }
    links += above.links.filter { kept.sets($0.link) }
  }

  /// Sets what the caller has set in a context above to what it is there: a response does not change it, and what former
  /// responses have made of it here is out of date.
  mutating func restore(_ kept: CallerChanges, in graph: inout WorkingGraph) throws(StoreError) {
    if kept.isEmpty { return }
    try graph.load(updated.map(\.id) + toOnes.map(\.end.owner))
    for index in updated.indices {
      let id = updated[index].id
      guard let stored = graph.storedRow(id) else { continue }
      for position in updated[index].values.indices {
        let column = updated[index].values[position].column
        if kept.sets(column: column, of: id) { updated[index].values[position].value = stored.values[column] }
      }
    }
    for index in toOnes.indices {
      let (end, target) = toOnes[index]
      let relationship = graph.schema.relationships[end.relationship]
      guard kept.sets(end, to: target, relationship), let slot = relationship.slot,
        let stored = graph.storedRow(end.owner)
      else { continue }
      toOnes[index].target = stored.toOnes[slot]
    }
    let set = links.indices.filter { kept.sets(links[$0].link) }
    for (index, isThere) in zip(set, try graph.reader.areThere(set.map { links[$0].link })) {
      links[index].isThere = isThere
    }
  }
}

extension Row {
  var withoutToOnes: Row {
    var row = self
    row.toOnes = Array(repeating: nil, count: toOnes.count)
    return row
  }
}

/// The to-ones that are empty only since something else is said elsewhere: their record is deleted, or another one has
/// taken the partner in a one-to-one relationship. On other data, that says itself again what it empties.
private struct Consequences {
  private let schema: Schema
  private let caller: CallerChanges
  private let gone: Set<RecordID>
  private let severed: SeveredChanges
  private var after: [RecordID: Row] = [:]

  init(
    _ changes: ChangeSet, _ schema: Schema, _ caller: CallerChanges, _ gone: Set<RecordID>,
    _ severed: SeveredChanges
  ) {
    self.schema = schema
    self.caller = caller
    self.gone = gone
    self.severed = severed
    guard schema.relationships.contains(where: { $0.slot != nil && $0.isInverseToOne }) else { return }
    for update in changes.updated { after[update.after.id] = update.after }
  }

  func contain(_ slot: SlotIndex, of update: ChangeSet.Update) -> Bool {
    guard let former = update.before.toOnes[slot] else { return false }
    let relationship = schema.relationships[schema.trees[update.after.id.tree].toOnes[for: slot]]
    let end = RelationshipEnd(relationship: relationship.index, owner: update.after.id)
    if gone.contains(former), !severed.emptied.contains(end) { return true }
    if severed.toOnes[end] != nil || caller.empties(end, of: former) { return true }
    guard let inverse = relationship.inverse, let inverseSlot = schema.relationships[inverse].slot else {
      return false
    }
    if after[former]?.toOnes[inverseSlot] != nil { return true }
    return caller.sets(RelationshipEnd(relationship: inverse, owner: former))
  }
}
