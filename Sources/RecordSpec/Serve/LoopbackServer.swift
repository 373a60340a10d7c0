import ScenarioFormat
import ScenarioReport

/// An HTTP server that accepts connections from this machine only.
package protocol LoopbackServer: Sendable {
  /// Starts to listen, and answers requests until the process ends.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 for any free port.
  ///   - handler: a function that returns the response to a request. Requests are handled concurrently.
  /// - Returns: the port.
  func listen(
    on port: UInt16, handler: @escaping @Sendable (ReceivedRequest) async -> ServedResponse
  ) async throws(LoopbackServerError) -> UInt16
}

/// An error that indicates that a server cannot listen on a port.
package struct LoopbackServerError: Error {
  /// The reason, in the system's words.
  package let reason: String

  package init(reason: String) { self.reason = reason }
}

/// A request that was received over HTTP.
package struct ReceivedRequest: Sendable {
  package var method: String
  /// The path and the query as they were sent, such as `/books?page=2`.
  package var target: String
  package var headers: [String: String]
  package var body: [UInt8]

  package init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }
}

/// The answer to a request that was received over HTTP.
package struct ServedResponse: Sendable {
  package enum Content: Sendable {
    case message(status: Int, headers: [String: String], body: [UInt8])
    /// The connection is closed before the response is complete.
    case closedConnection
  }

  package var content: Content
  /// The time from the request to its response.
  package var delay: Duration
}
