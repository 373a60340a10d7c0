import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for laws of sequences of responses to one context, whether they are saved immediately, later or in part.
/// Rules: `save.persist`, `save.child`, `request.changes`, `request.dry-run`.
@Suite struct UnsavedResponseLawsTests {
  /// The handling of one response.
  private struct Step: CustomStringConvertible {
    var isPersisted: Bool
    /// A Boolean value that indicates whether the context is saved after the response.
    var saves = false

    var description: String { (isPersisted ? "saved at once" : "unsaved") + (saves ? ", then save" : "") }
  }

  private static func make(_ seed: UInt64, keyed: Bool = true) -> (ReferenceCase, RandomNumbers) {
    var random = RandomNumbers(seed: seed &* 32_416_190_071)
    var model = keyed ? RandomModel.keyed(seed, &random) : RandomModel(&random, isDemanding: seed % 2 == 0)
    if !keyed, seed % 3 == 0 { model.addRequirements(&random, deletions: true) }
    var truth = RandomTruth(model, &random)
    let isStrict = model.entities.contains { $0.relationships.contains { !$0.isOptional || $0.minCount > 0 } }
    // With a strict model, the store refuses about half of the responses.
    var responses = (0..<random.number(isStrict ? 4...8 : 3...5)).map { _ in
      truth.change(&random)
      return random.chance(40) ? truth.response(&random) : RandomResponse.make(model, &random, keyCount: 2)
    }
    if model.hasChain {
      var index = 0
      for response in RandomModel.chainResponses {
        index = random.number(index...responses.count)
        responses.insert(response, at: index)
        index += 1
      }
    }
    return (ReferenceCase(model: model, responses: responses), random)
  }

  /// Returns some entities. The responses to requests for them list all records that the server has.
  ///
  /// - Parameter chance: the chance that there are any, in percent.
  private static func listed(
    _ value: ReferenceCase, _ random: RandomNumbers, chance: Int = 50
  ) -> Set<EntityName> {
    var random = random
    guard random.chance(chance) else { return [] }
    let names = value.model.entities.map(\.name)
    return Set(names.filter { _ in random.chance(60) } + random.shuffled(names).prefix(1))
  }

  /// Shrinks a case that breaks a law, and reports it.
  private func expect(
    _ law: String, _ value: ReferenceCase, seed: UInt64, isolation: isolated (any Actor)? = #isolation,
    _ broken: (ReferenceCase) async throws -> String?
  ) async {
    func message(_ value: ReferenceCase) async -> String? {
      do { return try await broken(value) } catch { return "\(error)" }
    }
    guard await message(value) != nil else { return }
    let smallest = await ReferenceShrinker.shrunk(value) { await message($0) != nil }
    let responses = smallest.responses.map { "\($0.entity): \($0.response.compactText())" }
    Issue.record(
      """
      seed \(seed)
      \(law): \(await message(smallest) ?? "")
      --- model
      \(smallest.model)
      --- responses
      \(responses.joined(separator: "\n"))
      """)
  }

  // MARK: Sequences

  /// Saves each response immediately. Returns the accepted responses in which all items have keys, and the graph after
  /// each of them.
  private func savedAtOnce(
    _ value: ReferenceCase, orphansOf listed: Set<EntityName> = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (responses: [(entity: EntityName, response: JSONValue)], graphs: [ReferenceGraph]) {
    let run = try ResponseContext(value.model)
    var (responses, graphs): ([(entity: EntityName, response: JSONValue)], [ReferenceGraph]) = ([], [])
    for (entity, response) in value.responses {
      var reference = ReferencePopulation(model: value.model, graph: try run.engine.graph().graph)
      if reference.importResponse(response, of: entity).hasKeyless { continue }
      let result = try await run.attempt(
        response, of: entity, isPersisted: true, deletesOrphans: listed.contains(entity))
      guard case .success = result else { continue }
      let graph = try run.engine.graph().graph
      // A child that has lost its parent has no key.
      if graph.numbers.contains(where: { graph.label($0).contains("~") }) { break }
      responses.append((entity, response))
      graphs.append(graph)
    }
    return (responses, graphs)
  }

  /// Returns all ways to save a few responses, or a random selection if there are more. Responses that list all records of
  /// their entity are not saved at once, because they would not delete unsaved records as orphans.
  private func variants(
    _ responses: [(entity: EntityName, response: JSONValue)], _ random: inout RandomNumbers,
    orphansOf listed: Set<EntityName> = []
  ) -> [[Step]] {
    let choices = [
      Step(isPersisted: false), Step(isPersisted: true), Step(isPersisted: false, saves: true),
      Step(isPersisted: true, saves: true),
    ]
    let all: [[Step]]
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
        listed.contains(response.entity) ? Step(isPersisted: false, saves: step.saves) : step
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
    _ run: ResponseContext, _ responses: [(entity: EntityName, response: JSONValue)], _ steps: [Step],
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
    let (responses, graphs) = try await savedAtOnce(value, orphansOf: listed)
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

  // MARK: Deletions

  /// Returns the graph after some responses, a deletion of the caller, the other responses, and a save. The graph is
  /// nil if the save is refused.
  private func graph(
    _ run: ResponseContext, _ responses: [(entity: EntityName, response: JSONValue)], _ steps: [Step],
    deleting label: String, after count: Int, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (end: End, graph: ReferenceGraph?) {
    for (index, (step, (entity, response))) in zip(steps, responses).enumerated() {
      if index == count {
        let (graph, numbers) = try run.engine.graph(of: GraphReader(run.context.graph))
        guard let id = numbers.first(where: { graph.label($0.value) == label })?.key else {
          return (.broken("\(label) is not in the context"), nil)
        }
        run.context.delete(try #require(run.context.record(with: id)))
      }
      switch try await run.attempt(response, of: entity, isPersisted: step.isPersisted) {
      // The parent that the caller has deleted is of an abstract entity.
      case .success(let result) where result.diagnostics.contains { $0.code == .missingPrimaryKey }:
        return (.keyless, nil)
      case .success: break
      case .failure where step.isPersisted: return (.refused, nil)
      case .failure(let failure): return (.broken("\(response) fails unsaved: \(failure)"), nil)
      }
    }
    guard (try? run.context.save()) != nil else { return (.saved, nil) }
    if let problem = try run.engine.violations().first { return (.broken(problem), nil) }
    return (.saved, try run.engine.graph().graph)
  }

  private func timeOfSaving(
    besideDeletion value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (problem: String?, comparisons: Int) {
    var (random, comparisons) = (random, 0)
    let (responses, graphs) = try await savedAtOnce(value)
    guard responses.count >= 2 else { return (nil, 0) }
    let count = random.number(1...responses.count - 1)
    let stored = graphs[count - 1]
    guard let label = random.pick(stored.numbers.map(stored.label).sorted()) else { return (nil, 0) }
    func graph(_ steps: [Step]) async throws -> (end: End, graph: ReferenceGraph?) {
      try await self.graph(
        ResponseContext(value.model, on: kind), responses, steps, deleting: label, after: count)
    }
    let saved = responses.map { _ in Step(isPersisted: true) }
    let expected = try await graph(saved)
    guard case .saved = expected.end else { return (nil, 0) }
    for chance in [0, 50, 50] {
      let steps = saved.map { _ in Step(isPersisted: random.chance(chance)) }
      let actual = try await graph(steps)
      switch actual.end {
      case .refused, .keyless: continue
      case .broken(let problem): return ("\(label) deleted after \(count), \(steps): \(problem)", comparisons)
      case .saved: break
      }
      // A record that was never saved is subject neither to its deny rules nor to the exception for stubs without a
      // parent.
      guard let expected = expected.graph, let actual = actual.graph else { continue }
      comparisons += 1
      if ReferenceGraph.areEqual(expected, actual) { continue }
      let problem = """
        \(label) deleted after \(count) responses
        --- all saved at once
        \(expected)
        --- \(steps)
        \(actual)
        """
      return (problem, comparisons)
    }
    return (nil, comparisons)
  }

  // MARK: Dry runs

  /// Returns the difference between a dry run and the run after it, or nil if they agree.
  private func difference(
    _ dry: Result<RequestResult<Record>, RequestFailure>,
    _ real: Result<RequestResult<Record>, RequestFailure>,
    _ context: ManagedObjectContext, isPersisted: Bool
  ) throws -> String? {
    switch (dry, real) {
    case (.failure(let dry), .failure(let real)):
      return dry.primary == real.primary && dry.diagnostics == real.diagnostics
        ? nil : "the dry run fails with \(dry.diagnostics), the run with \(real.diagnostics)"
    case (.failure(let dry), .success):
      // A dry run is validated even if the response would stay unsaved, and an unsaved response is not.
      return !isPersisted && dry.primary.code == .saveError ? nil : "only the dry run fails: \(dry)"
    case (.success, .failure(let real)): return "only the run fails: \(real)"
    case (.success(let dry), .success(let real)):
      if dry.diagnostics != real.diagnostics {
        return "the dry run reports \(dry.diagnostics), the run \(real.diagnostics)"
      }
      guard dry.changes.inserted.count == real.changes.inserted.count else {
        return "the dry run inserts \(dry.changes.inserted), the run \(real.changes.inserted)"
      }
      let numbers = Dictionary(
        uniqueKeysWithValues: zip(dry.changes.inserted, real.changes.inserted))
      let expected = real.changes
      let actual = dry.changes.replacing(numbers)
      if actual != expected { return "the dry run changes \(actual), the run \(expected)" }
      if dry.records.map({ numbers[$0.recordID] ?? $0.recordID }) != real.records.map(\.recordID) {
        return "the records differ"
      }
      for (shown, made) in zip(dry.records, real.records) {
        let shownToOnes = toOnes(shown).map { $0.map { numbers[$0] ?? $0 } }
        if shownToOnes != toOnes(made) {
          return "the dry run shows \(shownToOnes), the run makes \(toOnes(made))"
        }
        guard let shown = shown.context.row(shown.recordID), let made = context.row(made.recordID) else {
          return "a record is deleted"
        }
        if shown.entity != made.entity || shown.values != made.values {
          return "the dry run shows \(shown), the run makes \(made)"
        }
      }
      return nil
    }
  }

  private func toOnes(_ record: Record) -> [RecordID?] {
    guard let row = record.context.row(record.recordID) else { return [] }
    let schema = record.context.schema
    return schema.entities[row.entity].relationships.map { schema.relationships[$0] }.filter { !$0.isToMany }
      .map { record.context.toOne($0.name, of: record.recordID) }
  }

  // MARK: Laws

  /// The random cases cover all ways of saving.
  @Test func casesMeetEveryWayToSave() async throws {
    var (sequences, skipped, saved, refused, mixed, deleted) = (0, 0, 0, 0, 0, 0)
    for seed in UInt64(1)...60 {
      var (value, random) = Self.make(seed)
      sequences += 1
      let (responses, graphs) = try await savedAtOnce(value)
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
    let (value, random) = Self.make(seed)
    await expect("time of saving", value, seed: seed) { value in
      try await timeOfSaving(value, random, on: kind)
    }
  }

  /// The random cases delete unsaved records as orphans.
  @Test func casesDeleteUnsavedOrphans() async throws {
    var deleted = 0
    for seed in UInt64(1)...80 {
      let (value, random) = Self.make(seed)
      // Tombstones would delete records, too.
      if value.model.entities.contains(where: { $0.deletedWhen != nil }) { continue }
      let listed = Self.listed(value, random, chance: 100)
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
    let (value, random) = Self.make(seed)
    let listed = Self.listed(value, random, chance: 100)
    await expect("time of saving with orphans of \(listed.sorted())", value, seed: seed) { value in
      try await timeOfSaving(value, random, on: kind, orphansOf: listed)
    }
  }

  /// The caller's deletion takes precedence over later responses, whether they are saved or not.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDeletionCountsWhateverIsSavedWhen(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = Self.make(seed)
    await expect("time of saving", value, seed: seed) { value in
      try await timeOfSaving(besideDeletion: value, random, on: kind).problem
    }
  }

  @Test func casesCompareDeletions() async throws {
    var comparisons = 0
    for seed in UInt64(1)...60 {
      let (value, random) = Self.make(seed)
      comparisons += try await timeOfSaving(besideDeletion: value, random, on: .memory).comparisons
    }
    #expect(comparisons > 60)
  }

  /// This also holds if the first response is unsaved.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func theSameResponseAgainChangesNothing(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = Self.make(seed)
    let listed = Self.listed(value, random)
    await expect("again, orphans of \(listed.sorted())", value, seed: seed) { value in
      let responses = try await savedAtOnce(value, orphansOf: listed).responses
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

  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDryRunTellsTheTruth(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = Self.make(seed, keyed: false)
    let listed = Self.listed(value, random)
    await expect("dry run, orphans of \(listed.sorted())", value, seed: seed) { value in
      for chance in [0, 50, 100] {
        var random = random
        let run = try ResponseContext(value.model, on: kind)
        for (index, (entity, response)) in value.responses.enumerated() {
          let isPersisted = random.chance(chance)
          let unsaved = run.context.unsavedChanges
          let stored = try run.engine.graph().graph
          let deletesOrphans = listed.contains(entity)
          let dry = try await run.attempt(
            response, of: entity, isPersisted: isPersisted, isDryRun: true, deletesOrphans: deletesOrphans)
          if run.context.unsavedChanges != unsaved {
            return "the dry run of response \(index) changes its context"
          }
          if try run.engine.graph().graph.records != stored.records {
            return "the dry run of response \(index) changes the store"
          }
          let real = try await run.attempt(
            response, of: entity, isPersisted: isPersisted, deletesOrphans: deletesOrphans)
          if let problem = try difference(dry, real, run.context, isPersisted: isPersisted) {
            return "response \(index), \(isPersisted ? "saved at once" : "unsaved"): \(problem)"
          }
        }
      }
      return nil
    }
  }

  /// Rule: `save.persist`. Both stores have the same contents after every step and after reopening the file.
  @Test(arguments: randomSeeds(10)) func bothStoresAgree(seed: UInt64) async throws {
    let (value, random) = Self.make(seed, keyed: seed % 2 == 0)
    let listed = Self.listed(value, random)
    await expect("both stores, orphans of \(listed.sorted())", value, seed: seed) { value in
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
