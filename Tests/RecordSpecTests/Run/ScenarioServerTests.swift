import RecordEngine
import Testing

@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

@Suite struct ScenarioServerTests {
  /// Without the limit, a request could repeat forever, for example if every page of an offset contains only deleted
  /// records.
  @Test func requestsBeyondTheLimitHaveNoAnswer() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      title: A server that always answers
      model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
      responses: {posts: {repeat: true, body: []}}
      steps: [{fetch: Post}]

      """, to: "a.yaml")
    let server = ScenarioServer(try #require(folder.load("a.yaml").scenario), requestLimit: 2)
    for _ in 1...2 { _ = try await server.response(to: ServerRequest(urn: "posts")) }
    let error = await #expect(throws: UnansweredRequest.self) {
      _ = try await server.response(to: ServerRequest(urn: "posts"))
    }
    #expect(error?.message == "the scenario makes more than 2 requests")
    #expect(server.takeJournal().count == 2)
    #expect(server.takeUnanswered().count == 1)
  }
}
