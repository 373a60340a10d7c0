import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the law that a container that recognizes repeated responses does the same as one that populates each of them.
@Suite struct RepeatedResponseLawsTests {
  @Test(arguments: StoreKind.chosen, randomSeeds(40)) func repetitionChangesNothing(
    kind: StoreKind, seed: UInt64
  ) async throws {
    let (value, random) = ResponseSequence.make(seed, keyed: false)
    await ResponseSequence.expect("repeated responses", value, seed: seed) { value in
      try await compare(value, random, on: kind).problem
    }
  }

  /// The random cases contain responses that are recognized, and changes between them.
  @Test func casesRepeatResponses() async throws {
    var count = 0
    for seed in UInt64(1)...20 {
      let (value, random) = ResponseSequence.make(seed, keyed: false)
      count += try await compare(value, random, on: .memory).recognizedCount
    }
    #expect(count > 20)
  }

  /// Makes the same requests and changes with both containers. Returns the first difference between them, and the number of
  /// recognized responses.
  private func compare(
    _ value: ReferenceCase, _ random: RandomNumbers, on kind: StoreKind,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (problem: String?, recognizedCount: Int) {
    var (random, recognizedCount) = (random, 0)
    let schema = try value.model.checked().schema
    let stores = [try TestStore(kind, schema), try TestStore(kind, schema)]
    let counter = StoreCallCounter(stores[0].store)
    let fast = try ResponseContext(value.model, store: counter)
    let slow = try ResponseContext(value.model, store: stores[1].store, recognizesRepetition: false)
    for (index, (entity, response)) in value.responses.enumerated() {
      for repetition in 0..<random.number(1...5) {
        _ = counter.takeCounts()
        let isPersisted = random.chance(90)
        let results = [
          try await fast.attempt(response, of: entity, isPersisted: isPersisted),
          try await slow.attempt(response, of: entity, isPersisted: isPersisted),
        ].map(Self.text)
        if isPersisted, counter.takeCounts().isEmpty { recognizedCount += 1 }
        let location = "response \(index), repetition \(repetition)"
        if results[0] != results[1] {
          return ("\(location): \(results[0]), not \(results[1])", recognizedCount)
        }
        if try fast.engine.graph().graph.records != slow.engine.graph().graph.records {
          return ("\(location): the stores differ", recognizedCount)
        }
        if random.chance(30) { try edit(fast, slow, &random) }
      }
    }
    return (nil, recognizedCount)
  }

  private func edit(_ fast: ResponseContext, _ slow: ResponseContext, _ random: inout RandomNumbers) throws {
    var graph = try fast.engine.graph(of: GraphReader(fast.context.graph)).graph
    if let edit = CallerEdit.make(&graph, &random) {
      for run in [fast, slow] { _ = try run.perform(edit) }
    }
    let saves = random.chance(70)
    for run in [fast, slow] {
      if saves { _ = try? run.context.save() } else { run.context.rollback() }
    }
  }

  /// Returns all that a caller sees of a result.
  private static func text(_ result: Result<RequestResult<Record>, RequestFailure>) -> String {
    switch result {
    case .failure(let failure): return "\(failure.diagnostics)"
    case .success(let result):
      let records = result.records.map { record in
        "\(record.recordID): \(record.context.row(record.recordID).map { "\($0)" } ?? "-")"
      }
      return
        "\(records) \(result.changes) \(result.diagnostics) \(result.responseObject.map { "\($0.value)" } ?? "")"
    }
  }
}
