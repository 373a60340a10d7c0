import RecordModel

extension ManagedObjectContext {
  /// Applies a save of another context, or of a request for another context, so that the records of this context show
  /// it. The save must come from the same container.
  ///
  /// Unsaved changes win, property by property; everything else shows the store. The saves of this context, and of requests for
  /// it, have no effect. Rules: `context.refresh`, `context.conflict`.
  public func merge(_ save: SavedChanges) {
    precondition(save.containerID == ObjectIdentifier(coordinator), "the save belongs to another container")
    guard save.contextID != contextID else { return }
    merge(save.records)
  }

  /// Discards the rows that were read from earlier generations of the store. The records of a cached response then show
  /// their saved values, and deleted records no longer exist. Unsaved changes are kept. Rules: `cache.hit`,
  /// `cache.deleted`.
  func refreshToCurrentGeneration() {
    parent?.refreshToCurrentGeneration()
    let generation = coordinator.store.generation
    guard generation != storeGeneration else { return }
    reading { () throws(StoreError) in
      try rebase()
      storeGeneration = generation
    }
  }

  /// Applies a save to the parents, the root context first, and to this context.
  func merge(_ records: TouchedRecords) {
    if let parent {
      parent.merge(records)
      // The save may have affected any record that the parent has changed.
      graph.forget(unlessUsed: { _ in false })
      noteDiscardedRows()
    } else {
      graph.forget(records.ids)
    }
    noteChanges(records.changed)
    reading { () throws(StoreError) in try rebaseIfNeeded() }
    if records.areSomeDeleted { forgetWhatIsGone() }
  }

  /// Discards all unchanged rows if a to-one without an inverse may still lead to a deleted record.
  func forgetWhatIsGone() {
    if schema.relationships.contains(where: { $0.inverse == nil && $0.slot != nil }) {
      graph.forget(unlessUsed: { _ in false })
      noteDiscardedRows()
    }
  }
}

/// The records whose rows a save has changed.
package struct TouchedRecords: Sendable {
  package var ids: [RecordID]
  package var areSomeDeleted: Bool
  /// The records with changed rows, links or orders.
  var changed: ChangedRecords

  /// Creates the touched records of a change set.
  ///
  /// - Parameters:
  ///   - known: further records whose rows may have changed.
  ///   - areObserved: false to leave out `changed`, because no sequence needs it.
  package init(
    _ changes: ChangeSet, known: [RecordID] = [], _ schema: Schema, areObserved: Bool = true
  ) {
    ids = changes.rowIDs + known
    areSomeDeleted = !changes.deleted.isEmpty
    changed = areObserved ? ChangedRecords(changes, known: known, schema) : ChangedRecords()
  }
}
