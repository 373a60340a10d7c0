import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the details of scenarios in reports.
struct ScenarioDetailsTests {
  private static let text = """
    title: Two steps
    model:
      entities:
        Post:
          primaryKey: id
          attributes: {id: string, text: string, likes: int64}
          relationships: {user: {to: User, inverse: posts}}
        User:
          primaryKey: id
          attributes: {id: string, name: string}
          relationships: {posts: {toMany: Post, inverse: user}}
    responses:
      posts?page=1:
        headers: {X-Page: "1"}
        body:
          - {id: "1", text: <b>, likes: 9007199254740993, user: {id: "7", name: Ada}}
          - {id: "2", text: Two, user: {id: "7", name: Ada}}
      POST posts: {status: 201, body: {id: "2", text: Changed, user: null}}
    steps:
      - {request: Post, urn: "posts?page=1"}
      - {request: Post, method: POST, urn: posts, json: {text: Changed}}
    expect:
      graph:
        Post:
          only: [{id: "1", text: <b>, likes: 1}, {id: "2", text: Changed, likes: 2}]

    """

  private func verdict(
    on text: String = text, collecting collectsDetails: Bool = true,
    explain: @escaping ScenarioExecutor = ScenarioExecution.executeWithProvenance
  ) async throws -> ScenarioVerdict {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    try folder.write(text, to: "Scenarios/feed.yaml")
    let file = try #require(ScenarioFiles(below: folder.path + "/Scenarios").files.first)
    var judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: folder.path + "/Golden"), today: "2030-01-01")
    (judge.explain, judge.collectsDetails) = (explain, collectsDetails)
    var verdict = await judge.verdict(on: RunPlan.Entry(file: file))
    await verdict.addDetails()
    return verdict
  }

  private func details(of text: String = text) async throws -> JSONValue {
    try #require(try await verdict(on: text).details).form
  }

  /// A run without a report that shows details does not collect them, and does not run scenarios again to explain values.
  @Test func detailsAreCollectedOnlyForReportsThatShowThem() async throws {
    let passing = Self.text.replacing("likes: 1}", with: "likes: 9007199254740993}").replacing(
      ", likes: 2}", with: "}")
    let counter = EventCounter()
    let explain: ScenarioExecutor = { scenario, store in
      counter.note()
      return await ScenarioExecution.executeWithProvenance(scenario, on: store)
    }
    #expect(try await verdict(on: passing, collecting: false, explain: explain).details == nil)
    #expect(counter.count == 0)
    #expect(try await verdict(on: passing, explain: explain).details != nil)
    #expect(counter.count == 1)
  }

  @Test func responsesAndRequestsBelongTogether() async throws {
    let details = try await details()
    let responses = try #require(details["responses"]?.elements)
    #expect(responses.map { $0["address"] } == ["posts?page=1", "POST posts"])
    #expect(responses.map { $0["status"] } == [200, 201])
    #expect(responses.first?["headers"] == [["X-Page", "1"]])
    let steps = try #require(details["steps"]?.elements)
    let requests = steps.compactMap { $0["requests"]?.elements?.first }
    #expect(requests.map { $0["url"] } == ["https://api.test/posts?page=1", "https://api.test/posts"])
    #expect(requests.map { $0["responseIndex"] } == [0, 1])
    #expect(requests.map { $0["status"] } == [200, 201])
    #expect(requests.last?["body"] == #"json {"text":"Changed"}"#)
    #expect(steps.map { $0["number"] } == [1, 2])
    // Each label occurs once.
    #expect(
      steps.first?["labels"] == [["returned, inserted", ["Post/1", "Post/2"]], ["inserted", ["User/7"]]])
  }

  /// The graphs are changes, from which the page makes the graph after each step.
  @Test func graphsAreChanges() async throws {
    let graphs = try #require(try await details()["graphs"]?.elements)
    #expect(graphs.count == 3)
    #expect(graphs[0] == [:])
    let first = try #require(graphs[1]["records"])
    #expect(first["Post/1"]?["entity"] == "Post")
    // Values are texts with their types, so that no digit is lost.
    #expect(
      first["Post/1"]?["properties"] == [
        "id": #"string "1""#, "text": #"string "<b>""#, "likes": "integer 9007199254740993",
        "user": ["to": "User/7"],
      ])
    #expect(first["User/7"]?["properties"]?["posts"] == ["Post/1", "Post/2"])
    let second = try #require(graphs[2]["records"])
    #expect(second["Post/1"] == nil)
    #expect(second["Post/2"]?["properties"] == ["id": #"string "2""#, "text": #"string "Changed""#])
    #expect(second["User/7"]?["properties"]?["posts"] == ["Post/1"])
  }

  @Test func eachGraphHasADrawing() async throws {
    let drawings = try #require(try await details()["drawings"]?.elements)
    #expect(drawings.count == 3)
    #expect(drawings[0]["nodes"] == nil)
    let nodes = try #require(drawings[2]["nodes"]?.elements)
    #expect(nodes.map { $0["label"] } == ["Post/1", "Post/2", "User/7"])
    #expect(nodes.map { $0["change"] } == [nil, "updated", "updated"])
    let edges = try #require(drawings[2]["edges"]?.elements)
    #expect(edges.map { $0["change"] } == [nil, "deleted"])
    #expect(edges.allSatisfy { $0["line"] != nil && $0["heads"]?.elements?.count == 2 })
    // The page places the texts, and removes the signs of changes.
    let measures = try #require(try await details()["measures"])
    #expect(measures["lineHeight"] != nil && measures["columnWidth"] != nil && measures["padding"] != nil)
    let signs = try #require(measures["signs"])
    #expect(nodes.last?["lines"]?.elements?.first == "~ User/7" && signs["updated"] == "~ ")
  }

  /// A value is explained after each step, by the latest explanation up to that step.
  @Test func valuesAreExplainedAfterEachStep() async throws {
    let details = try await details()
    let facts = try #require(details["facts"]?.elements)
    let explanations = try #require(details["explanations"]?.elements)
    #expect(explanations.count == 3)
    func text(_ step: Int, _ label: String, _ property: String) -> String? {
      explanations[step][label]?[property]?.elements.map { indices in
        indices.map { index in
          guard case .number(let number) = index, let position = number.int64Value else { return "" }
          return facts[Int(position)].compactText()
        }.joined(separator: "\n")
      }
    }
    #expect(text(1, "Post/2", "text")?.contains("/1/text") == true)
    #expect(text(2, "Post/2", "text")?.contains("step 2") == true)
    // Nothing new is known about a record that the second response does not mention.
    #expect(text(2, "Post/1", "text") == nil)
    #expect(details["origins"]?["Post/1"] != nil)
  }

  @Test func differencesAreNamed() async throws {
    let differences = try #require(try await details()["differences"]?.elements)
    let likes = differences.filter { $0["property"] == "likes" }
    #expect(likes.map { $0["source"] } == ["expect", "expect"])
    #expect(likes.map { $0["record"] } == ["Post/1", "Post/2"])
    #expect(likes.map { $0["expected"] } == ["integer 1", "integer 2"])
    #expect(likes.map { $0["actual"] } == ["integer 9007199254740993", "nothing"])
    #expect(likes.allSatisfy { $0["line"] == 25 })
  }

  @Test func anInvalidScenarioHasItsFile() async throws {
    let details = try await details(of: "titel: x\n")
    #expect(details["files"]?.elements?.first?["text"] == "titel: x\n")
    #expect(details["files"]?.elements?.first?["kind"] == "scenario")
    #expect(details["steps"] == nil)
  }

  /// A note names each part that is left out.
  @Test func largeScenariosAreCutWithANote() async throws {
    let records = (0..<2600).map { "    - {id: \"\($0)\", name: a}\n" }.joined()
    let details = try await details(
      of: """
        title: Many records
        model: {entities: {User: {primaryKey: id, attributes: {id: string, name: string}}}}
        responses:
          users:
            bodyText: "[\(String(repeating: " ", count: 300_000))]"
            optional: true
        store:
          User:
        \(records)steps: [save, rollback]

        """)
    let notes = try #require(details["notes"]?.elements?.map { $0.compactText() })
    #expect(notes.count == 2)
    #expect(notes.first?.contains("more than 5,000") == true)
    #expect(notes.last?.contains("first 256 KiB") == true)
    #expect(details["explanations"] == nil)
    #expect(details["graphs"]?.elements?.count == 3)
  }

  /// The limit holds for all values that are listed: those of the first graph, and those of records that change later. A
  /// to-many relationship has as many values as members.
  @Test(
    arguments: [
      ([20], 0, true), ([21], 0, false), ([10, 10], 0, true), ([10, 11], 0, false), ([1], 19, true),
      ([1], 20, false),
    ] as [(users: [Int], members: Int, isListed: Bool)])
  func theNumberOfListedValuesIsLimited(users: [Int], members: Int, isListed: Bool) throws {
    func label(_ entity: String, _ key: Int) -> RecordLabel { RecordLabel(rawValue: "\(entity)/\(key)") }
    // All users of a graph differ from those of the graph before.
    let graphs = users.enumerated().map { step, count in
      GraphSnapshot(
        (0..<count).map { key in
          var user = RecordSnapshot(
            label: label("User", key), entity: "User", properties: ["counts": .toOne(label("Counts", step))])
          if members > 0 {
            user.properties["posts"] = .toMany((0..<members).map { label("Post", $0) }, isOrdered: false)
          }
          return user
        })
    }
    let steps = graphs.dropFirst().map { _ in StepSnapshot(RecordedAction(.save)) }
    let result = ActualResult(
      name: "many", title: "Many", model: try makeBlogModel(),
      executed: ExecutedScenario(
        snapshot: ScenarioSnapshot(graph: try #require(graphs.last), steps: steps), graphs: graphs,
        findings: []))
    var object = JSONFormObject()
    var notes: [String] = []
    GraphDetails(result: result, maximumValues: 20).add(to: &object, &notes)
    #expect(object.form["graphs"]?.elements?.count == (isListed ? graphs.count : nil))
    #expect(
      notes
        == (isListed
          ? []
          : [
            "The records are not listed, because they and their changes have more than 20 values; 'recordspec show' prints the records."
          ]))
    #expect(object.form["drawings"]?.elements?.count == graphs.count)
  }

  @Test func theNumberOfListedDifferencesIsLimited() async throws {
    func details(of count: Int) async throws -> JSONValue {
      let names = (1...count).map { "a\($0)" }
      return try await self.details(
        of: """
          title: Many differences
          model: {entities: {Post: {primaryKey: id, attributes: {id: int64, \(names.map { "\($0): int64" }.joined(separator: ", "))}}}}
          store: {Post: [{id: 1}]}
          steps: [save]
          expect:
            graph:
              Post: [{id: 1, \(names.map { "\($0): 1" }.joined(separator: ", "))}]

          """)
    }
    // The missing golden file is no difference.
    let some = try await details(of: 500)
    #expect(some["differences"]?.elements?.count == 500)
    #expect(some["notes"] == nil)
    let all = try await details(of: 501)
    #expect(all["differences"]?.elements?.count == 500)
    #expect(
      all["notes"] == [
        "Only 500 of 501 differences are listed; 'recordspec run --verbose' prints the others."
      ])
  }
}

extension JSONValue {
  /// The elements of an array; nil for another value.
  fileprivate var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
