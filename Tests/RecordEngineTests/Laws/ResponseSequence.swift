import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Random sequences of responses for the tests of laws.
enum ResponseSequence {
  /// The handling of one response.
  struct Step: CustomStringConvertible {
    var isPersisted: Bool
    /// A Boolean value that indicates whether the context is saved after the response.
    var saves = false

    var description: String { (isPersisted ? "saved at once" : "unsaved") + (saves ? ", then save" : "") }
  }

  static func make(_ seed: UInt64, keyed: Bool = true) -> (ReferenceCase, RandomNumbers) {
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
  static func listed(
    _ value: ReferenceCase, _ random: RandomNumbers, chance: Int = 50
  ) -> Set<EntityName> {
    var random = random
    guard random.chance(chance) else { return [] }
    let names = value.model.entities.map(\.name)
    return Set(names.filter { _ in random.chance(60) } + random.shuffled(names).prefix(1))
  }

  /// Shrinks a case that breaks a law, and reports it.
  static func expect(
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

  /// Saves each response immediately. Returns the accepted responses in which all items have keys, and the graph after
  /// each of them.
  static func savedAtOnce(
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
}
