import OrderedCollections
import RecordModel

/// The changes that a context adds to its store or parent: a state, not a list of edits.
///
/// The changes are merged into the current state of the store. Changes of responses are merged first. Changes of the
/// caller are merged after them and take precedence.
struct UnsavedChanges: Sendable {
  var responses = ResponseChanges()
  var caller = CallerChanges()

  var isEmpty: Bool { responses.isEmpty && caller.isEmpty }
}

extension UnsavedChanges {
  /// Returns the records with the changes of responses, including the records that the caller has inserted.
  ///
  /// - Parameter reader: the reader of the records to which the changes are applied.
  func graphOfResponses(_ schema: Schema, _ reader: any StoreReader) throws(StoreError) -> WorkingGraph {
    var graph = WorkingGraph(schema: schema, reader: reader)
    for row in caller.inserted.values { graph.insert(row) }
    try graph.merge(responses)
    return graph
  }

  /// Returns the records as a context would show them if it added the changes of a response.
  ///
  /// - Parameters:
  ///   - levels: the unsaved changes of the context and its parents, the root context first.
  ///   - reader: the reader of the store.
  static func shown(
    _ levels: [UnsavedChanges], adding response: ResponseChanges, _ schema: Schema, _ reader: any StoreReader
  ) throws(StoreError) -> WorkingGraph {
    var reader = reader
    for level in levels.dropLast() {
      var graph = try level.graphOfResponses(schema, reader)
      try graph.merge(level.caller)
      reader = GraphReader(graph)
    }
    let own = levels.last ?? UnsavedChanges()
    var shown = try own.graphOfResponses(schema, reader)
    try shown.merge(try shown.emptying(response))
    try shown.merge(own.caller)
    return shown
  }

  /// Returns the records with all changes, except that the records that the caller has deleted are still there, unless
  /// the caller has also inserted them.
  ///
  /// - Parameter responses: the records with the changes of responses.
  func shownWithDeleted(_ responses: WorkingGraph) throws(StoreError) -> GraphReader {
    var graph = responses
    try graph.merge(caller.withoutDeletions)
    try removeInsertedAndDeleted(from: &graph)
    return GraphReader(graph)
  }

  /// Returns the records over which a response that stays unsaved is populated: those with the changes of earlier
  /// responses. Of the changes of the caller, only inserted records and key attributes count, by which the response finds
  /// its records. A record that the caller has deleted is still there, unless the caller has inserted it, or has inserted
  /// another one with its key. Rule: `context.conflict.population`.
  ///
  /// - Parameters:
  ///   - reader: the reader of the records to which the changes are applied.
  ///   - tweaked: the schema of the request, which can have other keys.
  func foundByUnsaved(
    _ schema: Schema, tweaked: Schema, _ reader: any StoreReader
  ) throws(StoreError) -> GraphReader {
    var graph = try graphOfResponses(schema, reader)
    try graph.merge(caller.ofKeys(tweaked))
    try removeInsertedAndDeleted(from: &graph)
    return GraphReader(graph, hiding: Set(try insertedAgain(in: &graph)))
  }

  /// Returns the records that the caller has deleted and that have the key of a record that the caller has inserted.
  private func insertedAgain(in graph: inout WorkingGraph) throws(StoreError) -> [RecordID] {
    if caller.inserted.isEmpty || caller.deleted.isEmpty { return [] }
    let schema = graph.schema
    func key(_ id: RecordID) -> ScopedKey? { graph.knownRow(id).flatMap { ScopedKey($0, schema) } }
    try graph.load(caller.deleted)
    let inserted = Set(caller.inserted.keys.compactMap(key))
    return caller.deleted.filter { key($0).map(inserted.contains) == true }
  }

  private struct ScopedKey: Hashable {
    var scope: EntityIndex
    var key: RecordKey

    init?(_ row: Row, _ schema: Schema) {
      guard let key = row.key(in: schema) else { return nil }
      (scope, self.key) = (schema.entities[row.entity].keyScope, key)
    }
  }

  /// Returns the records over which a response that is saved is populated again: those with the changes of earlier
  /// responses. As in the store, it does not find the records that the caller has inserted.
  ///
  /// - Parameter responses: the records with the changes of responses.
  func foundBySaved(_ responses: WorkingGraph) throws(StoreError) -> GraphReader {
    var graph = responses
    try removeInsertedAndDeleted(from: &graph)
    return GraphReader(graph, hiding: Set(caller.inserted.keys))
  }

  /// Removes the records that the caller has inserted and then deleted, without applying delete rules: a response can still
  /// move a record that only a delete rule deletes.
  private func removeInsertedAndDeleted(from graph: inout WorkingGraph) throws(StoreError) {
    for id in caller.deleted where caller.inserted[id] != nil { try graph.remove(id) }
  }

  /// Discards the changes of a record's properties, including both sides of its relationships. Keeps its insertion or
  /// deletion.
  mutating func forgetProperties(of id: RecordID, _ schema: Schema) {
    responses.forgetProperties(of: id, schema)
    caller.forgetProperties(of: id, schema)
  }

  /// Replaces records by other records.
  mutating func replace(_ successors: [RecordID: RecordID]) {
    responses.replace(successors)
    caller.replace(successors)
  }
}
