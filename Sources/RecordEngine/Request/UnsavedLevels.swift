import OrderedCollections
import RecordModel

/// The unsaved changes of a context and its parents, which are restated for a response that is saved.
///
/// The response is populated again over each level that it may change. The order of the levels is from the root context
/// to the context of the request. Each level is restated over the result of the response in the previous level.
struct UnsavedLevels {
  private let answer: AnswerPopulation
  private var schema: Schema { answer.coordinator.schema }
  /// A reader of the records to which a level adds its changes, without the response.
  private var reader: any StoreReader
  /// The response in the last level that it changed; initially, in the store.
  private var below: PopulatedResponse
  /// The changes of the response in the last level over which it was populated.
  private var above = ResponseChanges()
  /// The values that callers have set in the levels so far. No response changes them.
  private var kept = CallerChanges()
  /// The to-one relationships that unsaved responses in the levels so far have set over the values of the callers.
  private var overridden: Set<RelationshipEnd> = []
  private var decisions: [RecordID: OrphanDecision]

  private init(_ answer: AnswerPopulation, saved: PopulatedResponse) {
    self.answer = answer
    reader = answer.coordinator.store
    below = saved
    decisions = saved.orphanDecisions
  }

  /// Returns the unsaved changes of each level as they are after a response has been saved.
  static func restated(
    _ levels: [UnsavedChanges], over saved: PopulatedResponse, of answer: AnswerPopulation
  ) throws(RequestFailure) -> [RestatedChanges] {
    var work = UnsavedLevels(answer, saved: saved)
    var restated: [RestatedChanges] = []
    for (index, level) in levels.enumerated() {
      let laterHasResponses = levels[(index + 1)...].contains { !$0.responses.isEmpty }
      restated.append(try work.restate(level, laterHasResponses: laterHasResponses))
    }
    return restated
  }

  /// Restates the unsaved changes of a level.
  ///
  /// - Parameter laterHasResponses: a Boolean value that indicates whether a later level has unsaved responses.
  private mutating func restate(
    _ level: UnsavedChanges, laterHasResponses: Bool
  ) throws(RequestFailure) -> RestatedChanges {
    let (graph, found) = try reading { work throws(StoreError) in try work.graphs(of: level) }
    overridden.formUnion(level.responses.toOnes.lazy.map(\.end))
    var restated = RestatedChanges(level.responses)
    if !level.responses.isEmpty || laterHasResponses && !level.caller.isEmpty {
      let populated = try answer.populatedAgain(over: found, decisions)
      decisions.merge(populated.orphanDecisions) { first, _ in first }
      let stated = ResponseChanges(populated.result.changes, schema)
      if !level.responses.isEmpty {
        restated = try reading { work throws(StoreError) in
          try work.restate(level, in: graph, stated, populated)
        }
        below = populated
      }
      above = stated
    }
    overridden.subtract(level.caller.toOnes.keys)
    kept.merge(
      level.caller.leading(to: { found.graph.knownRow($0) != nil }), schema, before: found.graph.storedRow)
    return restated
  }

  /// Returns the records of a level with the changes of responses, and the records over which a response is populated.
  /// Later levels build on the records with all changes of callers.
  private mutating func graphs(
    of level: UnsavedChanges
  ) throws(StoreError) -> (responses: WorkingGraph, found: GraphReader) {
    let responses = try level.graphOfResponses(schema, reader)
    var shown = responses
    try shown.merge(level.caller)
    let found = level.caller.deleted.isEmpty ? GraphReader(shown) : try level.foundByResponses(schema, reader)
    reader = GraphReader(shown)
    return (responses, found)
  }

  private func restate(
    _ level: UnsavedChanges, in graph: WorkingGraph, _ stated: ResponseChanges, _ populated: PopulatedResponse
  ) throws(StoreError) -> RestatedChanges {
    var (changes, graph, populated) = (stated, graph, populated)
    changes.add(above, setBy: kept, schema)
    try changes.restore(kept, in: &graph, except: overridden)
    try graph.merge(changes)
    var restated = try RestatedChanges(
      graph, level, keeping: kept, stated: changes, saved: below.result.changes,
      pairs: populated.pairs(with: below))
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
