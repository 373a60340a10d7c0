import Foundation
import RecordEngine
import Testing

/// Tests for the example programs of the article on caching.
@Suite struct CachingExampleTests {
  private let server = TestServer { request in
    if request.header("If-None-Match") == "\"1\"" { return ServerResponse(.bytes([]), status: 304) }
    return ServerResponse(
      .json(["data": [["id": "1", "body": "one"]]]),
      headers: ["Cache-Control": "max-age=86400", "ETag": "\"1\""])
  }

  @Test func aFeed() async throws {
    let folder = try TemporaryFolder()
    var served: [Served] = []
    for refreshes in [false, false, true] {
      // Each round simulates a start of the app.
      let container = try cachingContainer(try blogModel(), server: server, folder: folder.url)
      let result = try await container.perform(
        feed(refreshes: refreshes), context: container.makeContext())
      #expect(result.records.map { $0.text("text") } == ["one"])
      served.append(result.served)
    }
    #expect(served == [.network, .cache, .revalidated])
  }

  @Test func aFeedThatHasChanged() async throws {
    let container = try PersistentContainer(
      model: try blogModel(), configuration: .init(server: server, cache: testCache { moment(0) }))
    for _ in 1...2 {
      let context = container.makeContext()
      #expect(try await container.perform(feed(refreshes: false), context: context).served == .network)
      #expect(try await container.perform(feed(refreshes: false), context: context).served == .cache)
      try await feedHasChanged(container)
    }
  }

  @Test func aClockOfATest() async throws {
    let cache = testCache { moment(0) }
    let container = try PersistentContainer(
      model: try blogModel(), configuration: .init(server: server, cache: cache))
    let context = container.makeContext()
    _ = try await container.perform(feed(refreshes: false), context: context)
    let hit = try await container.perform(feed(refreshes: false), context: context)
    #expect(hit.served == .cache && hit.header("Age") == "0" && server.requests.count == 1)
    #expect(cache.limits.maximumSize == 1 << 20)
  }

  /// A record that is deleted and populated again is a new record. Older cached lists do not contain it.
  @Test func aRecordThatComesAgainIsAnotherOne() async throws {
    let container = try PersistentContainer(
      model: try blogModel(), configuration: .init(server: server, cache: testCache { moment(0) }))
    let context = container.makeContext()
    let first = try await container.perform(feed(refreshes: false), context: context)
    for record in first.records { context.delete(record) }
    try context.save()
    var request = feed(refreshes: false)
    request.options?.isRecordLevelCachingEnabled = false
    #expect(try await container.perform(request, context: context).records.count == 1)
    let hit = try await container.perform(feed(refreshes: false), context: context)
    #expect(hit.served == .cache && hit.records.isEmpty)
  }
}

extension Record {
  fileprivate func text(_ name: PropertyName) -> String? { self[name] }
}
