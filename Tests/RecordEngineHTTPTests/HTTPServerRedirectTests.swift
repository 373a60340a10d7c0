import FlyingFox
import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for the targets of redirects, and for the headers and bodies sent to them.
///
/// Proves `httpserver.redirect` and `httpserver.origin`.
@Suite(.timeLimit(.minutes(5))) struct HTTPServerRedirectTests {
  /// Responds with the parts of a request that the tests compare.
  private static func echo(_ request: Request) async throws -> Response {
    let names = ["X-Token", "Authorization", "Content-Type", "Content-Signature", "Accept", "If-None-Match"]
    let headers = names.compactMap { name in
      request.headers[HTTPHeader(name)].map { "\(name): \($0)" }
    }
    let body = String(decoding: try await request.bodyData, as: UTF8.self)
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return .json(
      ([request.method.rawValue, request.path, query, body] + headers).joined(separator: " | "))
  }

  /// Redirects `/to?status=302&location=…` to the location, and echoes all other requests.
  private static func answer(_ request: Request) async throws -> Response {
    func parameter(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
    guard request.path.hasSuffix("/to"), let status = parameter("status").flatMap(Int.init) else {
      return try await echo(request)
    }
    var headers = HTTPHeaders()
    if let location = parameter("location") { headers[.location] = location }
    return .json("[1]", status: HTTPStatusCode(status, phrase: "Moved"), headers: headers)
  }

  private func ask(
    _ status: Int, _ location: String?, method: String = "GET", body: RequestBody? = nil,
    headers: [String: String] = [:], trusted: [URL] = []
  ) async throws -> String {
    try await withLoopbackServer(Self.answer) { url in
      let server = RecordEngineHTTP.HTTPServer(
        baseURL: url, headers: ["X-Token": "7"], trustedOrigins: trusted,
        prepare: { $0.setValue("me", forHTTPHeaderField: "Authorization") })
      var urn = "deep/to?status=\(status)"
      if let location { urn += "&location=" + encoded(location) }
      return text(
        try await server.response(to: ServerRequest(method: method, urn: urn, body: body, headers: headers)))
    }
  }

  private func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(arguments: [
    ("/a/b?c=d", "/a/b | c=d"), ("a", "/deep/a | "), ("../a?b", "/a | b="), ("?x=y", "/deep/to | x=y"),
    ("/a#part", "/a | "), ("./a/./b/../c", "/deep/a/c | "),
  ])
  func locationsAreRelativeToTheRequest(location: String, expected: String) async throws {
    let seen = try await ask(302, location)
    #expect(seen == "GET | \(expected) |  | X-Token: 7 | Authorization: me | Accept: application/json")
  }

  @Test(arguments: [
    (301, "POST", "GET", false), (302, "POST", "GET", false), (303, "POST", "GET", false),
    (307, "POST", "POST", true), (308, "POST", "POST", true), (303, "PUT", "GET", false),
    (302, "PUT", "PUT", true), (302, "DELETE", "DELETE", false), (303, "DELETE", "GET", false),
  ])
  func methodsAndBodies(status: Int, method: String, becomes: String, keepsBody: Bool) async throws {
    let body = method == "DELETE" ? nil : RequestBody.form(["a": "b"])
    let seen = try await ask(status, "/x", method: method, body: body)
    #expect(seen.hasPrefix("\(becomes) | /x |  | \(keepsBody ? "a=b" : "") | "))
    #expect(seen.contains("Content-Type") == keepsBody)
  }

  @Test func anotherOriginGetsNoSecrets() async throws {
    try await withLoopbackServer(Self.answer) { other in
      let location = other.absoluteString + "/x"
      let headers = [
        "X-Token": "8", "If-None-Match": "\"1\"", "Accept": "text/x", "Content-Signature": "secret",
      ]
      let seen1 = try await ask(302, location, headers: headers)
      #expect(seen1 == "GET | /x |  |  | Accept: text/x | If-None-Match: \"1\"")
      let seen2 = try await ask(302, location, trusted: [other])
      #expect(seen2 == "GET | /x |  |  | X-Token: 7 | Authorization: me | Accept: application/json")
    }
  }

  /// A body is sent to trusted origins only, both after a redirect and for the address of a next page.
  @Test(arguments: [(307, "POST"), (308, "PATCH"), (302, "PUT")])
  func anotherOriginGetsNoBody(status: Int, method: String) async throws {
    try await withLoopbackServer { request in
      try await Self.answer(request)
    } _: { other in
      let location = other.absoluteString + "/x"
      let error = await #expect(throws: HTTPServerError.self) {
        try await ask(status, location, method: method, body: .form(["password": "secret"]))
      }
      #expect(error?.kind == .untrustedOrigin)
      #expect(
        error?.message
          == "the body is not sent to '\(other.absoluteString)', which is not in 'trustedOrigins'")
      // A request without a body can be redirected to any origin.
      let empty = try await ask(status, location, method: method)
      #expect(empty.hasPrefix("\(method) | /x |  |  | "))
      let trusted = try await ask(status, location, method: method, body: .form(["a": "b"]), trusted: [other])
      #expect(trusted.hasPrefix("\(method) | /x |  | a=b | "))
      // A redirect that changes the method to GET drops the body.
      #expect(
        try await ask(303, location, method: method, body: .form(["a": "b"])).hasPrefix("GET | /x |  |  | "))
    }
  }

  /// A stream can be read only once, and a body is sent to trusted origins only.
  @Test(arguments: [307, 308]) func aStreamIsNotSentAgain(status: Int) async throws {
    try await withLoopbackServer(Self.answer) { other in
      try await withLoopbackServer(Self.answer) { url in
        func error(_ location: String, trusted: [URL] = []) async -> HTTPServerError? {
          let server = RecordEngineHTTP.HTTPServer(
            baseURL: url, trustedOrigins: trusted,
            prepare: { $0.httpBodyStream = InputStream(data: Data("secret".utf8)) })
          return await #expect(throws: HTTPServerError.self) {
            try await server.response(
              to: ServerRequest(method: "PUT", urn: "to?status=\(status)&location=\(location)"))
          }
        }
        let elsewhere = other.absoluteString + "/x"
        #expect(await error(elsewhere)?.kind == .untrustedOrigin)
        for repeated in [await error("/x"), await error(elsewhere, trusted: [other])] {
          #expect(repeated?.status == status)
          #expect(
            repeated?.message
              == "the server redirects a request whose body is a stream, which cannot be sent again; set 'httpBody' instead"
          )
        }
      }
    }
  }

  @Test func aNextPageElsewhereGetsNoBody() throws {
    let base = try #require(URL(string: "https://api.test/v2"))
    let elsewhere = try #require(URL(string: "https://other.test"))
    let first = ServerRequest(method: "POST", urn: "search", body: .form(["query": "secret"]))
    func body(trusted: [URL] = [], _ request: ServerRequest) throws -> Data? {
      try RecordEngineHTTP.HTTPServer(baseURL: base, trustedOrigins: trusted).urlRequest(for: request)
        .httpBody
    }
    var next = first
    next.urn = "https://other.test/search?page=2"
    let error = #expect(throws: HTTPServerError.self) { try body(next) }
    #expect(error?.kind == .untrustedOrigin)
    #expect(try body(first) == Data("query=secret".utf8))
    #expect(try body(trusted: [elsewhere], next) == Data("query=secret".utf8))
    next.urn = "https://api.test/v2/search?page=2"
    #expect(try body(next) == Data("query=secret".utf8))
    // The query is part of the address, which the caller or the page specified.
    next.body = nil
    next.query = ["query": "secret"]
    next.urn = "https://other.test/search"
    #expect(try body(next) == nil)
  }

  /// The address identifies a page. Rule: `request.page.loop`.
  @Test func anAddressIsWhole() throws {
    let base = try #require(URL(string: "https://api.test/v2?key=7"))
    let server = RecordEngineHTTP.HTTPServer(baseURL: base)
    let whole = "https://api.test/v2/posts?key=7&page=2"
    for urn in [
      "posts?page=2", "/v2/posts?page=2", "https://api.test/v2/posts?page=2", "./posts?page=2", whole,
    ] {
      #expect(server.address(of: ServerRequest(urn: urn)) == whole)
    }
    #expect(server.address(of: ServerRequest(urn: "ftp://a/b")) == "ftp://a/b")
  }

  @Test func anAbsoluteAddressOfAnotherOriginGetsNoSecrets() async throws {
    try await withLoopbackServer(Self.answer) { other in
      let base = try #require(URL(string: "https://api.test/v2?key=secret"))
      func server(trusted: [URL] = []) -> RecordEngineHTTP.HTTPServer {
        RecordEngineHTTP.HTTPServer(
          baseURL: base, headers: ["X-Token": "7"], trustedOrigins: trusted,
          prepare: { $0.setValue("me", forHTTPHeaderField: "Authorization") })
      }
      let request = ServerRequest(
        urn: other.absoluteString + "/x?page=2", headers: ["X-Token": "8", "If-None-Match": "\"1\""])
      let untrusting = try await server().response(to: request)
      #expect(text(untrusting) == "GET | /x | page=2 |  | Accept: application/json | If-None-Match: \"1\"")
      let trusting = try await server(trusted: [other]).response(to: request)
      #expect(
        text(trusting)
          == "GET | /x | page=2 |  | X-Token: 8 | Authorization: me | Accept: application/json | If-None-Match: \"1\""
      )
    }
  }

  @Test func aLoopEnds() async throws {
    try await withLoopbackServer { request in
      .json("", status: .found, headers: [.location: request.path + "a"])
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let error = await #expect(throws: URLError.self) {
        try await server.response(to: ServerRequest(urn: "a"))
      }
      #expect(error?.code == .httpTooManyRedirects)
    }
  }

  @Test(arguments: [
    nil, "file:///etc/passwd", "ftp://example.test/a", "http://", "http:///a", "//", "http://[bad/",
    "http://a b/",
    "https://x\\@y/", "data://x",
  ])
  func redirectsToNowhereAreFailures(location: String?) async throws {
    let error = await #expect(throws: HTTPServerError.self) { try await ask(302, location) }
    #expect(error?.kind == .status && error?.status == 302)
  }

  @Test(arguments: [
    "javascript:alert(1)", "mailto:a@b", "a:b", "\u{FC}ber", "%zz", "a b", "/%", ":", "[", "{}",
  ])
  func oddLocationsAreAddressesHere(location: String) async throws {
    let seen = try await ask(302, location)
    #expect(seen.hasPrefix("GET | /"))
  }
}
