extension ManagedObjectContext {
  /// A Boolean value that indicates whether anything differs from the parent or the store.
  public var hasChanges: Bool {
    applySuccessors()
    return graph.hasChanges
  }

  /// The changes that a save would make now, if it succeeded.
  public var unsavedChanges: ImportChanges {
    applySuccessors()
    let changes = graph.changes()
    return reading { () throws(StoreError) in try ImportChanges(changes, in: &graph) } ?? ImportChanges()
  }

  /// Saves all unsaved changes, or none: to the store, or from a child context to its parent.
  ///
  /// Only the properties that were changed in this context are written. The others keep the values that other contexts
  /// have saved in the meantime. The changes of a child become unsaved changes of its parent. Only the save to the
  /// store validates them, because other children can supply what they lack.
  ///
  /// - Returns: the saved changes.
  /// - Throws: ``RequestFailure`` with `save-error` if the records violate the model, with one diagnostic for each
  ///   violation. The code is also `save-error` if the store cannot be written, or if this is the context of a dry run,
  ///   and `fetch-error` if the store cannot be read. In all cases nothing is saved, and the changes stay unsaved.
  /// - Complexity: linear in the number of changes, with one query to the store for each relationship and kind of
  ///   change.
  @discardableResult
  public func save() throws(RequestFailure) -> ImportChanges {
    guard !isDryRun else {
      throw RequestFailure(
        Diagnostic(
          .saveError,
          message: "the context of a dry run cannot be saved; to save, send the request without 'isDryRun'"))
    }
    do {
      try throwReadFailure()
      if let parent { return try save(to: parent) }
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
    return try coordinator.writing { () throws(RequestFailure) in
      do throws(SaveProblem) {
        return try saveToStore()
      } catch {
        throw RequestFailure(error)
      }
    }
  }

  private func saveToStore() throws(SaveProblem) -> ImportChanges {
    let (changes, summary): (ChangeSet, ImportChanges)
    do throws(StoreError) {
      (changes, summary) = try rebasedChanges()
    } catch {
      throw .store(error)
    }
    try graph.commit(to: coordinator.store, checksKeys: true, changes)
    graph.markSaved()
    noteRevision()
    if !changes.deleted.isEmpty { forgetWhatIsGone() }
    coordinator.announce(summary, changes, by: contextID)
    // All rows have been read since this save began, and there was no other.
    readPosition = HistoryPosition(coordinator, parent)
    return summary
  }

  /// Returns the records that prevent a save, with the reasons, in the order in which a save reports them; empty if
  /// none do.
  package func problemsOfSaving() -> [(record: RecordID, message: String)] {
    let changes = graph.changes()
    do throws(SaveProblem) {
      try graph.check(changes, checksKeys: true)
    } catch {
      if case .invalid(let problems) = error { return problems.map { ($0.record, $0.message) } }
    }
    return []
  }

  private func save(to parent: ManagedObjectContext) throws(StoreError) -> ImportChanges {
    let (changes, summary) = try rebasedChanges()
    try parent.rebase(adding: changes)
    discardGraph()
    return summary
  }

  /// Returns the unsaved changes to the current records of the store or the parent.
  private func rebasedChanges() throws(StoreError) -> (ChangeSet, ImportChanges) {
    try rebase()
    let changes = graph.changes()
    return (changes, try ImportChanges(changes, in: &graph))
  }

  private func discardGraph() {
    graph = WorkingGraph(schema: schema, reader: graph.reader)
    noteRevision()
    noteDiscardedRows()
  }

  /// Discards all unsaved changes. Records have the values that were read, and records that were inserted and not saved
  /// are deleted.
  public func rollback() {
    let changes = unsavedChangedRecords
    graph.discardChanges()
    noteRevision()
    noteChanges(changes)
    noteSomeDiscarded()
  }

  /// Discards all unsaved changes and all rows that were read. Rows are read again on demand.
  ///
  /// Unlike in Core Data, objects stay valid, and each record keeps its one object. Records that were inserted and not
  /// saved are deleted.
  public func reset() {
    let changes = unsavedChangedRecords
    noteChanges(changes)
    discardGraph()
  }

  /// Discards the row of a record, so that it is read again.
  ///
  /// - Parameters:
  ///   - record: a record of this context.
  ///   - mergeChanges: true to keep the unsaved changes of the record; false to discard them, including links that were set
  ///     from other records. A record that was inserted or deleted and not saved is left unchanged in both cases.
  public func refresh(_ record: Record, mergeChanges: Bool) {
    let id = record.recordID
    graph.forget([id])
    // The context also reads all members again.
    noteChangesInAllTrees()
    reading { () throws(StoreError) in
      if !mergeChanges { try graph.revert(id) }
      try rebaseIfNeeded()
    }
  }

  /// Discards the rows of all records, so that they are read again. Unsaved changes are kept and applied again.
  public func refreshAllObjects() {
    graph.forget(unlessUsed: { _ in false })
    noteDiscardedRows()
    reading { () throws(StoreError) in try rebaseIfNeeded() }
  }
}
