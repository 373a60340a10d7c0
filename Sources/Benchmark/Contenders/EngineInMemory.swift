import JSONTree
import RecordEngine
import RecordModel

/// The engine without a database: parse, map, deduplicate, link.
struct EngineInMemory {
  private let model: ManagedObjectModel
  private let entity: EntityIndex

  init() throws {
    model = try Feed.model()
    guard let entity = model.schema.indices["Post"] else { throw BenchmarkFailure("the model has no posts") }
    self.entity = entity
  }

  /// Populates an empty store with a response, without saving.
  func populate(_ bytes: [UInt8]) throws -> PopulationResult {
    let population = population(of: MemoryStore(schema: model.schema))
    return try population.populate(JSONDocument(parsing: bytes))
  }

  /// Populates an empty store with a response, and saves it.
  func populateAndSave(_ bytes: [UInt8]) throws -> MemoryStore {
    let store = MemoryStore(schema: model.schema)
    let population = population(of: store)
    _ = try population.populateAndSave(JSONDocument(parsing: bytes), to: store)
    return store
  }

  func digest(of store: MemoryStore) throws -> GraphDigest {
    try GraphDigest(reading: store, schema: model.schema)
  }

  private func population(of store: MemoryStore) -> Population {
    Population(
      schema: model.schema, reader: store, entity: entity, response: "feed", options: PopulationOptions())
  }
}
