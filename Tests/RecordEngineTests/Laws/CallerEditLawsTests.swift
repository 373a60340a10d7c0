import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the law that unsaved changes of the caller have the same effect whenever the responses after them are saved.
/// Rules: `context.conflict`, `context.conflict.population`, `save.child.order`.
@Suite struct CallerEditLawsTests {
  /// The end of a sequence.
  private enum End {
    /// The graphs that the context shows before and after the save. The second is nil if the save is refused.
    case saved(shown: ReferenceGraph, ReferenceGraph?)
    /// The store refuses a response that depends on unsaved records, or a deletion leaves an item without a key.
    case skipped
    case broken(String)
  }

  private func end(
    _ run: ResponseContext, _ responses: [(entity: EntityName, response: JSONValue)], _ steps: [Bool],
    _ edits: [CallerEdit], after count: Int, orphansOf listed: Set<EntityName>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> End {
    for (index, (isPersisted, (entity, response))) in zip(steps, responses).enumerated() {
      if index == count {
        for edit in edits where try !run.perform(edit) { return .broken("no record for \(edit)") }
      }
      let result = try await run.attempt(
        response, of: entity, isPersisted: isPersisted, deletesOrphans: listed.contains(entity))
      switch result {
      // The parent that the caller has deleted is of an abstract entity.
      case .success(let result) where result.diagnostics.contains { $0.code == .missingPrimaryKey }:
        return .skipped
      case .success: break
      case .failure where isPersisted: return .skipped
      case .failure(let failure): return .broken("\(response) fails unsaved: \(failure)")
      }
    }
    let shown = try run.engine.graph(of: GraphReader(run.context.graph)).graph
    guard (try? run.context.save()) != nil else { return .saved(shown: shown, nil) }
    if let problem = try run.engine.violations().first { return .broken(problem) }
    return .saved(shown: shown, try run.engine.graph().graph)
  }

  /// Returns the first difference between a run in which each response is saved at once and others, and the number of
  /// compared runs.
  ///
  /// - Parameter listed: the entities whose responses list all records. In the other runs, they stay unsaved, because
  ///   they would not delete unsaved records as orphans.
  private func timeOfSaving(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    orphansOf listed: Set<EntityName> = [], isolation: isolated (any Actor)? = #isolation,
    beside edits: (ReferenceGraph, inout RandomNumbers) -> [CallerEdit]
  ) async throws -> (problem: String?, comparisons: Int) {
    var (random, comparisons) = (random, 0)
    let (responses, graphs) = try await ResponseSequence.savedAtOnce(value, orphansOf: listed)
    guard responses.count >= 2 else { return (nil, 0) }
    let count = random.number(1...responses.count - 1)
    let edits = edits(graphs[count - 1], &random)
    guard !edits.isEmpty else { return (nil, 0) }
    func end(_ steps: [Bool]) async throws -> End {
      try await self.end(
        ResponseContext(value.model, on: kind), responses, steps, edits, after: count, orphansOf: listed)
    }
    let shown: ReferenceGraph
    let stored: ReferenceGraph
    switch try await end(responses.map { _ in true }) {
    case .skipped, .saved(_, nil): return (nil, 0)
    case .broken(let problem): return ("\(edits) after \(count), all saved: \(problem)", 0)
    case .saved(let first, let second?): (shown, stored) = (first, second)
    }
    for chance in [0, 50, 50] {
      let steps = responses.map { random.chance(chance) && !listed.contains($0.entity) }
      switch try await end(steps) {
      case .skipped: continue
      case .broken(let problem): return ("\(edits) after \(count), saved: \(steps): \(problem)", comparisons)
      case .saved(let actuallyShown, let actual):
        comparisons += 1
        // This save can be refused where the other one is not, because only a stored stub may lack its parent.
        if ReferenceGraph.areEqual(shown, actuallyShown),
          actual.map({ ReferenceGraph.areEqual(stored, $0) }) ?? true
        {
          continue
        }
        let problem = """
          \(edits) after \(count) responses
          --- all saved at once, before and after the save of the edits
          \(shown)

          \(stored)
          --- saved: \(steps)
          \(actuallyShown)

          \(actual.map { "\($0)" } ?? "the save is refused")
          """
        return (problem, comparisons)
      }
    }
    return (nil, comparisons)
  }

  private func deletion(_ graph: ReferenceGraph, _ random: inout RandomNumbers) -> [CallerEdit] {
    random.pick(graph.numbers.map(graph.label).sorted()).map { [.delete($0)] } ?? []
  }

  /// Returns changes of records, and then deletions of other records.
  private func edits(_ graph: ReferenceGraph, _ random: inout RandomNumbers) -> [CallerEdit] {
    var graph = graph
    let edits = (0..<random.number(1...5)).compactMap { _ in CallerEdit.make(&graph, &random) }
    guard random.chance(30) else { return edits }
    return edits + deletion(graph, &random)
  }

  /// The caller's deletion takes precedence over later responses, whether they are saved or not.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDeletionCountsWhateverIsSavedWhen(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    await ResponseSequence.expect("time of saving", value, seed: seed) { value in
      try await timeOfSaving(value, random, on: kind, beside: deletion).problem
    }
  }

  /// The caller's changes take precedence over later responses. They do not change what these responses delete.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func editsCountWhateverIsSavedWhen(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect("time of saving, orphans of \(listed.sorted())", value, seed: seed) {
      value in
      try await timeOfSaving(value, random, on: kind, orphansOf: listed, beside: edits).problem
    }
  }

  @Test func casesCompareDeletionsAndEdits() async throws {
    var (deletions, edited) = (0, 0)
    for seed in UInt64(1)...60 {
      let (value, random) = ResponseSequence.make(seed)
      deletions += try await timeOfSaving(value, random, on: .memory, beside: deletion).comparisons
      edited += try await timeOfSaving(value, random, on: .memory, beside: edits).comparisons
    }
    #expect(deletions > 60 && edited > 60)
  }
}
