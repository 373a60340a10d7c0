import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// The engine over a file, as an app uses it: one container, one context, requests.
final class Engine: Contender {
  /// Nil once it is closed: a store closes its file when nobody holds it any more.
  private var opened: (container: PersistentContainer, context: ManagedObjectContext, store: SQLiteStore)?
  private let server = NextResponse()
  private let attributes: [PropertyName]

  init(path: String) throws {
    let model = try Feed.model()
    attributes = model.schema.entity("Post")?.attributes.map(\.name) ?? []
    let store = try SQLiteStore(url: URL(fileURLWithPath: path), schema: model.schema)
    let container = PersistentContainer(model: model, store: store, server: server)
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

/// A server that answers with the bytes that it was given last.
// Unchecked: `bytes` is read and written under `lock` alone.
private final class NextResponse: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8] = []

  func set(_ bytes: [UInt8]) { lock.withLock { self.bytes = bytes } }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    ServerResponse(.bytes(lock.withLock { bytes }))
  }
}
