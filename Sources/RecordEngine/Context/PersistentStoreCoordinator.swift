import Foundation

/// The parts that all contexts of a container share: the model, the store, the record types and the write lock.
package final class PersistentStoreCoordinator: Sendable {
  package let model: ManagedObjectModel
  package let store: any Store
  /// The record type of each entity: the one registered for it, or else for its nearest ancestor, or else `Record`.
  /// Rule: `model.class-name`.
  package let recordTypes: [Record.Type]
  /// The record type of all records in each inheritance tree; nil if they have several.
  let recordTypesOfTrees: [Record.Type?]
  /// The first entity that names each record type as its class.
  private let entitiesByType: [ObjectIdentifier: EntityIndex]
  /// A lock that an import holds from its first read to its save, so that two imports never create the same record
  /// twice.
  private let writeLock = WriteLock()
  private let observers: SaveObservers
  private let contextCount = Counter()
  /// A closure that is called when a new session of the store has begun.
  private let sessionHandler: (@Sendable (_ from: StoreGeneration, _ to: StoreGeneration) -> Void)?

  package var schema: Schema { model.schema }

  /// Creates a coordinator.
  ///
  /// - Parameter sessionHandler: a closure that is called after the first save since the store was opened, while no
  ///   other save can run.
  package init(
    model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type],
    sessionHandler: (@Sendable (_ from: StoreGeneration, _ to: StoreGeneration) -> Void)? = nil
  ) {
    self.model = model
    self.store = store
    self.sessionHandler = sessionHandler
    observers = SaveObservers(model.schema)
    let schema = model.schema
    let types = schema.recordTypes(recordTypes)
    self.recordTypes = types
    recordTypesOfTrees = schema.trees.map { tree in
      schema.kinds(of: tree.root).allSatisfy { types[for: $0] == types[for: tree.root] }
        ? types[for: tree.root] : nil
    }
    entitiesByType = Dictionary(
      schema.entities(of: recordTypes).map { (ObjectIdentifier($0.type), $0.entity.index) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Calls a closure that reads and writes, while holding the write lock.
  ///
  /// - Parameter settled: a closure that is called after `body` and the session handler, while the lock is still held.
  /// - Throws: the error of `body`; `save-error` if the current thread already holds the lock, which only hooks can
  ///   cause.
  package func writing<Result>(
    _ body: () throws(RequestFailure) -> Result, settled: (inout Result) -> Void = { _ in }
  ) throws(RequestFailure) -> Result {
    try writeLock.withLock { () throws(RequestFailure) in
      var result = try reportingNewSession(body)
      settled(&result)
      return result
    }
  }

  /// Calls `body`, and then the session handler if `body` has begun a new session of the store.
  private func reportingNewSession<Result>(
    _ body: () throws(RequestFailure) -> Result
  ) throws(RequestFailure) -> Result {
    guard let sessionHandler else { return try body() }
    let former = store.generation
    defer {
      let generation = store.generation
      if generation.session != former.session { sessionHandler(former, generation) }
    }
    return try body()
  }

  // MARK: Saves

  /// A new stream of all saves from now on, in order.
  var saves: AsyncStream<SavedChanges> { observers.stream() }

  /// Returns an object that collects the records saved from now on in the inheritance tree of an entity.
  func newRecords(of entity: EntityIndex) -> NewRecords {
    observers.newRecords(tree: schema.entities[entity].tree)
  }

  /// Notifies all observers of a save. The caller must hold the write lock.
  func announce(_ changes: ImportChanges, _ changeSet: ChangeSet, by context: ContextID) {
    guard !changeSet.isEmpty else { return }
    let records = TouchedRecords(changeSet, schema)
    observers.announce(changeSet, records.changed) {
      SavedChanges(
        contextID: context, changes: changes, containerID: ObjectIdentifier(self), records: records)
    }
  }

  /// The number of saves so far.
  var saveCount: Int { observers.saveCount }

  /// Returns the records that have been saved since there were `count` saves.
  func savedChanges(since count: Int) -> ChangedRecords { observers.changes(since: count) }

  func nextContextID() -> ContextID { ContextID(number: contextCount.next()) }

  // MARK: Record types

  /// Returns the record type of an entity; nil if its parent has the same one, or if none is registered.
  func ownRecordType(of entity: EntityIndex) -> Record.Type? {
    let former = schema.entities[entity].parent.map { recordTypes[for: $0] } ?? Record.self
    return recordTypes[for: entity] == former ? nil : recordTypes[for: entity]
  }

  /// Returns the first entity whose class is a record type; nil if the type is not registered for an entity.
  func registeredEntity(of type: Record.Type) -> EntityIndex? { entitiesByType[ObjectIdentifier(type)] }
}

/// A counter that returns 1, 2, 3 and so on.
// Unchecked: `last` is accessed only while `lock` is held.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var last = 0

  func next() -> Int {
    lock.withLock {
      last += 1
      return last
    }
  }
}
