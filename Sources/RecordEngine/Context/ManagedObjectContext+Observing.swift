import RecordModel

/// The records that may have changed, for the sequences that observe this context and its children.
///
/// Without sequences, no changes are noted.
extension ManagedObjectContext {
  /// Sends a signal after each change of this context or its parents that affects records of some inheritance trees,
  /// until the signal is deallocated.
  func addObserver(_ signal: UpdateSignal, of trees: Set<TreeIndex>) {
    // The parents may have changed records without noting it, after this context has read them.
    if signals.isEmpty, parent != nil { readPosition = nil }
    signals.add(signal, of: trees)
    parent?.addObserver(signal, of: trees)
  }

  /// A Boolean value that indicates whether a sequence observes this context or a parent, directly or through a child.
  var isObserved: Bool { !signals.isEmpty || parent?.isObserved ?? false }

  /// The number of changes of each parent, the root context first, and of this context.
  var changeCounts: [Int] { (parent?.changeCounts ?? []) + [history.count] }

  /// Returns the records that have changed in this context and its parents since earlier ``changeCounts``.
  func changes(since counts: some BidirectionalCollection<Int>) -> ChangedRecords {
    var changes = history.changes(since: counts.last ?? 0)
    if let parent { changes.formUnion(parent.changes(since: counts.dropLast())) }
    return changes
  }

  /// Notes that records may have changed.
  func noteChanges(_ changes: ChangedRecords) {
    guard !signals.isEmpty else { return }
    history.append(changes)
    signals.send(changes.allTrees)
  }

  /// The records with unsaved changes, or none if no sequence needs them.
  var unsavedChangedRecords: ChangedRecords {
    signals.isEmpty ? ChangedRecords() : ChangedRecords(graph.changes(), schema)
  }

  /// Notes that the records of all trees may have changed.
  func noteChangesInAllTrees() { noteChanges(ChangedRecords(trees: schema.trees.elementIndices)) }

  /// Notes that some of the rows and members that were read have been discarded. Those that are read again show the
  /// latest changes of the parents and the store.
  func noteSomeDiscarded() {
    guard !signals.isEmpty else { return }
    noteChanges(changesBelow(since: readPosition))
  }

  /// Notes that all rows that were read have been discarded. They may have been read before the latest changes of the
  /// parents and the store.
  ///
  /// - Parameter below: the position below this context before any row was read again.
  func noteDiscardedRows(_ below: HistoryPosition? = nil) {
    let below = below ?? HistoryPosition(coordinator, parent)
    if !signals.isEmpty { noteChanges(changesBelow(since: readPosition)) }
    readPosition = below
  }

  /// Returns the records that have changed in the parents and the store since a position; all records if it is nil.
  private func changesBelow(since position: HistoryPosition?) -> ChangedRecords {
    guard let position else { return ChangedRecords(trees: schema.trees.elementIndices) }
    var changes = coordinator.savedChanges(since: position.saves)
    if let parent { changes.formUnion(parent.changes(since: position.changeCounts)) }
    return changes
  }
}

/// A position in the histories of the store and of the parents of a context.
struct HistoryPosition {
  /// The number of saves to the store.
  let saves: Int
  /// The ``ManagedObjectContext/changeCounts`` of the parent.
  let changeCounts: [Int]

  init(_ coordinator: PersistentStoreCoordinator, _ parent: ManagedObjectContext?) {
    saves = coordinator.saveCount
    changeCounts = parent?.changeCounts ?? []
  }
}
