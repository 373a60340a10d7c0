#if os(Linux)
  import Dispatch
  import FlyingFox
  import Foundation
  import FoundationNetworking
  import RecordEngine
  import TestSupport
  import Testing

  @testable import RecordEngineHTTP

  /// Tests for sending requests with libcurl.
  ///
  /// Proves `httpserver.timeout` and `httpserver.body-size`.
  @Suite(.timeLimit(.minutes(5))) struct CurlTransportTests {
    private static func server(
      _ url: URL, connections: Int = 6, prepare: @escaping @Sendable (inout URLRequest) -> Void = { _ in }
    ) -> RecordEngineHTTP.HTTPServer {
      let configuration = RecordEngineHTTP.HTTPServer.configuration
      configuration.httpMaximumConnectionsPerHost = connections
      return RecordEngineHTTP.HTTPServer(baseURL: url, configuration: configuration, prepare: prepare)
    }

    // MARK: Time

    @Test(
      arguments: [
        ([], 3_600_000), ([.milliseconds(1500)], 1500), ([.seconds(9), .milliseconds(20), .seconds(10)], 20),
        ([.microseconds(1)], 1), ([.microseconds(1001)], 2), ([.zero], 0), ([.nanoseconds(-1)], 0),
        ([.seconds(-5), .seconds(5)], 0), ([.seconds(Int64.max / 4)], 3_600_000),
      ] as [([Duration], Int32)])
    func waitsUntilTheNextDeadline(deadlines: [Duration], milliseconds: Int32) {
      let now = ContinuousClock.now
      #expect(
        CurlTransport.millisecondsToWait(until: deadlines.map { now + $0 }, from: now) == milliseconds)
    }

    /// The second request waits longer than its timeout for the connection of the first request.
    @Test func theTimeoutBeginsWithTheConnection() async throws {
      let arrivals = EventCounter()
      try await withLoopbackServer { request in
        arrivals.note()
        if request.path == "/slow" { try await Task.sleep(for: .seconds(20)) }
        return .json("[]")
      } _: { url in
        let server = Self.server(url, connections: 1)
        async let slow = server.response(to: ServerRequest(urn: "slow"))
        await arrivals.wait()
        let quick = try await server.response(to: ServerRequest(urn: "quick", timeout: .seconds(15)))
        #expect(text(quick) == "[]")
        #expect(text(try await slow) == "[]")
      }
    }

    /// The last requests wait longer than their timeout for a connection.
    @Test func manyRequestsAtOnceHaveTheirTime() async throws {
      try await withLoopbackServer { _ in
        try await Task.sleep(for: .seconds(6))
        return .json("[]")
      } _: { url in
        let server = Self.server(url, connections: 2)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<10 {
            group.addTask {
              _ = try await server.response(to: ServerRequest(urn: "\(number)", timeout: .seconds(20)))
            }
          }
          try await group.waitForAll()
        }
      }
    }

    /// The timeout has begun, but no connection is established: the queue of the listener is full.
    @Test func connectingEndsWithATimeOut() async throws {
      let raw = try RawServer(backlog: 0, accepts: false) { _ in }
      let server = Self.server(raw.url)
      await withTaskGroup(of: (any Error)?.self) { group in
        for number in 0..<6 {
          group.addTask {
            do {
              _ = try await server.response(to: ServerRequest(urn: "\(number)", timeout: .seconds(1)))
              return nil
            } catch { return error }
          }
        }
        for await error in group { #expect((error as? URLError)?.code == .timedOut) }
      }
      withExtendedLifetime(raw) {}
    }

    // MARK: Headers

    @Test func endlessHeadersEndAtTheLimit() async throws {
      let (ended, signal) = AsyncStream<Bool>.makeStream()
      let raw = try RawServer { connection in
        guard connection.readHead() != nil else { return }
        connection.write("HTTP/1.1 200 OK\r\n")
        let lines = String(repeating: "X-A: b\r\n", count: 1000)
        // 80 MB, unless the client closes the connection.
        var chunks = 10_000
        while chunks > 0, connection.write(lines) { chunks -= 1 }
        signal.yield(chunks > 0)
      }
      let error = await #expect(throws: HTTPServerError.self) {
        try await Self.server(raw.url).response(to: ServerRequest(urn: "endless"))
      }
      #expect(error?.kind == .headTooLarge)
      #expect(error?.description == "the headers have more than 262144 bytes (requested 'endless')")
      for await wasEnded in ended {
        #expect(wasEnded)
        break
      }
    }

    /// Returns the result of a request to a server that responds with these bytes.
    private static func result(
      ofAnswering bytes: String
    ) async throws -> Result<ServerResponse, any Error> {
      let raw = try RawServer { connection in
        if connection.readHead() != nil { connection.write(bytes) }
      }
      defer { withExtendedLifetime(raw) {} }
      return await Task { try await server(raw.url).response(to: ServerRequest(urn: "a")) }.result
    }

    @Test func oneHeaderMayBeThisLarge() async throws {
      for (size, isAccepted) in [(99 << 10, true), (101 << 10, false)] {
        let bytes =
          "HTTP/1.1 200 OK\r\nX-A: " + String(repeating: "x", count: size) + "\r\nContent-Length: 2\r\n\r\n[]"
        switch try await Self.result(ofAnswering: bytes) {
        case .success(let response): #expect(text(response) == "[]" && isAccepted)
        case .failure(let error):
          #expect((error as? HTTPServerError)?.kind == .headTooLarge && !isAccepted, "\(error)")
        }
      }
    }

    /// The limit includes the headers of interim responses and the trailers.
    @Test(arguments: [0, 1], ["one head", "two heads", "trailers"])
    func headersMayBeThisLarge(excess: Int, kind: String) async throws {
      func lines(_ count: Int) -> String {
        let line = "X-A: " + String(repeating: "x", count: 993) + "\r\n"
        let rest = (count - 1) % 1000 + 1 + (count > 1000 ? 1000 : 0)
        return String(repeating: line, count: (count - rest) / 1000) + "X-B: "
          + String(repeating: "x", count: rest - 7) + "\r\n"
      }
      let size = (256 << 10) + excess
      let interim = "HTTP/1.1 103 Early Hints\r\n" + lines(100_000) + "\r\n"
      let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
      let plain = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
      let bytes =
        switch kind {
        case "one head": plain + lines(size - plain.utf8.count - 2) + "\r\n[]"
        case "two heads": interim + plain + lines(size - interim.utf8.count - plain.utf8.count - 2) + "\r\n[]"
        // The line that ends the trailers does not count as a trailer.
        default: chunked + "2\r\n[]\r\n0\r\n" + lines(size - chunked.utf8.count) + "\r\n"
        }
      switch try await Self.result(ofAnswering: bytes) {
      case .success(let response): #expect(text(response) == "[]" && excess == 0)
      case .failure(let error): #expect((error as? HTTPServerError)?.kind == .headTooLarge && excess == 1)
      }
    }

    @Test func joiningHeadersTakesLinearTime() async throws {
      let factor = try await Growth.factor(from: 5000) { count in
        var head = HTTPHead()
        head.add(line: Array("HTTP/1.1 200 OK\r\n".utf8))
        for _ in 0..<count { head.add(line: Array("X-A: some value that takes some bytes\r\n".utf8)) }
        return head
      } work: { head in
        #expect(head.headers.count == 1)
      }
      #expect(factor < Growth.bound)
    }

    /// Header names are compared without regard to the case of ASCII letters: the Kelvin sign is not `k`.
    @Test func headersAreJoinedByName() {
      var head = HTTPHead()
      for line in ["HTTP/1.1 200 OK", "x-k: 1", "X-\u{212A}: 2", "X-K: 3", "X-K:"] {
        head.add(line: Array((line + "\r\n").utf8))
      }
      #expect(head.headers == ["x-k": "1, 3, ", "X-\u{212A}": "2"])
    }

    // MARK: Bodies

    /// The events of a stream, and the signal that lets it end.
    private struct StreamEvents {
      let reads = EventCounter()
      let ends = EventCounter()
      let mayEnd = DispatchSemaphore(value: 0)
    }

    /// A stream whose reads block until the test lets them end, or a stream that never ends.
    private final class SlowStream: InputStream {
      private let events: StreamEvents
      private let isEndless: Bool

      init(_ events: StreamEvents, isEndless: Bool = false) {
        self.events = events
        self.isEndless = isEndless
        super.init(data: Data())
      }

      override func open() {}
      override func close() { events.ends.note() }
      override var streamError: (any Error)? { nil }
      override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        events.reads.note()
        if isEndless { return length }
        _ = events.mayEnd.wait(timeout: .now() + 20)
        return 0
      }
    }

    /// Reading the stream does not block other requests. A canceled request does not wait for its stream.
    @Test func aStreamThatBlocksHoldsUpItsRequestAlone() async throws {
      try await withLoopbackServer { request in
        .json(request.path)
      } _: { url in
        let stream = StreamEvents()
        let server = Self.server(url) {
          if $0.url?.path == "/slow" { $0.httpBodyStream = SlowStream(stream) }
        }
        let slow = Task { try await server.response(to: ServerRequest(method: "POST", urn: "slow")) }
        await stream.reads.wait()
        let quick = try await server.response(to: ServerRequest(urn: "quick"))
        #expect(text(quick) == "/quick")
        #expect(stream.ends.count == 0)
        slow.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
        #expect(stream.ends.count == 0)
        stream.mayEnd.signal()
        await stream.ends.wait()
      }
    }

    @Test func aSilentStreamEndsWithATimeOut() async throws {
      let stream = StreamEvents()
      let reader = CurlBodyReader(SlowStream(stream), timeout: .milliseconds(100), urn: "a")
      let error = await #expect(throws: URLError.self) { try await reader.content() }
      #expect(error?.code == .timedOut)
      stream.mayEnd.signal()
      await stream.ends.wait()
    }

    @Test func anEndlessStreamEndsAtTheLimit() async throws {
      let stream = StreamEvents()
      let reader = CurlBodyReader(
        SlowStream(stream, isEndless: true), maximumSize: 1_000_000, timeout: .seconds(60), urn: "a")
      let error = await #expect(throws: HTTPServerError.self) { try await reader.content() }
      #expect(error?.kind == .bodyTooLarge)
      #expect(error?.message == "the body of the request has more than 1000000 bytes")
      await stream.ends.wait()
    }

    @Test func aStreamMayBeAsLargeAsTheLimit() async throws {
      let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
      func read(_ maximumSize: Int) async throws -> [UInt8] {
        let stream = InputStream(data: Data(bytes))
        return try await CurlBodyReader(
          stream, maximumSize: maximumSize, timeout: .seconds(60), urn: "a"
        ).content()
      }
      #expect(try await read(200_000) == bytes)
      await #expect(throws: HTTPServerError.self) { try await read(199_999) }
    }

    @Test func aStreamOfNothingIsAFailure() async throws {
      let url = try #require(URL(string: "http://127.0.0.1:9"))
      let server = Self.server(url) { $0.httpBodyStream = InputStream(fileAtPath: "/nowhere/at/all") }
      let error = await #expect(throws: (any Error).self) {
        try await server.response(to: ServerRequest(method: "POST", urn: "a"))
      }
      #expect((error as? URLError)?.code != .cannotConnectToHost)
    }

    // MARK: Hosts

    @Test(arguments: [
      "http://api.test", "http://API.test", "http://127.0.0.1:80/a?b", "http://127.1", "http://0x7f.1",
      "http://2130706433", "http://[::1]:8080/", "http://[0:0:0:0:0:0:0:1]", "http://[::FFFF:127.0.0.1]",
      "http://[fe80::1%25eth0]/a", "http://b\u{FC}cher.test", "http://api.test.",
    ])
    func hostsAreThoseOfTheURL(url: String) throws {
      let url = try #require(URL(string: url))
      try CurlTransfer.checkHost(of: url.absoluteString, is: #require(url.host))
      #expect(throws: URLError(.badURL)) {
        try CurlTransfer.checkHost(of: url.absoluteString, is: "other.test")
      }
    }

    @Test(arguments: [
      ("api.test", "API.TEST", true), ("127.0.0.1", "127.1", true), ("127.0.0.1", "0177.0.0.1", true),
      ("127.0.0.1", "127.2", false), ("127.0.0.1", "127.0.0.1 a", false), ("127.0.0.1", "::1", false),
      ("[::1]", "::1", true), ("[::1]", "[0:0:0:0:0:0:0:1]", true), ("[::1]", "::2", false),
      ("[fe80::1]", "fe80::1%eth0", true), ("[fe80::1]", "fe80::1%25eth0", true),
      ("[fe80::1]", "fe80::2%eth0", false), ("api.test", "other.test", false), ("api.test", "", false),
      ("k.test", "\u{212A}.test", false), ("[::1]", "api.test", false), ("api.test", "127.0.0.1", false),
    ])
    func hostsAreCompared(left: String, right: String, areOne: Bool) {
      #expect(CurlTransfer.areOneHost(left, right) == areOne)
      #expect(CurlTransfer.areOneHost(right, left) == areOne)
    }

    @Test func addressesInOtherFormsAreAsked() async throws {
      try await withLoopbackServer { _ in
        .json("[]")
      } _: { url in
        let port = try #require(url.port)
        let other = try #require(URL(string: "http://127.1:\(port)"))
        #expect(text(try await Self.server(other).response(to: ServerRequest(urn: "a"))) == "[]")
      }
    }

    // MARK: The thread

    /// A transport is released after its thread ends. A transport without requests has no thread.
    @Test(arguments: [0, 1, 2]) func aTransportThatIsGoneHasEnded(requests: Int) async throws {
      try await withLoopbackServer { _ in
        .json("[]")
      } _: { url in
        weak var gone: CurlTransport?
        do {
          let transport = CurlTransport(RecordEngineHTTP.HTTPServer.configuration)
          gone = transport
          for _ in 0..<requests {
            let (response, _) = try await transport.response(
              to: URLRequest(url: url), maximumBodySize: 10, urn: "a")
            #expect(response.statusCode == 200)
          }
          transport.finish()
        }
        let end = ContinuousClock.now + .seconds(60)
        while gone != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(5)) }
        #expect(gone == nil)
      }
    }
  }
#endif
