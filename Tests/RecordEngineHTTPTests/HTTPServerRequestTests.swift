import Foundation
import RecordEngine
import RecordEngineHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for URL requests, without sending them.
///
/// Proves `httpserver.request`, `httpserver.parameters`, `httpserver.body` and `httpserver.origin`.
@Suite struct HTTPServerRequestTests {
  private func url(
    _ urn: String, _ query: [String: String] = [:], base: String = "https://api.test/v2",
    method: String = "GET"
  ) throws -> String? {
    let server = HTTPServer(baseURL: try #require(URL(string: base)))
    return try server.urlRequest(for: ServerRequest(method: method, urn: urn, query: query)).url?
      .absoluteString
  }

  @Test(arguments: [
    ("users", "https://api.test/v2/users"), ("users/7/posts", "https://api.test/v2/users/7/posts"),
    ("", "https://api.test/v2"), ("/users", "https://api.test/users"), ("../v3/a", "https://api.test/v3/a"),
    ("../../../a", "https://api.test/a"), ("./a/../b/", "https://api.test/v2/b/"),
    ("users#part", "https://api.test/v2/users"), ("?a=b", "https://api.test/v2?a=b"),
    ("http://other.test:81/a?b=c", "http://other.test:81/a?b=c"),
    ("HTTPS://API.test/a", "https://API.test/a"), ("//other.test/a", "https://other.test/a"),
    ("José Müller/a+b", "https://api.test/v2/Jos%C3%A9%20M%C3%BCller/a+b"),
    ("a%20b%2Fc%zz%", "https://api.test/v2/a%20b%2Fc%25zz%25"),
    ("documents:search", "https://api.test/v2/documents:search"),
    ("a?", "https://api.test/v2/a"),
    ("a?b=c d&e[]=f&e[]=g", "https://api.test/v2/a?b=c%20d&e%5B%5D=f&e%5B%5D=g"),
    ("/.//other.test", "https://api.test//other.test"),
  ])
  func addresses(urn: String, expected: String) throws {
    #expect(try url(urn) == expected)
    #expect(
      try url(urn, base: "https://api.test/v2/")
        == (urn.isEmpty || urn == "?a=b"
          ? expected.replacing("/v2", with: "/v2/") : expected))
  }

  @Test func aBaseURLWithoutPath() throws {
    #expect(try url("users", base: "http://127.0.0.1:80") == "http://127.0.0.1:80/users")
    #expect(try url("", base: "http://[::1]:8080") == "http://[::1]:8080")
  }

  @Test func parametersAreEscapedAndSorted() throws {
    let query = ["b": "1+1=2&3", "a": "x y/z?ü%20", "ü[]": "", "c": "🦆"]
    #expect(
      try url("a", query)
        == "https://api.test/v2/a?a=x%20y%2Fz%3F%C3%BC%2520&b=1%2B1%3D2%263&c=%F0%9F%A6%86&%C3%BC%5B%5D=")
  }

  @Test func aParameterIsSentOnce() throws {
    let base = "https://api.test/v2?key=k&lang=en&page=0"
    #expect(
      try url("a?page=1&page=1b&lang=de&tag=x&tag=y", ["page": "2"], base: base)
        == "https://api.test/v2/a?key=k&lang=de&tag=x&tag=y&page=2")
    #expect(try url("a?%70age=1&pa+ge=3", ["page": "2"]) == "https://api.test/v2/a?pa+ge=3&page=2")
    // The parameters of the base URL are sent to its own origin only.
    #expect(try url("https://other.test/a", base: base) == "https://other.test/a")
    #expect(try url("https://api.test:443/a", base: base) == "https://api.test:443/a?key=k&lang=en&page=0")
    #expect(try url("http://api.test/a", base: base) == "http://api.test/a")
    #expect(try url("", base: base) == base)
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT", "PATCH", "REPORT"])
  func theQueryIsPartOfTheAddress(method: String) throws {
    let server = HTTPServer(baseURL: try #require(URL(string: "https://api.test")))
    let request = try server.urlRequest(for: ServerRequest(method: method, urn: "a", query: ["b": "c"]))
    #expect(request.url?.absoluteString == "https://api.test/a?b=c")
    #expect(request.httpMethod == method)
    #expect(request.httpBody == nil)
    #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
  }

  private static let bodies: [(RequestBody, String, String)] = [
    (
      .form(["b&": "c \"d\"\n", "a": "ü+"]), "a=%C3%BC%2B&b%26=c%20%22d%22%0A",
      "application/x-www-form-urlencoded"
    ),
    (.form([:]), "", "application/x-www-form-urlencoded"),
    (
      .json(["name": "bug", "tags": [1, nil, ["a": true]]]), #"{"name":"bug","tags":[1,null,{"a":true}]}"#,
      "application/json"
    ),
    (.json(nil), "null", "application/json"),
    (.data(Data([0x62, 0x0A]), contentType: "image/png"), "b\n", "image/png"),
  ]

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "REPORT"], bodies)
  func aBodyIsSentWithItsMediaType(method: String, body: (RequestBody, String, String)) throws {
    let url = try #require(URL(string: "https://api.test"))
    var request = ServerRequest(method: method, urn: "a?x=y", query: ["b": "c"], body: body.0)
    let sent = try HTTPServer(baseURL: url).urlRequest(for: request)
    #expect(sent.url?.absoluteString == "https://api.test/a?x=y&b=c")
    #expect(sent.httpBody == Data(body.1.utf8))
    #expect(sent.value(forHTTPHeaderField: "content-type") == body.2)
    // The headers of the server and of the request take precedence.
    let server = HTTPServer(baseURL: url, headers: ["content-type": "application/vnd.api+json"])
    #expect(
      try server.urlRequest(for: request).value(forHTTPHeaderField: "Content-Type")
        == "application/vnd.api+json")
    request.headers = ["CONTENT-TYPE": "text/x"]
    #expect(try server.urlRequest(for: request).value(forHTTPHeaderField: "Content-Type") == "text/x")
    request.body = nil
    request.headers = [:]
    let bare = try HTTPServer(baseURL: url).urlRequest(for: request)
    #expect(bare.httpBody == nil)
    #expect(bare.value(forHTTPHeaderField: "content-type") == nil)
  }

  @Test(arguments: ["GET", "HEAD", "TRACE"])
  func someMethodsHaveNoBody(method: String) throws {
    let server = HTTPServer(baseURL: try #require(URL(string: "https://api.test")))
    let error = #expect(throws: HTTPServerError.self) {
      try server.urlRequest(for: ServerRequest(method: method, urn: "a", body: .json([:])))
    }
    #expect(error?.kind == .request)
    #expect(error?.message == "a \(method) request cannot have a body; pass its parameters in 'query'")
  }

  @Test func aMediaTypeThatCannotBeSentIsRefused() throws {
    let server = HTTPServer(baseURL: try #require(URL(string: "https://api.test")))
    let body = RequestBody.data(Data(), contentType: "a\r\nB: c")
    let error = #expect(throws: HTTPServerError.self) {
      try server.urlRequest(for: ServerRequest(method: "PUT", urn: "a", body: body))
    }
    #expect(error?.kind == .request)
  }

  @Test func headers() throws {
    let url = try #require(URL(string: "https://api.test"))
    let server = HTTPServer(
      baseURL: url, headers: ["X-Token": "7", "accept-language": "en", "ACCEPT": "text/a"])
    let request = ServerRequest(urn: "a", headers: ["x-token": "8", "X-Other": "9"])
    let own = try #require(try server.urlRequest(for: request).allHTTPHeaderFields)
    #expect(
      Dictionary(uniqueKeysWithValues: own.map { ($0.key.lowercased(), $0.value) })
        == ["accept": "text/a", "accept-language": "en", "x-token": "8", "x-other": "9"])
    var elsewhere = request
    elsewhere.urn = "https://api.test.evil.test/a"
    elsewhere.headers["Range"] = "bytes=1-2"
    #expect(
      try server.urlRequest(for: elsewhere).allHTTPHeaderFields
        == ["Accept": "application/json", "Range": "bytes=1-2"])
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://api.test/a", "http://", "https:///a", "//", "http://a b/", "http://x\\@y/",
    "ws://api.test/a",
  ])
  func otherAddressesAreRefused(urn: String) throws {
    let error = #expect(throws: HTTPServerError.self) { try url(urn) }
    #expect(error?.kind == .address)
    #expect(error?.urn == urn)
    #expect(error?.message.hasSuffix("is not an HTTP address") == true)
  }

  @Test func aBaseURLOfAnotherKindIsRefused() {
    let error = #expect(throws: HTTPServerError.self) { try url("a", base: "file:///tmp/") }
    #expect(error?.description == "the base URL 'file:///tmp/' is not an HTTP URL (requested 'a')")
  }

  @Test(arguments: [
    ("", [:]), ("GET /x HTTP/1.1\r\n", [:]), ("GÉT", [:]), ("GET", ["": "a"]), ("GET", ["A:b": "a"]),
    ("GET", ["A\r\nB": "a"]), ("GET", ["A": "b\r\nC: d"]), ("GET", ["A": "b\nC: d"]), ("GET", ["A": "\0"]),
  ])
  func whatCannotBeSentIsRefused(method: String, headers: [String: String]) throws {
    let server = HTTPServer(baseURL: try #require(URL(string: "https://api.test")))
    let error = #expect(throws: HTTPServerError.self) {
      try server.urlRequest(for: ServerRequest(method: method, urn: "a", headers: headers))
    }
    #expect(error?.kind == .request)
  }

  /// The requests are not sent: no server listens on the port.
  @Test func whatIsAddedIsCheckedToo() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9"))
    let prepared = HTTPServer(baseURL: url, prepare: { $0.httpMethod = "GET /x HTTP/1.1\r\nX: y" })
    var servers = [prepared]
    for (name, value) in [("X-Token", "a\r\nB: c"), ("X-Token", "a\n"), ("X Token", "a")] {
      let configuration = HTTPServer.configuration
      configuration.httpAdditionalHeaders = [name: value]
      servers.append(HTTPServer(baseURL: url, configuration: configuration))
    }
    for server in servers {
      let error = await #expect(throws: HTTPServerError.self) {
        try await server.response(to: ServerRequest(urn: "a"))
      }
      #expect(error?.kind == .request)
    }
  }

  @Test(arguments: [
    (Duration.zero, 1.0), (.milliseconds(1), 1), (.milliseconds(1500), 2), (.seconds(60), 60),
    (.seconds(-5), 1), (.seconds(Int64.max), 2_592_000),
    (.seconds(Int64.max) + .milliseconds(1), 2_592_000),
  ])
  func timeoutsAreWholeSeconds(timeout: Duration, seconds: Double) throws {
    let server = HTTPServer(baseURL: try #require(URL(string: "https://api.test")), timeout: timeout)
    #expect(try server.urlRequest(for: ServerRequest(urn: "a")).timeoutInterval == seconds)
    let other = ServerRequest(urn: "a", timeout: .seconds(7))
    #expect(try server.urlRequest(for: other).timeoutInterval == 7)
  }
}
