import Foundation
import RecordEngine

/// The engine with a cache, and a server whose response stays valid.
final class CachedEngine {
  /// The caching of a request.
  enum Wish {
    /// Caching is off: the response is parsed and populated.
    case off
    /// Caching is on.
    case on
    /// Caching is on, and the cached response is revalidated with the server.
    case checked
  }

  private let server: SteadyServer
  private let container: PersistentContainer
  private var context: ManagedObjectContext
  /// The records of the context, which are retained so that the context keeps them.
  private var held: [Record] = []

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - files: the paths of the store and the cache; nil for both in memory.
  ///   - recognizesRepetition: a Boolean value that indicates whether a response that changed nothing is not populated
  ///     again.
  init(_ bytes: [UInt8], files: (store: String, cache: String)?, recognizesRepetition: Bool) throws {
    server = SteadyServer(bytes)
    let model = try Feed.model()
    let limits = RecordCache.Limits(maximumSize: 8 * bytes.count)
    let store: any Store =
      try files.map { try SQLiteStore(url: URL(fileURLWithPath: $0.store), schema: model.schema) }
      ?? MemoryStore(schema: model.schema)
    let cache =
      try files.map { try RecordCache(url: URL(fileURLWithPath: $0.cache), limits: limits) }
      ?? RecordCache(limits: limits)
    container = PersistentContainer(
      model: model, store: store, configuration: .init(server: server, cache: cache),
      recognizesRepetition: recognizesRepetition)
    context = container.makeContext()
  }

  /// Replaces the context by one without records.
  func makeCold() { (context, held) = (container.makeContext(), []) }

  /// Replaces the context by one that holds all posts and has read them.
  func makeWarm() throws {
    makeCold()
    held = try context.fetch(RecordFetchRequest("Post"))
    _ = read(held)
  }

  /// Requests the feed.
  ///
  /// - Parameters:
  ///   - part: a Boolean value that indicates whether only the metadata of the response is requested.
  ///   - urn: the address. Every address has the same response.
  func request(
    _ wish: Wish, part: Bool = false, urn: String = "feed"
  ) async throws -> RequestResult<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = wish != .off
    options.keyPathForMetaData = part ? "meta" : nil
    if wish == .checked { options.headers["Cache-Control"] = "no-cache" }
    return try await container.request("Post", urn: urn, options: options, context: context)
  }

  /// Reads every attribute of some posts, and returns the sum of their identifiers.
  func read(_ posts: [Record]) -> Int {
    let names = container.model.schema.entity("Post")?.attributes.map(\.name) ?? []
    var sum = 0
    for post in posts {
      for name in names {
        if case .integer(let value) = post.value(of: name), name == "id" { sum += Int(value) }
      }
    }
    return sum
  }
}

/// A server with one response that is fresh for an hour. It confirms the response on revalidation.
private struct SteadyServer: Server {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func response(to request: ServerRequest) async -> ServerResponse {
    let headers = [
      "Cache-Control": "max-age=3600", "Content-Type": "application/json", "ETag": "\"1\"",
    ]
    return request.headers["If-None-Match"] == nil
      ? ServerResponse(.bytes(bytes), headers: headers)
      : ServerResponse(.bytes([]), status: 304, headers: headers)
  }

  func description(of request: ServerRequest) async -> ServerRequest? { request }
}
