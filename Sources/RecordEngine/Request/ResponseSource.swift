import JSONTree

/// A source of answers to requests: the servers, or a cache in front of them.
protocol ResponseSource: Sendable {
  /// Returns the answer to a request. Ends when the request is canceled.
  ///
  /// - Throws: the errors of the server; `cancelled`.
  func answer(to request: PreparedRequest) async throws -> RequestAnswer

  /// Removes everything that is stored for the address of a request.
  func forget(_ request: PreparedRequest) async throws
}

/// The answer to a request: a response, or the stored records of an earlier response.
struct RequestAnswer: Sendable {
  enum Content: Sendable {
    case response(ServerResponse)
    case records(StoredRecords)
  }

  var content: Content
  var body: ResponseBody
  var headers: [String: String]
  var served = Served.network
  /// The cache entry of the stored records; nil for a response.
  var cacheEntry: CacheEntryID?
  /// The diagnostics about the answer.
  var diagnostics: [Diagnostic] = []
  /// The writer that stores the response after it is saved, if there is one.
  var keeper: (any ResponseWriter)?

  /// The response of the server; nil for stored records.
  var response: ServerResponse? { if case .response(let response) = content { response } else { nil } }

  /// The records of the answer, if they are stored already and nothing has to be populated.
  var storedRecords: StoredRecords? { if case .records(let records) = content { records } else { nil } }

  /// The document to populate; nil for an empty body, and for stored records.
  var document: JSONDocument? { storedRecords == nil ? body.root?.document : nil }
}

extension RequestAnswer {
  init(_ response: ServerResponse) {
    self.init(
      content: .response(response),
      body: ResponseBody(response.canHaveContent ? response.body : .bytes([])), headers: response.headers)
  }
}

extension ServerResponse {
  /// A Boolean value that indicates whether a response with this status can have a body. The body of a response with the
  /// status 204 or 205 is ignored (RFC 9110, sections 15.3.5 and 15.3.6). Rule: `response.no-content`.
  var canHaveContent: Bool { ![204, 205].contains(status) }
}

/// The source of a response. Rules: `cache.*`.
public enum Served: String, Hashable, Sendable, CaseIterable {
  /// The server.
  case network
  /// A cached response, used without asking the server.
  case cache
  /// A cached response that the server has confirmed.
  case revalidated
  /// A stale cached response, used because the server failed.
  case stale
}

/// A writer that stores the records of a response. It is called once if the response is saved, and released in any
/// case.
protocol ResponseWriter: AnyObject, Sendable {
  /// Stores a response that has been saved.
  ///
  /// - Parameters:
  ///   - records: the records as they were in the store immediately after the save.
  ///   - noticed: the diagnostics of the response, before a debugger judged them.
  /// - Returns: the entry of the response, nil if it was not stored, and the diagnostics of storing it. They do not fail
  ///   the request.
  func keep(
    _ records: StoredRecords, body: ResponseBody, noticed: [Diagnostic]
  ) -> (entry: CacheEntryID?, diagnostics: [Diagnostic])
}

/// A server that is notified of requests that wait for another in-flight request, and may never be sent. Scenarios use
/// it to know which requests to wait for. Its functions suspend the task of a request, and never block the thread.
package protocol QueueingServer: Server {
  /// Notifies the server that a request waits for another one to end.
  func isHeldBack(_ request: ServerRequest, behind other: ServerRequest)
  /// Notifies the server that a request continues: it is sent, or it ends.
  func goesOn(_ request: ServerRequest)
  /// Returns when a request may continue, of all requests that have waited for the same one.
  func waitForTurn(of request: ServerRequest) async
}
