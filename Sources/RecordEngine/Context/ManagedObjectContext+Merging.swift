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
  func mergeResponse(_ changes: ChangeSet) {
    if !edits.allSatisfy(\.isByHand) {
      let touched = TouchedProperties(changes.edits(schema), schema)
      keepEdits { $0.isByHand || !touched.contain($0.edit) }
    }
    merge(TouchedRecords(changes))
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

  private func merge(_ records: TouchedRecords) {
    parent?.merge(records)
    graph.forget(records.ids)
    keepEdits { _ in true }
    forgetWhatIsGone(records)
  }

  /// Lets go of what deleted records leave behind: objects, and to-ones without inverse in rows that were read before.
  /// An object cannot change its class: who asks for a record of another entity now gets an object of that.
  func forgetWhatIsGone(_ records: TouchedRecords) {
    for id in records.replaced { objects[id] = nil }
    guard !records.replaced.isEmpty else { return }
    if schema.relationships.contains(where: { $0.inverse == nil && $0.slot != nil }) {
      graph.forget(unlessUsed: { _ in false })
    }
  }
}

/// The records whose rows a save has changed.
package struct TouchedRecords: Sendable {
  package var ids: [RecordID]
  /// Those of them that are deleted, or of another entity now.
  package var replaced: [RecordID]

  package init(_ changes: ChangeSet) {
    ids = changes.rowIDs
    replaced =
      changes.deleted.map(\.id)
      + changes.updated.filter { $0.before.entity != $0.after.entity }.map(\.after.id)
  }
}
