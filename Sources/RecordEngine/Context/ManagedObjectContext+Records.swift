import OrderedCollections
public import RecordModel

extension ManagedObjectContext {
  /// Returns the object of a record; nil if the record does not exist. A context has one object for each record.
  /// Rule: `context.identity-map`.
  public func record(with id: RecordID) -> Record? {
    applySuccessors()
    let record = row(id).map(object)
    forgetUnusedRows()
    return record
  }

  /// Returns the objects of the records that exist, and reads their rows in one batch.
  func records(with ids: [RecordID]) -> [Record] { objects(of: existing(ids)) }

  /// Adopts the rows that a save has written, unless a later save may have changed them. A child context adopts none,
  /// because only the graph of its parent knows the parent's unsaved changes.
  func adopt(_ stored: StoredRows) {
    let generation = coordinator.store.generation
    guard parent == nil, stored.areCurrent(generation) else { return }
    graph.adopt(stored.rows)
    // The context has already discarded the rows that the save changed. If there were no other saves in between, all
    // other rows are current.
    if let saves = storeGeneration?.saves, saves >= stored.savesBefore { storeGeneration = generation }
  }

  /// Returns those of the records that exist. Reads their rows only if this is not certain without them.
  func existing(_ stored: StoredRecords) -> [RecordID] {
    // Only the graph of a parent knows the unsaved changes of the parent.
    guard parent == nil, stored.allExist(at: coordinator.store.generation),
      stored.ids.allSatisfy({ schema.trees.indices.contains($0.tree.rawValue) })
    else { return existing(stored.ids) }
    let deleted = graph.deletedIDs
    return deleted.isEmpty ? stored.ids : stored.ids.filter { !deleted.contains($0) }
  }

  /// Returns those of the records that exist, and reads their rows in one batch.
  func existing(_ ids: [RecordID]) -> [RecordID] {
    reading { () throws(StoreError) in try graph.load(ids) }
    return ids.filter { graph.knownIndex(of: $0) != nil }
  }

  /// Returns the objects of records that exist. Their rows are read when a property is accessed, or immediately if they
  /// determine the record types.
  func objects(of ids: [RecordID]) -> [Record] {
    let types = coordinator.recordTypesOfTrees
    reading { () throws(StoreError) in try graph.load(ids.lazy.filter { types[for: $0.tree] == nil }) }
    objects.reserveCapacity(objects.count + ids.count)
    let batch = FaultBatch(ids)
    let records = ids.enumerated().compactMap { position, id -> Record? in
      let type = types[for: id.tree] ?? graph.knownRow(id).map { coordinator.recordTypes[for: $0.entity] }
      return type.map { object(id, $0, in: batch, position) }
    }
    // This follows the creation of all objects, because rows without an object are discarded.
    forgetUnusedRows()
    return records
  }

  private func object(_ row: Row) -> Record { object(row.id, coordinator.recordTypes[for: row.entity]) }

  private func object(_ id: RecordID, _ type: Record.Type) -> Record {
    // The class of an object cannot change. A record whose entity has changed gets a new object.
    if let known = objects[id], Swift.type(of: known) == type { return known }
    let record = type.init(id: id, context: self)
    objects.insert(record, for: id)
    return record
  }

  private func object(_ id: RecordID, _ type: Record.Type, in batch: FaultBatch, _ position: Int) -> Record {
    let record = object(id, type)
    if record.batch == nil { (record.batch, record.batchPosition) = (batch, position) }
    return record
  }

  /// Inserts a record of an entity, with default values.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the model does not have the entity, or the entity is
  ///   abstract.
  public func insert(_ entity: EntityName) throws(RequestFailure) -> Record {
    insert(try coordinator.concreteEntity(entity))
  }

  /// Inserts a record of a record type, with the default values of the first entity that has this type.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` if the container was not created with the type, or its entity
  ///   is abstract.
  public func insert<Element: Record>(_ type: Element.Type) throws(RequestFailure) -> Element {
    let entity = try coordinator.concreteEntity(try coordinator.entity(of: type).name)
    guard let record = insert(entity) as? Element else {
      throw RequestFailure(
        Diagnostic(
          .invalidEntity, entity: entity.name, message: "'\(entity.name)' has no records of '\(type)'"))
    }
    return record
  }

  private func insert(_ entity: SchemaEntity) -> Record {
    let id = coordinator.store.reserveIDs(tree: entity.tree, count: 1)
    let row = graph.newRow(id, entity.index)
    change(ChangedRecords(id)) { graph in graph.insert(row) }
    return object(row)
  }

  /// Deletes a record with the next save, and removes it from all relationships immediately. Rule: `save.delete-rules`.
  ///
  /// The delete rule of each relationship applies to the records at the other end:
  ///
  /// - `cascade` deletes them too, through cycles.
  /// - `nullify` unlinks them. The save fails if one of them requires the link.
  /// - `noAction` unlinks them, because no relationship leads to a deleted record. The save does not fail if one of
  ///   them requires the link.
  /// - `deny` makes the save fail if any of them remains. The save succeeds if it also deletes them or moves them
  ///   elsewhere.
  ///
  /// From then on, the properties of the record are empty, and the record cannot be changed or linked.
  public func delete(_ record: Record) {
    let id = id(of: record)
    guard row(id) != nil else { return }
    // The delete rules can reach every entity.
    change(ChangedRecords(trees: schema.trees.elementIndices)) { graph throws(StoreError) in
      try graph.delete([id])
    }
  }

  /// Returns the identifier of a record to link or delete in this context.
  ///
  /// It is a programming error to pass a record of another container, because identifiers have no meaning there. The
  /// same applies to a record that another context has inserted and not saved.
  func id(of record: Record) -> RecordID {
    let id = record.recordID
    precondition(record.context.coordinator === coordinator, "the record belongs to another container")
    precondition(
      record.context === self || row(id) != nil || graph.isDeleted(id) || record.isDeleted,
      "the record was inserted in another context and is not saved")
    return id
  }
}

// MARK: - Faulting

/// Records that were returned together. Reading one of them also reads the records after it.
final class FaultBatch {
  /// The number of records that are read at once.
  private static let size = 100

  private let ids: [RecordID]

  init(_ ids: [RecordID]) { self.ids = ids }

  /// Returns the record at a position and the records after it, up to the number that is read at once.
  func window(from position: Int) -> ArraySlice<RecordID> { ids[position...].prefix(Self.size) }
}

extension ManagedObjectContext {
  /// Returns a record and the records after it among those that were returned together.
  private func window(of id: RecordID) -> ArraySlice<RecordID> {
    guard let record = objects[id], let batch = record.batch else { return [id] }
    return batch.window(from: record.batchPosition)
  }

  /// Reads the rows of a record and of the records after it.
  func loadSiblings(of id: RecordID) {
    let ids = window(of: id)
    reading { () throws(StoreError) in try graph.load(ids) }
  }

  /// Reads the destinations of a to-one of a record and of the records after it.
  func loadTargets(_ slot: SlotIndex, of id: RecordID) {
    let rows = window(of: id).compactMap { graph.knownRow($0) }
    reading { () throws(StoreError) in
      try graph.load(rows.compactMap { $0.id.tree == id.tree ? $0.toOnes[slot] : nil })
    }
  }

  /// Reads the members of a to-many of a record and of the records after it, and the rows of these members.
  func prepareMembers(_ relationship: RelationshipIndex, of id: RecordID) {
    guard !graph.isPrepared(relationship, owner: id) else { return }
    let entity = schema.relationships[relationship].entity
    let owners = window(of: id).filter { owner in
      graph.knownRow(owner).map { schema.isKind($0.entity, of: entity) } ?? false
    }
    reading { () throws(StoreError) in
      try graph.prepareMembers(of: relationship, owners: owners)
      var members: [RecordID] = []
      for owner in owners {
        members += try graph.members(of: relationship, owner: owner)
        if members.count >= Self.membersAhead { break }
      }
      try graph.load(members)
    }
  }

  /// The number of members after which the rows of no further to-many are read ahead.
  private static let membersAhead = 1000

  /// Returns the properties that differ from the parent or the store, in the model's order, attributes first.
  func changedProperties(of id: RecordID) -> [PropertyName] {
    guard let row = row(id) else { return [] }
    let stored = graph.storedRow(id)
    let entity = schema.entities[row.entity]
    let attributes = entity.attributes.filter { row.values[$0.column] != stored?.values[$0.column] }
    let relationships = entity.relationships.filter { index in
      schema.relationships[index].slot.map { row.toOnes[$0] != stored?.toOnes[$0] }
        ?? graph.hasMemberChange(of: index, owner: id)
    }
    return attributes.map(\.name) + relationships.map { schema.relationships[$0].name }
  }

  /// Discards the rows that no object needs, and the entries of deallocated objects. It does so when there are twice as
  /// many as remained the last time. Changed rows are kept.
  func forgetUnusedRows() {
    guard max(graph.rowCount, objects.count) > max(rowLimit, leastRowLimit) else { return }
    objects.forgetGone()
    graph.forget(unlessUsed: { objects[$0] != nil })
    noteSomeDiscarded()
    rowLimit = 2 * max(graph.rowCount, objects.count)
  }
}
