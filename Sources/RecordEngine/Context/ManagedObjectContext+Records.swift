import OrderedCollections
public import RecordModel

extension ManagedObjectContext {
  /// The one object of a record in this context; nil if there is no such record. Rule: `context.identity-map`.
  public func record(with id: RecordID) -> Record? {
    let record = row(id).map(object)
    forgetUnusedRows()
    return record
  }

  /// The objects of those records that are there, their rows read in one go.
  func records(with ids: [RecordID]) -> [Record] {
    reading { () throws(StoreError) in try graph.load(ids) }
    return objects(of: ids)
  }

  /// Takes rows that somebody else has had in hand, unless the store may have them otherwise by now. What is unsaved in a
  /// parent, its graph alone knows.
  func adopt(_ stored: StoredRows) {
    let generation = coordinator.store.generation
    guard parent == nil, stored.areCurrent(generation) else { return }
    graph.adopt(stored.rows)
    // What the save has touched is forgotten by now: where it was the only one, all that is held is as it is saved.
    if let seen = storeGeneration?.saves, seen >= stored.savesBefore { storeGeneration = generation }
  }

  /// The objects of those records that are there. Rows are read when somebody asks for a property, wherever it is certain
  /// without them that records are there, and what their objects are.
  func records(_ stored: StoredRecords) -> [Record] {
    let types = coordinator.recordTypesOfTrees
    // What is unsaved in a parent, its graph alone knows.
    guard parent == nil, stored.areThere(coordinator.store.generation),
      stored.ids.allSatisfy({ types.indices.contains($0.tree.rawValue) && types[for: $0.tree] != nil })
    else { return records(with: stored.ids) }
    // Before there are new ones, which nobody holds yet.
    forgetUnusedRows()
    objects.reserveCapacity(objects.count + stored.ids.count)
    let (batch, deleted) = (FaultBatch(stored.ids), graph.deletedIDs)
    var records: [Record] = []
    records.reserveCapacity(stored.ids.count)
    for (position, id) in stored.ids.enumerated() {
      guard let type = types[for: id.tree], deleted.isEmpty || !deleted.contains(id) else { continue }
      records.append(object(id, type, in: batch, position))
    }
    return records
  }

  /// The objects of those records whose rows have been read.
  func objects(of ids: [RecordID]) -> [Record] {
    let batch = FaultBatch(ids)
    let records = ids.enumerated().compactMap { position, id -> Record? in
      guard let index = graph.knownIndex(of: id) else { return nil }
      return object(id, coordinator.recordTypes[for: graph.records[index].row.entity], in: batch, position)
    }
    // Not before all rows that were read for them have their objects.
    forgetUnusedRows()
    return records
  }

  private func object(_ row: Row) -> Record { object(row.id, coordinator.recordTypes[for: row.entity]) }

  private func object(_ id: RecordID, _ type: Record.Type) -> Record {
    // An object cannot change its class: a record whose entity has changed gets another one.
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

  /// Makes a record of an entity, with its defaults.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for a name that the model does not have, or an abstract entity.
  public func insert(_ entity: EntityName) throws(RequestFailure) -> Record {
    insert(try coordinator.concreteEntity(entity))
  }

  /// Makes a record of a record type, with the defaults of the first entity that has it.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for a type that the container was not made with, or whose entity
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
    change { caller, graph in
      caller.inserted[id] = row
      graph.insert(row)
    }
    return object(row)
  }

  /// Deletes a record with the next save, and takes it out of all relationships now. Rule: `save.delete-rules`.
  ///
  /// The delete rules of its relationships say what becomes of the records at the other end: `cascade` deletes them too,
  /// through cycles; `nullify` unlinks them, and they are validated for it; `noAction` unlinks them, since no relationship
  /// leads to a deleted record, and they are not validated for it. `deny` is judged by the save, over all that it
  /// deletes: records at the other end that are neither deleted with it nor moved elsewhere make it fail.
  ///
  /// The record's properties are empty from now on, and nothing sets or links it again.
  public func delete(_ record: Record) {
    let id = id(of: record)
    guard row(id) != nil else { return }
    change { caller, graph throws(StoreError) in
      caller.deleted.append(id)
      try graph.delete([id])
    }
  }

  /// The id of a record that is to be linked or deleted here. Ids mean nothing in another container, and what another
  /// context has made is not there before it is saved: to hand over such a record is a programming error.
  func id(of record: Record) -> RecordID {
    let id = record.recordID
    precondition(record.context.coordinator === coordinator, "the record is one of another container")
    precondition(
      record.context === self || row(id) != nil || graph.isDeleted(id) || record.isDeleted,
      "the record was made in another context, and is not saved yet")
    return id
  }
}

// MARK: - Faulting

/// Records that were handed out together: when a property of one is not read yet, it is read for those next to it too.
final class FaultBatch {
  /// How many records are read ahead.
  private static let size = 100

  private let ids: [RecordID]

  init(_ ids: [RecordID]) { self.ids = ids }

  /// The record at a position and those behind it.
  func window(from position: Int) -> ArraySlice<RecordID> { ids[position...].prefix(Self.size) }
}

extension ManagedObjectContext {
  /// The records handed out with a record, from that one on.
  private func window(of id: RecordID) -> ArraySlice<RecordID> {
    guard let record = objects[id], let batch = record.batch else { return [id] }
    return batch.window(from: record.batchPosition)
  }

  /// Reads a record and those next to it.
  func loadSiblings(of id: RecordID) {
    let ids = window(of: id)
    reading { () throws(StoreError) in try graph.load(ids) }
  }

  /// Reads the record that a to-one leads to, and those of the records next to it.
  func loadTargets(_ slot: SlotIndex, of id: RecordID) {
    let rows = window(of: id).compactMap { graph.knownRow($0) }
    reading { () throws(StoreError) in
      try graph.load(rows.compactMap { $0.id.tree == id.tree ? $0.toOnes[slot] : nil })
    }
  }

  /// Reads who the members of a record and of those next to it are, and rows of theirs.
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

  /// How many members are read ahead.
  private static let membersAhead = 1000

  /// The properties that are other than they are saved.
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

  /// Forgets the rows that no object needs, and the places of objects that have gone, once there are twice as many as were
  /// needed the last time. What was changed is needed.
  func forgetUnusedRows() {
    guard max(graph.rowCount, objects.count) > max(rowLimit, leastRowLimit) else { return }
    objects.forgetGone()
    graph.forget(unlessUsed: { objects[$0] != nil })
    rowLimit = 2 * max(graph.rowCount, objects.count)
  }
}
