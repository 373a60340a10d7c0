import OrderedCollections
import RecordModel

/// The changes that a context adds to its store or parent, as state and not as a list of edits.
///
/// They are merged into whatever the store has by now: first what responses have said, then what the caller has set, which
/// counts more.
struct UnsavedChanges: Sendable {
  var responses = ResponseChanges()
  var caller = CallerChanges()

  var isEmpty: Bool { responses.isEmpty && caller.isEmpty }
}

extension UnsavedChanges {
  /// Returns the records as responses have them, those included that the caller has inserted.
  ///
  /// - Parameter reader: reads the records that the changes add to.
  func graphOfResponses(_ schema: Schema, _ reader: any StoreReader) throws(StoreError) -> WorkingGraph {
    var graph = WorkingGraph(schema: schema, reader: reader)
    for row in caller.inserted.values { graph.insert(row) }
    try graph.merge(responses)
    return graph
  }

  /// Returns the records over which a response is populated. It finds records that the caller has deleted, and none that the
  /// caller has inserted and deleted.
  ///
  /// - Parameter reader: reads the records that the changes add to.
  func foundByResponses(_ schema: Schema, _ reader: any StoreReader) throws(StoreError) -> GraphReader {
    var graph = try graphOfResponses(schema, reader)
    var caller = caller
    caller.deleted = []
    try graph.merge(caller)
    return GraphReader(graph, hiding: Set(self.caller.deleted.filter { self.caller.inserted[$0] != nil }))
  }

  /// Forgets what has changed of a record, by either side of a relationship. That it is new or deleted stays.
  mutating func forgetProperties(of id: RecordID, _ schema: Schema) {
    responses.forgetProperties(of: id, schema)
    caller.forgetProperties(of: id, schema)
  }

  /// Replaces records that have become others.
  mutating func replace(_ successors: [RecordID: RecordID]) {
    responses.replace(successors)
    caller.replace(successors)
  }
}
