import OrderedCollections
import RecordModel

/// The unsaved changes of a context and its parents, which are restated for a response that is saved.
///
/// The order of the levels is from the root context to the context of the request. The response is populated again for
/// each level that has unsaved responses, over these responses and those of the levels below. The changes of callers stay,
/// and do not affect the result. If a caller has changed a lower level, another population over what that level shows
/// finds out which of the changed properties the response mentions.
struct UnsavedLevels {
  private let answer: AnswerPopulation
  private var schema: Schema { answer.coordinator.schema }
  /// A reader of the records as the levels so far show them, without the response.
  private var reader: any StoreReader
  /// A reader of the records over which the response is populated. It differs from ``reader`` if callers have changed
  /// records in the levels so far.
  private var foundReader: any StoreReader
  /// The response in the last level that it changed; initially, in the store.
  private var below: PopulatedResponse
  /// The changes of the response over what the last level showed; empty if no caller has changed anything so far, or if
  /// no later level has unsaved responses.
  private var above = ResponseChanges()
  /// The values that callers have set in the levels so far. No response changes them.
  private var kept = CallerChanges()
  /// The records that callers have deleted in the levels so far, also by delete rules. No later level has them.
  private var deletedByCallers: Set<RecordID> = []
  /// The to-one relationships that unsaved responses in the levels so far have set over the values of the callers.
  private var overridden: Set<RelationshipEnd> = []
  private var decisions: OrphanDecisions

  private init(_ answer: AnswerPopulation, saved: PopulatedResponse) {
    self.answer = answer
    reader = answer.coordinator.store
    foundReader = answer.coordinator.store
    below = saved
    decisions = saved.orphanDecisions
  }

  /// Returns the unsaved changes of each level as they are after a response has been saved, and, for the saved records of
  /// its items, the records of the same items over all unsaved responses if these are others.
  static func restated(
    _ levels: [UnsavedChanges], over saved: PopulatedResponse, of answer: AnswerPopulation
  ) throws(RequestFailure) -> (levels: [RestatedChanges], counterparts: [RecordID: RecordID]) {
    var work = UnsavedLevels(answer, saved: saved)
    var restated: [RestatedChanges] = []
    for (index, level) in levels.enumerated() {
      let laterHasResponses = levels[(index + 1)...].contains { !$0.responses.isEmpty }
      restated.append(try work.restate(level, laterHasResponses: laterHasResponses))
    }
    let pairs = work.below.pairs(with: saved).filter { $0.unsaved != $0.saved }
    return (restated, Dictionary(pairs.map { ($0.saved, $0.unsaved) }) { first, _ in first })
  }

  /// Restates the unsaved changes of a level.
  ///
  /// - Parameter laterHasResponses: a Boolean value that indicates whether a later level has unsaved responses.
  private mutating func restate(
    _ level: UnsavedChanges, laterHasResponses: Bool
  ) throws(RequestFailure) -> RestatedChanges {
    let graphs = try reading { work throws(StoreError) in try work.graphs(of: level) }
    overridden.formUnion(level.responses.toOnes.lazy.map(\.end))
    var restated = RestatedChanges(level.responses)
    if !level.responses.isEmpty {
      let populated = try answer.populatedAgain(over: graphs.found, decisions)
      decisions.byRecord.merge(populated.orphanDecisions.byRecord) { first, _ in first }
      restated = try reading { work throws(StoreError) in
        try work.restate(level, in: graphs.responses, populated)
      }
      below = populated
    }
    overridden.subtract(level.caller.toOnes.keys)
    kept.merge(
      level.caller.leading(to: { graphs.shown.graph.knownRow($0) != nil }), schema,
      before: graphs.shown.graph.storedRow)
    if laterHasResponses, !level.caller.deleted.isEmpty {
      let deleted = try reading { _ throws(StoreError) in
        var remaining = graphs.shown.graph
        try remaining.delete(Array(level.caller.deleted))
        return remaining.deletedIDs
      }
      deletedByCallers.formUnion(deleted.subtracting(graphs.responses.deletedIDs))
    }
    if laterHasResponses, !kept.isEmpty {
      above = ResponseChanges(try answer.populatedAgain(over: graphs.shown, nil).result.changes, schema)
    }
    return restated
  }

  /// Returns the records of a level with the changes of responses, those over which a response is populated, and those
  /// that the level shows, including deleted ones. Updates the readers for the next level.
  private mutating func graphs(
    of level: UnsavedChanges
  ) throws(StoreError) -> (responses: WorkingGraph, found: GraphReader, shown: GraphReader) {
    let responses = try level.graphOfResponses(schema, reader)
    let shown = try level.shownWithDeleted(responses)
    let found = try level.foundBySaved(
      kept.isEmpty ? responses : try level.graphOfResponses(schema, foundReader))
    (reader, foundReader) = (shown, found)
    return (responses, found, shown)
  }

  private func restate(
    _ level: UnsavedChanges, in graph: WorkingGraph, _ populated: PopulatedResponse
  ) throws(StoreError) -> RestatedChanges {
    var (graph, populated) = (graph, populated)
    var changes = ResponseChanges(populated.result.changes, schema)
    changes.add(above, setBy: kept, schema)
    try changes.restore(kept, in: &graph, except: overridden)
    try graph.merge(changes)
    var restated = try RestatedChanges(
      graph, level, keeping: kept, stated: changes, saved: below.result.changes,
      pairs: populated.pairs(with: below), without: deletedByCallers)
    restated.deleted = OrderedSet(populated.result.changes.deleted.lazy.map(\.id))
    restated.named = populated.namedEnds()
    return restated
  }

  private mutating func reading<Answer>(
    _ read: (inout UnsavedLevels) throws(StoreError) -> Answer
  ) throws(RequestFailure) -> Answer {
    do {
      return try read(&self)
    } catch {
      throw RequestFailure(Diagnostic(.fetchError, message: error.message))
    }
  }
}
