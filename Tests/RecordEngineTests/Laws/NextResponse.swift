import Foundation
import RecordEngine

/// A server that responds to the next request with a given body.
final class NextResponse: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var body: JSONValue = .null

  func set(_ body: JSONValue) { lock.withLock { self.body = body } }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    ServerResponse(.json(lock.withLock { body }))
  }
}

extension NextResponse {
  /// Sends a request whose response has a body, for a context.
  ///
  /// - Parameter isSaved: false to leave the response unsaved in the context.
  @discardableResult
  func request(
    _ entity: EntityName, _ body: JSONValue, from container: PersistentContainer,
    _ context: ManagedObjectContext, isSaved: Bool, isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    var options = RequestOptions()
    options.automaticallyPersistsRecords = isSaved
    set(body)
    return try await container.request(entity, urn: "next", options: options, context: context)
  }
}
