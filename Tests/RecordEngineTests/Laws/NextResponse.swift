import Foundation
import RecordEngine

/// Answers the next request with what it is told.
final class NextResponse: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var body: JSONValue = .null

  func set(_ body: JSONValue) { lock.withLock { self.body = body } }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    ServerResponse(.json(lock.withLock { body }))
  }
}
