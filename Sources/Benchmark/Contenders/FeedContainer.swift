import Foundation
import RecordEngine

extension Feed {
  /// Returns a container with the record types of the feed, whose store contains the whole feed.
  ///
  /// - Parameter file: the path of a new store; nil for a store in memory.
  func container(file: String?) async throws -> PersistentContainer {
    var configuration = PersistentContainer.Configuration(server: FeedServer(bytes: bytes))
    if let file { configuration.store = .file(URL(fileURLWithPath: file)) }
    let container = try PersistentContainer(
      model: Self.model(), recordTypes: FeedRecordTypes.all, configuration: configuration)
    let result = try await container.request("Post", urn: "feed", context: container.makeContext())
    if let diagnostic = result.diagnostics.first { throw BenchmarkFailure(diagnostic.message) }
    return container
  }
}

/// A server that returns the feed.
private struct FeedServer: Server {
  let bytes: [UInt8]

  func response(to request: ServerRequest) async -> ServerResponse { ServerResponse(.bytes(bytes)) }
}
