import OrderedCollections
import RecordModel

/// Records as one part of an app sees and changes them, until it saves.
///
/// A context reads a record when somebody asks for one of its properties, and forgets it when nobody holds it any more:
/// it may lead through a graph of any size. What was changed stays until it is saved or rolled back.
///
/// A context is not Sendable: it is used in the isolation (an actor, the main actor, a task) that made it, and so are its
/// children. See <doc:Contexts>.
public final class ManagedObjectContext {
  package let coordinator: PersistentStoreCoordinator
  /// The context that saved changes go to; nil if they go to the store.
  public let parent: ManagedObjectContext?
  /// What tells it from all others of its container.
  public let contextID: ContextID

  /// The unsaved changes here. The graph shows them.
  private(set) var unsaved = UnsavedChanges()
  /// The relationships that unsaved changes have named, and not only their inverses. Rule: `request.changes`.
  private(set) var namedEnds: OrderedSet<RelationshipEnd> = []
  /// What the contexts above have no part in.
  private var ownRevision = ContextRevision()
  /// Holds the graph, so that children can read it.
  private let held: GraphReader
  var objects = RecordObjects()
  /// The unsaved records of responses that have become saved ones. Children may still have edits of them.
  var successors: [RecordID: RecordID] = [:]
  /// The generation of the store that the rows held here are of, or of a later one; nil if that is not known, as for what a
  /// parent has read.
  var storeGeneration: StoreGeneration?
  /// How many rows may be held before those that nobody uses are looked for.
  var rowLimit = 0
  /// Many times what is read ahead, so that this is not forgotten before it is used.
  var leastRowLimit = 8192
  /// Held from the populating of a response to its delivery here, so that no other one changes meanwhile what it was
  /// populated over. One for a context and all below it.
  let deliveryMutex: TaskMutex
  /// A Boolean value that indicates whether the context shows a dry run, so that it cannot be saved.
  private(set) var isDryRun = false
  /// A read that failed where nothing could be thrown; the next fetch or save throws it.
  private var readFailure: StoreError?

  package init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil) {
    self.coordinator = coordinator
    self.parent = parent
    contextID = coordinator.nextContextID()
    deliveryMutex = parent?.deliveryMutex ?? TaskMutex()
    let reader: any StoreReader = parent?.held ?? coordinator.store
    held = GraphReader(WorkingGraph(schema: coordinator.schema, reader: reader))
    storeGeneration = parent == nil ? coordinator.store.generation : nil
  }

  /// A context over this one: it sees what is unsaved here, and its saves go here, unsaved still.
  ///
  /// It belongs to the isolation of this one. What is changed here later shows in the child when the child reads it, which
  /// it has not done yet or does anew after ``refreshAllObjects()``.
  public func makeChild() -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, parent: self)
  }

  /// The records as they are here: those of the parent or the store, with the edits applied.
  var graph: WorkingGraph {
    _read { yield held.graph }
    _modify { yield &held.graph }
  }

  var schema: Schema { coordinator.schema }

  /// Makes a context that shows what is here, for a response that would stay unsaved.
  func makeDryRun() -> ManagedObjectContext {
    let copy = makeDryRunCopy(over: parent)
    copy.storeGeneration = storeGeneration
    return copy
  }

  /// Makes a context that shows what would be here if a response were saved.
  ///
  /// - Parameters:
  ///   - changes: what would be saved.
  ///   - known: as for ``mergeResponse(_:known:unsaved:)``.
  ///   - unsaved: what would be left unsaved then, as there.
  func makeDryRun(
    saving changes: ChangeSet, known: [RecordID], leaving unsaved: [RestatedChanges]?
  ) -> ManagedObjectContext {
    var levels = unsaved
    let own = levels?.popLast()
    let below: ManagedObjectContext
    if let parent {
      below = parent.makeDryRun(saving: changes, known: known, leaving: levels)
    } else {
      // Stands for the store.
      below = ManagedObjectContext(coordinator: coordinator)
      below.isDryRun = true
      below.take(changes)
    }
    let copy = makeDryRunCopy(over: below)
    if let own {
      copy.restate(own)
    } else {
      copy.readAnew(TouchedRecords(changes, known: known), isRoot: parent == nil)
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

  /// Returns whether a record is there or has been deleted here.
  private func isThere(_ id: RecordID) -> Bool { row(id) != nil || graph.isDeleted(id) }
}

/// What tells one context of a container from the others.
public struct ContextID: Hashable, Sendable {
  let number: Int
}

// MARK: - Unsaved changes

extension ManagedObjectContext {
  /// A Boolean value that indicates whether unsaved changes here or above come from responses.
  var hasUnsavedResponses: Bool { !unsaved.responses.isEmpty || parent?.hasUnsavedResponses ?? false }

  /// Makes a change of the caller's.
  func change(_ body: (inout CallerChanges, inout WorkingGraph) throws(StoreError) -> Void) {
    ownRevision.changes += 1
    reading { () throws(StoreError) in try body(&unsaved.caller, &graph) }
  }

  /// Notes that unsaved changes name a relationship of a record.
  func noteNamed(_ ends: some Sequence<RelationshipEnd>) { namedEnds.append(contentsOf: ends) }

  /// Adds what a response comes to over the records here. What the caller has set stays, and what the caller has deleted is
  /// deleted anew with what the response says of it.
  func add(_ response: ResponseChanges) throws(StoreError) {
    var changes = unsaved
    changes.caller.forgetDeleted(response.deleted)
    try begin(with: changes, adding: response)
  }

  /// Adds what a child has saved, which counts more than what was set here before.
  func add(savedBy child: ManagedObjectContext) throws(StoreError) {
    let later = child.unsaved
    let laterCaller = later.caller.leading(to: child.isThere)
    var before = graph
    try before.load(laterCaller.toOnes.keys.lazy.map(\.owner))
    var changes = unsaved
    changes.caller.forget(whatIsSetBy: later.responses, schema)
    changes.caller.forgetDeleted(later.responses.deleted)
    changes.caller.merge(laterCaller, schema, before: before.knownRow)
    try begin(with: changes, adding: later.responses) { [graph] id in
      graph.isDeleted(id) || child.graph.isDeleted(id)
    }
    namedEnds.append(contentsOf: child.namedEnds)
    ownRevision.clears += 1
  }

  /// Begins anew with what is saved as it is now, and merges the unsaved changes into that.
  func rebase() throws(StoreError) { try begin(with: unsaved) }

  /// Begins anew with what is saved as it is now, and with other unsaved changes than before.
  ///
  /// - Parameters:
  ///   - changes: the unsaved changes.
  ///   - successors: unsaved records that have become saved ones, which `changes` name already.
  ///   - response: what a response adds to them, or the responses of a child.
  ///   - isDeleted: returns whether the caller's deletions take a record with them; nil if the graph here says so.
  func begin(
    with changes: UnsavedChanges, becoming successors: [RecordID: RecordID] = [:],
    adding response: ResponseChanges? = nil, isDeleted: ((RecordID) -> Bool)? = nil
  ) throws(StoreError) {
    var (changes, successors) = (changes, successors)
    if let above = parent?.allSuccessors, !above.isEmpty {
      changes.replace(above)
      successors.merge(above) { own, _ in own }
    }
    let met = try changes.meetSaved(schema, graph.reader, isDeleted: isDeleted ?? graph.isDeleted)
    successors.merge(met) { _, last in last }
    changes.responses.forget(whatIsSetBy: changes.caller, schema, row: graph.storedRow)
    var fresh = try changes.graphOfResponses(schema, graph.reader)
    try fresh.load(changes.caller.relatedRecords)
    changes.caller.noteLapsed { fresh.knownRow($0) != nil }
    var named = Set(changes.responses.toOnes.lazy.map(\.end))
    if var response {
      response.replace(successors)
      named.formUnion(response.toOnes.lazy.map(\.end))
      try fresh.load(response.toOnes.lazy.map(\.end.owner))
      response.forget(whatIsSetBy: changes.caller, schema, row: fresh.knownRow)
      try fresh.merge(try fresh.emptying(response))
    }
    changes.responses = fresh.responseChanges(beside: changes.caller, named: named)
    if changes.isEmpty {
      // What was merged and changes nothing is not held: the parent or the store may change it.
      fresh = WorkingGraph(schema: schema, reader: graph.reader)
    } else {
      try fresh.merge(changes.caller)
    }
    ownRevision.changes += 1
    (graph, unsaved) = (fresh, changes)
    become(successors)
  }

  /// Forgets all unsaved changes, which were saved or are to be forgotten.
  func forgetUnsaved() {
    unsaved = UnsavedChanges()
    namedEnds = []
    ownRevision.changes += 1
    ownRevision.clears += 1
  }

  /// Forgets what has changed of a record.
  func forgetUnsaved(of id: RecordID) throws(StoreError) {
    var changes = unsaved
    changes.forgetProperties(of: id, schema)
    ownRevision.clears += 1
    try begin(with: changes)
  }

  /// Objects of unsaved records that have become saved ones stand for these from now on.
  private func become(_ new: [RecordID: RecordID]) {
    guard !new.isEmpty else { return }
    successors.merge(new) { _, last in last }
    namedEnds = OrderedSet(namedEnds.map { $0.replacing(new) })
    for (former, id) in new.sorted(by: { $0.key < $1.key }) {
      guard let object = objects.remove(former), objects[id] == nil else { continue }
      object.recordID = id
      object.batch = nil
      objects.insert(object, for: id)
    }
  }

  /// By the records of this context and those above that have become saved ones.
  var allSuccessors: [RecordID: RecordID] {
    guard let parent else { return successors }
    let above = parent.allSuccessors
    return above.merging(successors.mapValues { above[$0] ?? $0 }) { _, last in last }
  }

  /// Returns the records that unsaved ones have become.
  func current(_ ids: [RecordID]) -> [RecordID] {
    let successors = allSuccessors
    return successors.isEmpty ? ids : ids.map { successors[$0] ?? $0 }
  }

  var revision: ContextRevision { (parent?.revision ?? ContextRevision()) + ownRevision }

  /// The unsaved changes here and in the contexts above, the uppermost first.
  var unsavedByLevel: [UnsavedChanges] { (parent?.unsavedByLevel ?? []) + [unsaved] }

  /// Whether a record was made here or in a context above, and is not saved.
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
