import OrderedCollections
import RecordModel

/// The unsaved changes of responses, property by property. Everything else is as in the store, in the parent context,
/// or as the caller has set it.
struct ResponseChanges: Sendable {
  /// Records that exist here although a save or a parent context has deleted them, each with the relationships without
  /// inverse whose link to it unsaved responses have changed.
  ///
  /// After a rollback, a parent can show such a record again. The changed links are then as the responses state, and all
  /// other links are as in the parent.
  typealias RestoredRecords = [RecordID: Set<RelationshipEnd>]

  /// The changes of a record that no response has inserted.
  struct Update: Sendable {
    var id: RecordID
    /// The new entity; nil if the entity does not change.
    var entity: EntityIndex?
    /// A Boolean value that indicates whether the record is a stub; nil if this does not change.
    var isStub: Bool?
    var values: [(column: ColumnIndex, value: AttributeValue?)] = []
  }

  /// The new records, in the order of their insertion. ``toOnes`` contains their to-one relationships.
  var inserted: [Row] = []
  /// The records that have been restored, including those that a parent shows again.
  var restored: RestoredRecords = [:]
  var updated: [Update] = []
  var toOnes: [(end: RelationshipEnd, target: RecordID?)] = []
  var links: [(link: Link, isThere: Bool)] = []
  /// A later order of a relationship replaces an earlier one.
  var orderings: [ChangeSet.Ordering] = []
  /// The deleted records. Their delete rules have been applied.
  var deleted: OrderedSet<RecordID> = []
  /// The relationships that may have too few members because deletions with `noAction` rules have removed them.
  var excused: Set<RelationshipEnd> = []

  var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && toOnes.isEmpty && links.isEmpty && orderings.isEmpty
      && deleted.isEmpty
  }
}

extension ResponseChanges {
  /// Creates the changes.
  ///
  /// - Parameters:
  ///   - changes: the difference between the records with the changes of responses and the records of the store.
  ///   - insertedByCaller: the records that the caller has inserted, as they were on insertion.
  ///   - named: the to-one relationships that responses have named.
  init(
    _ changes: ChangeSet, _ schema: Schema, insertedByCaller: OrderedDictionary<RecordID, Row> = [:],
    named: Set<RelationshipEnd> = []
  ) {
    deleted = OrderedSet(changes.deleted.lazy.map(\.id))
    var changes = changes
    for row in changes.inserted {
      if let before = insertedByCaller[row.id] {
        if before != row { changes.updated.append(ChangeSet.Update(before: before, after: row)) }
        continue
      }
      inserted.append(row.withoutToOnes)
      for (slot, target) in row.slots where target != nil { note(slot, of: row.id, target, schema) }
    }
    let consequences = Consequences(changes, schema, deleted, named)
    for update in changes.updated {
      if let update = Update(update, schema) { updated.append(update) }
      for (slot, target) in update.after.slots where target != update.before.toOnes[slot] {
        if target == nil, consequences.contain(slot, of: update) { continue }
        note(slot, of: update.after.id, target, schema)
      }
    }
    for (links, exist) in [(changes.unlinked, false), (changes.linked, true)] {
      for link in links where !deleted.contains(link.owner) && !deleted.contains(link.member) {
        self.links.append((link, exist))
      }
    }
    orderings = changes.orderings
  }

  private mutating func note(_ slot: SlotIndex, of owner: RecordID, _ target: RecordID?, _ schema: Schema) {
    let relationship = schema.trees[owner.tree].toOnes[for: slot]
    toOnes.append((RelationshipEnd(relationship: relationship, owner: owner), target))
  }
}

extension WorkingGraph {
  /// Returns the changes of this graph, all of which come from responses.
  ///
  /// - Parameters:
  ///   - caller: the changes of the caller, with the records that the caller has inserted.
  ///   - named: the to-one relationships that responses have named.
  ///   - restored: the records that have been restored so far.
  func responseChanges(
    beside caller: CallerChanges, named: Set<RelationshipEnd>, restored: ResponseChanges.RestoredRecords
  ) -> ResponseChanges {
    var responses = ResponseChanges(changes(), schema, insertedByCaller: caller.inserted, named: named)
    responses.excused = stillExcused
    responses.restored = restored
    return responses
  }

  /// The excused relationships, without to-one relationships that have a target again.
  var stillExcused: Set<RelationshipEnd> {
    excused.filter { end in
      guard let slot = schema.relationships[end.relationship].slot else { return true }
      return knownRow(end.owner)?.toOnes[slot] == nil
    }
  }
}

extension ResponseChanges.Update {
  /// Creates the changes of a record except for its to-one relationships; nil if nothing else has changed.
  fileprivate init?(_ update: ChangeSet.Update, _ schema: Schema) {
    let (before, after) = (update.before, update.after)
    id = after.id
    if before.entity != after.entity { entity = after.entity }
    if before.isStub != after.isStub { isStub = after.isStub }
    // Attributes that only the new entity has would start with their default values, so a nil must be listed
    // explicitly.
    let isGained = schema.columns(of: after.entity, missingFrom: before.entity)
    for column in schema.entities[after.entity].attributes.lazy.map(\.column)
    where before.values[column] != after.values[column] || isGained.contains(column) {
      values.append((column, after.values[column]))
    }
    if entity == nil && isStub == nil && values.isEmpty { return nil }
  }
}

extension Schema {
  /// Returns the columns that one entity has and another entity does not.
  fileprivate func columns(of entity: EntityIndex, missingFrom other: EntityIndex) -> Set<ColumnIndex> {
    if entity == other { return [] }
    return Set(entities[entity].attributes.map(\.column))
      .subtracting(entities[other].attributes.map(\.column))
  }
}

extension ResponseChanges {
  /// Discards the changes of the properties of a record that responses have not inserted, including both sides of its
  /// relationships. Keeps its deletion and the change of its entity.
  mutating func forgetProperties(of id: RecordID, _ schema: Schema) {
    updated.removeAll { $0.id == id && $0.entity == nil }
    for index in updated.indices where updated[index].id == id { updated[index].values = [] }
    toOnes.removeAll { end, target in
      end.owner == id || target == id && schema.relationships[end.relationship].inverse != nil
    }
    links.removeAll { link, _ in
      link.owner == id || link.member == id && schema.relationships[link.relationship].inverse != nil
    }
    orderings.removeAll { $0.owner == id }
    restored = restored.mapValues { $0.filter { $0.owner != id } }
  }

  /// Makes records full that the caller has edited, because these changes may replace the caller's values.
  mutating func completeStubs(editedBy caller: CallerChanges) {
    let edited = Set(caller.values.keys.lazy.map(\.record))
    for index in updated.indices where edited.contains(updated[index].id) {
      updated[index].isStub = updated[index].isStub ?? false
    }
  }

  /// Replaces records by other records.
  mutating func replace(_ successors: [RecordID: RecordID]) {
    guard !successors.isEmpty else { return }
    func now(_ id: RecordID) -> RecordID { successors[id] ?? id }
    for index in updated.indices { updated[index].id = now(updated[index].id) }
    toOnes = toOnes.map { ($0.end.replacing(successors), $0.target.map(now)) }
    links = links.map { ($0.link.replacing(successors), $0.isThere) }
    orderings = orderings.map { $0.replacing(successors) }
    deleted = OrderedSet(deleted.map(now))
    excused = Set(excused.map { $0.replacing(successors) })
    restored = restored.mapValues { Set($0.map { $0.replacing(successors) }) }
  }
}

extension Row {
  var withoutToOnes: Row {
    var row = self
    row.toOnes = Array(repeating: nil, count: toOnes.count)
    return row
  }
}

/// The to-one relationships that no response has named and that another change has emptied: the deletion of the target,
/// a one-to-one link of the target to another record, or a change of only the other side. They are not stored. When
/// that change is merged into other data, it empties the relationships again.
private struct Consequences {
  private let schema: Schema
  private let deleted: OrderedSet<RecordID>
  private let named: Set<RelationshipEnd>
  private var after: [RecordID: Row] = [:]

  init(
    _ changes: ChangeSet, _ schema: Schema, _ deleted: OrderedSet<RecordID>, _ named: Set<RelationshipEnd>
  ) {
    self.schema = schema
    self.deleted = deleted
    self.named = named
    guard schema.relationships.contains(where: { $0.slot != nil && $0.isInverseToOne }) else { return }
    for update in changes.updated { after[update.after.id] = update.after }
  }

  func contain(_ slot: SlotIndex, of update: ChangeSet.Update) -> Bool {
    let end = RelationshipEnd(
      relationship: schema.trees[update.after.id.tree].toOnes[for: slot], owner: update.after.id)
    guard let former = update.before.toOnes[slot], !named.contains(end) else { return false }
    if deleted.contains(former) { return true }
    guard let inverse = schema.inverse(of: end, from: former),
      let inverseSlot = schema.relationships[inverse.relationship].slot, let partner = after[former]
    else { return false }
    return partner.toOnes[inverseSlot] != nil || named.contains(inverse)
  }
}
