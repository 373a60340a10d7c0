import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// The engine over a file.
final class Engine: Contender {
  /// Nil once it is closed: a store closes its file when nobody holds it any more.
  private var coordinator: PersistentStoreCoordinator?
  private var store: SQLiteStore?
  private let schema: Schema
  private let entity: Int

  init(path: String) throws {
    let model = try Feed.model()
    schema = model.schema
    guard let entity = schema.indices["Post"] else { throw BenchmarkFailure("the model has no posts") }
    self.entity = entity
    let store = try SQLiteStore(url: URL(fileURLWithPath: path), schema: schema)
    self.store = store
    coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: [])
  }

  func importResponse(_ bytes: [UInt8]) throws {
    let store = try openStore()
    var population = Population(
      schema: schema, reader: store, entity: entity, response: "feed", options: PopulationOptions())
    let result = try population.populateAndSave(JSONDocument(parsing: bytes), to: store)
    if let diagnostic = result.diagnostics.first { throw BenchmarkFailure(diagnostic.message) }
  }

  func changedRows() throws -> Int { try openStore().totalChanges }

  func fetch(language: String) throws -> Int {
    guard let coordinator else { throw BenchmarkFailure("the store is closed") }
    let context = ManagedObjectContext(coordinator: coordinator)
    let request = RecordFetchRequest("Post", predicate: try RecordPredicate("language == \"\(language)\""))
    let columns = schema.entities[entity].attributes.map(\.name)
    let posts = try context.fetch(request)
    for post in posts {
      for column in columns { _ = post.value(of: column) }
    }
    return posts.count
  }

  func close() {
    coordinator = nil
    store = nil
  }

  private func openStore() throws -> SQLiteStore {
    guard let store else { throw BenchmarkFailure("the store is closed") }
    return store
  }

  static func digest(path: String) throws -> GraphDigest {
    let schema = try Feed.model().schema
    return try GraphDigest(
      reading: SQLiteStore(url: URL(fileURLWithPath: path), schema: schema), schema: schema)
  }
}
