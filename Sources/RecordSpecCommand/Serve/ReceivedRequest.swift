/// A request that was received over HTTP.
struct ReceivedRequest: Sendable {
  var method: String
  /// The path and the query as they were sent, such as `/books?page=2`.
  var target: String
  var headers: [String: String] = [:]
  var body: [UInt8] = []
}

/// The answer to a request that was received over HTTP.
struct ServedResponse: Sendable {
  enum Content: Sendable {
    case message(status: Int, headers: [String: String], body: [UInt8])
    /// The connection is closed before the response is complete.
    case closedConnection
  }

  var content: Content
  /// The time from the request to its response.
  var delay: Duration
}
