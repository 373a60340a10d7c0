import Foundation
import RecordEngine
import Testing

/// Tests that header names are case-insensitive in every lookup.
@Suite struct HeaderNameTests {
  private static let spellings = ["X-Total", "x-total", "X-TOTAL"]
  private static func headers(_ name: String) -> [String: String] {
    [name: "12", "Cache-Control": "max-age=60"]
  }

  @Test(arguments: spellings, spellings) func theyAreFound(written: String, asked: String) {
    let headers = Self.headers(written)
    #expect(ServerRequest(urn: "a", headers: headers).header(asked) == "12")
    #expect(ServerResponse(.bytes([]), headers: headers).header(asked) == "12")
    let page = PageResponse(
      responseObject: nil, headers: headers, request: ServerRequest(urn: "a"), entity: "Post", count: 0)
    #expect(page.header(asked) == "12")
    #expect(page.header("X-Other") == nil)
  }

  /// Only ASCII letters are case-insensitive: the Kelvin sign is not `K`.
  @Test func otherLettersAreNotTheirs() {
    let headers = ["\u{212A}ey": "kelvin", "\u{E9}": "composed"]
    let request = ServerRequest(urn: "a", headers: headers)
    #expect(request.header("key") == nil)
    #expect(request.header("\u{212A}EY") == "kelvin")
    #expect(request.header("e\u{301}") == nil)
  }

  /// Results from the server and from the cache behave the same, including pages and totals.
  @Test(arguments: spellings) func aResultHasThemFromWhereverItComes(written: String) async throws {
    let server = TestServer(
      paging: Paging { page in
        PageManager(
          totalResultsCount: page.header("x-Total").flatMap(Int.init),
          resultsPerPage: Paging.linkHeader(totalHeader: "x-toTAL").pageManager(page).totalResultsCount)
      }
    ) { _ in ServerResponse(.json(["data": [["id": "1"]]]), headers: Self.headers(written)) }
    let container = try PersistentContainer(
      model: try RequestFixture.model(),
      configuration: .init(server: server, cache: RecordCache(now: { moment(0) })))
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    let request = RecordRequest<Record>(entity: "Post", urn: "posts", options: options)
    for served in [Served.network, .cache] {
      let pages = container.pages(request, context: container.makeContext())
      let page = try #require(try await pages.nextPage())
      #expect(page.served == served)
      for asked in Self.spellings { #expect(page.header(asked) == "12") }
      #expect(page.pageManager?.totalResultsCount == 12 && page.pageManager?.resultsPerPage == 12)
    }
  }

  @Test(arguments: spellings, spellings) func aFailureHasThem(written: String, asked: String) async throws {
    let container = try RequestFixture.container(
      TestServer { _ in ServerResponse(.bytes([]), status: 429, headers: Self.headers(written)) })
    let failure = await RequestFixture.failure {
      _ = try await container.request("Post", urn: "posts", context: container.makeContext())
    }
    #expect(failure?.header(asked) == "12")
  }
}
