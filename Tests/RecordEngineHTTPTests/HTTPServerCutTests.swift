import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for connections that end at each byte of a response: each request fails or returns the whole response.
///
/// Proves `httpserver.failure`.
@Suite(.timeLimit(.minutes(5))) struct HTTPServerCutTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: String
    var body = "[]"
    /// The least number of bytes that can form the whole response. The last byte of a chunked response can be missing.
    var whole: Int
  }

  static let cases: [Case] = [
    cut("a length", "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]"),
    cut("chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n"),
    cut(
      "trailers",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nX-Sum: 7\r\nX-B: 8\r\n\r\n"),
    cut(
      "an interim response",
      "HTTP/1.1 103 Early\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]"),
    cut("not found", "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n[]"),
    cut(
      "unauthorized", "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 2\r\n\r\n[]"),
    cut("nothing new", "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n", body: ""),
  ]

  private static func cut(_ name: String, _ bytes: String, body: String = "[]") -> Case {
    Case(
      testDescription: name, bytes: bytes, body: body,
      whole: bytes.utf8.count - (bytes.contains("chunked") ? 1 : 0))
  }

  @Test(arguments: cases)
  func endsAtEachByte(_ some: Case) async throws {
    let bytes = Array(some.bytes.utf8)
    let raw = try RawServer { connection in
      guard let head = connection.readHead(), let cut = Self.number(in: head) else { return }
      connection.write(bytes.prefix(cut))
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    for cut in 0...bytes.count {
      do {
        let response = try await server.response(to: ServerRequest(urn: "\(cut)"))
        #expect(text(response) == some.body, "\(cut) bytes")
        #expect(cut >= some.whole, "\(cut) bytes are the whole response")
      } catch let error as URLError {
        #expect(error.code == .networkConnectionLost, "\(cut) bytes")
        #expect(cut < bytes.count, "\(cut) bytes are a failure")
      }
    }
    withExtendedLifetime(raw) {}
  }

  /// Without a length, the end of the connection is the end of the body.
  @Test func aBodyWithoutALengthEndsWithTheConnection() async throws {
    let bytes = Array("HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n[1]".utf8)
    let raw = try RawServer { connection in
      guard let head = connection.readHead(), let cut = Self.number(in: head) else { return }
      connection.write(bytes.prefix(cut))
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    let headEnd = bytes.count - 3
    for cut in 0...bytes.count {
      let response = try? await server.response(to: ServerRequest(urn: "\(cut)"))
      #expect(
        response.map(text) == (cut < headEnd ? nil : String("[1]".prefix(cut - headEnd))), "\(cut) bytes")
    }
    withExtendedLifetime(raw) {}
  }

  /// The redirect ends before its `Location` header, within it, or after it.
  @Test func aRedirectEndsAtEachByte() async throws {
    let redirect = Array("HTTP/1.1 302 Found\r\nLocation: /whole\r\nContent-Length: 2\r\n\r\n{}".utf8)
    let raw = try RawServer { connection in
      guard let head = connection.readHead() else { return }
      if let cut = Self.number(in: head) {
        connection.write(redirect.prefix(cut))
      } else {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
      }
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    for cut in 0...redirect.count {
      let response = try? await server.response(to: ServerRequest(urn: "\(cut)"))
      #expect(response.map(text) == (cut < redirect.count ? nil : "[]"), "\(cut) bytes")
    }
    withExtendedLifetime(raw) {}
  }

  /// Returns the number of bytes that a request asks for, such as 17 in `GET /17 HTTP/1.1`.
  private static func number(in head: String) -> Int? {
    head.split(separator: " ").dropFirst().first.flatMap { Int($0.dropFirst()) }
  }
}
