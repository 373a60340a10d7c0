import JSONTree
import RecordSpec
import Testing

@Suite struct ResponseReadingTests {
  private func addresses(_ text: String) throws -> [CannedAddress] {
    let loaded = try scenario(responses: "responses:\n" + text)
    #expect(loaded.complaints == "")
    return loaded.scenario?.responses ?? []
  }

  @Test(
    arguments: [
      ("NSURLErrorTimedOut", .timeout), ("URLError.timedOut", .timeout), ("timedOut", .timeout),
      ("-1001", .timeout), ("notConnectedToInternet", .offline), ("-1009", .offline),
      ("cannotFindHost", .cannotFindHost), ("NSURLErrorDNSLookupFailed", .cannotFindHost),
      ("cannotConnectToHost", .cannotConnect), ("networkConnectionLost", .connectionLost),
      ("secureConnectionFailed", .secureConnectionFailed), ("badURL", nil), ("", nil), ("1", nil),
    ] as [(String, ServerFailure?)])
  func errorsOfFoundationStandForFailures(name: String, failure: ServerFailure?) {
    #expect(ServerFailure(namedInFoundation: name) == failure)
  }

  /// Only a part of a path that is a name in braces or after a colon is a placeholder.
  @Test(
    arguments: [
      ("posts/{id}", "'{id}'"), ("posts/:id/likes", "':id'"), ("${HOST}/posts", "'${HOST}'"),
      ("posts?filter={id}", nil), ("posts/a:b", nil), ("posts/:1", nil), ("posts/{}", nil),
      ("posts/{a}b", nil),
      ("https://api.test:80/posts", nil),
    ] as [(String, String?)])
  func placeholdersAreErrors(address: String, name: String?) throws {
    let loaded = try scenario(responses: "responses:\n  \"\(address)\": {body: []}\n")
    #expect(loaded.diagnostics.count == (name == nil ? 0 : 1))
    if let name { #expect(loaded.complaints.contains("\(name) is not replaced")) }
  }

  @Test(arguments: [
    ("posts", "GET", "posts", [:]),
    ("stream/global", "GET", "stream/global", [:]),
    ("POST posts", "POST", "posts", [:]),
    ("posts?page=2&q=a%20b", "GET", "posts", ["page": "2", "q": "a b"]),
    ("posts?q=a+b&flag&none=", "GET", "posts", ["q": "a b", "flag": "", "none": ""]),
    ("posts?q=%C3%A9%26%3D", "GET", "posts", ["q": "é&="]),
    ("DELETE posts/1?a=b=c", "DELETE", "posts/1", ["a": "b=c"]),
    ("https://api.test/posts?a=1", "GET", "posts", ["a": "1"]),
    ("https://other.test/posts", "GET", "https://other.test/posts", [:]),
    ("/", "GET", "", [:]), ("POST /?a=1", "POST", "", ["a": "1"]),
    ("https://other.test/", "GET", "https://other.test/", [:]),
    ("PURGE posts", "PURGE", "posts", [:]), ("M-SEARCH posts?a=1", "M-SEARCH", "posts", ["a": "1"]),
  ])
  func readsAddresses(text: String, method: String, path: String, parameters: [String: String]) throws {
    let address = try #require(try addresses("  \"\(text)\": {body: []}\n").first)
    #expect(address.address.method == method)
    #expect(address.address.path == path)
    #expect(address.address.parameters == parameters.mapValues { [$0] })
    #expect(address.text == text)
  }

  @Test(arguments: [
    ("https://api.test/", "/"), ("https://api.test", "/"), ("https://api.test?a=1", "/?a=1"),
    ("POST https://api.test", "POST /"), ("https://other.test", "https://other.test/"),
    ("https://other.test?u=https://a/b", "https://other.test/?u=https://a/b"), ("//", "/"),
    ("https://API.test:443/Posts", "Posts"), ("HTTPS://api.test:/posts", "posts"),
    ("http://api.test:80/posts", "http://api.test/posts"),
    ("https://api.test:80/posts", "https://api.test:80/posts"),
    ("https://User:X@Other.test:443", "https://User:X@other.test/"),
    ("posts?b=1&a=2&b=0&a=2", "posts?a=2&a=2&b=1&b=0"),
  ])
  func addressesHaveOneSpelling(text: String, spelling: String) throws {
    let address = try #require(try addresses("  \"\(text)\": {body: []}\n").first).address
    #expect(address.text == spelling)
    #expect(
      try RequestAddress(
        method: address.method, urn: address.url(relativeTo: "https://api.test/"),
        baseURL: "https://api.test/") == address)
  }

  @Test func repeatedParametersAreComparedInOrder() throws {
    func address(_ text: String) throws -> RequestAddress {
      try RequestAddress(method: "GET", urn: text, baseURL: "https://api.test/")
    }
    let canned = try address("posts?id=1&id=2")
    #expect(canned.answers(try address("posts?id=1&x=3&id=2")))
    for other in ["posts?id=2&id=1", "posts?id=1", "posts?id=1&id=2&id=3", "posts?id=1,2"] {
      #expect(!canned.answers(try address(other)), "\(other)")
      #expect(canned != (try address(other)), "\(other)")
    }
    #expect(!(try address("posts?id=1")).answers(canned))
  }

  @Test(arguments: [
    ("GETT posts", "unknown HTTP method 'GETT'"), ("get posts", "unknown HTTP method 'get'"),
    ("M:X posts", "unknown HTTP method 'M:X'"), ("42 posts", "unknown HTTP method '42'"),
    ("a b c", "unknown HTTP method 'a'"),
    ("GET a b", "an address cannot contain spaces"),
    ("?a=1", "the address has no path"), ("posts#top", "an address cannot contain '#'"),
    ("posts?=1", "a parameter has no name"),
    ("posts?a=%G0", "expected two hexadecimal digits after '%'"),
    ("posts?a=%+1", "expected two hexadecimal digits after '%'"),
    ("posts?a=%C3", "the parameters are not valid UTF-8"),
  ])
  func refusesAddresses(text: String, message: String) throws {
    let loaded = try scenario(responses: "responses:\n  \"\(text)\": {body: []}\n")
    #expect(loaded.diagnostics.map(\.message) == [message])
  }

  @Test func readsResponses() throws {
    let addresses = try addresses(
      """
        a:
          - body: {b: 1, a: 1.50}
            status: 201
            headers: {X-Total: 3, Content-Type: application/json}
          - bodyText: "{"
            repeat: true
        b: {status: 204, optional: true}
        c: {bodyText: ""}

      """)
    try #require(addresses.map(\.responses.count) == [2, 1, 1])
    let first = addresses[0].responses[0]
    guard case .value(let value) = first.body, case .bytes(let bytes) = addresses[0].responses[1].body,
      case .bytes(let none) = addresses[2].responses[0].body
    else {
      Issue.record("a body has the wrong kind")
      return
    }
    #expect(value.compactText() == #"{"b":1,"a":1.50}"#)
    #expect(first.status == 201 && first.headers == ["X-Total": "3", "Content-Type": "application/json"])
    #expect(!first.isRepeated && !first.isOptional)
    #expect(bytes == Array("{".utf8) && addresses[0].responses[1].isRepeated)
    #expect(addresses[1].responses[0].body == nil && addresses[1].responses[0].status == 204)
    #expect(addresses[1].responses[0].isOptional)
    #expect(none.isEmpty)
  }

  @Test func readsConditions() throws {
    let addresses = try addresses(
      """
        POST a:
          - {when: {json: {b: 1.50}, headers: {X: y}}, body: []}
          - {when: {form: {b: 1.50}}, body: []}
          - {when: {headers: {X: y}}, body: []}
          - {body: []}

      """)
    let responses = addresses.flatMap(\.responses)
    #expect(responses.map(\.requiredBody) == [.json(["b": 1.5]), .form(["b": "1.50"]), nil, nil])
    #expect(responses.map(\.requiredHeaders) == [["X": "y"], [:], ["X": "y"], [:]])
  }

  /// A header named `at` is refused, unless it is written as `At`.
  @Test func aHeaderMayBeNamedAt() throws {
    let addresses = try addresses("  a: {headers: {At: /0/headers}, body: []}\n")
    #expect(addresses.first?.responses.first?.headers == ["At": "/0/headers"])
    let loaded = try scenario(responses: "responses:\n  a: {headers: {at: {at: /0}}, body: []}\n")
    #expect(loaded.diagnostics.first?.message == "'at' is not the name of a header here")
  }

  @Test(arguments: [("/0/status", 201), ("/1/status", 599)])
  func readsRecordedStatuses(pointer: String, status: Int) throws {
    let folder = try TemporaryFolder()
    try folder.write(#"[{"status": 201, "body": []}, {"status": 599.0, "body": []}]"#, to: "a.json")
    try folder.write(
      Parts.title + Parts.model
        + "responses: {posts: {bodyFile: a.json, at: /0/body, status: {at: \(pointer)}}}\n" + Parts.steps,
      to: "a.yaml")
    let loaded = folder.load("a.yaml")
    #expect(loaded.complaints == "")
    #expect(loaded.scenario?.responses.first?.responses.first?.status == status)
  }

  @Test(arguments: [
    ("", "[ {\"url\": \"a\", \"response\": {\"b\" : 1.0} } ]\n"),
    ("at: \"\"", "[ {\"url\": \"a\", \"response\": {\"b\" : 1.0} } ]"),
    ("at: /0/response", "{\"b\" : 1.0}"), ("at: /0/response/b", "1.0"), ("at: /0/url", "\"a\""),
  ])
  func servesRecordingsAsTheyStand(at: String, expected: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("[ {\"url\": \"a\", \"response\": {\"b\" : 1.0} } ]\n", to: "recordings/a.json")
    try folder.write(
      Parts.title + Parts.model + "responses:\n  posts:\n    bodyFile: ../recordings/a.json\n    \(at)\n"
        + Parts.steps,
      to: "scenarios/a.yaml")
    let loaded = folder.load("scenarios/a.yaml")
    #expect(loaded.complaints == "")
    guard case .bytes(let bytes) = loaded.scenario?.responses.first?.responses.first?.body else {
      Issue.record("the body does not consist of bytes")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
