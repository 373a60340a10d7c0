import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the law that a dry run reports what the run after it does. Rule: `request.dry-run`.
@Suite struct DryRunLawsTests {
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDryRunTellsTheTruth(
    kind: StoreKind, seed: UInt64
  ) async throws {
    await expectTruth(kind, seed, editing: 0)
  }

  /// This also holds if the caller has unsaved changes.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDryRunBesideEditsTellsTheTruth(
    kind: StoreKind, seed: UInt64
  ) async throws {
    await expectTruth(kind, seed, editing: 60)
  }

  /// This also holds in a child context, and if both contexts have unsaved changes.
  @Test(arguments: StoreKind.chosen, randomSeeds(10)) func aDryRunInAChildTellsTheTruth(
    kind: StoreKind, seed: UInt64
  ) async throws {
    await expectTruth(kind, seed, editing: 60, inChild: true)
  }

  private func expectTruth(
    _ kind: StoreKind, _ seed: UInt64, editing chance: Int, inChild: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    let (value, random) = ResponseSequence.make(seed, keyed: false)
    let listed = ResponseSequence.listed(value, random)
    await ResponseSequence.expect("dry run, orphans of \(listed.sorted())", value, seed: seed) { value in
      for persisted in [0, 50, 100] {
        let problem = try await compareDryRuns(
          value, random, on: kind, orphansOf: listed, editing: chance, inChild: inChild, persisted: persisted
        ).problem
        if let problem { return problem }
      }
      return nil
    }
  }

  /// Makes a dry run of each response before the run. Returns the first difference between them, and the number of dry runs
  /// while both contexts have unsaved changes.
  ///
  /// - Parameters:
  ///   - listed: the entities whose responses list all records.
  ///   - chance: the chance of changes of the caller before a response, in percent.
  ///   - inChild: a Boolean value that indicates whether to make some of the requests and changes in a child context.
  ///   - persisted: the chance that a response is saved, in percent.
  private func compareDryRuns(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind, orphansOf listed: Set<EntityName>,
    editing chance: Int, inChild: Bool, persisted: Int, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (problem: String?, fullCount: Int) {
    var (random, fullCount) = (random, 0)
    let parent = try ResponseContext(value.model, on: kind)
    let child = parent.makeChild()
    for (index, (entity, response)) in value.responses.enumerated() {
      let run = inChild && random.chance(50) ? child : parent
      // A child does not show later changes of its parent in the records that it has read.
      if inChild { child.context.refreshAllObjects() }
      if random.chance(chance) { try edit(run, &random) }
      let isPersisted = random.chance(persisted)
      let unsaved = [parent, child].map(\.context.unsavedChanges)
      if unsaved.allSatisfy({ !$0.isEmpty }) { fullCount += 1 }
      let stored = try run.engine.graph().graph
      let deletesOrphans = listed.contains(entity)
      let dry = try await run.attempt(
        response, of: entity, isPersisted: isPersisted, isDryRun: true, deletesOrphans: deletesOrphans)
      if [parent, child].map(\.context.unsavedChanges) != unsaved {
        return ("the dry run of response \(index) changes a context", fullCount)
      }
      if try run.engine.graph().graph.records != stored.records {
        return ("the dry run of response \(index) changes the store", fullCount)
      }
      let real = try await run.attempt(
        response, of: entity, isPersisted: isPersisted, deletesOrphans: deletesOrphans)
      if let problem = try difference(dry, real, run.context) {
        return ("response \(index), \(isPersisted ? "saved at once" : "unsaved"): \(problem)", fullCount)
      }
    }
    return (nil, fullCount)
  }

  /// The random cases make dry runs while both contexts have unsaved changes.
  @Test func casesFillBothContexts() async throws {
    var count = 0
    for seed in UInt64(1)...60 {
      let (value, random) = ResponseSequence.make(seed, keyed: false)
      count += try await compareDryRuns(
        value, random, on: .memory, orphansOf: [], editing: 60, inChild: true, persisted: 0
      ).fullCount
    }
    #expect(count > 10)
  }

  private func edit(_ run: ResponseContext, _ random: inout RandomNumbers) throws {
    var graph = try run.engine.graph(of: GraphReader(run.context.graph)).graph
    for _ in 0..<random.number(1...3) {
      if random.chance(15), let number = random.pick(graph.numbers) {
        _ = try run.perform(.delete(graph.label(number)))
      } else if let edit = CallerEdit.make(&graph, &random) {
        _ = try run.perform(edit)
      }
    }
  }

  /// Returns the difference between a dry run and the run after it, or nil if they agree.
  private func difference(
    _ dry: Result<RequestResult<Record>, RequestFailure>,
    _ real: Result<RequestResult<Record>, RequestFailure>, _ context: ManagedObjectContext
  ) throws -> String? {
    switch (dry, real) {
    case (.failure(let dry), .failure(let real)):
      return dry.primary == real.primary && dry.diagnostics == real.diagnostics
        ? nil : "the dry run fails with \(dry.diagnostics), the run with \(real.diagnostics)"
    case (.failure(let dry), .success): return "only the dry run fails: \(dry)"
    case (.success, .failure(let real)): return "only the run fails: \(real)"
    case (.success(let dry), .success(let real)):
      // Only a dry run reports what would fail a later save.
      let violations = dry.diagnostics.filter { $0.code == .saveError }
      // The parent may lack the property already.
      let problems = (context.problemsOfSaving() + (context.parent?.problemsOfSaving() ?? [])).map(\.message)
      if let violation = violations.first(where: { !problems.contains($0.message) }) {
        return "the context does not have the violation that the dry run reports: \(violation)"
      }
      let diagnostics = dry.diagnostics.filter { $0.code != .saveError }
      if diagnostics != real.diagnostics {
        return "the dry run reports \(diagnostics), the run \(real.diagnostics)"
      }
      guard dry.changes.inserted.count == real.changes.inserted.count else {
        return "the dry run inserts \(dry.changes.inserted), the run \(real.changes.inserted)"
      }
      let numbers = Dictionary(
        uniqueKeysWithValues: zip(dry.changes.inserted, real.changes.inserted))
      let expected = real.changes
      let actual = dry.changes.replacing { numbers[$0] ?? $0 }
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
}
