import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for the other servers of the article on servers.
struct ServersExampleTests {
  private static func container(_ server: any RecordEngine.Server) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", responseKeyPath: "data",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)])
    ])
    return try PersistentContainer(model: model, configuration: .init(server: server))
  }

  private static func texts(_ server: any RecordEngine.Server) async throws -> [String] {
    let container = try container(server)
    return try await container.request("Post", urn: "feed", context: container.makeContext())
      .records.compactMap { $0["text"] }
  }

  @Test func valuesAnswer() async throws {
    #expect(try await Self.texts(fromValues()) == ["Low tide"])
  }

  @Test func anotherServerAnswersForOneThatCannotBeReached() async throws {
    struct Unreachable: RecordEngine.Server {
      let code: URLError.Code
      func response(to request: ServerRequest) throws -> ServerResponse { throw URLError(code) }
    }
    let server = FallbackServer(server: Unreachable(code: .cannotFindHost), second: fromValues())
    #expect(try await Self.texts(server) == ["Low tide"])
    await #expect(throws: URLError.self) {
      try await Self.texts(FallbackServer(server: server.server, second: server.server))
    }
  }

  @Test func whatABodySaysFailsItsRequest() async throws {
    func texts(_ body: JSONValue) async throws -> [String] {
      try await Self.texts(HonestServer(server: CannedServer(["feed": body])))
    }
    #expect(try await Self.texts(HonestServer(server: fromValues())) == ["Low tide"])
    #expect(try await texts(["error": nil, "data": [["id": 1, "text": "High tide"]]]) == ["High tide"])
    let refusal = await #expect(throws: HonestServer.Refusal.self) {
      try await texts(["error": ["code": 3, "message": "too many"]])
    }
    #expect(refusal?.code == 3 && refusal?.message == "too many")
    await #expect(throws: SessionTimeout("sign in")) {
      try await texts(["error": ["code": 17, "message": "sign in"]])
    }
    struct Garbage: RecordEngine.Server {
      func response(to request: ServerRequest) -> ServerResponse {
        ServerResponse(.bytes(Array("<html>".utf8)))
      }
    }
    let failure = await #expect(throws: RequestFailure.self) {
      try await Self.texts(HonestServer(server: Garbage()))
    }
    #expect(failure?.primary.code == .invalidResponseFormat)
  }

  @Test func aServerOfOnesOwnHasPages() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Post", primaryKey: "id", attributes: [AttributeDescription("id", .int64)])
    ])
    let posts = (1...45).map { ["id": .number(JSONNumber($0))] as JSONValue }
    let container = try PersistentContainer(
      model: model, configuration: .init(server: FeedServer(posts: posts)))
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
