import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for laws of the engine that hold for every model and every response, without a reference implementation.
@Suite struct LawsTests {
  /// Returns a model and responses for it. The responses of even seeds are consistent, because they describe one graph.
  private static func make(_ seed: UInt64) -> (ReferenceCase, RandomNumbers) {
    var random = RandomNumbers(seed: seed &* 7919)
    let model = RandomModel(&random, isKeyed: true, isDemanding: seed % 4 < 2)
    var truth = RandomTruth(model, &random)
    let responses = (0..<random.number(1...3)).map { _ in
      truth.change(&random)
      return seed % 2 == 0 ? truth.response(&random) : RandomResponse.make(model, &random)
    }
    return (ReferenceCase(model: model, responses: responses), random)
  }

  /// Shrinks a case that breaks a law, and reports it.
  private func expect(
    _ law: String, _ value: ReferenceCase, seed: UInt64, _ broken: (ReferenceCase) throws -> String?
  ) {
    func message(_ value: ReferenceCase) -> String? {
      do { return try broken(value) } catch { return "\(error)" }
    }
    guard message(value) != nil else { return }
    let smallest = ReferenceShrinker.shrunk(value) { message($0) != nil }
    let responses = smallest.responses.map { "\($0.entity): \($0.response.compactText())" }
    Issue.record(
      """
      seed \(seed)
      \(law): \(message(smallest) ?? "")
      --- model
      \(smallest.model)
      --- responses
      \(responses.joined(separator: "\n"))
      """)
  }

  /// Returns a Boolean value that indicates whether a response contains an item without an identity.
  private static func hasKeyless(_ value: ReferenceCase) -> Bool {
    var graph = ReferenceGraph(value.model)
    for (entity, response) in value.responses {
      var reference = ReferencePopulation(model: value.model, graph: graph)
      let outcome = reference.importResponse(response, of: entity)
      if outcome.hasKeyless { return true }
      graph = reference.graph
    }
    return false
  }

  // MARK: Laws

  /// Rule: `request.changes`.
  @Test(arguments: randomSeeds(150)) func theSameResponseAgainChangesNothing(seed: UInt64) throws {
    let (value, _) = Self.make(seed)
    expect("again", value, seed: seed) { value in
      if Self.hasKeyless(value) { return nil }
      let engine = try ReferenceEngine(value.model)
      for (entity, response) in value.responses {
        let (first, _) = try engine.attempt(response, of: entity)
        let (again, _) = try engine.attempt(response, of: entity)
        if (first == nil) != (again == nil) { return "only one of the two responses fails" }
        guard let again else { continue }
        if !again.summary.isEmpty { return "\(again.summary)" }
        if !again.changes.isEmpty { return "\(again.changes)" }
        if again.records != first?.records { return "the records differ" }
      }
      return nil
    }
  }

  /// Rule: `merge.order-free`.
  @Test(arguments: randomSeeds(150)) func theOrderOfItemsAndKeysDoesNotMatter(seed: UInt64) throws {
    let (value, random) = Self.make(seed)
    expect("order", value, seed: seed) { value in
      // The match of an item with one of several children depends on the items before it. A hook depends on the JSON of
      // the first item.
      if Self.hasKeyless(value) || value.model.hasChildrenAmongSeveral || value.model.hooked != nil {
        return nil
      }
      let unordered = Set(value.model.entities.flatMap(\.relationships).filter(\.isOrdered).map(\.name))
      var random = random
      for _ in 0..<3 {
        let engine = try ReferenceEngine(value.model)
        let other = try ReferenceEngine(value.model)
        for (entity, response) in value.responses {
          let shuffled = Self.shuffled(response, value.model, &random)
          let (result, failure) = try engine.attempt(response, of: entity)
          let (otherResult, otherFailure) = try other.attempt(shuffled, of: entity)
          let diagnostics = [
            result?.diagnostics, otherResult?.diagnostics, failure?.diagnostics,
            otherFailure?.diagnostics,
          ].compactMap(\.self).joined()
          if diagnostics.contains(where: { $0.code.rawValue.hasPrefix("inconsistent") }) { break }
          let (left, right) = (try engine.graph().graph, try other.graph().graph)
          if !ReferenceGraph.areEqual(left, right, unordered: unordered) {
            return """
              \(shuffled.compactText()) differs
              --- in order
              \(left)
              --- shuffled
              \(right)
              """
          }
        }
      }
      return nil
    }
  }

  /// Rules: `relationships.inverse`, `identity.attribute-key`.
  @Test(arguments: randomSeeds(150)) func inversesAgreeAndKeysAreUnique(seed: UInt64) throws {
    let (value, _) = Self.make(seed)
    expect("invariants", value, seed: seed) { value in
      let engine = try ReferenceEngine(value.model)
      for (entity, response) in value.responses {
        if let broken = try engine.brokenInvariants(response, of: entity).first { return broken }
        _ = try engine.attempt(response, of: entity)
        if let violation = try engine.violations().first { return violation }
      }
      return nil
    }
  }

  /// Rule: `population.results`.
  @Test(arguments: randomSeeds(150)) func thereIsOneRecordForEachItemInOrder(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed)
    let model = RandomModel(&random)
    guard let entity = model.entities.map(\.name).first(where: { model.keyAttributes($0)?.count == 1 }),
      let key = model.keyAttributes(entity)?.first, !model.isAbstract(entity)
    else { return }
    let engine = try ReferenceEngine(model)
    let numbers = (0..<20).map { _ in random.number(1...8) }
    let items = numbers.map { number -> JSONValue in
      random.chance(50) ? .string(String(number)) : [key.name.rawValue: .number(JSONNumber(Int64(number)))]
    }
    let result = try engine.importResponse(.array(items), of: entity)
    let (graph, recordNumbers) = try engine.graph()
    let found = result.records.map { id in
      recordNumbers[id].flatMap { graph.records[$0]?.values[key.name] }
        .flatMap { ReferenceValue.converted($0, to: .string) }
    }
    #expect(found == numbers.map { .string(String($0)) })
    #expect(Set(result.records).count == Set(numbers).count)
  }

  // MARK: Shuffling

  /// Returns the response with its items, list elements and dictionary keys in another order. Arrays for to-one
  /// relationships keep their order, because their first element is used.
  private static func shuffled(
    _ value: JSONValue, _ model: RandomModel, keepsOrder: Bool = false, _ random: inout RandomNumbers
  ) -> JSONValue {
    switch value {
    case .array(let elements):
      let inner = elements.map { shuffled($0, model, keepsOrder: keepsOrder, &random) }
      return .array(keepsOrder ? inner : random.shuffled(inner))
    case .object(let members):
      let toOnes = model.entities.flatMap(\.relationships).filter { !$0.isToMany }.map(\.name.rawValue)
      let inner = members.map { key, value in
        let isToOne = toOnes.contains { key == $0 || key == $0 + "Alt" }
        return (key, shuffled(value, model, keepsOrder: isToOne, &random))
      }
      return .object(JSONObject(random.shuffled(inner)))
    default: return value
    }
  }
}
