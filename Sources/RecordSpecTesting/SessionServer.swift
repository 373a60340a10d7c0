internal import Foundation
internal import ScenarioFormat
internal import ScenarioRun

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The server of a scenario for requests in the same process: those of its session, and those that are sent without one.
final class SessionServer: Sendable {
  private let server: AppServer
  private let protocolClass: ScenarioURLProtocol.Type
  /// The session whose requests, and only its own, the server answers.
  let session: URLSession

  init(_ server: AppServer) {
    self.server = server
    protocolClass = URLProtocolPool.shared.takeClass(for: server)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [protocolClass]
    session = URLSession(configuration: configuration)
  }

  /// Cancels the requests of the session, and all that the app sends later. The session stays valid: with an invalid one, a
  /// request that the app did not await would end the process on Linux.
  func close() {
    URLProtocolPool.shared.giveBack(protocolClass)
    session.getAllTasks { tasks in
      for task in tasks { task.cancel() }
    }
  }

  func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    try await server.response(to: request)
  }
}

extension AppServer {
  /// Returns the response to a request. Follows redirects, as a session does.
  func response(to request: URLRequest) async throws -> (Data, HTTPURLResponse) {
    guard let url = request.url else { throw URLError(.badURL) }
    let asked = AppRequest(
      method: request.httpMethod ?? "GET", url: url.absoluteString,
      headers: request.allHTTPHeaderFields ?? [:], body: Array(request.sentBody))
    switch await finalResponse(to: asked) {
    case .failure(let failure): throw URLError(failure.code)
    case .message(let message, let url):
      guard let url = URL(string: url),
        let response = HTTPURLResponse(
          url: url, statusCode: message.status, httpVersion: "HTTP/1.1", headerFields: message.headers)
      else { throw URLError(.badServerResponse) }
      return (Data(message.body), response)
    }
  }
}

extension URLRequest {
  /// The body, which a session turns into a stream.
  fileprivate var sentBody: Data {
    if let httpBody { return httpBody }
    guard let stream = httpBodyStream else { return Data() }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while case let count = stream.read(&buffer, maxLength: buffer.count), count > 0 {
      body += buffer[..<count]
    }
    return body
  }
}

extension ServerFailure {
  /// The error of a session for the failure.
  fileprivate var code: URLError.Code {
    switch self {
    case .timeout: .timedOut
    case .offline: .notConnectedToInternet
    case .cannotFindHost: .cannotFindHost
    case .cannotConnect: .cannotConnectToHost
    case .connectionLost: .networkConnectionLost
    case .secureConnectionFailed: .secureConnectionFailed
    case .sessionTimeout: .userAuthenticationRequired
    }
  }
}
