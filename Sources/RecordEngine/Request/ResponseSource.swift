import JSONTree

/// Where the answers to requests come from: the servers, or something that stands before them and may know an answer.
protocol ResponseSource: Sendable {
  /// Ends when the request is cancelled.
  ///
  /// - Throws: what the server throws; `cancelled`.
  func answer(to request: PreparedRequest) async throws -> RequestAnswer

  /// Forgets what it knows of the address of a request.
  func forget(_ request: PreparedRequest) async throws
}

/// The answer to a request: a response, or the records that a response became before.
struct RequestAnswer: Sendable {
  enum Content: Sendable {
    case response(ServerResponse)
    case records(StoredRecords)
  }

  var content: Content
  var body: ResponseBody
  var headers: [String: String]
  var served = Served.network
  /// What has been noticed about it.
  var diagnostics: [Diagnostic] = []
  /// Who wants to know what becomes of a response.
  var keeper: (any ResponseWriter)?

  /// The records of the answer, if it needs no populating.
  var storedRecords: StoredRecords? { if case .records(let records) = content { records } else { nil } }

  /// What has to be populated; nil for an empty body.
  var document: JSONDocument? { storedRecords == nil ? body.root?.document : nil }
}

extension RequestAnswer {
  init(_ response: ServerResponse) {
    self.init(content: .response(response), body: ResponseBody(response.body), headers: response.headers)
  }
}

/// Where an answer has come from. Rules: `cache.*`.
public enum Served: String, Hashable, Sendable, CaseIterable {
  /// The server has sent it.
  case network
  /// It was stored, and still holds.
  case cache
  /// It was stored, and the server says that it still holds.
  case revalidated
  /// It was stored, and answers though it holds no longer, because the server failed.
  case stale
}

/// Who keeps what a response has become. It is told once if the response is saved, and let go in any case.
protocol ResponseWriter: AnyObject, Sendable {
  /// The response is saved, and its records are in the store.
  ///
  /// - Parameters:
  ///   - records: as the store had them right after the save.
  ///   - noticed: what was noticed about the response, before anybody judged it.
  /// - Returns: what has gone wrong; the request has not.
  func keep(_ records: StoredRecords, body: ResponseBody, noticed: [Diagnostic]) -> [Diagnostic]
}

/// A server that has to know which of its requests do not come, because another one that is under way may bring their
/// answer: scenarios wait for what comes.
package protocol QueueingServer: Server {
  /// The request waits for another one to end.
  func isHeldBack(_ request: ServerRequest, behind other: ServerRequest)
  /// It goes on: it comes, or ends.
  func goesOn(_ request: ServerRequest)
  /// Comes back when it is the request's turn to go on, of all that have waited for the same.
  func waitForTurn(of request: ServerRequest) async
}
