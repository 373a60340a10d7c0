public import RecordModel

/// Records as one part of an app sees and changes them, until it saves.
///
/// A context is not Sendable: it is used in the isolation (an actor, the main actor, a task) that made it.
public final class ManagedObjectContext {
  package let coordinator: PersistentStoreCoordinator
  /// The records as they are here: the store's, with the edits applied.
  var graph: WorkingGraph
  /// What was changed here and not saved, in order.
  private(set) var edits: [Edit] = []
  private var objects: [RecordID: WeakRecord] = [:]
  /// A read that failed where nothing could be thrown; the next fetch or save throws it.
  private var readFailure: StoreError?

  package init(coordinator: PersistentStoreCoordinator) {
    self.coordinator = coordinator
    graph = WorkingGraph(schema: coordinator.schema, reader: coordinator.store)
  }

  var schema: Schema { coordinator.schema }

  private struct WeakRecord {
    weak var record: Record?
  }
}

// MARK: - Records

extension ManagedObjectContext {
  /// The one object of a record in this context; nil if there is no such record. Rule: `context.identity-map`.
  public func record(with id: RecordID) -> Record? {
    if let known = objects[id]?.record { return known }
    guard let row = row(id) else { return nil }
    let record = coordinator.recordTypes[row.entity].init(id: id, context: self)
    objects[id] = WeakRecord(record: record)
    return record
  }

  /// Makes a record of an entity, with its defaults.
  ///
  /// - Throws: ``RequestFailure`` with `invalid-entity` for a name that the model does not have, or an abstract entity.
  public func insert(_ entity: EntityName) throws(RequestFailure) -> Record {
    let description = try coordinator.concreteEntity(entity)
    let id = coordinator.store.reserveIDs(tree: description.tree, count: 1)
    edit(.insert(id, entity: description.index))
    let record = coordinator.recordTypes[description.index].init(id: id, context: self)
    objects[id] = WeakRecord(record: record)
    return record
  }

  /// Changes a record, and remembers how.
  func edit(_ edit: Edit) {
    edits.append(edit)
    reading { () throws(StoreError) in try graph.apply(edit) }
  }

  func row(_ id: RecordID) -> Row? { reading { () throws(StoreError) in try graph.row(id) } ?? nil }

  @discardableResult
  func reading<Result>(_ body: () throws(StoreError) -> Result) -> Result? {
    do {
      return try body()
    } catch {
      readFailure = readFailure ?? error
      return nil
    }
  }

  func throwReadFailure() throws(StoreError) {
    guard let failure = readFailure else { return }
    readFailure = nil
    throw failure
  }
}

// MARK: - Saving

extension ManagedObjectContext {
  /// Whether anything is other than the store has it.
  public var hasChanges: Bool { !edits.isEmpty && graph.hasChanges }

  /// Saves what was changed: all of it or nothing.
  ///
  /// What others have saved in the meantime stays; only the properties that were changed here are written.
  ///
  /// - Throws: ``RequestFailure`` with `save-error` naming everything the model does not allow, or why the store could
  ///   not be written.
  @discardableResult
  public func save() throws(RequestFailure) -> ImportChanges {
    do {
      try throwReadFailure()
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    return try coordinator.writing { () throws(RequestFailure) in
      do throws(SaveProblem) {
        do throws(StoreError) {
          try rebase()
        } catch {
          throw .store(error)
        }
        let changes = try graph.commit(to: coordinator.store, checksKeys: true)
        let summary = ImportChanges(changes, edits: edits, schema: schema)
        graph.markSaved()
        edits = []
        return summary
      } catch {
        throw RequestFailure(error)
      }
    }
  }

  /// Takes what another save has done, so that records held here show it. Unsaved changes stay: what was changed here
  /// is changed again on what is there now. Rules: `context.refresh`, `context.conflict`.
  package func merge(_ changes: ChangeSet) {
    if edits.isEmpty {
      graph.forget(changes.rowIDs)
    } else {
      reading { () throws(StoreError) in try rebase() }
    }
    for row in changes.deleted { objects[row.id] = nil }
    // An object cannot change its class: who asks again gets one of the new entity's.
    for update in changes.updated where update.before.entity != update.after.entity {
      objects[update.after.id] = nil
    }
  }

  /// Begins anew with the store as it is, and applies the edits to that.
  private func rebase() throws(StoreError) {
    edits = edits.withoutOverwrittenValues()
    var fresh = WorkingGraph(schema: schema, reader: coordinator.store)
    try fresh.load(edits.flatMap(\.records))
    for edit in edits { try fresh.apply(edit) }
    graph = fresh
  }
}
