import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for laws of sequences of responses to one context, whether they are saved immediately, later or in part.
/// Rules: `save.persist`, `save.child`, `request.changes`.
@Suite struct UnsavedResponseLawsTests {
  /// Returns all ways to save a few responses, or a random selection if there are more. Responses that list all records of
  /// their entity are not saved at once, because they would not delete unsaved records as orphans.
  private func variants(
    _ responses: [(entity: EntityName, response: JSONValue)], _ random: inout RandomNumbers,
    orphansOf listed: Set<EntityName> = []
  ) -> [[ResponseSequence.Step]] {
    let choices = [
      ResponseSequence.Step(isPersisted: false), ResponseSequence.Step(isPersisted: true),
      ResponseSequence.Step(isPersisted: false, saves: true),
      ResponseSequence.Step(isPersisted: true, saves: true),
    ]
    let all: [[ResponseSequence.Step]]
    if responses.count <= 2 {
      all = (0..<(1 << (2 * responses.count))).map { number in
        responses.indices.map { choices[number >> (2 * $0) & 3] }
      }
    } else {
      let unsaved = responses.map { _ in choices[0] }
      all =
        [unsaved]
        + (0..<3).map { _ in unsaved.map { _ in choices[random.chance(50) ? 0 : 2] } }
        + (0..<8).map { _ in unsaved.map { _ in choices[random.number(0...9) < 8 ? random.number(0...1) : 3] }
        }
    }
    return all.map { steps in
      zip(steps, responses).map { step, response in
        listed.contains(response.entity) ? ResponseSequence.Step(isPersisted: false, saves: step.saves) : step
      }
    }
  }

  /// The end of a sequence.
  private enum End {
    case saved
    /// The store refuses a response that depends on unsaved records.
    case refused
    /// A deletion leaves an item without a key.
    case keyless
    case broken(String)
  }

  private func end(
    _ run: ResponseContext, _ responses: [(entity: EntityName, response: JSONValue)],
    _ steps: [ResponseSequence.Step],
    orphansOf listed: Set<EntityName> = [], isolation: isolated (any Actor)? = #isolation,
    after: (ResponseContext, Int) throws -> String? = { _, _ in nil }
  ) async throws -> End {
    for (index, (step, (entity, response))) in zip(steps, responses).enumerated() {
      let result = try await run.attempt(
        response, of: entity, isPersisted: step.isPersisted, deletesOrphans: listed.contains(entity))
      switch result {
      case .success: break
      case .failure where step.isPersisted: return .refused
      case .failure(let failure): return .broken("response \(index) fails unsaved: \(failure)")
      }
      if step.saves || index == responses.count - 1 {
        do { try run.context.save() } catch {
          return .broken("the save after response \(index) fails: \(error)")
        }
        if let problem = try after(run, index) { return .broken(problem) }
      }
      if let problem = try run.engine.violations().first {
        return .broken("response \(index): \(problem)")
      }
    }
    return .saved
  }

  private func timeOfSaving(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    orphansOf listed: Set<EntityName> = [], isolation: isolated (any Actor)? = #isolation
  ) async throws -> String? {
    let (responses, graphs) = try await ResponseSequence.savedAtOnce(value, orphansOf: listed)
    var random = random
    let variants = variants(responses, &random, orphansOf: listed)
    // A store in a file is slower, and the ways of saving depend only on the context, so a few of them suffice.
    for steps in kind == .memory ? variants : Array(random.shuffled(variants).prefix(4)) {
      let run = try ResponseContext(value.model, on: kind)
      let end = try await end(run, responses, steps, orphansOf: listed) { run, index in
        let actual = try run.engine.graph().graph
        if ReferenceGraph.areEqual(graphs[index], actual) { return nil }
        return """
          the graphs after response \(index) differ
          --- all saved at once
          \(graphs[index])
          --- saved as in these steps
          \(actual)
          """
      }
      if case .broken(let problem) = end { return "\(steps): \(problem)" }
    }
    return nil
  }

  // MARK: Laws

  /// The random cases cover all ways of saving.
  @Test func casesMeetEveryWayToSave() async throws {
    var (sequences, skipped, saved, refused, mixed, deleted) = (0, 0, 0, 0, 0, 0)
    for seed in UInt64(1)...60 {
      var (value, random) = ResponseSequence.make(seed)
      sequences += 1
      let (responses, graphs) = try await ResponseSequence.savedAtOnce(value)
      if responses.count < 2 {
        skipped += 1
        continue
      }
      if zip(graphs, graphs.dropFirst()).contains(where: { $1.numbers.count < $0.numbers.count }) {
        deleted += 1
      }
      for steps in variants(responses, &random) {
        switch try await end(try ResponseContext(value.model), responses, steps) {
        case .saved:
          saved += 1
          let isMixed = zip(steps, steps.dropFirst()).contains {
            !$0.isPersisted && !$0.saves && $1.isPersisted
          }
          if isMixed { mixed += 1 }
        case .refused: refused += 1
        case .keyless, .broken: break
        }
      }
    }
    #expect(
      skipped * 4 < sequences && saved > 300 && refused > 0 && refused < saved && mixed > 100 && deleted > 2)
  }

  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func theTimeOfSavingDoesNotMatter(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    await ResponseSequence.expect("time of saving", value, seed: seed) { value in
      try await timeOfSaving(value, random, on: kind)
    }
  }

  /// The random cases delete unsaved records as orphans.
  @Test func casesDeleteUnsavedOrphans() async throws {
    var deleted = 0
    for seed in UInt64(1)...80 {
      let (value, random) = ResponseSequence.make(seed)
      // Tombstones would delete records, too.
      if value.model.entities.contains(where: { $0.deletedWhen != nil }) { continue }
      let listed = ResponseSequence.listed(value, random, chance: 100)
      let run = try ResponseContext(value.model)
      for (entity, response) in value.responses {
        let result = try? await run.attempt(
          response, of: entity, isPersisted: false, deletesOrphans: listed.contains(entity)
        ).get()
        deleted += result?.changes.deleted.count ?? 0
      }
      #expect(try run.engine.graph().graph.numbers.isEmpty)
    }
    #expect(deleted > 20)
  }

  /// Rule: `orphans.scope`.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func orphansAreTheSameWhenSavedLater(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    let listed = ResponseSequence.listed(value, random, chance: 100)
    await ResponseSequence.expect("time of saving with orphans of \(listed.sorted())", value, seed: seed) {
      value in
      try await timeOfSaving(value, random, on: kind, orphansOf: listed)
    }
  }

  /// This also holds if the first response is unsaved.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func theSameResponseAgainChangesNothing(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect("again, orphans of \(listed.sorted())", value, seed: seed) { value in
      let responses = try await ResponseSequence.savedAtOnce(value, orphansOf: listed).responses
      var random = random
      let variants = variants(responses, &random, orphansOf: listed)
      for steps in variants.prefix(kind == .memory ? 6 : 3) {
        let run = try ResponseContext(value.model, on: kind)
        guard case .saved = try await end(run, responses, steps, orphansOf: listed),
          let (entity, response) = responses.last
        else { continue }
        let before = run.engine.store.generation.saves
        for isPersisted in [true, false] {
          let again = try await run.attempt(
            response, of: entity, isPersisted: isPersisted, deletesOrphans: listed.contains(entity)
          ).get()
          if !again.changes.isEmpty { return "\(steps), persisted \(isPersisted): \(again.changes)" }
          if run.context.hasChanges { return "\(steps): unsaved \(run.context.unsavedChanges)" }
        }
        try run.context.save()
        if run.engine.store.generation.saves != before { return "\(steps): rows are written" }
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
