import RecordModel

extension ManagedObjectContext {
  /// Takes what another context, or a request for one, has saved, so that records held here show it.
  ///
  /// Unsaved changes stay: what was changed here is changed again on what is there now. A save of this context's own
  /// changes nothing. Rules: `context.refresh`, `context.conflict`.
  public func merge(_ save: SavedChanges) {
    guard save.contextID != contextID else { return }
    precondition(save.containerID == ObjectIdentifier(coordinator), "the save is one of another container")
    merge(save.records)
  }

  /// Takes what a request for this context has saved.
  ///
  /// - Parameters:
  ///   - changes: what was saved.
  ///   - known: the records that the response spoke of and that were there before, changed or not: what was read of them
  ///     here may be older.
  ///   - unsaved: what is left unsaved then, here and in the contexts above, the uppermost first; nil if nothing of it comes
  ///     from responses. What the caller has set meanwhile counts more.
  func mergeResponse(_ changes: ChangeSet, known: [RecordID], unsaved: [RestatedChanges]?) {
    if var levels = unsaved, let own = levels.popLast() {
      parent?.mergeResponse(changes, known: known, unsaved: levels)
      restate(own)
    } else {
      merge(TouchedRecords(changes, known: known))
    }
  }

  func restate(_ restated: RestatedChanges) {
    var caller = unsaved.caller
    caller.forgetDeleted(restated.deleted)
    caller.replace(restated.successors)
    let changes = UnsavedChanges(responses: restated.changes, caller: caller)
    noteNamed(restated.named)
    reading { () throws(StoreError) in try begin(with: changes, becoming: restated.successors) }
  }

  /// Takes what a response comes to as unsaved changes. What the caller has set stays. Rule: `save.child`.
  func take(_ changes: ChangeSet) {
    reading { () throws(StoreError) in try add(ResponseChanges(changes, schema)) }
    noteNamed(changes.namedEnds(schema))
  }

  /// Forgets what was read before somebody saved something, so that records that a cache names show what is saved now, and
  /// none of them that is deleted. Unsaved changes stay. Rules: `cache.hit`, `cache.deleted`.
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

  /// Reads anew what somebody has saved, and makes the unsaved changes again on it.
  ///
  /// - Parameter isRoot: whether no parent has changes of its own, which may look otherwise now.
  func readAnew(_ records: TouchedRecords, isRoot: Bool) {
    if isRoot { graph.forget(records.ids) } else { graph.forget(unlessUsed: { _ in false }) }
    if !unsaved.isEmpty { reading { () throws(StoreError) in try rebase() } }
    forgetWhatIsGone(records)
  }

  /// To-ones without inverse in rows that were read before may lead to records that are deleted now.
  func forgetWhatIsGone(_ records: TouchedRecords) {
    guard records.areSomeDeleted else { return }
    if schema.relationships.contains(where: { $0.inverse == nil && $0.slot != nil }) {
      graph.forget(unlessUsed: { _ in false })
    }
  }
}

/// The records whose rows a save has changed.
package struct TouchedRecords: Sendable {
  package var ids: [RecordID]
  package var areSomeDeleted: Bool

  /// - Parameter known: further records whose rows may have changed.
  package init(_ changes: ChangeSet, known: [RecordID] = []) {
    ids = changes.rowIDs + known
    areSomeDeleted = !changes.deleted.isEmpty
  }
}
