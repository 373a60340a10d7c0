import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests that compare the engine with a second implementation of its rules, which is slow and obvious. After each of
/// several responses, the graphs and the outcomes must be equal.
@Suite struct ReferenceTests {
  static let seeds = randomSeeds(100)

  @Test(arguments: seeds) func anyResponses(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let model = RandomModel(&random, isDemanding: seed % 2 == 0)
    let responses = (0..<random.number(1...4)).map { _ in RandomResponse.make(model, &random) }
    expectAgreement(ReferenceCase(model: model, responses: responses), seed: seed)
  }

  /// The models have required relationships, so that about half of the responses are refused.
  @Test(arguments: seeds) func requiringModels(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed &* 6_700_417)
    var model = RandomModel(&random)
    model.addRequirements(&random)
    let responses = (0..<random.number(2...5)).map { _ in RandomResponse.make(model, &random) }
    expectAgreement(ReferenceCase(model: model, responses: responses), seed: seed)
  }

  @Test(arguments: seeds) func consistentResponses(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let model = RandomModel(&random)
    var truth = RandomTruth(model, &random)
    let responses = (0..<random.number(1...4)).map { _ in
      truth.change(&random)
      return truth.response(&random)
    }
    expectAgreement(ReferenceCase(model: model, responses: responses), seed: seed, isConsistent: true)
  }

  /// The random responses cover all diagnostics, and few of them are skipped.
  @Test func responsesMeetEveryRule() throws {
    var codes: Set<DiagnosticCode> = []
    var (all, open, failed, keyless) = (0, 0, 0, 0)
    for seed in UInt64(1)...300 {
      var random = RandomNumbers(seed: seed)
      let model = RandomModel(&random, isDemanding: seed % 2 == 0)
      var graph = ReferenceGraph(model)
      for _ in 0..<3 {
        let (entity, response) = RandomResponse.make(model, &random)
        var reference = ReferencePopulation(model: model, graph: graph)
        let outcome = reference.importResponse(response, of: entity)
        all += 1
        open += outcome.openQuestion == nil ? 0 : 1
        failed += outcome.didFail ? 1 : 0
        keyless += outcome.hasKeyless ? 1 : 0
        codes.formUnion(outcome.codes)
        graph = reference.graph
      }
    }
    #expect(
      codes.isSuperset(of: [
        .emptyResultSet, .invalidItem, .nullElement, .noEntity, .valueType, .nullRequired, .manyForOne,
        .missingPrimaryKey, .inconsistentDuplicates, .inconsistentLinks, .entityChanged,
        .inconsistentParents, .unmatchedChild, .missingReference, .entityMismatch,
      ]))
    #expect(open * 8 < all)
    #expect(failed > 0 && failed * 10 < all)
    #expect(keyless * 5 > all && keyless * 5 < all * 4)
  }

  private func expectAgreement(_ value: ReferenceCase, seed: UInt64, isConsistent: Bool = false) {
    guard let message = Self.disagreement(value, isConsistent: isConsistent) else { return }
    // A reduced response is possibly inconsistent.
    let smallest =
      Self.disagreement(value) == nil
      ? value : ReferenceShrinker.shrunk(value) { Self.disagreement($0) != nil }
    let responses = smallest.responses.map { "\($0.entity): \($0.response.compactText())" }
    Issue.record(
      """
      seed \(seed)
      \(Self.disagreement(smallest) ?? message)
      --- model
      \(smallest.model)
      --- responses
      \(responses.joined(separator: "\n"))
      """)
  }

  // MARK: Comparing

  /// Returns the first difference between the engine and the reference, with both graphs, or nil if they agree.
  static func disagreement(_ value: ReferenceCase, isConsistent: Bool = false) -> String? {
    do {
      let engine = try ReferenceEngine(value.model)
      var graph = ReferenceGraph(value.model)
      var unordered: Set<PropertyName> = []
      for (number, (entity, response)) in value.responses.enumerated() {
        var reference = ReferencePopulation(model: value.model, graph: graph)
        let outcome = reference.importResponse(response, of: entity)
        // If the rules do not define the result, the comparison stops.
        if outcome.openQuestion != nil { return nil }
        unordered.formUnion(outcome.unordered)
        let before = try engine.graph()
        let (result, failure) = try engine.attempt(response, of: entity)
        let after = try engine.graph()
        graph = reference.graph
        let problem = problem(
          outcome, graph, result, failure, before.numbers, after, unordered, isConsistent: isConsistent)
        if let problem {
          return """
            response \(number): \(problem)
            --- expected
            \(graph)
            --- actual
            \(after.graph)
            """
        }
        if let violation = try engine.violations().first { return "response \(number): \(violation)" }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func problem(
    _ outcome: ReferencePopulation.Outcome, _ graph: ReferenceGraph, _ result: PopulationResult?,
    _ failure: RequestFailure?, _ before: [RecordID: Int],
    _ after: (graph: ReferenceGraph, numbers: [RecordID: Int]), _ unordered: Set<PropertyName>,
    isConsistent: Bool
  ) -> String? {
    let colors = ReferenceGraph.colors(graph, after.graph, unordered: unordered)
    guard colors.left.values.sorted() == colors.right.values.sorted() else { return "the graphs differ" }
    guard let result else {
      return outcome.didFail ? nil : "the engine failed: \(failure.map { "\($0)" } ?? "")"
    }
    if outcome.didFail { return "the engine saved an invalid graph" }

    func color(_ id: RecordID) -> Int { after.numbers[id].flatMap { colors.right[$0] } ?? -1 }
    func color(_ number: Int) -> Int { colors.left[number] ?? -2 }
    if result.records.map({ color($0) }) != outcome.records.map({ color($0) }) {
      return "the records of the result differ: expected \(outcome.records.map(graph.label))"
    }
    if result.summary.inserted.map({ color($0) }).sorted() != outcome.inserted.map({ color($0) }).sorted() {
      return "the inserted records differ: expected \(outcome.inserted.map(graph.label))"
    }
    let expected = outcome.updated.map { "\(color($0)): \($1.map(\.rawValue).sorted())" }.sorted()
    let actual = result.summary.updated.map { update in
      "\(color(update.id)): \(update.properties.map(\.rawValue).sorted())"
    }.sorted()
    if expected != actual {
      let labels = outcome.updated.map { "\(graph.label($0)) \($1.map(\.rawValue).sorted())" }
      return "the updated records differ: expected \(labels.sorted()), actual \(actual)"
    }
    let codes = Set(result.diagnostics.map(\.code))
    if codes != outcome.codes {
      return "diagnostics differ: expected \(outcome.codes.map(\.rawValue).sorted()), "
        + "actual \(codes.map(\.rawValue).sorted())"
    }
    if isConsistent, codes.contains(where: { $0.rawValue.hasPrefix("inconsistent") }) {
      return "the response is consistent, but the engine reports a conflict"
    }
    return nil
  }
}
