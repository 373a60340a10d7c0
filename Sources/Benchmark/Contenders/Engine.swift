import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// The engine with a file, as apps use it: one container, one context, and requests.
final class Engine: Contender {
  /// The open store; nil after closing. A store closes its file when it is deallocated.
  private var opened: (container: PersistentContainer, context: ManagedObjectContext, store: SQLiteStore)?
  private let server = NextResponse()
  private let attributes: [PropertyName]

  init(path: String) throws {
    let model = try Feed.model()
    attributes = model.schema.entity("Post")?.attributes.map(\.name) ?? []
    let store = try SQLiteStore(url: URL(fileURLWithPath: path), schema: model.schema)
    let container = PersistentContainer(model: model, store: store, configuration: .init(server: server))
    opened = (container, container.makeContext(), store)
  }

  func importResponse(_ bytes: [UInt8]) async throws {
    let opened = try open()
    server.set(bytes)
    let result = try await opened.container.request(
      "Post", urn: "feed", context: opened.context)
    if let diagnostic = result.diagnostics.first { throw BenchmarkFailure(diagnostic.message) }
  }

  func changedRows() throws -> Int { try open().store.totalChanges }

  func fetch(language: String) throws -> Int {
    let opened = try open()
    let request = RecordFetchRequest("Post", predicate: try RecordPredicate("language == \"\(language)\""))
    let posts = try opened.context.fetch(request)
    for post in posts {
      for attribute in attributes { _ = post.value(of: attribute) }
    }
    return posts.count
  }

  func close() { opened = nil }

  private func open() throws -> (
    container: PersistentContainer, context: ManagedObjectContext, store: SQLiteStore
  ) {
    guard let opened else { throw BenchmarkFailure("the store is closed") }
    return opened
  }

  static func digest(path: String) throws -> GraphDigest {
    let schema = try Feed.model().schema
    return try GraphDigest(
      reading: SQLiteStore(url: URL(fileURLWithPath: path), schema: schema), schema: schema)
  }
}

/// A server that returns the bytes that were set last.
// Unchecked: `bytes` is only accessed while `lock` is held.
private final class NextResponse: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8] = []

  func set(_ bytes: [UInt8]) { lock.withLock { self.bytes = bytes } }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    ServerResponse(.bytes(lock.withLock { bytes }))
  }
}
