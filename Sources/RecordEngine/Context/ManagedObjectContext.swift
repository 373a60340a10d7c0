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

  /// What was changed here and not saved, in order.
  private(set) var edits: [UnsavedEdit] = []
  /// Moves on whenever records here may have become others.
  private var ownVersion = 0
  /// Holds the graph, so that children can read it.
  private let held: GraphReader
  var objects = RecordObjects()
  /// The unsaved records of responses that have become saved ones. Children may still have edits of them.
  var successors: [RecordID: RecordID] = [:]
  /// How far the store had come, or further, whenever a row was read that is held; nil if nobody knows, as of what a parent
  /// has read.
  var caughtUp: StoreState?
  /// How many rows may be held before those that nobody uses are looked for.
  var rowLimit = 0
  /// Many times what is read ahead, so that this is not forgotten before it is used.
  var leastRowLimit = 8192
  /// Held from the populating of a response to its delivery here, so that no other one changes meanwhile what it was
  /// populated over. One for a context and all below it.
  let deliveryTurn: TaskTurn
  /// A read that failed where nothing could be thrown; the next fetch or save throws it.
  private var readFailure: StoreError?

  package init(coordinator: PersistentStoreCoordinator, parent: ManagedObjectContext? = nil) {
    self.coordinator = coordinator
    self.parent = parent
    contextID = coordinator.nextContextID()
    deliveryTurn = parent?.deliveryTurn ?? TaskTurn()
    let reader: any StoreReader = parent?.held ?? coordinator.store
    held = GraphReader(WorkingGraph(schema: coordinator.schema, reader: reader))
    caughtUp = parent == nil ? coordinator.store.state : nil
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
}

/// What tells one context of a container from the others.
public struct ContextID: Hashable, Sendable {
  let number: Int
}

// MARK: - Edits

extension ManagedObjectContext {
  /// Changes a record, and remembers how.
  func edit(_ edit: Edit) {
    edits.append(UnsavedEdit(edit: edit, isByHand: true))
    ownVersion += 1
    reading { () throws(StoreError) in try graph.apply(edit) }
  }

  /// Takes what another graph over this one has come to, as unsaved changes.
  func take(_ new: [UnsavedEdit]) {
    edits += new
    reading { () throws(StoreError) in try rebase() }
  }

  /// Begins anew with what is saved as it is now, and applies the edits to that.
  func rebase() throws(StoreError) {
    edits = try meetingSaved(edits).withoutOverwritten(schema)
    ownVersion += 1
    var fresh = WorkingGraph(schema: schema, reader: graph.reader)
    try fresh.apply(edits.map(\.edit))
    graph = fresh
  }

  /// Keeps the edits that are to be kept, and begins anew with these.
  func keepEdits(_ isKept: (UnsavedEdit) -> Bool) {
    ownVersion += 1
    let (hadEdits, kept) = (!edits.isEmpty, edits.filter(isKept))
    edits = kept
    // Where nothing was changed, what was read and is still true need not be read again.
    guard hadEdits else { return }
    reading { () throws(StoreError) in try rebase() }
  }

  /// Forgets all edits, which were saved or are to be forgotten.
  func dropEdits() -> [UnsavedEdit] {
    defer { edits = [] }
    ownVersion += 1
    return edits
  }

  /// The same as before as long as nothing that can be read here has changed.
  var version: Int { ownVersion + (parent?.version ?? 0) }

  /// What is unsaved here and in the contexts above, the uppermost first.
  var editsByLevel: [[Edit]] { (parent?.editsByLevel ?? []) + [edits.map(\.edit)] }

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
