import RecordModel

extension ManagedObjectContext {
  /// Applies a save of another context, or of a request for another context, so that the records of this context show
  /// it. The save must come from the same container.
  ///
  /// Unsaved changes are kept and applied again on top of the saved values. The saves of this context, and of requests
  /// for it, have no effect. Rules: `context.refresh`, `context.conflict`.
  public func merge(_ save: SavedChanges) {
    precondition(save.containerID == ObjectIdentifier(coordinator), "the save belongs to another container")
    guard save.contextID != contextID else { return }
    merge(save.records)
  }

  /// Applies the save of a request for this context.
  ///
  /// - Parameters:
  ///   - changes: the saved changes.
  ///   - known: the existing records that the response mentions, changed or not. The rows that this context has read of
  ///     them may be outdated.
  ///   - unsaved: the remaining unsaved changes of this context and its parents, the root context first; nil if none of
  ///     them come from responses, or if they have been saved or discarded since. Values that the caller has set in the
  ///     meantime take precedence.
  func mergeResponse(_ changes: ChangeSet, known: [RecordID], unsaved: [RestatedChanges]?) {
    if var levels = unsaved, let own = levels.popLast() {
      parent?.mergeResponse(changes, known: known, unsaved: levels)
      restate(own)
    } else {
      merge(TouchedRecords(changes, known: known, schema, areObserved: isObserved))
    }
  }

  func restate(_ restated: RestatedChanges) {
    var changes = UnsavedChanges(responses: restated.changes, caller: unsaved.caller)
    changes.caller.forgetDeleted(restated.deleted)
    changes.caller.replace(restated.successors)
    noteNamed(restated.named)
    reading { () throws(StoreError) in
      try begin(with: changes, becoming: restated.successors)
    }
  }

  /// Applies the changes of a response as unsaved changes. Values that the caller has set are kept. Rule: `save.child`.
  func take(_ changes: ChangeSet) {
    reading { () throws(StoreError) in try add(ResponseChanges(changes, schema)) }
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

  private func merge(_ records: TouchedRecords) {
    parent?.merge(records)
    readAnew(records, isRoot: parent == nil)
  }

  /// Discards the rows of saved records, and applies the unsaved changes to the saved values.
  ///
  /// - Parameter isRoot: true if the context has no parent. If it has one, all rows are discarded, because the save may
  ///   have affected the changes of the parent.
  func readAnew(_ records: TouchedRecords, isRoot: Bool) {
    if isRoot {
      graph.forget(records.ids)
    } else {
      graph.forget(unlessUsed: { _ in false })
      noteDiscardedRows()
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
