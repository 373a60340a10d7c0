import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for properties of drift reports with random models and responses. Rule: `diagnostics.drift`.
@Suite struct DriftLawsTests {
  private func report(
    _ model: RandomModel, _ response: JSONValue, of entity: EntityName
  ) async throws -> DriftReport {
    let container = try PersistentContainer(
      model: try model.checked(), configuration: .init(server: CannedServer(["a": response])))
    var options = RequestOptions()
    options.reportsDrift = true
    do {
      let result: RequestResult<Record> = try await container.request(
        entity, urn: "a", options: options, context: container.makeContext())
      return try #require(result.drift)
    } catch let failure as RequestFailure {
      return try #require(failure.drift, "\(failure)")
    }
  }

  private func make(_ seed: UInt64) -> (RandomModel, EntityName, JSONValue, RandomNumbers) {
    var random = RandomNumbers(seed: seed &* 6151)
    let model = RandomModel(&random)
    let (entity, response) = RandomResponse.make(model, &random)
    return (model, entity, response, random)
  }

  @Test(arguments: randomSeeds(200)) func reportsAreWhatTheReferenceSays(seed: UInt64) async throws {
    let (model, entity, response, _) = make(seed)
    let found = ReferenceDrift.lines(try await report(model, response, of: entity))
    let expected = ReferenceDrift(model, response, of: entity).lines
    #expect(
      found == expected,
      "\(entity): \(response.compactText())\n\(model)\nonly found: \(found.subtracting(expected).sorted())\nonly expected: \(expected.subtracting(found).sorted())"
    )
  }

  /// Merging the reports on two responses results in the report on a response with the items of both.
  @Test(arguments: randomSeeds(100)) func mergingIsAsIfAllHadComeAtOnce(seed: UInt64) async throws {
    var (model, entity, response, random) = make(seed)
    guard case .array(let items) = response else { return }
    let cut = random.number(0...items.count)
    let parts = [Array(items[..<cut]), Array(items[cut...])]
    let first = try await report(model, .array(parts[0]), of: entity)
    let second = try await report(model, .array(parts[1]), of: entity)
    let whole = try await report(model, response, of: entity)
    #expect(ReferenceDrift.lines(first.merging(second)) == ReferenceDrift.lines(whole))
    #expect(ReferenceDrift.lines(second.merging(first)) == ReferenceDrift.lines(whole))
  }
}
