import OrderedCollections
import RecordModel

/// The changes that a context adds to its store or parent, as state and not as a list of edits.
///
/// They are merged into whatever the store has by now: first what responses have said, then what the caller has set, which
/// counts more (``WorkingGraph/merge(_:)-(UnsavedChanges)``).
struct UnsavedChanges: Sendable {
  var responses = ResponseChanges()
  var caller = CallerChanges()

  var isEmpty: Bool { responses.isEmpty && caller.isEmpty }

  /// A Boolean value that indicates whether responses have changed anything.
  var areOfResponses: Bool {
    responses.inserted.contains { !caller.inserted.contains($0.id) } || responses.areOfSavedRecords
  }
}

extension UnsavedChanges {
  /// Returns the records over which a response is populated. It finds records that the caller has deleted, and none that the
  /// caller has made and deleted.
  ///
  /// - Parameter reader: reads the records that the changes add to.
  func foundByResponses(_ schema: Schema, _ reader: any StoreReader) throws(StoreError) -> GraphReader {
    var changes = self
    changes.caller.deleted = []
    var graph = WorkingGraph(schema: schema, reader: reader)
    try graph.merge(changes)
    return GraphReader(graph, hiding: Set(caller.deleted.filter(caller.inserted.contains)))
  }

  /// Forgets what has changed of a record, by either side of a relationship. That it is new or deleted stays.
  ///
  /// - Parameter newRow: makes the row of a new record of an entity.
  mutating func forget(_ id: RecordID, _ schema: Schema, newRow: (RecordID, EntityIndex) -> Row) {
    responses.forget(id, schema)
    if caller.inserted.contains(id) { responses.empty(id, newRow) }
    caller.forget(id, schema)
  }

  /// Replaces records that have become others.
  mutating func replace(_ successors: [RecordID: RecordID]) {
    responses.replace(successors)
    caller.replace(successors)
  }
}
