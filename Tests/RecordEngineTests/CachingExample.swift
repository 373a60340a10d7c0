import Foundation
import RecordEngine

// The example programs of the article on caching. A test compares them with the article.

// Caching begin
func cachingContainer(
  _ model: ManagedObjectModel, server: any Server, folder: URL
) throws -> PersistentContainer {
  let cache = try RecordCache(url: folder.appendingPathComponent("Posts.cache"))
  return try PersistentContainer(
    model: model,
    configuration: .init(
      store: .file(folder.appendingPathComponent("Posts.store")), server: server, cache: cache))
}
// Caching end

// Caching begin
/// Returns the request for the feed. With `refreshes`, a cached response is used only after the server has confirmed it.
func feed(refreshes: Bool) -> RecordRequest<Record> {
  var options = RequestOptions()
  options.isRecordLevelCachingEnabled = true
  if refreshes { options.headers["Cache-Control"] = "no-cache" }
  return RecordRequest(entity: "Post", urn: "feed", options: options)
}
// Caching end

// Caching begin
/// Removes the cached feed after the server has announced a change, for example by a push notification.
func feedHasChanged(_ container: PersistentContainer) async throws {
  try await container.removeCachedResponses(for: feed(refreshes: false))
}
// Caching end

// Caching begin
/// A server that describes its requests and declares how long its responses are fresh.
struct FeedFiles: Server {
  /// The bodies and their entity tags, by address.
  let feeds: [String: (body: [UInt8], tag: String)]

  func description(of request: ServerRequest) -> ServerRequest? {
    ServerRequest(urn: "https://feeds.test/\(request.urn)", headers: request.headers)
  }

  func response(to request: ServerRequest) -> ServerResponse {
    guard let feed = feeds[request.urn] else { return ServerResponse(.bytes([]), status: 404) }
    let headers = ["Cache-Control": "private, max-age=60", "ETag": feed.tag]
    if request.header("If-None-Match") == feed.tag {
      return ServerResponse(.bytes([]), status: 304, headers: headers)
    }
    return ServerResponse(.bytes(feed.body), headers: headers)
  }
}
// Caching end

// Caching begin
func testCache(now: @escaping @Sendable () -> Date) -> RecordCache {
  RecordCache(limits: RecordCache.Limits(maximumSize: 1 << 20, maximumAge: .seconds(3600)), now: now)
}
// Caching end
