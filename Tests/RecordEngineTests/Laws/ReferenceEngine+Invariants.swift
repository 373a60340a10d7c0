import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

extension ReferenceEngine {
  /// Returns the broken invariants of the graph that a response is populated into, before the save.
  func brokenInvariants(_ response: JSONValue, of entity: EntityName) throws -> [String] {
    let index = try #require(schema.indices[entity])
    let population = Population(
      schema: schema, reader: store, entity: index, response: "test", options: PopulationOptions())
    let populated: PopulatedResponse
    do {
      populated = try population.records(of: JSONDocument(response))
    } catch {
      return []
    }
    return try populated.graph.brokenInvariants()
  }
}
