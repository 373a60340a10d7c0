import Dispatch
import FlyingFox
import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for invalid responses and missing responses.
///
/// Proves `httpserver.failure`, `httpserver.body-size`, `httpserver.timeout`, `httpserver.cancel`.
@Suite(.timeLimit(.minutes(5))) struct HTTPServerFailureTests {
  private func answer(
    _ bytes: String, urn: String = "a", method: String = "GET", timeout: Duration = .seconds(60)
  ) async throws -> ServerResponse {
    let raw = try RawServer { connection in
      if connection.readHead() != nil { connection.write(bytes) }
    }
    defer { withExtendedLifetime(raw) {} }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url, timeout: timeout)
    return try await server.response(to: ServerRequest(method: method, urn: urn))
  }

  @Test(
    arguments: [
      "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 2", "", "\r\n\r\n",
      "garbage\r\n\r\n", "HTTP/1.1\r\n\r\n[]",
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1, 2", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: none\r\n\r\n[]", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n[]",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n[1, 2",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n[]\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n[]",
    ])
  func brokenAnswersAreErrorsOfTheTransport(bytes: String) async {
    await #expect(throws: URLError.self) { try await answer(bytes) }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]extra", "HTTP/1.0 200 OK\r\n\r\n[]",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nExpires: 0\r\nX-Sum: 1\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 50_000))\r\nContent-Length: 2\r\n\r\n[]",
  ])
  func unusualAnswersAreAnswers(bytes: String) async throws {
    let response = try await answer(bytes)
    #expect(response.status == 200)
    #expect(text(response) == "[]")
  }

  @Test func headersOfOneNameAreJoined() async throws {
    let response = try await answer(
      "HTTP/1.1 200 OK\r\nLink: <a>; rel=next\r\nX-One: 1\r\nlink: <b>; rel=prev\r\nX-Two:a\r\n b\r\nX-None:\r\n"
        + "Content-Length: 2\r\n\r\n[]")
    #expect(response.header("LINK") == "<a>; rel=next, <b>; rel=prev")
    #expect(response.header("x-one") == "1")
    #expect(response.header("x-two") == "a b")
    #expect(response.header("x-none") == "")
  }

  /// Foundation on Linux crashes on characters of several scalars in cookies.
  @Test func cookiesMayBeOfAnyBytes() async throws {
    let raw = try RawServer { connection in
      guard let head = connection.readHead() else { return }
      let cookie = head.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") } ?? ""
      connection.write(
        "HTTP/1.1 200 OK\r\nSet-Cookie: 🇩🇪=b\r\nSet-Cookie: c\u{301}=d; Path=🇩🇪\r\n"
          + "Set-Cookie: e=f;\tPath=/\r\nSet-Cookie: g=h\u{1}\r\nSet-Cookie: =;,\r\nContent-Length: \(cookie.utf8.count)\r\n\r\n"
          + cookie)
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    #expect(text(try await server.response(to: ServerRequest(urn: "a"))) == "")
    #expect(text(try await server.response(to: ServerRequest(urn: "b"))) == "Cookie: e=f")
    withExtendedLifetime(raw) {}
  }

  /// A request that does not handle cookies stores none.
  @Test func cookiesAreKeptForRequestsThatHandleThem() async throws {
    let raw = try RawServer { connection in
      guard let head = connection.readHead() else { return }
      let cookie = head.split(separator: "\r\n").first { $0.hasPrefix("Cookie: ") } ?? ""
      let name = head.hasPrefix("GET /kept ") ? "kept" : "other"
      connection.write(
        "HTTP/1.1 200 OK\r\nSet-Cookie: \(name)=1; Path=/\r\nContent-Length: \(cookie.utf8.count)\r\n\r\n"
          + cookie)
    }
    let server = RecordEngineHTTP.HTTPServer(
      baseURL: raw.url, prepare: { $0.httpShouldHandleCookies = $0.url?.path != "/other" })
    for (urn, expected) in [("other", ""), ("kept", ""), ("kept", "Cookie: kept=1"), ("other", "")] {
      #expect(text(try await server.response(to: ServerRequest(urn: urn))) == expected)
    }
    withExtendedLifetime(raw) {}
  }

  @Test func headersMayBeOfAnyBytes() async throws {
    let raw = try RawServer { connection in
      guard connection.readHead() != nil else { return }
      let value: [UInt8] = [0x67, 0xFC, 0x6E]
      connection.write(
        Array("HTTP/1.1 200 OK\r\nX-One: ".utf8) + value
          + Array("\r\nX-Two: gün\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    let response = try await server.response(to: ServerRequest(urn: "a"))
    #expect(response.header("X-One") == "gün")
    #expect(response.header("X-Two") == "gün")
    withExtendedLifetime(raw) {}
  }

  /// The session looks for credentials after this status. On Linux it parses the header for that.
  @Test(arguments: [
    "Basic realm=\"a\"", "Bearer realm=\"a\"", "Bearer", "Basic", "", "Digest realm=a", "realm=",
    "Bearer realm=",
    "Negotiate, Basic realm=\"a\"",
  ])
  func unauthorizedIsAStatus(challenge: String) async throws {
    let response = try await answer(
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\n[]")
    #expect(response.status == 401)
    #expect(text(response) == "[]")
  }

  @Test(arguments: [300, 302, 304, 305, 306, 399, 100, 199, 600, 999, 0])
  func otherStatusesAreNoSuccess(status: Int) async throws {
    let line = "HTTP/1.1 \(status) Some\r\nContent-Length: 0\r\n\r\n"
    do {
      let response = try await answer(line)
      #expect(response.status == status && (status == 304 || status >= 400))
    } catch let error as HTTPServerError {
      #expect(error.kind == .status && error.status == status)
      #expect((300..<400).contains(status))
    } catch {
      #expect(error is URLError && (status < 200 || status >= 600))
    }
  }

  @Test func anEndlessBodyEndsAtTheLimit() async throws {
    let (ended, signal) = AsyncStream<Bool>.makeStream()
    let raw = try RawServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write("HTTP/1.1 200 OK\r\n\r\n")
      let spaces = [UInt8](repeating: 0x20, count: 64 * 1024)
      // 64 GiB, unless the client closes the connection.
      var chunks = 1 << 20
      while chunks > 0, connection.write(spaces) { chunks -= 1 }
      signal.yield(chunks > 0)
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url, maximumBodySize: 1_000_000)
    let error = await #expect(throws: HTTPServerError.self) {
      try await server.response(to: ServerRequest(urn: "endless"))
    }
    #expect(error?.kind == .bodyTooLarge)
    #expect(error?.description == "the body has more than 1000000 bytes (requested 'endless')")
    for await wasEnded in ended {
      #expect(wasEnded)
      break
    }
  }

  @Test func silenceEndsWithATimeOut() async throws {
    for bytes in ["", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n["] {
      let raw = try RawServer { connection in
        guard connection.readHead() != nil else { return }
        connection.write(bytes)
        _ = connection.waitForEnd()
      }
      let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url, timeout: .milliseconds(100))
      let error = await #expect(throws: URLError.self) {
        try await server.response(to: ServerRequest(urn: "a"))
      }
      #expect(error?.code == .timedOut)
    }
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n["])
  func cancellingEndsTheConnection(bytes: String) async throws {
    let (events, signal) = AsyncStream<Bool?>.makeStream()
    let raw = try RawServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write(bytes)
      signal.yield(nil)
      signal.yield(connection.waitForEnd())
    }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    let task = Task { try await server.response(to: ServerRequest(urn: "a")) }
    var iterator = events.makeAsyncIterator()
    _ = await iterator.next()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await iterator.next() == .some(.some(true)))
  }

  @Test func aCancelledTaskSendsNoRequest() async throws {
    let raw = try RawServer { _ in Issue.record("the server received a request") }
    let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await server.response(to: ServerRequest(urn: "a"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private actor End {
    private var hasCome = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
      if !hasCome { await withCheckedContinuation { waiting.append($0) } }
    }

    func come() {
      hasCome = true
      for continuation in waiting { continuation.resume() }
      waiting = []
    }
  }

  /// Cancels 400 tasks at random moments: each task ends once. The server never responds to half of the tasks, so only
  /// canceling ends them. One task in ten is redirected to such a request first.
  @Test func cancellingAtAnyTimeEndsOnce() async throws {
    let end = End()
    try await withLoopbackServer { request in
      if request.path.hasSuffix("0") { return .json("", status: .found, headers: [.location: "/5"]) }
      guard let number = Int(request.path.dropFirst()), number % 2 == 1 else { return .json("[]") }
      await end.wait()
      return .json("too late")
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      for round in 0..<20 {
        let tasks = (0..<20).map { number in
          // With this timeout only canceling ends the task, even on a slow machine.
          Task { try await server.response(to: ServerRequest(urn: "\(number)", timeout: .seconds(3600))) }
        }
        for _ in 0..<round * 40 { await Task.yield() }
        for task in tasks { task.cancel() }
        for (number, task) in tasks.enumerated() {
          switch await task.result {
          case .success(let response): #expect(text(response) == "[]" && number % 2 == 0 && number % 10 != 0)
          case .failure(let error): #expect(error is CancellationError, "\(error)")
          }
        }
      }
      // The server still works.
      let last = try await server.response(to: ServerRequest(urn: "2"))
      #expect(text(last) == "[]")
      await end.come()
    }
  }

  /// The server is released during its last request. The request gets its response, and then its connection ends.
  @Test func aServerThatIsGoneEndsItsRequests() async throws {
    let (events, signal) = AsyncStream<Bool?>.makeStream()
    let isGone = DispatchSemaphore(value: 0)
    let raw = try RawServer { connection in
      guard connection.readHead() != nil else { return }
      signal.yield(nil)
      guard isGone.wait(timeout: .now() + 60) == .success else { return }
      // The header allows the client to reuse the connection.
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n[]")
      signal.yield(connection.waitForEnd())
    }
    func ask() -> Task<ServerResponse, any Error> {
      let server = RecordEngineHTTP.HTTPServer(baseURL: raw.url)
      return Task { try await server.response(to: ServerRequest(urn: "a")) }
    }
    let task = ask()
    var iterator = events.makeAsyncIterator()
    _ = await iterator.next()
    isGone.signal()
    let response = try await task.value
    #expect(text(response) == "[]")
    #expect(await iterator.next() == .some(.some(true)))
  }
}
