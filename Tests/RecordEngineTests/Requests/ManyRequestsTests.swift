import RecordEngine
import Testing

/// Tests that a hundred concurrent requests result in the same graph as sequential ones. Rules: `save.concurrent`,
/// `request.batch`.
@Suite struct ManyRequestsTests {
  typealias Fixture = RequestFixture

  /// Each response contains thirty posts by some of 61 users, and many of them are in several responses. A record is
  /// the same in all responses, so their order does not matter.
  private static let server = TestServer { request in
    let number = Int(request.urn) ?? 0
    let posts = (0..<30).map { position -> JSONValue in
      let post = (number * 7 + position * position * 13) % 400
      return [
        "id": .string("p\(post)"), "text": .string("text \(post)"),
        "user": ["id": .string("u\(post % 61)"), "name": .string("name \(post % 61)")],
      ]
    }
    return ServerResponse(.json(["data": .array(posts)]))
  }

  private func graph(_ container: PersistentContainer) throws -> [String: String] {
    let context = container.makeContext()
    var graph: [String: String] = [:]
    for entity: EntityName in ["Post", "User"] {
      for record in try context.fetch(RecordFetchRequest(entity)) {
        let id: String = record["id"] ?? "none"
        #expect(graph[id] == nil, "two records have the id \(id)")
        if entity == "Post" {
          let user: Record? = record["user"]
          graph[id] = [record["text"] ?? "", user?["id"] ?? ""].joined(separator: " by ")
        } else {
          let posts: [Record] = record["posts"]
          graph[id] = posts.compactMap { $0["id"] as String? }.sorted().joined(separator: ",")
        }
      }
    }
    return graph
  }

  private func container(_ kind: StoreKind, _ folder: TemporaryFolder, _ name: String) throws
    -> PersistentContainer
  {
    let model = try Fixture.model()
    switch kind {
    case .memory: return try PersistentContainer(model: model, configuration: .init(server: Self.server))
    case .sqlite:
      return try PersistentContainer(
        model: model, configuration: .init(store: .file(folder.file(name)), server: Self.server))
    }
  }

  @Test(arguments: StoreKind.allCases) func endInTheSameGraph(kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let sequential = try container(kind, folder, "turn")
    let context = sequential.makeContext()
    for number in 0..<100 { _ = try await sequential.request("Post", urn: "\(number)", context: context) }
    let expected = try graph(sequential)
    #expect(expected.count > 300)

    let atOnce = try container(kind, folder, "once")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await atOnce.request("Post", urn: "\(number)", context: atOnce.makeContext()).records.count
        }
      }
      for try await count in group { #expect(count == 30) }
    }
    #expect(try graph(atOnce) == expected)

    let batched = try container(kind, folder, "batch")
    let shared = batched.makeContext()
    var ended = 0
    await batched.batch(context: shared) { batch in
      for number in 0..<100 {
        batch.request(RecordRequest(entity: "Post", urn: "\(number)")) { result in
          ended += (try? result.get())?.records.count ?? 0
        }
      }
    }
    #expect(ended == 3000)
    #expect(try graph(batched) == expected)
  }
}
