import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests that steps with many requests take linear time.
struct ManyRequestsTests {
  private static let count = 30

  static let pages: [String: String] = [
    "keyed": "{entities: {Post: {primaryKey: id, responseKeyPath: items, attributes: {id: int64}}}}",
    "keyless": "{entities: {Post: {responseKeyPath: items, attributes: {id: int64}}}}",
  ]

  /// The record of each page sorts before all earlier records.
  @Test(arguments: pages.keys.sorted(), StoreKind.allCases)
  func aRunOfPagesReadsTheGraphOnce(model: String, store: StoreKind) async throws {
    let responses = (0..<Self.count).map { number in
      let next = number + 1 < Self.count ? ", next: p\(number + 1)" : ""
      return "  p\(number): {body: {items: [{id: \(900 - number)}]\(next)}}\n"
    }
    let executed = try await Self.execute(
      """
      title: Pages
      model: \(Self.pages[model] ?? "")
      paging: {address: {at: next}}
      responses:
      \(responses.joined())
      steps:
        - {page: Post, urn: p0, upTo: \(Self.count)}

      """, on: store)
    #expect(executed.snapshot.graph.records.count == Self.count)
    // Differences list records by label, regardless of the order in the response.
    #expect(executed.snapshot.steps[0].inserted == executed.snapshot.steps[0].inserted.sorted())
    if model == "keyless" {
      #expect(executed.snapshot.steps[0].inserted == executed.snapshot.graph.records.keys.sorted())
    }
    #expect(executed.graphReadings == 2)
  }

  @Test(arguments: StoreKind.allCases) func aBatchReadsTheGraphOnce(store: StoreKind) async throws {
    let numbers = 0..<Self.count
    let executed = try await Self.execute(
      """
      title: A batch
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
      responses:
      \(numbers.map { "  p\($0): {body: {id: \($0)}}\n" }.joined())
      steps:
        - batch:
      \(numbers.map { "      - {request: Post, urn: p\($0)}\n" }.joined())
      """, on: store)
    #expect(executed.snapshot.graph.records.count == Self.count)
    #expect(executed.graphReadings == 2)
  }

  /// Requests begin, reach the server and get their responses one after another.
  @Test func schedulingABatchTakesLinearTime() async throws {
    let factor = try await Growth.factor(from: 300) { count in
      (0..<count).map { "batch \($0)" }
    } work: { tags in
      let schedule = BatchSchedule(HeldRequests(clock: VirtualClock(start: 0)))
      schedule.begin(tags)
      for tag in tags {
        try await schedule.arrival(of: tag)
        schedule.holdBack(tag, behind: "another")
      }
      for tag in tags {
        schedule.expect(tag)
        #expect(schedule.includes(tag))
        schedule.finish(tag)
      }
    }
    #expect(factor < Growth.bound)
  }

  @Test func manyResponsesAreReadInLinearTime() async throws {
    let factor = try await Growth.factor(from: 300) { count in
      let folder = try TemporaryFolder()
      let responses = (0..<count).map { "  p\($0): {status: 204}\n" }.joined()
      try folder.write(
        "title: A\nmodel: {entities: {Post: {attributes: {id: int64}}}}\nresponses:\n\(responses)steps: [{fetch: Post}]\n",
        to: "a.yaml")
      return folder
    } work: { folder in
      #expect(folder.load("a.yaml").scenario != nil)
    }
    #expect(factor < Growth.bound)
  }

  private static func execute(_ text: String, on store: StoreKind) async throws -> ExecutedScenario {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "a.yaml")
    let scenario = try #require(folder.load("a.yaml").scenario)
    let executed = await ScenarioExecution.execute(scenario, on: store)
    #expect(executed.breakage == nil && executed.findings.isEmpty)
    return executed
  }
}
