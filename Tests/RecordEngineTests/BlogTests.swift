import RecordEngine
import Testing

@Suite struct BlogTests {
  @Test func oneRecordForBothPosts() async throws {
    let server = CannedServer([
      "a": ["data": [["id": "1", "user": ["id": "7", "name": "Ada"]], ["id": 2, "user": "7"]]]
    ])
    let container = try PersistentContainer(
      model: try blogModel(), recordTypes: [Post.self, User.self], configuration: .init(server: server))
    let context = container.makeContext()
    let result = try await container.request(Post.self, urn: "a", context: context)
    #expect(result.records[0].user === result.records[1].user)
    #expect(result.records[0].user?.posts.map(\.recordID) == result.records.map(\.recordID))
    #expect(result.changes.inserted.count == 3)
    #expect(result.diagnostics.isEmpty)
    let again = try await container.request(Post.self, urn: "a", context: context)
    #expect(again.records.map(\.recordID) == result.records.map(\.recordID))
    #expect(again.changes.isEmpty)
  }
}
