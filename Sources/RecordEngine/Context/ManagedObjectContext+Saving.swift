extension ManagedObjectContext {
  /// Whether anything is other than the parent or the store has it.
  public var hasChanges: Bool { !unsaved.isEmpty && graph.hasChanges }

  /// What is other than the parent or the store has it: what a save would do now, if nothing forbids it.
  public var unsavedChanges: ImportChanges {
    ImportChanges(graph.changes(), named: namedEnds, schema: schema)
  }

  /// Saves what was changed, all of it or nothing: to the store, or from a child to its parent.
  ///
  /// What others have saved in the meantime stays; only the properties that were changed here are written. A child's
  /// changes become unsaved ones of the parent, and are not validated before the parent's save: until then, what they
  /// lack may be brought by other children.
  ///
  /// - Throws: ``RequestFailure`` with `save-error` naming everything the model does not allow, one diagnostic for each,
  ///   why the store could not be written, or that this is the context of a dry run; with `fetch-error` if it could not be
  ///   read. Nothing has been saved then, and what was changed stays unsaved.
  /// - Complexity: linear in what was changed, with one question to the store for each relationship and kind of change.
  @discardableResult
  public func save() throws(RequestFailure) -> ImportChanges {
    guard !isDryRun else {
      throw RequestFailure(
        Diagnostic(
          .saveError, message: "the context of a dry run saves nothing; request without 'isDryRun' to save"))
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
    do throws(StoreError) {
      try rebase()
    } catch {
      throw .store(error)
    }
    let changes = try graph.commit(to: coordinator.store, checksKeys: true)
    let summary = ImportChanges(changes, named: namedEnds, schema: schema)
    forgetUnsaved()
    graph.markSaved()
    forgetWhatIsGone(TouchedRecords(changes))
    coordinator.announce(summary, changes, by: contextID)
    return summary
  }

  /// Which records keep the changes from being saved, and why, in the order in which a save tells it; empty if none does.
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
    try rebase()
    let changes = graph.changes()
    let summary = ImportChanges(changes, named: namedEnds, schema: schema)
    try parent.add(savedBy: self)
    forgetUnsaved()
    graph = WorkingGraph(schema: schema, reader: graph.reader)
    return summary
  }

  /// Forgets all unsaved changes; records are as they were read. Those made here and not saved are deleted.
  public func rollback() {
    forgetUnsaved()
    graph.discardChanges()
  }

  /// Forgets all unsaved changes and everything that was read; records are read anew when somebody asks.
  ///
  /// Other than in Core Data, records that are held stay what they are, one object for each record; those made here and
  /// not saved are deleted.
  public func reset() {
    forgetUnsaved()
    graph = WorkingGraph(schema: schema, reader: graph.reader)
  }

  /// Reads a record anew.
  ///
  /// - Parameters:
  ///   - record: a record of this context.
  ///   - mergeChanges: whether its unsaved changes stay and are made again on what is read. Otherwise they are
  ///   forgotten, links that others have got with it included. That it was inserted or deleted here is never forgotten.
  public func refresh(_ record: Record, mergeChanges: Bool) {
    let id = record.recordID
    graph.forget([id])
    guard !unsaved.isEmpty else { return }
    reading { () throws(StoreError) in
      if mergeChanges { try rebase() } else { try forgetUnsaved(of: id) }
    }
  }

  /// Reads all records anew. Unsaved changes stay, and are made again on what is read.
  public func refreshAllObjects() {
    graph.forget(unlessUsed: { _ in false })
    if !unsaved.isEmpty { reading { () throws(StoreError) in try rebase() } }
  }
}
