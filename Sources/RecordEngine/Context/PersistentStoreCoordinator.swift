import Foundation

/// What all contexts of one container share: the model, the store, the record types, and whose turn it is to write.
package final class PersistentStoreCoordinator: Sendable {
  package let model: ManagedObjectModel
  package let store: any Store
  /// By entity: the registered record type, its own or else its nearest ancestor's; `Record` where there is none.
  /// Rule: `model.class-name`.
  package let recordTypes: [Record.Type]
  /// By inheritance tree: the record type of all its records; nil if they have several.
  let recordTypesOfTrees: [Record.Type?]
  /// By record type: the first entity that names it as its class.
  private let entitiesByType: [ObjectIdentifier: EntityIndex]
  /// Held from the first read of an import to its save, so that two imports never make one record twice.
  private let writeLock = WriteLock()
  /// Those who want to know of saves.
  private let observers = SaveObservers()
  private let contextCount = Counter()
  /// Who has to know that the store is in another session.
  private let sessionHandler: (@Sendable (_ from: StoreGeneration, _ to: StoreGeneration) -> Void)?

  package var schema: Schema { model.schema }

  /// - Parameter sessionHandler: told that a save was the first since the store was opened, while nobody else can save.
  package init(
    model: ManagedObjectModel, store: any Store, recordTypes: [Record.Type],
    sessionHandler: (@Sendable (_ from: StoreGeneration, _ to: StoreGeneration) -> Void)? = nil
  ) {
    self.model = model
    self.store = store
    self.sessionHandler = sessionHandler
    let byName = Dictionary(
      recordTypes.map { (String(describing: $0), $0) }, uniquingKeysWith: { _, last in last })
    let schema = model.schema
    var types = Array<Record.Type>(repeating: Record.self, count: schema.entities.count)
    for entity in schema.depthFirst.map({ schema.entities[$0] }) {
      types[for: entity.index] =
        byName[entity.className] ?? entity.parent.map { types[for: $0] } ?? Record.self
    }
    self.recordTypes = types
    recordTypesOfTrees = schema.trees.map { tree in
      schema.kinds(of: tree.root).allSatisfy { types[for: $0] == types[for: tree.root] }
        ? types[for: tree.root] : nil
    }
    entitiesByType = Dictionary(
      schema.entities.compactMap { entity in
        byName[entity.className].map { (ObjectIdentifier($0), entity.index) }
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Reads and writes with nobody else writing in between.
  ///
  /// - Parameter settled: called behind `body`, when all who have to know of the store's generation do, and before anybody
  ///   else writes.
  /// - Throws: what `body` throws; `save-error` if it is called from within another `body`, which only hooks could do.
  package func writing<Result>(
    _ body: () throws(RequestFailure) -> Result, settled: (inout Result) -> Void = { _ in }
  ) throws(RequestFailure) -> Result {
    try writeLock.withLock { () throws(RequestFailure) in
      var result = try followed(body)
      settled(&result)
      return result
    }
  }

  /// Tells of a session that begins with what `body` saves.
  private func followed<Result>(
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

  /// Returns the records over which a response is populated that stays unsaved.
  ///
  /// - Parameter levels: the unsaved changes of its context and of those above, the uppermost first.
  func foundByResponses(over levels: [UnsavedChanges]) throws(RequestFailure) -> any StoreReader {
    var reader: any StoreReader = store
    do {
      for changes in levels where !changes.isEmpty {
        reader = try changes.foundByResponses(schema, reader)
      }
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    return reader
  }

  // MARK: Saves

  /// Every save from now on, in order.
  var saves: AsyncStream<SavedChanges> { observers.stream() }

  /// The records of an entity's inheritance tree that anybody saves from now on.
  func newRecords(of entity: EntityIndex) -> NewRecords {
    observers.newRecords(tree: schema.entities[entity].tree)
  }

  /// Tells who wants to know what a save has done. To be called by whoever holds the turn to write.
  func announce(_ changes: ImportChanges, _ changeSet: ChangeSet, by context: ContextID) {
    guard !changeSet.isEmpty else { return }
    observers.announce(changeSet) {
      SavedChanges(
        contextID: context, changes: changes, containerID: ObjectIdentifier(self),
        records: TouchedRecords(changeSet))
    }
  }

  func nextContextID() -> ContextID { ContextID(number: contextCount.next()) }

  // MARK: Record types

  /// The record type of an entity; nil if it is the one of its parent, or none is registered.
  func ownRecordType(of entity: EntityIndex) -> Record.Type? {
    let former = schema.entities[entity].parent.map { recordTypes[for: $0] } ?? Record.self
    return recordTypes[for: entity] == former ? nil : recordTypes[for: entity]
  }

  /// The entity whose records are of a record type; nil if the type is not registered for one.
  func registeredEntity(of type: Record.Type) -> EntityIndex? { entitiesByType[ObjectIdentifier(type)] }
}

/// 1, 2, 3, …
// Unchecked: `last` is read and written under `lock` alone.
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
