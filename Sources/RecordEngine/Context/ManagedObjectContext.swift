import OrderedCollections
import RecordModel

/// The records of a container as one part of an app reads and changes them, until it saves.
///
/// A context reads a record when you access one of its properties, and releases it when no object needs it any more.
/// You can therefore traverse a graph of any size. Unsaved changes are kept until you save them or roll them back.
///
/// A context is not Sendable. Use it and its children only in the isolation (an actor, the main actor, a task) that
/// created it. See <doc:Contexts>.
public final class ManagedObjectContext {
  package let coordinator: PersistentStoreCoordinator
  let schema: Schema
  /// The context that receives the saves of this context; nil if they go to the store.
  public let parent: ManagedObjectContext?
  /// The identifier of this context within its container.
  public let contextID: ContextID

  /// The number of times that the records of this context may have changed, without those of the parents.
  private var ownRevision = 0
  /// The signals of the sequences that observe this context or a child.
  let signals = UpdateSignals()
  /// The changes of this context, without those of the parents, for the sequences that observe it.
  var history: ChangeHistory
  /// The position below this context when its oldest rows may have been read; nil if the histories may lack changes
  /// since then.
  var readPosition: HistoryPosition?
  /// A reference to the graph, through which children read it.
  let held: GraphReader
  var objects = RecordObjects()
  /// The records that unsaved records of this context, its parents and its children have become.
  private(set) var successors: RecordSuccessors
  /// The number of times that records of this context have become other ones.
  private var ownSuccessions = 0
  /// The value of the parent's `successions` when this context last replaced the records of the parent.
  private var appliedSuccessions: Int
  /// The oldest generation of the store that the rows of this context may come from; nil if it is unknown, as it is for
  /// rows that a parent has read.
  var storeGeneration: StoreGeneration?
  /// The number of rows above which unused rows are discarded.
  var rowLimit = 0
  /// The minimum of `rowLimit`. It is many times the number of rows that are read ahead, so that these are not
  /// discarded before they are used.
  var leastRowLimit = 8192
  /// A mutex that a request holds from the population of its response to its delivery in this context. Meanwhile, no
  /// other response can change the records that it was populated over. A context shares it with all its descendants.
  let deliveryMutex: TaskMutex
  /// A Boolean value that indicates whether the context belongs to a dry run and therefore cannot be saved.
  private(set) var isDryRun = false
  /// An error of a read that could not throw it. The next fetch or save throws it.
  private var readFailure: StoreError?

  package init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil) {
    self.coordinator = coordinator
    schema = coordinator.schema
    self.parent = parent
    contextID = coordinator.nextContextID()
    deliveryMutex = parent?.deliveryMutex ?? TaskMutex()
    successors = parent?.successors ?? RecordSuccessors()
    appliedSuccessions = parent?.successions ?? 0
    let reader: any StoreReader = parent?.held ?? coordinator.store
    held = GraphReader(WorkingGraph(schema: coordinator.schema, reader: reader))
    storeGeneration = parent == nil ? coordinator.store.generation : nil
    history = ChangeHistory(coordinator.schema)
    readPosition = HistoryPosition(coordinator, parent)
  }

  /// Creates a child context, which shows the unsaved changes of this context. Its saves become unsaved changes of this
  /// context.
  ///
  /// Use the child in the isolation of this context. The child shows later changes of this context in the records that
  /// it has not read yet, and in all records after ``refreshAllObjects()``.
  public func makeChild() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, parent: self)
  }

  /// The records as this context shows them: those of the parent or the store, with the unsaved changes applied.
  var graph: WorkingGraph {
    _read { yield held.graph }
    _modify { yield &held.graph }
  }

  /// Creates a context for a dry run, which shows what this context would show with the changes as unsaved changes.
  func makeDryRun(keeping changes: ChangeSet) -> ManagedObjectContext {
    let copy = dryRunCopy(over: parent)
    copy.take(changes)
    return copy
  }

  /// Creates a context for a dry run, which shows what this context would show if the changes were saved.
  ///
  /// - Parameter records: the records of the changes, and those that the response mentions.
  func makeDryRun(saving changes: ChangeSet, _ records: TouchedRecords) -> ManagedObjectContext {
    let store = GraphReader(WorkingGraph(schema: schema, reader: coordinator.store))
    let copy = dryRunCopy(withParentsOver: store)
    copy.reading { () throws(StoreError) in try store.graph.apply(changes) }
    copy.merge(records)
    return copy
  }

  private func dryRunCopy(withParentsOver store: GraphReader) -> ManagedObjectContext {
    if let parent { return dryRunCopy(over: parent.dryRunCopy(withParentsOver: store)) }
    let copy = dryRunCopy(over: nil)
    copy.graph = graph.reading(from: store)
    return copy
  }

  private func dryRunCopy(over parent: ManagedObjectContext?) -> ManagedObjectContext {
    applySuccessors()
    let copy = ManagedObjectContext(coordinator: coordinator, parent: parent)
    copy.isDryRun = true
    // The copies of a context and its parents share a map, as the contexts do.
    if parent?.isDryRun != true { copy.successors = successors.copy() }
    copy.graph = graph.reading(from: copy.graph.reader)
    return copy
  }
}

/// The identifier of a context, which is unique within a container.
public struct ContextID: Hashable, Sendable {
  let number: Int
}

// MARK: - Unsaved changes

extension ManagedObjectContext {
  /// The unsaved changes of this context.
  private var unsavedChangeSet: ChangeSet { graph.isUntouched ? ChangeSet() : graph.changes() }

  /// The unsaved changes of this context and its parents, the root context first.
  var unsavedChangeSets: [ChangeSet] { (parent?.unsavedChangeSets ?? []) + [unsavedChangeSet] }

  /// Applies a change by the caller.
  ///
  /// - Parameter changes: all records that may change.
  func change(
    _ changes: @autoclosure () -> ChangedRecords, _ body: (inout WorkingGraph) throws(StoreError) -> Void
  ) {
    ownRevision += 1
    reading { () throws(StoreError) in try body(&graph) }
    if !signals.isEmpty { noteChanges(changes()) }
  }

  /// Applies a change by the caller of a relationship.
  func change(
    _ relationship: SchemaRelationship, _ body: (inout WorkingGraph) throws(StoreError) -> Void
  ) {
    change(
      ChangedRecords(
        trees: [relationship.entity, relationship.destination].map { schema.entities[$0].tree }), body)
  }

  /// Applies changes of a response as unsaved changes.
  func take(_ changes: ChangeSet) { reading { () throws(StoreError) in try rebase(adding: changes) } }

  /// Discards the rows that were read, and applies the unsaved changes to the current records of the store or the parent.
  /// Rule: `context.conflict`.
  ///
  /// - Parameter added: later changes, of a response or of a child, which become unsaved changes of this context.
  func rebase(adding added: ChangeSet? = nil) throws(StoreError) {
    parent?.applySuccessors()
    let origin = HistoryPosition(coordinator, parent)
    let successions = parent?.successions ?? 0
    var changes = unsavedChangeSet
    if !successors.isEmpty { changes = changes.replacing(successors.current) }
    var fresh = WorkingGraph(schema: schema, reader: graph.reader)
    var new = try fresh.apply(changes)
    if let added {
      let added = new.isEmpty ? added : added.replacing { new[$0] ?? $0 }
      new.merge(try fresh.apply(added)) { _, last in last }
    }
    let freshChanges = fresh.changes()
    if freshChanges.isEmpty {
      // The parent or the store may change the rows without changes.
      fresh = WorkingGraph(schema: schema, reader: graph.reader)
    }
    ownRevision += 1
    graph = fresh
    if !new.isEmpty || successions != appliedSuccessions { becomeSuccessors(of: new) }
    appliedSuccessions = successions
    if !signals.isEmpty, changes != freshChanges {
      for changes in [changes, freshChanges] { noteChanges(ChangedRecords(changes, schema)) }
    }
    noteDiscardedRows(origin)
  }

  /// Discards the rows that were read if there are unsaved changes to apply again, or if records of a parent have become other
  /// ones.
  func rebaseIfNeeded() throws(StoreError) {
    if !graph.isUntouched || hasNewSuccessors { try rebase() }
  }

  /// Makes the objects of unsaved records of a parent represent the records that they have become.
  func applySuccessors() {
    if hasNewSuccessors { reading { () throws(StoreError) in try rebase() } }
  }

  /// A Boolean value that indicates whether records of a parent have become other ones since this context last applied that.
  private var hasNewSuccessors: Bool { parent.map { $0.successions != appliedSuccessions } ?? false }

  /// The number of times that records of this context and its parents have become other ones.
  private var successions: Int { ownSuccessions + (parent?.successions ?? 0) }

  /// Makes the objects of unsaved records represent the records that they have become.
  private func becomeSuccessors(of new: [RecordID: RecordID]) {
    if !new.isEmpty {
      successors.add(new)
      ownSuccessions += 1
    }
    for former in objects.ids {
      let id = successors.current(former)
      guard id != former, let object = objects.remove(former) else { continue }
      object.knownID = id
      object.batch = nil
      if objects[id] == nil { objects.insert(object, for: id) }
    }
  }

  /// Notes that the records have changed, after the graph was changed directly.
  func noteRevision() { ownRevision += 1 }

  /// The number of times that the records of this context may have changed, including the unsaved changes of its parents.
  ///
  /// It detects changes while a response is populated over this context. The ``StoreGeneration`` cannot detect them: it does not
  /// count unsaved changes, and it advances with saves that the context has not merged.
  var revision: Int { (parent?.revision ?? 0) + ownRevision }

  /// Returns whether a record was inserted in this context or in a parent, and is not saved.
  func isUnsaved(_ id: RecordID) -> Bool { held.isUnsaved(id) }

  func row(_ id: RecordID) -> Row? {
    if let row = held.knownRow(id) { return row }
    if !graph.isKnown(id) { loadSiblings(of: id) }
    return reading { () throws(StoreError) in try graph.row(id) } ?? nil
  }

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
