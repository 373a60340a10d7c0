import FlyingFox
import JSONTree
import RecordEngine
import RecordEngineHTTP
import RecordModel
import Testing

/// The server that the article about servers makes does what is said of it.
struct ServersExampleTests {
  @Test func aBodyIsWhatTheParameterSays() async throws {
    try await withLoopbackServer { request in
      .json(String(decoding: try await request.bodyData, as: UTF8.self))
    } _: { url in
      let server = withBodies(baseURL: url)
      let nested = ServerRequest(method: "POST", urn: "a", data: ["json": #"{"tags": [1, 2]}"#])
      let sentNested = try await server.response(to: nested)
      #expect(text(sentNested) == #"{"tags": [1, 2]}"#)
      let flat = ServerRequest(method: "POST", urn: "a", data: ["name": "Ada"])
      let sentFlat = try await server.response(to: flat)
      #expect(text(sentFlat) == #"{"name":"Ada"}"#)
    }
  }

  @Test func aSessionTimesOut() async throws {
    try await withLoopbackServer { request in
      request.headers[.authorization] == "1" ? Response(statusCode: .unauthorized) : .json("[]")
    } _: { url in
      _ = await #expect(throws: SessionTimeout.self) {
        try await withSession(Session(), baseURL: url).response(to: ServerRequest(urn: "a"))
      }
    }
  }

  @Test func aServerOfOnesOwnHasPages() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Post", primaryKey: "id", attributes: [AttributeDescription("id", .int64)])
    ])
    let posts = (1...45).map { ["id": .number(JSONNumber($0))] as JSONTree.JSONValue }
    let container = try PersistentContainer(model: model, server: FeedServer(posts: posts))
    let pages = container.pages(
      RecordRequest<Record>(entity: "Post", urn: "feed"), context: container.makeContext())
    var counts: [Int] = []
    while let page = try await pages.nextPage() {
      counts.append(page.records.count)
      #expect(page.pageManager?.totalResultsCount == 45)
    }
    #expect(counts == [20, 20, 5])
  }
}
