import FlyingFox
import FlyingSocks
import Foundation

typealias Request = FlyingFox.HTTPRequest
typealias Response = FlyingFox.HTTPResponse

/// Runs a real HTTP server on loopback while a test uses it.
func withLoopbackServer<Result>(
  _ handler: @escaping @Sendable (Request) async throws -> Response,
  _ use: (URL) async throws -> Result
) async throws -> Result {
  let server = try FlyingFox.HTTPServer(
    address: .inet(ip4: "127.0.0.1", port: 0), timeout: 240, logger: .disabled,
    handler: ClosureHTTPHandler(handler))
  let running = Task { try await server.run() }
  defer { running.cancel() }
  try await server.waitUntilListening(timeout: 240)
  guard case .ip4(_, let port) = await server.listeningAddress,
    let url = URL(string: "http://127.0.0.1:\(port)")
  else { throw URLError(.cannotConnectToHost) }
  return try await use(url)
}

extension Response {
  static func json(_ text: String, status: HTTPStatusCode = .ok, headers: HTTPHeaders = [:]) -> Response {
    var headers = headers
    headers[.contentType] = "application/json"
    return Response(statusCode: status, headers: headers, body: Data(text.utf8))
  }
}
