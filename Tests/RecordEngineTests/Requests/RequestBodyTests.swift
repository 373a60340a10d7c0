import Foundation
import RecordEngine
import Testing

/// Tests for requests by their method, with a query and a body. Rules: `request.body`, `request.page.body`.
@Suite struct RequestBodyTests {
  @Test func encodableValuesBecomeJSON() throws {
    struct Label: Encodable {
      var name: String
      var colors: [Int]
    }
    #expect(
      try RequestBody.json(encoding: Label(name: "bug", colors: [1, 2]))
        == .json(["name": "bug", "colors": [1, 2]]))
    #expect(throws: EncodingError.self) { try RequestBody.json(encoding: [Double.infinity]) }
  }

  @Test func encodedBodiesHaveAtMost512Levels() throws {
    /// An encoder that returns nested arrays, because `JSONEncoder` needs much stack for them.
    final class NestingEncoder: JSONEncoder, @unchecked Sendable {
      override func encode<Value: Encodable>(_ levels: Value) throws -> Data {
        let count = try #require(levels as? Int)
        return Data((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
      }
    }
    #expect(throws: Never.self) { try RequestBody.json(encoding: 512, encoder: NestingEncoder()) }
    #expect(throws: JSONSyntaxError.self) { try RequestBody.json(encoding: 513, encoder: NestingEncoder()) }
  }

  typealias Fixture = RequestFixture

  private static let options: RequestOptions = {
    var options = RequestOptions()
    options.domain = "a"
    return options
  }()

  @Test(
    arguments: [
      (RecordRequest<Fixture.Post>.get("a", query: ["b": "c"], options: options), "GET", nil),
      (.post("a", query: ["b": "c"], options: options), "POST", nil),
      (.post("a", query: ["b": "c"], body: .json(["d": [1]]), options: options), "POST", .json(["d": [1]])),
      (.put("a", query: ["b": "c"], body: .form(["d": "1"]), options: options), "PUT", .form(["d": "1"])),
      (.patch("a", query: ["b": "c"], body: .form([:]), options: options), "PATCH", .form([:])),
      (.delete("a", query: ["b": "c"], options: options), "DELETE", nil),
      (.delete("a", query: ["b": "c"], body: .json([]), options: options), "DELETE", .json([])),
    ] as [(RecordRequest<Fixture.Post>, String, RequestBody?)])
  func requestsAreMadeByTheirMethod(
    request: RecordRequest<Fixture.Post>, method: String, body: RequestBody?
  ) {
    let expected = ServerRequest(method: method, urn: "a", query: ["b": "c"], body: body)
    #expect(request.serverRequest == expected)
    #expect(request.options?.domain == "a")
  }

  @Test func valuesCanBeInterpolated() {
    let number = 7
    let body: JSONValue = ["name": "label \(number)"]
    #expect(body == ["name": .string("label 7")])
  }

  @Test func theServerReceivesTheQueryAndTheBody() async throws {
    let server = TestServer { _ in ServerResponse(.json(["data": [["id": "1"]]]), status: 201) }
    let container = try Fixture.container(server)
    let body: JSONValue = ["text": "Hello", "tags": ["a", ["b": nil]]]
    let result = try await container.perform(
      RecordRequest<Fixture.Post>.post("posts", query: ["draft": "1"], body: .json(body)),
      context: container.makeContext())
    #expect(result.records.map(\.key) == ["1"])
    #expect(
      server.requests
        == [ServerRequest(method: "POST", urn: "posts", query: ["draft": "1"], body: .json(body))])
  }

  // MARK: Pages

  /// A search whose pages differ only in their bodies.
  @Test func pagesWithOtherBodiesAreOtherPages() async throws {
    let server = TestServer(paging: .cursor(at: "next")) { request in
      guard case .json(let body) = request.body else { return ServerResponse(.bytes([]), status: 400) }
      switch body["cursor"] {
      case nil: return ServerResponse(.json(["data": [["id": "1"]], "next": "b"]))
      case "b": return ServerResponse(.json(["data": [["id": "2"]], "next": "c"]))
      default: return ServerResponse(.json(["data": [["id": "3"]], "next": "b"]))
      }
    }
    let container = try Fixture.container(server)
    let search = RecordRequest<Fixture.Post>.post("search", body: .json(["q": ["tide"]]))
    let pages = container.pages(search, context: container.makeContext())
    var keys: [String?] = []
    // The third page leads back to the second one.
    let code = await Fixture.code { for try await page in pages { keys += page.records.map(\.key) } }
    #expect(code == .pageLoop)
    #expect(keys == ["1", "2", "3"])
    #expect(
      server.requests.map(\.body) == [
        .json(["q": ["tide"]]), .json(["q": ["tide"], "cursor": "b"]), .json(["q": ["tide"], "cursor": "c"]),
      ])
  }

  // MARK: Cache

  private static func cached(_ body: RequestBody?) -> RecordRequest<Record> {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    return RecordRequest(entity: "Post", urn: "posts", body: body, options: options)
  }

  /// A server that describes only the address of its requests.
  private struct BriefServer: ServerWrapper {
    let server: any Server
    func description(of request: ServerRequest) async throws -> ServerRequest? {
      ServerRequest(urn: request.urn)
    }
  }

  /// The address does not determine the response to a request with a body.
  @Test(arguments: [true, false]) func aRequestWithABodyPassesTheCacheBy(isDescribed: Bool) async throws {
    let server = TestServer { request in
      let id: JSONValue = request.body == nil ? "all" : "found"
      return ServerResponse(.json(["data": [["id": id]]]), headers: ["Cache-Control": "max-age=60"])
    }
    let container = try PersistentContainer(
      model: try Fixture.model(),
      configuration: .init(
        server: isDescribed ? server : BriefServer(server: server), cache: RecordCache(now: { moment(0) })))
    let context = container.makeContext()
    func ids(_ body: RequestBody?) async throws -> (Served, [String?]) {
      let result = try await container.perform(Self.cached(body), context: context)
      #expect(result.diagnostics.isEmpty)
      return (result.served, result.records.map { $0["id"] })
    }
    #expect(try await ids(nil) == (.network, ["all"]))
    for _ in 1...2 { #expect(try await ids(.json(["q": "x"])) == (.network, ["found"])) }
    #expect(try await ids(nil) == (.cache, ["all"]))
    #expect(server.requests.count == 3)
  }

  @Test func inFlightRequestsWithBodiesAreNotCoalesced() async throws {
    let gate = Gate()
    let server = TestServer { _ in
      await gate.pass()
      return ServerResponse(.json(["data": []]), headers: ["Cache-Control": "max-age=60"])
    }
    let container = try PersistentContainer(
      model: try Fixture.model(),
      configuration: .init(server: server, cache: RecordCache(now: { moment(0) })))
    async let first = container.perform(Self.cached(.json(1)), context: container.makeContext()).served
    async let second = container.perform(Self.cached(.json(1)), context: container.makeContext()).served
    while server.requests.count < 2 { await Task.yield() }
    await gate.open()
    #expect(try await [first, second] == [.network, .network])
  }
}
