import Logging
import RecordEngine
import Testing

/// Tests for requests whose options, record or paging decide before or after the server is asked.
@Suite struct RequestPreparationTests {
  typealias Fixture = RequestFixture

  private static let server = TestServer(["posts": ["data": [["id": "1", "text": "a"]]]])

  /// An invalid key path in a literal fails when it is used.
  @Test func anInvalidKeyPathIsRefused() async throws {
    let container = try Fixture.container(Self.server)
    let changes: [(inout RequestOptions) -> Void] = [
      { $0.keyPathForResponseObject = "data[" }, { $0.keyPathForMetaData = "data[" },
    ]
    for change in changes {
      var options = RequestOptions()
      change(&options)
      let failure = await Fixture.failure {
        _ = try await container.request(
          "Post", urn: "posts", options: options, context: container.makeContext())
      }
      #expect(failure?.primary.code == .unknown)
      #expect(failure?.primary.message.hasPrefix("'data[' is not a key path: ") == true)
    }
  }

  final class Letter: Record { override var recordDetailURN: String? { "" } }

  @Test func anEmptyAddressOfDetailsIsNone() async throws {
    let container = try PersistentContainer(
      model: try Fixture.model(), recordTypes: [Letter.self], configuration: .init(server: Self.server))
    let context = container.makeContext()
    let letter = try context.insert(Letter.self)
    try context.save()
    let code = await Fixture.code { _ = try await container.requestDetail(of: letter) }
    #expect(code == .undefinedDetailURN)
  }

  /// The paging of the server decides which records are orphans. The result of a request that is not paged has no page.
  @Test func aRequestThatIsNotPagedHasNoPage() async throws {
    let server = TestServer(
      paging: Paging { _ in PageManager(nextPage: ServerRequest(urn: "more")) },
      ["posts": ["data": [["id": "1"]]]])
    let container = try Fixture.container(server)
    let context = container.makeContext()
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    let result = try await container.request("Post", urn: "posts", options: options, context: context)
    #expect(result.pageManager == nil)
    let pages = container.pages(Fixture.Post.self, urn: "posts", context: context)
    #expect(try await pages.nextPage()?.pageManager?.nextPage?.urn == "more")
  }

  /// A paging may be costly, so only requests that depend on it call it.
  @Test func aSingleRequestDoesNotCallThePaging() async throws {
    let paging = Paging { _ in
      Issue.record("the paging is called")
      return PageManager()
    }
    let container = try Fixture.container(TestServer(paging: paging, ["posts": ["data": [["id": "1"]]]]))
    let result = try await container.request("Post", urn: "posts", context: container.makeContext())
    #expect(result.records.count == 1)
  }

  /// Swift calls this method where the one with an isolation is not available.
  @Test func iteratorsWithoutIsolation() async throws {
    let container = try Fixture.container(
      TestServer(paging: Paging { _ in PageManager() }, ["1": ["data": [["id": "a"]]]]))
    let context = container.makeContext()
    let updates = try context.updates(of: RecordFetchRequest("Post")).makeAsyncIterator()
    #expect(try await updates.next()?.records.isEmpty == true)
    let page = try await container.request("Post", urn: "1", context: context)
    #expect(try await updates.next()?.records.map(\.recordID) == page.records.map(\.recordID))
    let pages = container.pages(Fixture.Post.self, urn: "1", context: context).makeAsyncIterator()
    #expect(try await pages.next() != nil)
    let record = context.updates(of: page.records[0]).makeAsyncIterator()
    #expect(try await record.next() != nil)
  }

  /// A page has as many items as the list at the key path of the options.
  @Test func aPageCountsTheItemsOfItsOptions() async throws {
    let server = TestServer(
      paging: Paging { PageManager(nextPage: ServerRequest(urn: "\($0.count) items")) },
      ["posts": ["data": [["id": "1"]], "more": [["id": "2"], ["id": "3"]]]])
    let container = try Fixture.container(server)
    var options = RequestOptions()
    for (path, next) in [(nil, "1 items"), ("more", "2 items")] as [(MappingPath?, String)] {
      options.keyPathForResponseObject = path
      let pages = container.pages(
        Fixture.Post.self, urn: "posts", options: options, context: container.makeContext())
      #expect(try await pages.nextPage()?.pageManager?.nextPage?.urn == next)
    }
  }

  /// The first page of a run may be one in the middle. Then it is not known which records are missing.
  @Test(arguments: [true, false]) func orphansOfARunThatBeginsInTheMiddle(isFirst: Bool) async throws {
    let paging = Paging { _ in PageManager(previousPage: isFirst ? nil : ServerRequest(urn: "before")) }
    let container = try Fixture.container(
      TestServer(
        paging: paging, ["all": ["data": [["id": "a"], ["id": "b"]]], "page": ["data": [["id": "a"]]]]))
    let context = container.makeContext()
    _ = try await container.request("Post", urn: "all", context: context)
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    for try await _ in container.pages(Fixture.Post.self, urn: "page", options: options, context: context) {}
    #expect(try context.fetch(RecordFetchRequest("Post")).count == (isFirst ? 1 : 2))
  }

  /// A request that has ended no longer occupies its domain.
  @Test func domainsInFlight() async throws {
    let container = try Fixture.container(Self.server)
    var options = RequestOptions()
    options.domain = "list"
    _ = try await container.request(
      "Post", urn: "posts", options: options, context: container.makeContext())
    #expect(container.inFlightDomains.isEmpty)
  }

  @Test func aFailureHasTheResponse() async throws {
    let container = try Fixture.container(
      TestServer { request in
        ServerResponse(.bytes(Array(request.urn == "empty" ? "".utf8 : #"{"why":"gone"}"#.utf8)), status: 410)
      })
    func failure(_ urn: String) async -> RequestFailure? {
      await Fixture.failure {
        _ = try await container.request("Post", urn: urn, context: container.makeContext())
      }
    }
    #expect(await failure("posts")?.responseObject?.value == ["why": "gone"])
    #expect(await failure("posts")?.responseText == #"{"why":"gone"}"#)
    #expect(await failure("empty")?.responseObject == nil)
    #expect(await failure("empty")?.responseText == nil)
  }
}
