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

  /// The handling of one response.
  private struct Step: CustomStringConvertible {
    var isPersisted: Bool
    /// A Boolean value that indicates whether the request is made in the child context, if there is one.
    var isChild = false
    /// A Boolean value that indicates whether the child is saved after the response.
    var savesChild = false

    var description: String {
      (isPersisted ? "saved" : "unsaved") + (isChild ? " in the child" : "")
        + (savesChild ? ", then child.save()" : "")
    }
  }

  /// Makes the requests, and the edits after some of them, and saves.
  ///
  /// - Parameter child: the context of the edits; nil for that of `run`.
  private func end(
    _ run: ResponseContext, _ child: ResponseContext? = nil,
    _ responses: [(entity: EntityName, response: JSONValue)], _ steps: [Step],
    _ edits: [CallerEdit], after count: Int, orphansOf listed: Set<EntityName>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> End {
    let edited = child ?? run
    for (index, (step, (entity, response))) in zip(steps, responses).enumerated() {
      if index == count {
        // A child does not show later changes of its parent in the records that it has read.
        child?.context.refreshAllObjects()
        for edit in edits where try !edited.perform(edit) { return .broken("no record for \(edit)") }
      }
      let isPersisted = step.isPersisted
      let result = try await (step.isChild ? edited : run).attempt(
        response, of: entity, isPersisted: isPersisted, deletesOrphans: listed.contains(entity))
      switch result {
      // The parent that the caller has deleted is of an abstract entity.
      case .success(let result) where result.diagnostics.contains { $0.code == .missingPrimaryKey }:
        return .skipped
      case .success: break
      case .failure where isPersisted: return .skipped
      case .failure(let failure): return .broken("\(response) fails unsaved: \(failure)")
      }
      if step.savesChild { try child?.context.save() }
    }
    child?.context.refreshAllObjects()
    let shown = try run.engine.graph(of: GraphReader(edited.context.graph)).graph
    try child?.context.save()
    guard (try? run.context.save()) != nil else { return .saved(shown: shown, nil) }
    if let problem = try run.engine.violations().first { return .broken(problem) }
    return .saved(shown: shown, try run.engine.graph().graph)
  }

  /// Returns the first difference between a run in which each response is saved at once and others, and the number of
  /// compared runs that are saved at the end. If there is a child, only the runs count that leave a response unsaved in it.
  ///
  /// - Parameters:
  ///   - listed: the entities whose responses list all records. In the other runs, they stay unsaved, because they would
  ///     not delete unsaved records as orphans.
  ///   - inChild: a Boolean value that indicates whether the other runs have a child context, with the edits and some of
  ///     the requests.
  private func timeOfSaving(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    orphansOf listed: Set<EntityName> = [], inChild: Bool = false,
    isolation: isolated (any Actor)? = #isolation,
    beside edits: (ReferenceGraph, inout RandomNumbers) -> [CallerEdit]
  ) async throws -> (problem: String?, comparisons: Int) {
    var (random, comparisons) = (random, 0)
    let (responses, graphs) = try await ResponseSequence.savedAtOnce(value, orphansOf: listed)
    guard responses.count >= 2 else { return (nil, 0) }
    let count = random.number(1...responses.count - 1)
    let edits = edits(graphs[count - 1], &random)
    guard !edits.isEmpty else { return (nil, 0) }
    func end(_ steps: [Step], inChild: Bool = false) async throws -> End {
      let run = try ResponseContext(value.model, on: kind)
      return try await self.end(
        run, inChild ? run.makeChild() : nil, responses, steps, edits, after: count, orphansOf: listed)
    }
    let shown: ReferenceGraph
    let stored: ReferenceGraph
    switch try await end(responses.map { _ in Step(isPersisted: true) }) {
    case .skipped, .saved(_, nil): return (nil, 0)
    case .broken(let problem): return ("\(edits) after \(count), all saved: \(problem)", 0)
    case .saved(let first, let second?): (shown, stored) = (first, second)
    }
    for chance in [0, 50, 50] {
      let savesChild = inChild && random.chance(50) ? random.number(count...responses.count - 1) : nil
      var (steps, childHasResponses): ([Step], Bool) = ([], false)
      for (index, (entity, _)) in responses.enumerated() {
        var step = Step(isPersisted: random.chance(chance) && !listed.contains(entity))
        // A request in the parent does not see the unsaved responses of the child. A request in the child treats the edits
        // in the parent as stored.
        step.isChild =
          inChild && index <= savesChild ?? index && (childHasResponses || random.chance(50))
        childHasResponses = childHasResponses || step.isChild && !step.isPersisted
        step.savesChild = index == savesChild
        steps.append(step)
      }
      switch try await end(steps, inChild: inChild) {
      case .skipped: continue
      case .broken(let problem): return ("\(edits) after \(count), saved: \(steps): \(problem)", comparisons)
      case .saved(let actuallyShown, let actual):
        if actual != nil, !inChild || steps.contains(where: { $0.isChild && !$0.isPersisted }) {
          comparisons += 1
        }
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

  /// This also holds if the edits and some of the requests are made in a child context.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func editsInAChildCountWhateverIsSavedWhen(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect(
      "time of saving beside a child, orphans of \(listed.sorted())", value, seed: seed
    ) { value in
      try await timeOfSaving(value, random, on: kind, orphansOf: listed, inChild: true, beside: edits).problem
    }
  }

  @Test func casesCompareDeletionsAndEdits() async throws {
    var (deletions, edited, inChild) = (0, 0, 0)
    for seed in UInt64(1)...60 {
      let (value, random) = ResponseSequence.make(seed)
      deletions += try await timeOfSaving(value, random, on: .memory, beside: deletion).comparisons
      edited += try await timeOfSaving(value, random, on: .memory, beside: edits).comparisons
      inChild += try await timeOfSaving(
        value, random, on: .memory, inChild: true, beside: edits
      ).comparisons
    }
    #expect(deletions > 60 && edited > 60 && inChild > 60)
  }
}
