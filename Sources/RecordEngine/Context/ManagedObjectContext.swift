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
  /// The context that receives the saves of this context; nil if they go to the store.
  public let parent: ManagedObjectContext?
  /// The identifier of this context within its container.
  public let contextID: ContextID

  /// The unsaved changes of this context. The graph shows them.
  private(set) var unsaved = UnsavedChanges()
  /// The relationships that unsaved changes have named themselves, not only through their inverses.
  /// Rule: `request.changes`.
  private(set) var namedEnds: OrderedSet<RelationshipEnd> = []
  /// The part of the revision that excludes the parents.
  private var ownRevision = ContextRevision()
  /// The signals of the sequences that observe this context or a child.
  let signals = UpdateSignals()
  /// The changes of this context, without those of the parents, for the sequences that observe it.
  var history: ChangeHistory
  /// The position below this context when its oldest rows may have been read; nil if the histories may lack changes
  /// since then.
  var readPosition: HistoryPosition?
  /// A reference to the graph, through which children read it.
  private let held: GraphReader
  var objects = RecordObjects()
  /// The saved records that have replaced unsaved records of responses, by the unsaved record. Children may still have
  /// edits of the unsaved ones.
  var successors: [RecordID: RecordID] = [:]
  /// The value of the parent's `successorCount` when this context last applied the parent's successors.
  private var appliedSuccessorCount: Int
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
    self.parent = parent
    contextID = coordinator.nextContextID()
    deliveryMutex = parent?.deliveryMutex ?? TaskMutex()
    appliedSuccessorCount = parent?.successorCount ?? 0
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

  var schema: Schema { coordinator.schema }

  /// Creates a context that shows the records of this one, for a response that would stay unsaved.
  func makeDryRun() -> ManagedObjectContext {
    let copy = makeDryRunCopy(over: parent)
    copy.storeGeneration = storeGeneration
    return copy
  }

  /// Creates a context that shows what this context would show if a response were saved.
  ///
  /// - Parameters:
  ///   - changes: the changes that would be saved.
  ///   - known: the existing records that the response mentions, as for ``mergeResponse(_:known:unsaved:)``.
  ///   - unsaved: the changes that would remain unsaved, as for ``mergeResponse(_:known:unsaved:)``.
  func makeDryRun(
    saving changes: ChangeSet, known: [RecordID], leaving unsaved: [RestatedChanges]?
  ) -> ManagedObjectContext {
    var levels = unsaved
    let own = levels?.popLast()
    let below: ManagedObjectContext
    if let parent {
      below = parent.makeDryRun(saving: changes, known: known, leaving: levels)
    } else {
      // This context stands in for the store.
      below = ManagedObjectContext(coordinator: coordinator)
      below.isDryRun = true
      below.take(changes)
    }
    let copy = makeDryRunCopy(over: below)
    if let own {
      copy.restate(own)
    } else {
      copy.readAnew(TouchedRecords(changes, known: known, schema), isRoot: parent == nil)
    }
    return copy
  }

  private func makeDryRunCopy(over parent: ManagedObjectContext?) -> ManagedObjectContext {
    let copy = ManagedObjectContext(coordinator: coordinator, parent: parent)
    copy.isDryRun = true
    copy.graph = graph.reading(from: copy.graph.reader)
    copy.unsaved = unsaved
    copy.namedEnds = namedEnds
    copy.successors = successors
    return copy
  }

  /// Returns whether a record exists, or was deleted in this context.
  private func existsOrIsDeleted(_ id: RecordID) -> Bool { row(id) != nil || graph.isDeleted(id) }
}

/// The identifier of a context, which is unique within a container.
public struct ContextID: Hashable, Sendable {
  let number: Int
}

// MARK: - Unsaved changes

extension ManagedObjectContext {
  /// A Boolean value that indicates whether unsaved changes of this context or its parents come from responses.
  var hasUnsavedResponses: Bool { !unsaved.responses.isEmpty || parent?.hasUnsavedResponses ?? false }

  /// The records that responses have left unsaved in this context or its parents.
  var recordsLeftUnsaved: Set<RecordID> {
    Set(unsavedByLevel.lazy.flatMap(\.responses.inserted).map(\.id))
  }

  /// Applies a change by the caller.
  ///
  /// - Parameter changes: all records that may change.
  func change(
    _ changes: @autoclosure () -> ChangedRecords,
    _ body: (inout CallerChanges, inout WorkingGraph) throws(StoreError) -> Void
  ) {
    ownRevision.changes += 1
    reading { () throws(StoreError) in try body(&unsaved.caller, &graph) }
    if !signals.isEmpty { noteChanges(changes()) }
  }

  /// Applies a change by the caller of a relationship.
  func change(
    _ relationship: SchemaRelationship,
    _ body: (inout CallerChanges, inout WorkingGraph) throws(StoreError) -> Void
  ) {
    change(
      ChangedRecords(
        trees: [relationship.entity, relationship.destination].map { schema.entities[$0].tree }), body)
  }

  /// Adds relationships of records to those that unsaved changes have named. If a saved record has replaced an unsaved
  /// one in the meantime, its relationships are added instead.
  func noteNamed(_ ends: some Sequence<RelationshipEnd>) {
    namedEnds.append(contentsOf: ends.lazy.map { [successors] in $0.replacing(successors) })
  }

  /// Adds the changes of a response to the unsaved changes. Values that the caller has set are kept. The deletions by
  /// the caller are applied again, to the relationships as the response leaves them.
  func add(_ response: ResponseChanges) throws(StoreError) {
    var changes = unsaved
    changes.caller.forgetDeleted(response.deleted)
    try begin(with: changes, adding: response)
  }

  /// Adds the changes that a child has saved. They take precedence over the earlier changes of this context.
  func add(savedBy child: ManagedObjectContext) throws(StoreError) {
    let later = child.unsaved
    let laterCaller = later.caller.leading(to: child.existsOrIsDeleted)
    var before = graph
    try before.load(laterCaller.toOnes.keys.lazy.map(\.owner))
    var changes = unsaved
    var responses = later.responses
    responses.completeStubs(editedBy: changes.caller)
    changes.caller.forget(whatIsSetBy: later.responses, schema)
    changes.caller.forgetDeleted(later.responses.deleted)
    changes.caller.merge(laterCaller, schema, before: before.knownRow)
    try begin(with: changes, adding: responses) { [graph] id in
      graph.isDeleted(id) || child.graph.isDeleted(id)
    }
    noteNamed(child.namedEnds)
    ownRevision.clears += 1
  }

  /// Discards the rows that were read, and applies the unsaved changes to the saved records.
  func rebase() throws(StoreError) { try begin(with: unsaved) }

  /// Discards the rows that were read if there are unsaved changes to apply again, or if saved records have replaced
  /// unsaved ones of a parent.
  func rebaseIfNeeded() throws(StoreError) {
    if !unsaved.isEmpty || hasNewSuccessors { try rebase() }
  }

  /// Makes the objects of unsaved records of a parent represent the saved records that have replaced them.
  func applySuccessors() {
    if hasNewSuccessors { reading { () throws(StoreError) in try rebase() } }
  }

  /// A Boolean value that indicates whether saved records have replaced unsaved ones of a parent, and this context has
  /// not applied them yet.
  private var hasNewSuccessors: Bool { parent.map { $0.successorCount != appliedSuccessorCount } ?? false }

  /// The number of successors of this context and its parents. It never decreases.
  private var successorCount: Int { successors.count + (parent?.successorCount ?? 0) }

  /// Discards the rows that were read, and applies other unsaved changes to the saved records.
  ///
  /// - Parameters:
  ///   - changes: the unsaved changes.
  ///   - successors: the saved records that have replaced unsaved ones, by the unsaved record. `changes` already refers
  ///     to the saved ones.
  ///   - response: the changes of a response to add, or those of the responses of a child.
  ///   - isDeleted: a closure that returns whether the caller's deletions also delete a record; nil to use the graph of
  ///     this context.
  func begin(
    with changes: UnsavedChanges, becoming successors: [RecordID: RecordID] = [:],
    adding response: ResponseChanges? = nil, isDeleted: ((RecordID) -> Bool)? = nil
  ) throws(StoreError) {
    var (changes, successors) = (changes, successors)
    let below = HistoryPosition(coordinator, parent)
    let successorCount = parent?.successorCount ?? 0
    if let above = parent?.allSuccessors, !above.isEmpty {
      changes.replace(above)
      successors.merge(above) { own, _ in own }
    }
    let replaced = try changes.meetSaved(
      schema, graph.reader, deleting: response?.deleted ?? [], isDeleted: isDeleted ?? graph.isDeleted)
    successors.merge(replaced) { _, last in last }
    var fresh = try changes.graphOfResponses(schema, graph.reader)
    var named = Set(changes.responses.toOnes.lazy.map(\.end))
    var restored = changes.responses.restored
    if var response {
      response.replace(successors)
      named.formUnion(response.toOnes.lazy.map(\.end))
      restored.merge(response.restored) { $0.union($1) }
      restored.merge(try fresh.endsWithoutInverse(leadingTo: restored.keys.sorted())) { $0.union($1) }
      try fresh.merge(try fresh.emptying(response))
    }
    changes.responses = fresh.responseChanges(beside: changes.caller, named: named, restored: restored)
    if changes.isEmpty {
      // Merged rows without unsaved changes are discarded, because the parent or the store may change them.
      fresh = WorkingGraph(schema: schema, reader: graph.reader)
    } else {
      try fresh.merge(changes.caller)
    }
    ownRevision.changes += 1
    let former = graph
    (graph, unsaved) = (fresh, changes)
    appliedSuccessorCount = successorCount
    become(successors)
    if !signals.isEmpty { noteChanges(ChangedRecords(trees: graph.treesOfChanges(since: former))) }
    noteDiscardedRows(below)
  }

  /// Removes all unsaved changes, after they were saved or to discard them.
  func forgetUnsaved() {
    unsaved = UnsavedChanges()
    namedEnds = []
    ownRevision.changes += 1
    ownRevision.clears += 1
  }

  /// Discards the changes of a record's properties.
  func forgetUnsaved(of id: RecordID) throws(StoreError) {
    var changes = unsaved
    changes.forgetProperties(of: id, schema)
    ownRevision.clears += 1
    try begin(with: changes)
  }

  /// Makes the objects of unsaved records represent the saved records that have replaced them.
  private func become(_ new: [RecordID: RecordID]) {
    guard !new.isEmpty else { return }
    successors.merge(new) { _, last in last }
    namedEnds = OrderedSet(namedEnds.map { $0.replacing(new) })
    for (former, id) in new.sorted(by: { $0.key < $1.key }) {
      guard let object = objects.remove(former), objects[id] == nil else { continue }
      object.knownID = id
      object.batch = nil
      objects.insert(object, for: id)
    }
  }

  /// The saved records that have replaced unsaved records of this context and its parents, by the unsaved record.
  var allSuccessors: [RecordID: RecordID] {
    guard let parent else { return successors }
    let above = parent.allSuccessors
    return above.merging(successors.mapValues { above[$0] ?? $0 }) { _, last in last }
  }

  /// Returns the records with unsaved ones replaced by their successors.
  ///
  /// - Parameter counterparts: for saved records of items, the records of the same items here, which replace them.
  package func current(_ ids: [RecordID], with counterparts: [RecordID: RecordID] = [:]) -> [RecordID] {
    let successors = allSuccessors
    if successors.isEmpty, counterparts.isEmpty { return ids }
    return ids.map { id in
      let counterpart = counterparts[id] ?? id
      return successors[counterpart] ?? counterpart
    }
  }

  var revision: ContextRevision { (parent?.revision ?? ContextRevision()) + ownRevision }

  /// The unsaved changes of this context and its parents, the root context first.
  var unsavedByLevel: [UnsavedChanges] { (parent?.unsavedByLevel ?? []) + [unsaved] }

  /// Returns whether a record was inserted in this context or in a parent, and is not saved.
  func isUnsaved(_ id: RecordID) -> Bool { held.isUnsaved(id) }

  func row(_ id: RecordID) -> Row? {
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
