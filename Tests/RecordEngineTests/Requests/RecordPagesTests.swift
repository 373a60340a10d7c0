import RecordEngine
import Testing

/// Tests for requests of pages. Rules: `request.page`, `request.page.option`, `request.page.loop`.
@Suite struct RecordPagesTests {
  typealias Fixture = RequestFixture

  private static let paging = Paging { page in
    let next = page.responseObject?["next"]?.string
    return PageManager(nextPage: next.map { ServerRequest(urn: $0) })
  }

  private static let bodies: [String: JSONValue] = [
    "1": ["data": [["id": "a"], ["id": "b"]], "next": "2"],
    "2": ["data": [["id": "c"]], "next": "3"],
    "3": ["data": [["id": "d"]]],
  ]

  @Test func pagesComeAsTheyAreWanted() async throws {
    let server = TestServer(paging: Self.paging, Self.bodies)
    let container = try Fixture.container(server)
    let pages = container.pages(Fixture.Post.self, urn: "1", context: container.makeContext())
    var keys: [String] = []
    for try await page in pages {
      keys += page.records.compactMap(\.key)
      if keys.contains("c") { break }
    }
    #expect(keys == ["a", "b", "c"])
    #expect(server.requests.map(\.urn) == ["1", "2"])
    #expect(server.requests.map(\.isPaged) == [true, true])
    #expect(pages.nextRequest?.urn == "3")

    for try await page in pages { keys += page.records.compactMap(\.key) }
    #expect(keys == ["a", "b", "c", "d"])
    #expect(try await pages.nextPage() == nil)
  }

  @Test @MainActor func pagesBelongToTheirContext() async throws {
    let container = try Fixture.container(TestServer(paging: Self.paging, Self.bodies))
    let context = container.makeContext()
    var count = 0
    for try await page in container.pages(Fixture.Post.self, urn: "1", context: context) {
      count += 1
      #expect(page.records.filter { $0.context !== context }.isEmpty)
    }
    #expect(count == 3)
  }

  /// The first page has a relative address, and a later page refers to it with an absolute one.
  /// Rule: `request.page.loop`.
  @Test func aLoopIsNoticedHoweverAddressesAreWritten() async throws {
    struct AbsoluteServer: Server {
      let asked: TestServer
      var paging: Paging? { .address(at: "next") }

      func response(to request: ServerRequest) async throws -> ServerResponse {
        try await asked.response(to: request)
      }

      func address(of request: ServerRequest) -> String {
        request.urn.hasPrefix("https:") ? request.urn : "https://api.test/" + request.urn
      }
    }
    let server = AbsoluteServer(
      asked: TestServer([
        "posts": ["data": [["id": "a"]], "next": "https://api.test/posts?page=2"],
        "https://api.test/posts?page=2": [
          "data": [["id": "b"]], "next": "https://api.test/posts?page=1",
        ],
      ]))
    let container = try Fixture.container(server)
    let pages = container.pages(
      Fixture.Post.self, urn: "posts", query: ["page": "1"], context: container.makeContext())
    _ = try await pages.nextPage()
    _ = try await pages.nextPage()
    #expect(await Fixture.code { _ = try await pages.nextPage() } == .pageLoop)
    #expect(server.asked.requests.count == 2)
  }

  /// Addresses in a response are relative to the address that sent it (RFC 3986, section 5.1.3).
  @Test(arguments: [Paging.linkHeader(), .address(at: "next", previous: "previous")])
  func addressesAreRelativeToWhereARedirectHasLed(paging: Paging) async throws {
    struct MovedServer: Server {
      let asked: TestServer
      let paging: Paging?

      func response(to request: ServerRequest) async throws -> ServerResponse {
        var response = try await asked.response(to: request)
        var sent = request
        sent.urn = address(of: request).replacing("/old/feed", with: "/v2/feed/list")
        response.sentRequest = sent
        return response
      }

      func address(of request: ServerRequest) -> String {
        request.urn.hasPrefix("https:") ? request.urn : "https://api.test/" + request.urn
      }
    }
    let asked = TestServer { request in
      let isSecond = request.urn.hasSuffix("page=2")
      let link = isSecond ? "<?page=1>; rel=prev" : "<list?page=2>; rel=next"
      return ServerResponse(
        .json(["data": [], "next": isSecond ? nil : "list?page=2", "previous": isSecond ? "?page=1" : nil]),
        headers: ["Link": link])
    }
    let container = try Fixture.container(MovedServer(asked: asked, paging: paging))
    let pages = container.pages(Fixture.Post.self, urn: "old/feed", context: container.makeContext())
    _ = try await pages.nextPage()
    #expect(pages.nextRequest?.urn == "https://api.test/v2/feed/list?page=2")
    let second = try await pages.nextPage()
    #expect(second?.pageManager?.previousPage?.urn == "https://api.test/v2/feed/list?page=1")
    // Without a redirect, an address keeps its notation.
    let straight = container.pages(Fixture.Post.self, urn: "feed", context: container.makeContext())
    _ = try await straight.nextPage()
    #expect(straight.nextRequest?.urn == "list?page=2")
  }

  /// Two concurrent requests for the next page get one page each.
  @Test @MainActor func whoAsksMeanwhileGetsThePageAfter() async throws {
    let container = try Fixture.container(TestServer(paging: Self.paging, Self.bodies))
    let pages = container.pages(Fixture.Post.self, urn: "1", context: container.makeContext())
    let first = Task { try await pages.nextPage()?.records.compactMap(\.key) }
    let second = Task { try await pages.nextPage()?.records.compactMap(\.key) }
    let keys = [try await first.value ?? [], try await second.value ?? []]
    #expect(keys.sorted { $0.count > $1.count } == [["a", "b"], ["c"]])
    #expect(try await pages.nextPage()?.records.compactMap(\.key) == ["d"])
  }

  @Test func aFailedPageIsAskedForAgain() async throws {
    struct Broken: Error {}
    let server = TestServer(paging: Self.paging, Self.bodies)
    let flaky = TestServer(paging: Self.paging) { request in
      if request.urn == "2", server.requests.count == 1 {
        _ = try await server.response(to: request)
        throw Broken()
      }
      return try await server.response(to: request)
    }
    let container = try Fixture.container(flaky)
    let pages = container.pages(Fixture.Post.self, urn: "1", context: container.makeContext())
    _ = try await pages.nextPage()
    await #expect(throws: Broken.self) { _ = try await pages.nextPage() }
    #expect(try await pages.nextPage()?.records.first?.key == "c")
  }

  @Test func pagesWithoutAPageManagerFail() async throws {
    let server = TestServer(Self.bodies)
    let container = try Fixture.container(server)
    let pages = container.pages(Fixture.Post.self, urn: "1", context: container.makeContext())
    #expect(await Fixture.code { _ = try await pages.nextPage() } == .undefinedPageManager)
    #expect(server.requests.isEmpty)
  }

  @Test func theOptionReplacesTheServers() async throws {
    let container = try Fixture.container(TestServer(paging: Self.paging, Self.bodies))
    var options = RequestOptions()
    options.paging = Paging { _ in PageManager(totalResultsCount: 7) }
    let pages = container.pages(
      Fixture.Post.self, urn: "1", options: options, context: container.makeContext())
    let page = try await pages.nextPage()
    #expect(page?.pageManager?.totalResultsCount == 7)
    #expect(try await pages.nextPage() == nil)
  }

  @Test func aLoopEndsWithAnError() async throws {
    let server = TestServer(
      paging: Self.paging,
      ["1": ["data": [["id": "a"]], "next": "2"], "2": ["data": [["id": "b"]], "next": "1"]])
    let container = try Fixture.container(server)
    let pages = container.pages(Fixture.Post.self, urn: "1", context: container.makeContext())
    var count = 0
    let code = await Fixture.code { for try await _ in pages { count += 1 } }
    #expect(code == .pageLoop && count == 2)
    #expect(server.requests.count == 2)
  }

  @Test func theHandlerOfABatchAsksForPages() async throws {
    let container = try Fixture.container(TestServer(paging: Self.paging, Self.bodies))
    let context = container.makeContext()
    var keys: [String] = []
    var isOver = false
    await container.batch(context: context) { batch in
      batch.pages(RecordRequest<Fixture.Post>(urn: "1")) { result in
        #expect(!isOver)
        keys += (try? result.get().records.compactMap(\.key)) ?? ["failed"]
        return !keys.contains("c")
      }
    }
    isOver = true
    #expect(keys == ["a", "b", "c"])
  }

  @Test func aLoopInABatchEndsWithAnError() async throws {
    let container = try Fixture.container(
      TestServer(paging: Self.paging, ["1": ["data": [["id": "a"]], "next": "1"]]))
    var ends: [String] = []
    await container.batch(context: container.makeContext()) { batch in
      batch.pages(RecordRequest<Fixture.Post>(urn: "1")) { result in
        if case .failure(let error) = result { ends.append("\(error)") } else { ends.append("page") }
        return true
      }
    }
    #expect(ends == ["page", "page-loop Post: the next page has already been visited"])
  }
}
