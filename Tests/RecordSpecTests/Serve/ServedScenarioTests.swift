import Testing

@testable import AdapterConnection
@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport

@Suite struct ServedScenarioTests {
  /// Returns the server of a scenario with the given top-level keys.
  private static func served(
    _ text: String, startsOver: Bool = false, keepsLinks: Bool = false, listens: Bool = true
  ) throws -> ServedScenario {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      title: Posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
      steps: [{fetch: Post}]

      """ + text, to: "a.yaml")
    let served = ServedScenario(
      try #require(folder.load("a.yaml").scenario), startsOver: startsOver, keepsLinks: keepsLinks)
    guard listens else { return served }
    served.listen(at: served.sites.indices.map { "http://127.0.0.1:\(9000 + $0)" })
    return served
  }

  private static func content(
    _ served: ServedScenario, _ request: ReceivedRequest, at site: Int = 0
  ) -> (status: Int, headers: [String: String], body: String)? {
    guard case .message(let status, let headers, let body) = served.response(to: request, at: site).0.content
    else { return nil }
    return (status, headers, String(decoding: body, as: UTF8.self))
  }

  private static func get(_ target: String) -> ReceivedRequest {
    ReceivedRequest(method: "GET", target: target)
  }

  @Test func linksLeadToTheLocalServers() throws {
    let text = """
      baseURL: https://api.test/v1/
      servers: {Post: https://people.test/}
      responses:
        posts:
          headers: {Link: '<https://api.test/v1/posts?p=2>; rel="next", <https://api.test.org/>; rel=a', Location: https://people.test/x, X: https://api.test/}
          body: {next: "https://people.test/y", text: "see https://api.test/", list: ["https://api.test", "https://api.tests/"], n: 1.50}

      """
    let found = try #require(Self.content(Self.served(text), Self.get("/v1/posts")))
    #expect(
      found.headers == [
        "Link": #"<http://127.0.0.1:9000/v1/posts?p=2>; rel="next", <https://api.test.org/>; rel=a"#,
        "Location": "http://127.0.0.1:9001/x", "X": "https://api.test/", "Content-Type": "application/json",
      ])
    #expect(
      found.body
        == #"{"next":"http://127.0.0.1:9001/y","text":"see https://api.test/","list":["http://127.0.0.1:9000","https://api.tests/"],"n":1.50}"#
    )
    let kept = try #require(Self.content(Self.served(text, keepsLinks: true), Self.get("/v1/posts")))
    #expect(kept.headers["Location"] == "https://people.test/x")
    #expect(kept.body.contains("https://people.test/y"))
  }

  /// Addresses of one origin are written in several ways.
  @Test(arguments: [
    ("https://api.test:443/a", "http://127.0.0.1:9000/a"),
    ("HTTPS://API.test/A?b", "http://127.0.0.1:9000/A?b"),
    ("//api.test/a", "http://127.0.0.1:9000/a"), ("//people.test:80", "http://127.0.0.1:9001"),
    ("http://people.test#x", "http://127.0.0.1:9001#x"),
    ("https://me:pw@api.test/", "http://127.0.0.1:9000/"),
    ("https://people.test/", nil), ("http://api.test/", nil), ("https://api.test:8080/", nil),
    ("https://api.testing/", nil), ("https:/api.test/", nil), ("//", nil), ("///api.test/", nil),
    ("https", nil),
  ])
  func originsAreCompared(link: String, local: String?) throws {
    let served = try Self.served(
      """
      baseURL: https://API.test/
      servers: {Post: "http://people.test:80/"}
      responses:
        a: {headers: {Location: "\(link)", Link: "<\(link)>; rel=x, <z\(link)>"}, body: ["\(link)", "x \(link)"]}

      """)
    let found = try #require(Self.content(served, Self.get("/a")))
    #expect(found.headers["Location"] == local ?? link)
    #expect(found.headers["Link"] == "<\(local ?? link)>; rel=x, <z\(link)>")
    #expect(found.body == #"["\#(local ?? link)","x \#(link)"]"#)
  }

  @Test(.timeLimit(.minutes(5))) func linksAreFoundInLinearTime() throws {
    let links = (0..<20_000).map { "https://api.test/\($0)//x" }.joined(separator: " ")
    let served = try Self.served(
      "baseURL: https://api.test/\nresponses: {a: {body: [\"\(links)\", \"\(String(repeating: "/", count: 100_000))\"]}}\n"
    )
    let body = try #require(Self.content(served, Self.get("/a"))).body
    #expect(body.contains(" http://127.0.0.1:9000/19999//x") && !body.contains("api.test"))
  }

  @Test func theBaseURLHasAName() throws {
    let served = try Self.served("baseURL: https://api.test/v1/\nresponses: {a: {body: []}}\n")
    #expect(served.response(to: Self.get("/v1/"), at: 0).1.text == "GET /v1/: 404, no response for '/'")
    let head = ReceivedRequest(method: "HEAD", target: "/v1/")
    #expect(served.response(to: head, at: 0).1.text == "HEAD /v1/: 404, no response for 'HEAD /'")
  }

  /// A body without links keeps its bytes, and is sent in one piece.
  @Test func aBodyIsServedAsWritten() throws {
    let served = try Self.served(
      """
      responses:
        a: {bodyText: '{"a" : [1,  2]}', headers: {content-length: 3, Transfer-Encoding: chunked, Content-Encoding: gzip, ETag: x}}
        b: {bodyText: "no, JSON"}
        c: {status: 204}
        d: {status: 304, headers: {ETag: y}}

      """)
    let json = try #require(Self.content(served, Self.get("/a")))
    #expect(json.body == #"{"a" : [1,  2]}"#)
    #expect(json.headers == ["ETag": "x", "Content-Type": "application/json"])
    #expect(Self.content(served, Self.get("/b"))?.headers == ["Content-Type": "text/plain; charset=utf-8"])
    let empty = try #require(Self.content(served, Self.get("/c")))
    #expect(empty.status == 204 && empty.body == "" && empty.headers == [:])
    let unmodified = try #require(Self.content(served, Self.get("/d")))
    #expect(unmodified.status == 304 && unmodified.headers == ["ETag": "y"])
  }

  @Test func aRequestMeetsTheConditionsOfItsResponse() throws {
    let served = try Self.served(
      """
      responses:
        POST posts:
          - {when: {json: {a: [1]}}, body: [json], repeat: true}
          - {when: {form: {a: x y}}, body: [form]}
          - {when: {headers: {Accept-Language: de}}, body: [header]}

      """)
    func post(_ body: String, _ headers: [String: String]) -> String? {
      let request = ReceivedRequest(
        method: "POST", target: "/posts", headers: headers, body: Array(body.utf8))
      return Self.content(served, request)?.body
    }
    #expect(post(#"{ "a": [1] }"#, ["content-type": "application/json; charset=utf-8"]) == #"["json"]"#)
    #expect(post(#"{"a":[1]}"#, ["Content-Type": "application/vnd.api+json"]) == #"["json"]"#)
    #expect(post("a=x+y", ["Content-Type": "application/x-www-form-urlencoded"]) == #"["form"]"#)
    #expect(post("", ["accept-language": "de"]) == #"["header"]"#)
    #expect(post("a=z", [:])?.hasPrefix("the request for 'POST posts' lacks the body or the headers") == true)
  }

  @Test func responsesAreServedInOrder() throws {
    let text = "responses: {a: [{body: [1]}, {body: [2]}], b: {body: [3], optional: true}}\n"
    let once = try Self.served(text)
    #expect((1...3).map { _ in Self.content(once, Self.get("/a"))?.status } == [200, 200, 404])
    #expect(
      once.response(to: Self.get("/a"), at: 0).1.advice
        == "restart the command to serve them again; with '--start-over', an address starts over by itself")
    let again = try Self.served(text, startsOver: true)
    #expect((1...4).map { _ in Self.content(again, Self.get("/a"))?.body } == ["[1]", "[2]", "[1]", "[2]"])
  }

  /// A response that was served counts as requested, also after its address has started over.
  @Test func servedResponsesStayRequested() throws {
    let served = try Self.served(
      "responses: {a: [{body: [1]}, {body: [2]}], b: {body: []}}\n", startsOver: true)
    for _ in 1...3 { _ = Self.content(served, Self.get("/a")) }
    #expect(served.unused.map(\.address) == ["b"])
    #expect(served.counts == (3, 0))
  }

  /// A request may arrive before all sites are served.
  @Test func aRequestDuringTheStartHasNoLocalLinks() throws {
    let served = try Self.served(
      "baseURL: https://api.test/v1/\nresponses: {a: {body: []}}\n", listens: false)
    #expect(served.response(to: Self.get("/a"), at: 0).1.advice?.hasSuffix("https://api.test/v1/") == true)
  }

  @Test func addressesAreEncoded() throws {
    let served = try Self.served(
      "responses: {bücher?q=a b: {body: [1]}, x%20y: {body: [2]}}\n".replacing("a b", with: "a%20b"))
    #expect(Self.content(served, Self.get("/b%C3%BCcher?q=a+b"))?.body == "[1]")
    #expect(Self.content(served, Self.get("/x%20y"))?.body == "[2]")
  }

  @Test func failuresCloseTheConnection() throws {
    let served = try Self.served("responses: {a: {error: offline, delay: 2s}, b: {error: timeout}}\n")
    let offline = served.response(to: Self.get("/a"), at: 0)
    guard case .closedConnection = offline.0.content else {
      Issue.record("\(offline)")
      return
    }
    #expect(offline.0.delay == .seconds(2))
    #expect(offline.1.text.hasPrefix("GET /a: offline after 2s ("))
    #expect(served.response(to: Self.get("/b"), at: 0).0.delay == ServedScenario.timeout)
  }

  @Test func aWrongBaseURLIsNamed() throws {
    let served = try Self.served("baseURL: https://api.test/v1/\nresponses: {a: {body: []}}\n")
    let event = served.response(to: Self.get("/a"), at: 0).1
    #expect(event.advice == "the base URL of the app must be http://127.0.0.1:9000/v1/")
  }

  /// A client decides what a request contains.
  @Test(arguments: ["", "//", "/%", "/?%", "/a?a=1&a=2", "/\u{1B}[31m", "*", "http://x/"])
  func hostileTargetsHaveNoResponse(target: String) throws {
    let served = try Self.served("responses: {b: {body: []}}\n")
    let (response, event) = served.response(to: Self.get(target), at: 0)
    guard case .message(404, _, _) = response.content else {
      Issue.record("\(response)")
      return
    }
    #expect(!event.text.contains("\u{1B}") && event.advice != nil)
  }
}
