import FlyingFox
import FlyingSocks
import Foundation

/// An HTTP server that accepts connections from this machine only.
package struct LoopbackServer: Sendable {
  package let port: UInt16
  private let server: HTTPServer

  /// Stops to listen, and closes all connections.
  package func stop() async { await server.stop() }

  /// Starts to listen, and answers requests until the server is stopped or the process ends.
  ///
  /// - Parameters:
  ///   - port: the port to listen on; 0 for any free port.
  ///   - handler: a function that returns the response to a request. Requests are handled concurrently.
  package static func listen(
    on port: UInt16, handler: @escaping @Sendable (ReceivedRequest) async -> ServedResponse
  ) async throws(LoopbackServerError) -> LoopbackServer {
    let address: sockaddr_in
    do {
      address = try .inet(ip4: "127.0.0.1", port: port)
    } catch {
      throw LoopbackServerError(reason: "\(error)")
    }
    // Delays are part of a scenario, so no request times out.
    let server = HTTPServer(
      address: address, timeout: 86_400, logger: .disabled,
      handler: ClosureHTTPHandler { try await response(to: $0, handler) })
    // The server reports its end by an error, but not its start.
    let (states, state) = AsyncStream.makeStream(of: Result<UInt16, LoopbackServerError>.self)
    Task {
      do {
        try await server.run()
      } catch {
        state.yield(.failure(LoopbackServerError(reason: reason(of: error))))
      }
    }
    Task {
      do {
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port) = await server.listeningAddress else {
          throw LoopbackServerError(reason: "the server has no address")
        }
        state.yield(.success(port))
      } catch {
        state.yield(.failure(LoopbackServerError(reason: reason(of: error))))
      }
    }
    for await state in states { return LoopbackServer(port: try state.get(), server: server) }
    throw LoopbackServerError(reason: "the server has ended")
  }

  private static func reason(of error: any Error) -> String {
    if let error = error as? LoopbackServerError { return error.reason }
    if case .failed(_, let errno, _) = error as? SocketError { return String(cString: strerror(errno)) }
    return "\(error)"
  }

  private static func response(
    to request: HTTPRequest, _ handler: @Sendable (ReceivedRequest) async -> ServedResponse
  ) async throws -> HTTPResponse {
    var headers: [String: String] = [:]
    for (name, value) in request.headers { headers[name.rawValue] = value }
    let served = await handler(
      ReceivedRequest(
        method: request.method.rawValue, target: request.target.rawValue, headers: headers,
        body: Array(try await request.bodyData)))
    if served.delay > .zero { try await Task.sleep(for: served.delay) }
    switch served.content {
    case .message(let status, let headers, let body):
      var response = HTTPResponse(
        statusCode: HTTPStatusCode(status, phrase: ""),
        body: Data(request.method == .HEAD ? [] : body))
      // The response to HEAD states the length of the body that it does not have (RFC 9110, section 9.3.2).
      if request.method == .HEAD { response.headers[.contentLength] = String(body.count) }
      for (name, value) in headers { response.headers[HTTPHeader(name)] = value }
      return response
    case .closedConnection:
      return HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: EndingBody(), count: 1))
    }
  }
}

/// An error that indicates that a server cannot listen on a port.
package struct LoopbackServerError: Error {
  /// The reason, in the system's words.
  package let reason: String
}

/// A body that ends before its first byte, so that the server closes the connection.
private struct EndingBody: AsyncBufferedSequence {
  typealias Element = UInt8

  struct Iterator: AsyncBufferedIteratorProtocol {
    mutating func next() async throws -> UInt8? { throw SocketError.disconnected }
    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { throw SocketError.disconnected }
  }

  func makeAsyncIterator() -> Iterator { Iterator() }
}
