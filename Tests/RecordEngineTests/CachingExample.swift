import Foundation
import RecordEngine

// The programs of the article on caching.

// Caching begin
func cachingContainer(
  _ model: ManagedObjectModel, server: any Server, folder: URL
) throws -> PersistentContainer {
  let cache = try RecordCache(url: folder.appendingPathComponent("Posts.cache"))
  return try PersistentContainer(
    model: model, storeURL: folder.appendingPathComponent("Posts.store"), server: server, cache: cache)
}
// Caching end

// Caching begin
/// What a pull to refresh asks for: what is kept answers only if the server says that it holds.
func feed(refreshes: Bool) -> RecordRequest<Record> {
  var options = RequestOptions()
  options.isRecordLevelCachingEnabled = true
  if refreshes { options.headers["Cache-Control"] = "no-cache" }
  return RecordRequest(entity: "Post", urn: "feed", options: options)
}
// Caching end

// Caching begin
/// The server has told in another way, by a push notification for example, that the feed has changed.
func feedHasChanged(_ container: PersistentContainer) async throws {
  try await container.removeCachedResponses(for: feed(refreshes: false))
}
// Caching end

// Caching begin
/// A server that says what it sends, and what may be kept of its answers.
struct FeedFiles: Server {
  /// A body and its tag, by address.
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
