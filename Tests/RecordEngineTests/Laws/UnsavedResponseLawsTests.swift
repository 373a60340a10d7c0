import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for laws of sequences of responses to one context, saved immediately or at the end.
/// Rules: `save.persist`, `save.child`, `request.changes`.
@Suite struct UnsavedResponseLawsTests {
  /// Leaves all responses unsaved, and saves after some of them and at the end.
  ///
  /// - Returns: The graph at the end; nil if a save fails.
  private func collected(
    _ run: ResponseContext, _ responses: [(entity: EntityName, response: JSONValue)], savingAfter: Set<Int>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> ReferenceGraph? {
    for (index, (entity, response)) in responses.enumerated() {
      _ = try await run.attempt(response, of: entity, isPersisted: false).get()
      guard savingAfter.contains(index) || index == responses.count - 1 else { continue }
      guard (try? run.context.save()) != nil else { return nil }
    }
    #expect(try run.engine.violations() == [])
    return try run.engine.graph().graph
  }

  /// Returns the difference between responses that are saved immediately and at the end, and the number of compared graphs.
  private func difference(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (problem: String?, comparisons: Int) {
    var (random, comparisons) = (random, 0)
    // A `deny` rule is judged when the deletion is saved.
    var value = value
    value.model = value.model.withoutDenials
    let (responses, graphs) = try await ResponseSequence.savedAtOnce(value)
    guard responses.count > 1, let expected = graphs.last else { return (nil, 0) }
    for attempt in 0..<3 {
      let steps = Set(responses.indices.filter { _ in attempt > 0 && random.chance(30) })
      let run = try ResponseContext(value.model, on: kind)
      guard let actual = try await collected(run, responses, savingAfter: steps) else { continue }
      comparisons += 1
      if ReferenceGraph.areEqual(expected, actual) { continue }
      let problem = """
        the graphs differ
        --- each response saved at once
        \(expected)
        --- saved after \(steps.sorted()) and at the end
        \(actual)
        """
      return (problem, comparisons)
    }
    return (nil, comparisons)
  }

  // MARK: Laws

  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func theTimeOfSavingDoesNotMatter(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    await ResponseSequence.expect("time of saving", value, seed: seed) { value in
      try await difference(value, random, on: kind).problem
    }
  }

  @Test func casesCompareGraphs() async throws {
    var comparisons = 0
    for seed in UInt64(1)...60 {
      let (value, random) = ResponseSequence.make(seed)
      comparisons += try await difference(value, random, on: .memory).comparisons
    }
    #expect(comparisons > 60)
  }

  /// This also holds if the first response is unsaved.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func theSameResponseAgainChangesNothing(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect("again, orphans of \(listed.sorted())", value, seed: seed) { value in
      let responses = try await ResponseSequence.savedAtOnce(value, orphansOf: listed).responses
      guard let (entity, response) = responses.last else { return nil }
      for isUnsaved in [false, true] {
        let run = try ResponseContext(value.model, on: kind)
        for (entity, response) in responses {
          _ = try await run.attempt(
            response, of: entity, isPersisted: !isUnsaved, deletesOrphans: listed.contains(entity)
          ).get()
        }
        let unsaved = run.context.unsavedChanges
        for isPersisted in isUnsaved ? [false] : [true, false] {
          let again = try await run.attempt(
            response, of: entity, isPersisted: isPersisted, deletesOrphans: listed.contains(entity)
          ).get()
          if !again.changes.isEmpty { return "persisted \(isPersisted): \(again.changes)" }
          if run.context.unsavedChanges != unsaved { return "unsaved \(run.context.unsavedChanges)" }
        }
        if !isUnsaved {
          let before = run.engine.store.generation.saves
          try run.context.save()
          if run.engine.store.generation.saves != before { return "rows are written" }
        }
      }
      return nil
    }
  }

  /// Rule: `save.persist`. Both stores have the same contents after every step and after reopening the file.
  @Test(arguments: randomSeeds(10)) func bothStoresAgree(seed: UInt64) async throws {
    let (value, random) = ResponseSequence.make(seed, keyed: seed % 2 == 0)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect("both stores, orphans of \(listed.sorted())", value, seed: seed) { value in
      var random = random
      for _ in 0..<2 {
        let pair = try StorePair(try value.model.checked().schema)
        let run = try ResponseContext(value.model, store: pair)
        for (entity, response) in value.responses {
          let isPersisted = random.chance(50)
          _ = try await run.attempt(
            response, of: entity, isPersisted: isPersisted, deletesOrphans: listed.contains(entity))
          if random.chance(40) { _ = try? run.context.save() }
          if random.chance(40) { try pair.reopen() }
          try pair.compareAll()
          if let problem = pair.disagreements.first { return problem }
        }
        _ = try? run.context.save()
        try pair.reopen()
        try pair.compareAll()
        if let problem = pair.disagreements.first { return problem }
      }
      return nil
    }
  }
}
