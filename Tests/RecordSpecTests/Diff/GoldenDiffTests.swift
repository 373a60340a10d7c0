import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

struct GoldenDiffTests {
  /// A golden file has no messages, so that diagnostics with different messages can be the same in it.
  @Test func diagnosticsOfOneFormAreAllUnexpected() throws {
    let folder = try TemporaryFolder()
    let golden = GoldenFolder(path: folder.path + "/Golden", isNamed: false)
    func diagnostic(_ pointer: String, _ message: String) -> DiagnosticSnapshot {
      DiagnosticSnapshot(code: "value-type", pointer: pointer, message: message)
    }
    let known = diagnostic("/0", "known")
    let new = [diagnostic("/1", "first"), diagnostic("/1", "second")]
    var step = StepSnapshot(RecordedAction(.save))
    step.diagnostics = [known]
    try golden.write(ScenarioSnapshot(graph: GraphSnapshot(), steps: [step]), of: "a")
    step.diagnostics += new
    let found = golden.compare(
      ScenarioSnapshot(graph: GraphSnapshot(), steps: [step]), of: "a", model: try makeBlogModel())
    #expect(found.unexpected([step.diagnostics]) == [new])
  }

  @Test func whatIsTheSameDoesNotDiffer() throws {
    let graph = snapshot(
      post(1, ["user": one(1007), "tags": many([2001])]), user(7, ["posts": many([1])]),
      tag(1, "a", ["posts": many([1])]))
    try expect(graph, graph, [])
  }

  @Test func recordsAreMissingAndExtra() throws {
    try expect(
      snapshot(post(1, ["text": text("Hi")])), snapshot(post(2)),
      [
        #"missing Post/1: {id: "1", text: "Hi"} → nothing"#,
        #"extra Post/2: nothing → {id: "2"}"#,
      ])
  }

  @Test func valuesShowTheirTypes() throws {
    var actual = snapshot(post(1, ["text": text("22")]))
    actual.records["Post/1"]?.properties["text"] = .attribute(.integer(22), .int64)
    try expect(
      snapshot(post(1, ["text": text("22")])), actual, [#"changed Post/1 text: string "22" → integer 22"#])
  }

  @Test func valuesComeAndGo() throws {
    try expect(
      snapshot(post(1, ["text": text("a")]), post(2)), snapshot(post(1), post(2, ["text": text("b")])),
      [
        #"changed Post/1 text: string "a" → nothing"#, #"changed Post/2 text: nothing → string "b""#,
      ])
  }

  @Test func linksAreComparedAsLabels() throws {
    try expect(
      snapshot(post(1, ["user": one(1007)]), user(7), user(8)),
      snapshot(post(1, ["user": one(1008)]), user(7), user(8)), ["changed Post/1 user: User/7 → User/8"])
  }

  @Test func membersOfAnUnorderedRelationshipAreASet() throws {
    try expect(
      snapshot(user(7, ["posts": many([1, 2])]), post(1), post(2), post(3)),
      snapshot(user(7, ["posts": many([2, 3])]), post(1), post(2), post(3)),
      ["changed User/7 posts: - Post/1, + Post/3"])
  }

  @Test func theOrderOfAnOrderedRelationshipCounts() throws {
    func graph(_ pages: [Int]) -> GraphSnapshot {
      var graph = snapshot(post(1), post(2), post(3))
      graph.records["Post/1"]?.properties["pages"] = .toMany(
        pages.map { RecordLabel("Post/\($0)") }, isOrdered: true)
      return graph
    }
    try expect(
      graph([2, 3]), graph([3, 2]),
      [
        "order Post/1 pages: [Post/2, Post/3] → [Post/3, Post/2] (the records are the same, in a different order)"
      ])
  }

  /// A golden file that was recorded while the relationship was ordered.
  @Test func theOrderOfAnUnorderedRelationshipIsThatOfItsLabels() throws {
    func graph(_ pages: [Int], isOrdered: Bool) -> GraphSnapshot {
      var graph = snapshot(post(1), post(2), post(3))
      graph.records["Post/1"]?.properties["pages"] = .toMany(
        pages.map { RecordLabel("Post/\($0)") }, isOrdered: isOrdered)
      return graph
    }
    try expect(
      graph([3, 2], isOrdered: true), graph([2, 3], isOrdered: false),
      [
        "order Post/1 pages: [Post/3, Post/2] → [Post/2, Post/3] (the relationship is not 'ordered' in the model, "
          + "but its members are in another order in the golden file)"
      ])
    try expect(graph([2, 3], isOrdered: true), graph([2, 3], isOrdered: false), [])
  }

  /// A golden file that was recorded while the model declared another kind of relationship.
  @Test func aRelationshipOfAnotherKindNamesTheModel() throws {
    func graph(_ pages: PropertySnapshot) -> GraphSnapshot {
      var graph = snapshot(post(1), post(2))
      graph.records["Post/1"]?.properties["pages"] = pages
      return graph
    }
    let (toOne, toMany) = (graph(.toOne("Post/2")), graph(.toMany(["Post/2"], isOrdered: false)))
    try expect(
      toOne, toMany, ["changed Post/1 pages: Post/2 → [Post/2] (the model declares 'pages' as to-many)"])
    try expect(
      toMany, toOne, ["changed Post/1 pages: [Post/2] → Post/2 (the model declares 'pages' as to-one)"])
  }

  @Test func keylessRecordsArePairedByContent() throws {
    // The labels of 'b' and 'c' change because 'a' is missing, but only 'a' is reported.
    try expect(
      snapshot(tag(1, "a"), tag(2, "b", ["posts": many([1])]), tag(3, "c"), post(1, ["tags": many([2002])])),
      snapshot(tag(2, "b", ["posts": many([1])]), tag(3, "c"), post(1, ["tags": many([2002])])),
      [#"missing Tag~1: {text: "a"} → nothing"#])
  }

  @Test func aKeylessRecordThatChangedIsPairedWithTheNearest() throws {
    try expect(
      snapshot(tag(1, "a", ["rank": integer(1)]), tag(2, "b", ["rank": integer(2)])),
      snapshot(tag(1, "z", ["rank": integer(1)]), tag(2, "b", ["rank": integer(2)])),
      [#"changed Tag~1 text: string "a" → string "z""#])
  }

  @Test func ownersOfPairedRecordsAreTranslated() throws {
    func counts(_ id: Int, of tag: Int, _ followers: Int64) -> Record {
      Record(
        3000 + id, "Counts", key: "user", properties: ["user": one(tag), "followers": integer(followers)])
    }
    try expect(
      snapshot(tag(1, "a"), tag(2, "b"), counts(1, of: 2002, 12)),
      snapshot(tag(2, "b"), counts(1, of: 2002, 13)),
      [
        #"missing Tag~1: {text: "a"} → nothing"#, "changed Counts@Tag~1 followers: integer 12 → integer 13",
      ])
  }

  @Test func recordsThatShareAKeyAreDuplicates() throws {
    try expect(
      snapshot(user(7, ["name": text("Ada")]), post(1, ["user": one(1007)])),
      snapshot(
        user(7, ["name": text("Ada")]),
        Record(99, "User", key: "id", properties: ["id": text("7")]),
        post(1, ["user": one(1007)])),
      ["duplicated User/7: one record → 2 records: [User/7~1, User/7~2]"])
  }

  @Test func aGoldenFileMayNameARecordItHasNotGot() throws {
    let graph = snapshot(post(1, ["user": one(1007)]), user(7))
    var recorded = RecordedContent(ScenarioSnapshot(graph: graph))
    recorded.records["Post/1"]?.properties["user"] = "User/8"
    let differences = GoldenDiff.differences(
      recorded: recorded, actual: ScenarioSnapshot(graph: graph), model: try makeBlogModel(), path: "a.json")
    #expect(
      differences.lines == ["dangling Post/1 user: User/8 →  (the golden file has no record with this label)"]
    )
  }

  @Test func stepsAreComparedFieldByField() throws {
    let request = RecordedAction(.request, "Post")
    try expect(
      ScenarioSnapshot(steps: [
        StepSnapshot(
          request, records: ["Post/1", "Post/2"], inserted: ["Post/1"], updated: ["User/7": ["name"]],
          failure: FailureSnapshot(code: "701")),
        StepSnapshot(RecordedAction(.save)),
      ]),
      ScenarioSnapshot(steps: [
        StepSnapshot(
          request, records: ["Post/2", "Post/1"], updated: ["User/7": ["id"]],
          diagnostics: [DiagnosticSnapshot(code: "7", entity: "Post")])
      ]),
      [
        #"missing step 2: {"save":true} → "#,
        "order step 1 records: [Post/1, Post/2] → [Post/2, Post/1] (the records are the same, in a different order)",
        "missing step 1 inserted: - Post/1",
        "changed step 1 User/7 updated: [name] → [id]",
        #"changed step 1 failure: object {"code":"701"} → nothing"#,
        "extra step 1 diagnostics: + 7 Post",
      ])
  }

  @Test func entriesOfListsAreNamedOneByOne() throws {
    let request = RecordedAction(.request, "Post")
    let all = (1...4).map { DiagnosticSnapshot(code: "value-type", entity: "Post", pointer: "/\($0)") }
    try expect(
      ScenarioSnapshot(steps: [
        StepSnapshot(
          request, records: ["Post/1", "Post/1", "Post/2"], inserted: ["Post/1", "Post/2"],
          diagnostics: [all[0], all[1], all[2]]),
        StepSnapshot(request, diagnostics: [all[0], all[1]]),
      ]),
      ScenarioSnapshot(steps: [
        StepSnapshot(
          request, records: ["Post/1", "Post/2", "Post/3"], inserted: ["Post/1", "Post/2", "Post/3"],
          diagnostics: [all[0], all[2], all[3]]),
        StepSnapshot(request, diagnostics: [all[1], all[0]]),
      ]),
      [
        "changed step 1 records: - Post/1, + Post/3",
        "extra step 1 inserted: + Post/3",
        "changed step 1 diagnostics: - value-type Post at /2, + value-type Post at /4",
        "order step 2 diagnostics: [value-type Post at /1, value-type Post at /2] → "
          + "[value-type Post at /2, value-type Post at /1] (the diagnostics are the same, in a different order)",
      ])
  }

  @Test func hugeDifferencesStayLinearAndAreCounted() throws {
    let count = 10_000
    let recorded = Graph(records: (0..<count).map { tag($0, "old \($0)") } + (0..<count).map { post($0) })
    let actual = Graph(
      records: (0..<count).map { tag($0, "new \($0)") } + (0..<count).map { post($0, ["text": text("x")]) })
    let model = try makeBlogModel()
    let clock = ContinuousClock()
    let time = clock.measure {
      let differences = GoldenDiff.differences(
        recorded: RecordedContent(ScenarioSnapshot(graph: recorded.labeled().snapshot)),
        actual: ScenarioSnapshot(graph: actual.labeled().snapshot), model: model, path: "a.json")
      #expect(differences.count == 2 * count)
      #expect(differences.first.count == Differences.limit + DifferenceGroup.examples)
      #expect(differences.groups.map(\.count) == [count, count])
    }
    #expect(time < .seconds(60))
  }

  @Test func longValuesAreShownWhereTheyBeginToDiffer() {
    let start = String(repeating: "a", count: 500)
    let (left, right) = ValueText.clipped(start + "1", start + "2")
    #expect(left == "…" + String(repeating: "a", count: 40) + "1")
    #expect(right == "…" + String(repeating: "a", count: 40) + "2")
  }

  /// The numbers of keyless records do not make graphs differ.
  @Test(arguments: 0..<20) func aShuffledGraphNeverDiffers(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let records = (0..<12).map { id in
      id % 3 == 0
        ? post(id, ["tags": many([2001, 2002, 2004].shuffled(using: &generator))]) : tag(id, "\(id % 4)")
    }
    let graph = Graph(records: records)
    try expect(graph.labeled().snapshot, graph.shuffled(using: &generator).labeled().snapshot, [])
  }

  private func expect(
    _ recorded: GraphSnapshot, _ actual: GraphSnapshot, _ lines: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(
      ScenarioSnapshot(graph: recorded), ScenarioSnapshot(graph: actual), lines,
      sourceLocation: sourceLocation)
  }

  private func expect(
    _ recorded: ScenarioSnapshot, _ actual: ScenarioSnapshot, _ lines: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = GoldenDiff.differences(
      recorded: RecordedContent(recorded), actual: actual, model: try makeBlogModel(), path: "a.json")
    #expect(differences.lines == lines, sourceLocation: sourceLocation)
  }
}
