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

  /// Takes what a request for this context has saved. Unsaved values that former responses have brought give way to it;
  /// those set by hand stay.
  ///
  /// - Parameter known: the records that the response spoke of and that were there before, changed or not: what was read
  ///   of them here may be older.
  func mergeResponse(_ changes: ChangeSet, known: [RecordID]) {
    if !edits.allSatisfy(\.isByHand) {
      let touched = TouchedProperties(changes.edits(schema), schema)
      keepEdits { $0.isByHand || !touched.contain($0.edit) }
    }
    var records = TouchedRecords(changes)
    records.ids += known
    merge(records)
  }

  /// Takes what a response comes to as unsaved changes. What was changed by hand stays. Rule: `save.child`.
  func take(_ changes: ChangeSet) {
    let touched = TouchedProperties(edits.lazy.filter(\.isByHand).map(\.edit), schema)
    take(
      changes.edits(schema).filter { !touched.contain($0) }.map {
        UnsavedEdit(edit: $0, isByHand: false)
      })
    forgetWhatIsGone(TouchedRecords(changes))
  }

  /// Forgets what was read before somebody saved something, so that records that a cache names show what is saved now, and
  /// none of them that is deleted. Unsaved changes stay. Rules: `cache.hit`, `cache.deleted`.
  func catchUp() {
    parent?.catchUp()
    let state = coordinator.store.state
    guard state != caughtUp else { return }
    reading { () throws(StoreError) in
      try rebase()
      caughtUp = state
    }
  }

  private func merge(_ records: TouchedRecords) {
    parent?.merge(records)
    // What a parent has changed itself may look otherwise now, too.
    if parent == nil { graph.forget(records.ids) } else { graph.forget(unlessUsed: { _ in false }) }
    keepEdits { _ in true }
    forgetWhatIsGone(records)
  }

  /// Unsaved records of responses that somebody else has saved meanwhile become the saved ones, and so do their objects.
  func meetingSaved(_ unsaved: [UnsavedEdit]) throws(StoreError) -> [UnsavedEdit] {
    var edits = unsaved
    let above = parent?.allSuccessors ?? [:]
    if !above.isEmpty {
      edits = edits.map { UnsavedEdit(edit: $0.edit.replacing(above), isByHand: $0.isByHand) }
    }
    let overtaken = try OvertakenInserts(edits, schema, graph.reader)
    let new = overtaken.successors
    if !new.isEmpty { edits = overtaken.rest(of: edits) }
    successors.merge(new) { _, last in last }
    for (former, id) in above.merging(new, uniquingKeysWith: { _, last in last }) {
      guard let object = objects.remove(former), objects[id] == nil else {
        continue
      }
      object.recordID = id
      object.batch = nil
      objects.insert(object, for: id)
    }
    return edits
  }

  /// By the records of this context and those above that have become saved ones.
  private var allSuccessors: [RecordID: RecordID] {
    guard let parent else { return successors }
    let above = parent.allSuccessors
    return above.merging(successors.mapValues { above[$0] ?? $0 }) { _, last in last }
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

  package init(_ changes: ChangeSet) {
    ids = changes.rowIDs
    areSomeDeleted = !changes.deleted.isEmpty
  }
}
