import RecordEngine
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that the results of a batch depend on its step, and not on the speed of its requests.
@Suite struct BatchScheduleTests {
  private static let text = """
    title: A batch
    model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
    responses:
      slow: {delay: 3s, body: [{id: slow}]}
      quick: {delay: 1s, body: [{id: quick}]}
      broken: {delay: 2s, error: offline}
      same: [{body: [{id: first}]}, {body: [{id: second}]}]
    steps: [{fetch: Post}]

    """

  @Test(.timeLimit(.minutes(10)), arguments: 0..<20)
  func answersComeInTheOrderOfTheClock(round: Int) async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.text, to: "a.yaml")
    let scenario = try #require(folder.load("a.yaml").scenario)
    let server = ScenarioServer(scenario)
    let container = try PersistentContainer(model: scenario.model, configuration: .init(server: server))
    let context = container.makeContext()
    var ended: [String] = []

    func add(_ urn: String, _ tag: String, to batch: RequestBatch, then more: ((RequestBatch) -> Bool)? = nil)
    {
      var request = RecordRequest<RecordEngine.Record>(entity: "Post", urn: urn, query: ["n": tag])
      request.serverRequest.tag = tag
      batch.request(request) { result in
        switch result {
        case .success(let result):
          ended.append(result.records.compactMap { $0["id"] as String? }.joined())
        case .failure(let error): ended.append(ServerFailure(error)?.rawValue ?? "?")
        }
        // The request is not finished if another request continues under its tag.
        if more?(batch) != true { server.batch.finish(tag) }
      }
    }
    server.batch.begin(["1", "2", "3", "4", "5"])
    await container.batch(context: context) { batch in
      add("slow", "1", to: batch)
      add("broken", "2", to: batch)
      add("same", "3", to: batch)
      add("quick", "4", to: batch) {
        add("same", "4", to: $0)
        return true
      }
      server.batch.finish("5")
    }
    #expect(ended == ["first", "quick", "second", "offline", "slow"])
    let asked = server.takeJournal().map(\.request.address.text)
    #expect(asked == ["slow?n=1", "broken?n=2", "same?n=3", "quick?n=4", "same?n=4"])
    #expect(server.clock.elapsed == .seconds(3))
  }
}
