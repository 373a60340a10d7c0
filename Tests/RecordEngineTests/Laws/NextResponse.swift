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
