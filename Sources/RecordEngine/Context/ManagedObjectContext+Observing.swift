import RecordModel

/// The records that may have changed, for the sequences that observe this context and its children.
///
/// Changes are counted by inheritance tree. A sequence compares the numbers of the trees that it depends on, and fetches
/// only if one of them has advanced. Without sequences, nothing is counted.
extension ManagedObjectContext {
  /// Sends a signal after each change of this context or its parents, until the signal is deallocated.
  func addObserver(_ signal: UpdateSignal) {
    signals.add(signal)
    parent?.addObserver(signal)
  }

  /// The revisions of the records that this context shows, except for the saves that it has not merged.
  var revisions: TreeRevisions { parent.map { $0.revisions + ownRevisions } ?? ownRevisions }

  /// The revisions of the parents and the store.
  var revisionsBelow: TreeRevisions {
    coordinator.savedRevisions + (parent?.revisions ?? TreeRevisions(schema))
  }

  /// Notes that the records of some trees may have changed.
  func noteChanges(in trees: some Sequence<TreeIndex>) {
    guard !signals.isEmpty else { return }
    ownRevisions.advance(trees)
    signals.send()
  }

  /// The inheritance trees of the records with unsaved changes, or none if no sequence needs them.
  var treesOfUnsavedChanges: Set<TreeIndex> { signals.isEmpty ? [] : graph.treesOfChanges }

  /// Notes that the records of all trees may have changed.
  func noteChangesInAllTrees() { noteChanges(in: schema.trees.elementIndices) }

  /// Notes that some of the rows and members that were read have been discarded. Those that are read again show the
  /// latest changes of the parents and the store.
  func noteSomeDiscarded() {
    guard !signals.isEmpty else { return }
    noteChanges(in: revisionsBelow.difference(from: readRevisions))
  }

  /// Notes that all rows that were read have been discarded. They may have been read before the latest changes of the
  /// parents and the store.
  ///
  /// - Parameter below: the revisions of the parents and the store before any row was read again.
  func noteDiscardedRows(_ below: TreeRevisions? = nil) {
    guard !signals.isEmpty else { return }
    let below = below ?? revisionsBelow
    noteChanges(in: below.difference(from: readRevisions))
    readRevisions = below
  }
}
