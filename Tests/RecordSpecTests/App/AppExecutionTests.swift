import Foundation
import JSONTree
import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioRun

/// Tests for the steps of a scenario that runs an app.
struct AppExecutionTests {
  private static func scenario(
    _ steps: String = "- call: add", tables: String = "{post: id}", responses: String = "{}",
    expect: String = "{}"
  ) -> String {
    """
    title: Posts
    tables: \(tables)
    responses: \(responses)
    steps:
      \(steps)
    expect: \(expect)
    """
  }

  private static var adding: FakeApp {
    FakeApp([
      "add": { app, _ in
        let rows = await app.tables["post"] ?? []
        await app.set("post", rows + [["id": .number(JSONNumber(Int64(rows.count + 1))), "text": "Hello"]])
        return .success
      }
    ])
  }

  @Test func changesAreTheDifferencesOfTwoDumps() async throws {
    let app = FakeApp([
      "first": { app, _ in
        await app.set("post", [["id": 1, "text": "a", "likes": nil], ["id": 2, "text": "b"]])
        return .success
      },
      "second": { app, _ in
        await app.set("post", [["id": 1, "text": "c", "likes": 1.0], ["id": 3]])
        return .success
      },
    ])
    let result = try await executed(Self.scenario("[{call: first}, {call: second}]"), on: app)
    #expect(result.breakage == nil)
    #expect(
      result.snapshot.goldenForm.compactText()
        == #"{"graph":{"post":{"post/1":{"id":1,"likes":1,"text":"c"},"post/3":{"id":3}}},"steps":[{"call":"first","inserted":["post/1","post/2"]},{"call":"second","inserted":["post/3"],"updated":{"post/1":["likes","text"]},"deleted":["post/2"]}]}"#
    )
    #expect(result.snapshot.steps[1].changes["post/1"]?["text"] == ["from": "a", "to": "c"])
    #expect(result.tables?.entities.map(\.name.rawValue) == ["post"])
  }

  @Test func aFailureOfTheAppIsAnOutcomeAndNoBreakage() async throws {
    let app = FakeApp(["add": { _, _ in .failure("HTTP 503") }])
    let result = try await executed(Self.scenario(), on: app)
    #expect(result.breakage == nil)
    #expect(result.snapshot.steps.first?.failure?.message == "HTTP 503")
    #expect(result.snapshot.steps.first?.goldenForm.compactText() == #"{"call":"add","failure":true}"#)
  }

  @Test func argumentsReachTheActionAndTheGoldenFile() async throws {
    let app = FakeApp([
      "add": { _, arguments in .failure(arguments?.compactText() ?? "none") }
    ])
    let result = try await executed(
      Self.scenario("[{call: add, with: {force: true}}, {call: add}]"), on: app)
    #expect(result.snapshot.steps.map { $0.failure?.message } == [#"{"force":true}"#, "none"])
    #expect(result.snapshot.steps[0].action.text == #"call add with {"force":true}"#)
  }

  @Test func aStoreThatIsNotEmptyBreaks() async throws {
    let app = FakeApp(tables: ["post": [["id": 7]]])
    let result = try await executed(Self.scenario(), on: app)
    #expect(
      result.breakage?.message == "the app's store is not empty at the start: it has 1 row, such as post/7")
  }

  @Test func anUnknownActionBreaksWithTheNearestName() async throws {
    let result = try await executed(Self.scenario("- call: ad"), on: Self.adding)
    #expect(result.breakage == Breakage("the adapter has no action 'ad'", advice: "did you mean 'add'?"))
  }

  @Test func requestsAndResponsesMustMatch() async throws {
    let app = FakeApp([
      "add": { app, _ in
        _ = await app.send("posts?page=1")
        _ = await app.send("posts", method: "POST", body: #"{"text":"a"}"#)
        return .success
      }
    ])
    let result = try await executed(
      Self.scenario(
        responses:
          "{posts: {body: []}, POST posts: {status: 201}, users: {body: []}, tags: {body: [], optional: true}}"
      ),
      on: app)
    #expect(result.findings.map(\.code.rawValue) == ["unused-response"])
    // Golden files list the requests of a call by address.
    #expect(
      result.snapshot.steps[0].goldenForm.compactText()
        == #"{"call":"add","requests":[{"address":"POST posts","json":{"text":"a"}},{"address":"posts?page=1"}]}"#
    )
    #expect(result.snapshot.steps[0].requests.map(\.address.text) == ["posts?page=1", "POST posts"])
    #expect(result.answers == [[0, 1]])
  }

  /// A body of any kind is part of the request: an address alone means a request without a body.
  @Test func bodiesThatAreNeitherJSONNorFormsAreTextOrData() async throws {
    let app = FakeApp([
      "add": { app, _ in
        let file = [UInt8]("--x7 \r\n\r\na--x7 b\r\n--x7--".utf8)
        _ = await app.send("a", method: "POST", bytes: [0xff, 0, 1])
        _ = await app.send("a", method: "POST", body: "<a/>", type: "application/xml")
        _ = await app.send("a", method: "POST", bytes: file, type: "multipart/form-data; boundary=x7")
        _ = await app.send(
          "a", method: "POST", bytes: file, type: #"multipart/mixed; charset=a; Boundary="x7""#)
        _ = await app.send("a", method: "POST", bytes: file, type: "text/plain; boundary=x7")
        return .success
      }
    ])
    let step = try await executed(
      Self.scenario(
        responses:
          "{POST a: [{when: {data: /wAB}, status: 200}, {when: {text: <a/>}, status: 200}, {repeat: true, status: 200}]}"
      ),
      on: app
    )
    #expect(step.findings.map(\.message) == [])
    #expect(step.answers == [[0, 1, 2, 2, 2]])
    let multipart = "--boundary \r\n\r\na--boundary b\r\n--boundary--"
    #expect(
      step.snapshot.steps[0].requests.map { $0.body?.text } == [
        #"data "/wAB""#, #"text "<a/>""#, "text \(JSONValue.string(multipart).compactText())",
        "text \(JSONValue.string(multipart).compactText())",
        #"text "--x7 \r\n\r\na--x7 b\r\n--x7--""#,
      ])
    for (body, differs) in [("", true), ("data: /wAB", false), ("data: /wAC", true), ("text: a", true)] {
      let one = FakeApp([
        "add": { app, _ in
          _ = await app.send("a", method: "POST", bytes: [0xff, 0, 1])
          return .success
        }
      ])
      let text = Self.scenario(
        "- call: add\n    expect: {requests: [{address: POST a, \(body)}]}",
        responses: "{POST a: {status: 200}}")
      #expect(try await meetsExpectations(text, on: one) != differs, "\(body)")
    }
  }

  @Test func aRequestWithoutAResponseIsReportedOnceAtItsStep() async throws {
    let app = FakeApp([
      "add": { app, _ in
        let (status, text) = await app.send("post") ?? (0, "")
        return .failure("\(status) \(text.split(separator: "\n").first ?? "")")
      }
    ])
    let result = try await executed(Self.scenario(responses: "{posts: {body: [], optional: true}}"), on: app)
    #expect(result.findings.map(\.message) == ["no response for 'post'"])
    #expect(result.snapshot.steps[0].failure?.message == "404 no response for 'post'")
    #expect(result.snapshot.steps[0].failure?.code == "unanswered-request")
  }

  @Test func aRequestAfterItsStepIsAFinding() async throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.scenario(responses: "{posts: {body: [], optional: true}}"), to: "a.yaml")
    let scenario = try #require(folder.load("a.yaml").scenario)
    let app = RestlessApp(app: Self.adding)
    let result = await AppExecution.execute(scenario, rules: scenario.tables ?? TableRules(), on: app)
    #expect(result.findings.map(\.code.rawValue) == ["late-request"])
    #expect(result.findings.first?.message == "'posts' is requested after the step has ended")
  }

  /// An app that sends a request while its rows are read after a step.
  private struct RestlessApp: ScenarioApp {
    let app: FakeApp
    func open(_ scenario: Scenario, server: AppServer, now: Date) async throws(Breakage) {
      try await app.open(scenario, server: server, now: now)
    }
    func call(_ action: String, with arguments: JSONValue?) async throws(Breakage) -> CallOutcome {
      try await app.call(action, with: arguments)
    }
    func reopen() async throws(Breakage) {}
    func advance(to now: Date) async throws(Breakage) {}
    func dump() async throws(Breakage) -> TableDump {
      let dump = try await app.dump()
      if dump.tables.contains(where: { !$0.rows.isEmpty }) { _ = await app.send("posts") }
      return dump
    }
    func close() async {}
  }

  @Test func delaysOrderTheResponsesWithoutTakingTime() async throws {
    let app = FakeApp([
      "add": { app, _ in
        async let slow: Void = {
          _ = await app.send("slow")
          await app.set("post", (await app.tables["post"] ?? []) + [["id": 1, "order": 2]])
        }()
        async let fast: Void = {
          _ = await app.send("fast")
          await app.set("post", (await app.tables["post"] ?? []) + [["id": 2, "order": 1]])
        }()
        _ = await (slow, fast)
        return .success
      }
    ])
    let start = ContinuousClock.now
    _ = try await executed(
      Self.scenario(responses: "{slow: {body: [], delay: 1h}, fast: {body: [], delay: 1m}}"), on: app)
    #expect(await app.tables["post"]?.map { $0["id"] } == [2, 1])
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func theClockMovesWithAdvanceSteps() async throws {
    let app = FakeApp()
    let result = try await executed(Self.scenario("[{advance: 61s}, {advance: -1s}]"), on: app)
    #expect(result.breakage == nil)
    #expect(await app.times.map(\.timeIntervalSince1970) == [946_684_800, 946_684_861, 946_684_860])
  }

  @Test func rowsWithOneKeyAreAFinding() async throws {
    let app = FakeApp([
      "add": { app, _ in
        await app.set("post", [["id": 1, "text": "a"], ["id": 1, "text": "b"]])
        return .success
      }
    ])
    let result = try await executed(Self.scenario("[{call: add}, {call: add}]"), on: app)
    #expect(result.findings.map(\.message) == ["several rows of 'post' have the key of post/1"])
  }

  @Test func aReferenceThatLeadsNowhereIsAFindingWithItsValue() async throws {
    func findings(_ note: String) async throws -> [String] {
      let app = FakeApp(
        tables: ["note": [], "link": []],
        [
          "add": { app, _ in
            await app.set("note", [["id": 1, "serverID": 33]])
            await app.set(
              "link", [["note": 1, "label": 5], ["note": 2, "label": 5], ["note": 3, "label": 6]])
            return .success
          }
        ])
      let tables = "{note: \(note), link: {key: [note, label], references: {note: note}}}"
      let result = try await executed(Self.scenario(tables: tables), on: app)
      return result.findings.map { "\($0.span?.start.line ?? 0): \($0.message); \($0.advice ?? "")" }
    }
    // The natural first description of a table with local ids.
    #expect(
      try await findings("serverID") == [
        "2: 'note' of link~1 is 1, and no row of 'note' has this serverID (and so in 2 other rows); correct the app; or, if the store assigns these values, name their column in 'tables': 'note: {key: serverID, id: COLUMN}'"
      ])
    #expect(
      try await findings("{key: serverID, id: id}") == [
        "2: 'note' of link~1 is 2, and no row of 'note' has this id (and so in 1 other row); correct the app, or 'references'"
      ])
    #expect(
      try await findings("none").first?.contains("is 1, and 'note' has no key (and so in 2 other rows)")
        == true)
  }

  @Test func aWrongDescriptionOfATableIsLocated() async throws {
    for tables in ["{pots: id}", "{post: di}", "{post: {key: id, references: {id: user}}}"] {
      let result = try await executed(Self.scenario(tables: tables), on: Self.adding)
      #expect(result.breakage?.span?.start.line == 2, "\(tables)")
    }
  }

  @Test func columnsCanHaveAnyName() async throws {
    let app = FakeApp([
      "add": { app, _ in
        await app.set("post", [["id": 1, "first-name": "Ada", "a/b c": 2]])
        return .success
      }
    ])
    let text = #"{graph: {post: [{id: 1, first-name: Ada, "a/b c": 2}]}}"#
    let result = try await executed(Self.scenario(expect: text), on: app)
    #expect(result.breakage == nil)
    #expect(result.findings.isEmpty)
  }

  @Test func misspelledTablesAndColumnsAreFindings() async throws {
    let result = try await executed(
      Self.scenario(expect: "{graph: {pots: [{id: 1}], post: [{id: 1, txet: null}]}, inserted: [pst/1]}"),
      on: Self.adding)
    #expect(
      result.findings.map { "\($0.message); \($0.advice ?? "")" } == [
        "the app's store has no table 'pots'; did you mean 'post'?",
        "no row of 'post' has the column 'txet'; did you mean 'text'?",
        "the app's store has no table 'pst'; did you mean 'post'?",
      ])
  }
}
