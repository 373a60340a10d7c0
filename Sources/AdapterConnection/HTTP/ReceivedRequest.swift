/// A request that was received over HTTP.
package struct ReceivedRequest: Sendable {
  package var method: String
  /// The path and the query as they were sent, such as `/books?page=2`.
  package var target: String
  package var headers: [String: String] = [:]
  package var body: [UInt8] = []

  package init(method: String, target: String, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
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

  package init(content: Content, delay: Duration = .zero) { (self.content, self.delay) = (content, delay) }
}
