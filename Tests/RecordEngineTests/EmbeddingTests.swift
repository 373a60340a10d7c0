import Foundation
import RecordEngine
import Testing

@Suite struct EmbeddingTests {
  @Test func theProgramOfTheReadmeRuns() async throws {
    let folder = try TemporaryFolder()
    for _ in 1...2 {
      #expect(try await readAndEdit(storeURL: folder.file()) == ["Ada: Hello", "Ada: Edited"])
    }
  }

  @Test func theReadmeShowsTheProgram() throws {
    let file = URL(filePath: #filePath)
    let source = try String(
      contentsOf: file.deletingLastPathComponent().appending(path: "EmbeddingExample.swift"), encoding: .utf8)
    let begin = try #require(source.range(of: "// README begin\n"))
    let end = try #require(source.range(of: "// README end\n"))
    let program = source[begin.upperBound..<end.lowerBound]
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)```"))
  }

  @Test func oneRecordForBothPosts() async throws {
    let server = CannedServer([
      "a": ["data": [["id": "1", "user": ["id": "7", "name": "Ada"]], ["id": 2, "user": "7"]]]
    ])
    let container = try PersistentContainer(
      model: try blogModel(), recordTypes: [Post.self, User.self], server: server)
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
