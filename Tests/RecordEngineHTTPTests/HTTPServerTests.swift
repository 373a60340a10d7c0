import FlyingFox
import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for requests and responses over HTTP, with a real server.
///
/// Proves `httpserver.status`, `httpserver.session`, and the address, headers and body of `httpserver.request`.
@Suite struct HTTPServerTests {
  @Test func sendsWhatIsAskedAndReadsWhatIsAnswered() async throws {
    try await withLoopbackServer { request in
      let body = String(decoding: try await request.bodyData, as: UTF8.self)
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
      return .json(
        "{}",
        headers: [
          HTTPHeader("X-Seen"): "\(request.method.rawValue) \(request.path)",
          HTTPHeader("X-Query"): query, HTTPHeader("X-Body"): body,
          HTTPHeader("X-Token"): request.headers[HTTPHeader("X-Token")] ?? "none",
          HTTPHeader("X-Accept"): request.headers[HTTPHeader("Accept")] ?? "none",
          HTTPHeader("X-Type"): request.headers[.contentType] ?? "none",
        ])
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(
        baseURL: url.appending(path: "v2"), headers: ["X-Token": "7"])
      let got = try await server.response(
        to: ServerRequest(urn: "users/list", query: ["q": "a b&c=d+e%ü"], headers: ["Accept": "text/x"]))
      #expect(got.status == 200)
      #expect(got.header("x-seen") == "GET /v2/users/list")
      #expect(got.header("x-query") == "q=a b&c=d+e%ü")
      #expect(got.header("x-token") == "7")
      #expect(got.header("x-accept") == "text/x")
      #expect(got.header("x-type") == "none")
      #expect(text(got) == "{}")

      let posted = try await server.response(
        to: ServerRequest(method: "POST", urn: "users", body: .form(["name": "Ada & Co", "age": "36"])))
      #expect(posted.header("x-seen") == "POST /v2/users")
      #expect(posted.header("x-query") == "")
      #expect(posted.header("x-body") == "age=36&name=Ada%20%26%20Co")
      #expect(posted.header("x-type") == "application/x-www-form-urlencoded")
      #expect(posted.header("x-accept") == "application/json")
    }
  }

  /// Rules: `httpserver.body`, `response.no-content`.
  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func aBodyArrivesWithEveryMethod(method: String) async throws {
    try await withLoopbackServer { request in
      let body = String(decoding: try await request.bodyData, as: UTF8.self)
      let isExpected =
        body == #"{"ids":[1,[2]]}"# && request.headers[.contentType] == "application/json"
        && request.method.rawValue == method && request.query.map(\.name) == ["a"]
      return Response(statusCode: isExpected ? .noContent : .badRequest)
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let response = try await server.response(
        to: ServerRequest(method: method, urn: "users", query: ["a": "b"], body: .json(["ids": [1, [2]]])))
      #expect(response.status == 204)
      #expect(text(response) == "")
    }
  }

  @Test func preparesEachRequest() async throws {
    try await withLoopbackServer { request in
      .json(request.headers[.authorization] ?? "none")
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(
        baseURL: url,
        prepare: { request in
          await Task.yield()
          request.setValue("Bearer 1", forHTTPHeaderField: "Authorization")
        })
      let response = try await server.response(to: ServerRequest(urn: "a"))
      #expect(text(response) == "Bearer 1")

      struct NoToken: Error {}
      let failing = RecordEngineHTTP.HTTPServer(baseURL: url, prepare: { _ in throw NoToken() })
      await #expect(throws: NoToken.self) { try await failing.response(to: ServerRequest(urn: "a")) }
    }
  }

  /// `prepare` can set a body stream. A POST or PUT request without a body has the length 0.
  @Test func bodiesMayBeStreams() async throws {
    try await withLoopbackServer { request in
      let body = String(decoding: try await request.bodyData, as: UTF8.self)
      return .json("\(request.method.rawValue) '\(body)' \(request.headers[.contentLength] ?? "none")")
    } _: { url in
      let long = String(repeating: "x", count: 100_000)
      for text in ["one", long] {
        let server = RecordEngineHTTP.HTTPServer(
          baseURL: url, prepare: { $0.httpBodyStream = InputStream(data: Data(text.utf8)) })
        let response = try await server.response(to: ServerRequest(method: "PUT", urn: "a"))
        #expect(RecordEngineHTTPTests.text(response).hasPrefix("PUT '\(text)'"))
      }
      let plain = RecordEngineHTTP.HTTPServer(baseURL: url)
      for (method, length) in [("POST", "0"), ("PUT", "0"), ("DELETE", "none")] {
        let response = try await plain.response(to: ServerRequest(method: method, urn: "a"))
        #expect(RecordEngineHTTPTests.text(response) == "\(method) '' \(length)")
      }
    }
  }

  /// Apps use URL protocols to serve responses in their own tests.
  @Test func protocolsOfTheAppAnswer() async throws {
    let configuration = RecordEngineHTTP.HTTPServer.configuration
    configuration.protocolClasses = [CannedProtocol.self]
    let server = RecordEngineHTTP.HTTPServer(
      baseURL: try #require(URL(string: "http://canned.test")), configuration: configuration)
    let response = try await server.response(to: ServerRequest(urn: "a"))
    #expect(response.status == 203)
    #expect(text(response) == "[1]")
  }

  @Test(arguments: [200, 201, 203, 304, 400, 401, 404, 410, 418, 429, 500, 503])
  func statusesPassThrough(status: Int) async throws {
    try await withLoopbackServer { _ in
      .json(status == 304 ? "" : "[1]", status: HTTPStatusCode(status, phrase: "Some"))
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let response = try await server.response(to: ServerRequest(urn: "a"))
      #expect(response.status == status)
      #expect(text(response) == (status == 304 ? "" : "[1]"))
    }
  }

  @Test(arguments: [200, 204, 205])
  func emptyAnswersAreEmpty(status: Int) async throws {
    try await withLoopbackServer { _ in
      Response(statusCode: HTTPStatusCode(status, phrase: "Some"))
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      for method in ["GET", "DELETE", "HEAD", "PUT"] {
        let response = try await server.response(to: ServerRequest(method: method, urn: "a"))
        #expect(response.status == status)
        #expect(text(response) == "")
      }
    }
  }

  @Test func compressedAnswersAreDecompressed() async throws {
    let compressed = "H4sIAAAAAAACA6tWKkmtKFGyUkocBaNgFIyCUTAKRsGQB0q1AGyyKA/bBwAA"
    let body = try #require(Data(base64Encoded: compressed))
    try await withLoopbackServer { _ in
      Response(statusCode: .ok, headers: [HTTPHeader("Content-Encoding"): "gzip"], body: body)
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let response = try await server.response(to: ServerRequest(urn: "a"))
      #expect(text(response) == #"{"text":"\#(String(repeating: "a", count: 2000))"}"#)
      // The limit applies to the decompressed body.
      let small = RecordEngineHTTP.HTTPServer(baseURL: url, maximumBodySize: 2000)
      let error = await #expect(throws: HTTPServerError.self) {
        try await small.response(to: ServerRequest(urn: "a"))
      }
      #expect(error?.kind == .bodyTooLarge)
    }
  }

  @Test func largeAnswersAreWhole() async throws {
    let body = Data((0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    try await withLoopbackServer { _ in
      Response(statusCode: .ok, body: body)
    } _: { url in
      let exact = RecordEngineHTTP.HTTPServer(baseURL: url, maximumBodySize: body.count)
      guard case .bytes(let bytes) = try await exact.response(to: ServerRequest(urn: "a")).body else {
        return
      }
      #expect(bytes.elementsEqual(body))
      let small = RecordEngineHTTP.HTTPServer(baseURL: url, maximumBodySize: body.count - 1)
      let error = await #expect(throws: HTTPServerError.self) {
        try await small.response(to: ServerRequest(urn: "a"))
      }
      #expect(error?.message == "the body has more than 7999999 bytes")
    }
  }

  @Test func aHundredRequestsAtOnceHaveTheirOwnAnswers() async throws {
    try await withLoopbackServer { request in
      await Task.yield()
      return .json("[\(request.path.dropFirst())]")
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
        for number in 0..<100 {
          group.addTask {
            (number, try await text(server.response(to: ServerRequest(urn: "\(number)"))))
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      #expect(answers == Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, "[\($0)]") }))
    }
  }

  @Test func connectionsAreUsedAgain() async throws {
    try await withLoopbackServer { request in
      guard case .ip4(_, let port) = request.remoteAddress else { return .json("0") }
      return .json("\(port)")
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      var ports: Set<String> = []
      for _ in 0..<10 { ports.insert(try await text(server.response(to: ServerRequest(urn: "a")))) }
      #expect(ports.count == 1)
    }
  }

  @Test func recordsComeOverHTTP() async throws {
    try await withLoopbackServer { request in
      request.path == "/users" ? .json(#"[{"id": "7"}]"#) : .json("[]", status: .notFound)
    } _: { url in
      let model = try ManagedObjectModel(entities: [
        EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .string)])
      ])
      let container = try PersistentContainer(
        model: model, configuration: .init(server: RecordEngineHTTP.HTTPServer(baseURL: url)))
      let context = container.makeContext()
      let records = try await container.request("User", urn: "users", context: context).records
      #expect(records.map { $0["id"] as String? } == ["7"])
      let failure = await #expect(throws: RequestFailure.self) {
        _ = try await container.request("User", urn: "elsewhere", context: context)
      }
      #expect(failure?.status == 404)
    }
  }

  /// The server recognizes an expired session and the handler renews it, without a server wrapper in the app.
  @Test func aSessionThatHasTimedOutIsToldAndRenewed() async throws {
    try await withLoopbackServer { request in
      switch (request.path, request.headers[.authorization]) {
      case ("/away", _): Response(statusCode: .unauthorized)
      case (_, "new"?): .json(#"[{"id": "7"}]"#)
      default: .json(#"{"error": "expired"}"#, status: .unauthorized)
      }
    } _: { url in
      let token = Token()
      let server = RecordEngineHTTP.HTTPServer(
        baseURL: url,
        prepare: { request in request.setValue(await token.value, forHTTPHeaderField: "Authorization") },
        isSessionTimeout: { $0.status == 401 && text($0).contains("expired") })
      let model = try ManagedObjectModel(entities: [
        EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .string)])
      ])
      let container = try PersistentContainer(model: model, configuration: .init(server: server))
      let context = container.makeContext()
      let timeout = await #expect(throws: SessionTimeout.self) {
        _ = try await container.request("User", urn: "users", context: context)
      }
      #expect(timeout?.message == "the session has timed out: the server answered with status 401")
      container.registerSessionTimeoutHandler { _, _ in
        await token.renew()
        return true
      }
      #expect(try await container.request("User", urn: "users", context: context).records.count == 1)
      // Other responses with this status remain failures.
      let failure = await #expect(throws: RequestFailure.self) {
        _ = try await container.request("User", urn: "away", context: context)
      }
      #expect(failure?.status == 401)
      // Another origin does not affect the session of this server.
      let base = try #require(URL(string: "https://api.test"))
      let elsewhere = RecordEngineHTTP.HTTPServer(baseURL: base, isSessionTimeout: { _ in true })
      let response = try await elsewhere.response(to: ServerRequest(urn: url.absoluteString + "/away"))
      #expect(response.status == 401)
    }
  }

  private actor Token {
    private(set) var value = "old"

    func renew() { value = "new" }
  }

  @Test func anUnusedPortFails() async throws {
    // A port that was in use a moment ago.
    let port = try RawServer { _ in }.port
    let url = try #require(URL(string: "http://127.0.0.1:\(port)"))
    await #expect(throws: URLError.self) {
      try await RecordEngineHTTP.HTTPServer(baseURL: url).response(to: ServerRequest(urn: "a"))
    }
  }
}

private final class CannedProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { request.url?.host == "canned.test" }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override func stopLoading() {}
  override func startLoading() {
    guard let url = request.url, let client,
      let response = HTTPURLResponse(url: url, statusCode: 203, httpVersion: nil, headerFields: nil)
    else { return }
    client.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client.urlProtocol(self, didLoad: Data("[1]".utf8))
    client.urlProtocolDidFinishLoading(self)
  }
}

/// Returns the body as text.
func text(_ response: ServerResponse) -> String {
  guard case .bytes(let bytes) = response.body else { return "no bytes" }
  return String(decoding: bytes, as: UTF8.self)
}
