import JSONTree
import RecordEngine
import RecordModel
import Testing

/// The server that the article about servers makes does what is said of it.
struct ServersExampleTests {
  @Test func aServerOfOnesOwnHasPages() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Post", primaryKey: "id", attributes: [AttributeDescription("id", .int64)])
    ])
    let posts = (1...45).map { ["id": .number(JSONNumber($0))] as JSONValue }
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
