import Foundation
import RecordEngine

/// The engine with a cache, beside one server whose response holds until it says otherwise.
final class CachedEngine {
  /// What a request wants of the cache.
  enum Wish {
    /// Nothing: the response is parsed and populated.
    case off
    /// To be answered as it likes.
    case on
    /// The server's word that what is kept still holds.
    case checked
  }

  private let server: SteadyServer
  private let container: PersistentContainer
  private var context: ManagedObjectContext
  /// What the context hands out, so that it does not forget it.
  private var held: [Record] = []

  /// - Parameter files: where the store and the cache are; nil for both in memory.
  init(_ bytes: [UInt8], files: (store: String, cache: String)?) throws {
    server = SteadyServer(bytes)
    let model = try Feed.model()
    let limits = RecordCache.Limits(maximumSize: 8 * bytes.count)
    if let files {
      container = try PersistentContainer(
        model: model, storeURL: URL(fileURLWithPath: files.store), server: server,
        cache: RecordCache(url: URL(fileURLWithPath: files.cache), limits: limits))
    } else {
      container = try PersistentContainer(model: model, server: server, cache: RecordCache(limits: limits))
    }
    context = container.makeContext()
  }

  /// A context that knows nothing.
  func makeCold() { (context, held) = (container.makeContext(), []) }

  /// A context that holds all posts, and has read them.
  func makeWarm() throws {
    makeCold()
    held = try context.fetch(RecordFetchRequest("Post"))
    _ = read(held)
  }

  /// - Parameters:
  ///   - part: whether nothing of the response is wanted but its metadata.
  ///   - urn: every address has the same response.
  func request(
    _ wish: Wish, part: Bool = false, urn: String = "feed"
  ) async throws -> RequestResult<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = wish != .off
    options.keyPathForMetaData = part ? "meta" : nil
    if wish == .checked { options.headers["Cache-Control"] = "no-cache" }
    return try await container.request("Post", urn: urn, options: options, context: context)
  }

  /// Reads every attribute of some posts, and answers the sum of their ids.
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

/// A server that answers one response, which holds for an hour, or that it still holds.
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
