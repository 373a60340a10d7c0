import JSONTree
import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

struct ExpectationTests {
  @Test func whatIsNotNamedIsNotLookedAt() throws {
    try check(
      Expected(EntityExpectation("Post", [line("Post", ["id": "1"])])),
      snapshot(post(1, ["text": text("anything")]), post(2), user(7)), [])
  }

  @Test func aLineWithTheWholeKeyTellsHowItsRecordDiffers() throws {
    try check(
      Expected(
        EntityExpectation(
          "User", [line("User", ["id": "7", "name": "Ada", "posts": .exactly(labels("Post/1"))])])
      ),
      snapshot(user(7, ["name": text("Eva"), "posts": many([1, 2])]), post(1), post(2)),
      [
        #"changed User/7 name: string "Ada" → string "Eva""#,
        "changed User/7 posts: [Post/1] → [Post/1, Post/2] (with Post/2)",
      ])
  }

  @Test func aKeyThatNoRecordHasIsMissing() throws {
    try check(
      Expected(EntityExpectation("User", [line("User", ["id": "8", "name": "Ada"])])),
      snapshot(user(7, ["name": text("Ada")])),
      [
        #"missing: User {id: string "8", name: string "Ada"} → nothing ~ User/7: "#
          + #"changed User/7 id: string "8" → string "7""#
      ])
  }

  @Test func aLineThatFindsNoneNamesTheNearest() throws {
    try check(
      Expected(EntityExpectation("Tag", [line("Tag", ["text": "a", "rank": 2])])),
      snapshot(tag(1, "b", ["rank": integer(1)]), tag(2, "a", ["rank": integer(3)])),
      [
        #"missing: Tag {text: string "a", rank: integer 2} → nothing ~ Tag~2: "#
          + "changed Tag~2 rank: integer 2 → integer 3"
      ])
  }

  @Test func eachLineClaimsARecordOfItsOwn() throws {
    try check(
      Expected(EntityExpectation("Tag", [line("Tag", ["text": "a"]), line("Tag", ["text": "a"])])),
      snapshot(tag(1, "a"), tag(2, "b")),
      [#"missing: Tag {text: string "a"} → nothing (another line already matches Tag~1)"#])
  }

  @Test func aGenerousLineMakesRoomForAnExactOne() throws {
    // If lines were matched in order, the first line would claim the only record that matches the second line.
    try check(
      Expected(
        EntityExpectation(
          "Tag",
          [line("Tag", ["text": "a"]), line("Tag", ["text": "a", "rank": 1]), line("Tag", [:])], only: true)),
      snapshot(tag(1, "a", ["rank": integer(1)]), tag(2, "a"), tag(3, "z")), [])
  }

  @Test func countAbsentAndOnly() throws {
    try check(
      Expected(
        EntityExpectation("Post", count: 1, absent: ["Post/2"], [line("Post", ["id": "1"])], only: true),
        EntityExpectation("Tag", only: true)),
      snapshot(post(1), post(2)),
      [
        "count: 1 record of Post → 2: [Post/1, Post/2]",
        "extra Post/2: no record with this label → the record exists",
        #"extra Post/2: no other Post → {"id":"2"}"#,
      ])
  }

  @Test func anEntityMeansItsSubEntitiesToo() throws {
    let staff = Record(5, "Staff", key: "id", properties: ["id": text("5")])
    try check(
      Expected(
        EntityExpectation("User", count: 2, [line("User", ["id": "5"])]), EntityExpectation("Staff", count: 1)
      ),
      snapshot(user(7), staff), [])
  }

  /// A label in `absent` must not pass because the record is of a sub-entity, or because several records have its key.
  @Test func anAbsentLabelMeansAllRecordsWithItsKey() throws {
    let staff = Record(5, "Staff", key: "id", properties: ["id": text("5")])
    let graph = snapshot(
      staff, user(7), Record(8, "User", key: "id", properties: ["id": text("7")]),
      Record(6, "Counts", key: "user", properties: ["user": one(5)]), tag(1, "a"))
    try check(
      Expected(
        EntityExpectation("User", absent: ["User/5", "User/7", "User/6", "Staff/7", "User/5~1", "Staff/5"]),
        EntityExpectation("Counts", absent: ["Counts@User/5", "Counts@User/6"]),
        EntityExpectation("Tag", absent: ["Tag~1", "Tag~2"])),
      graph,
      [
        "extra Staff/5: no record with the label User/5 → the record exists",
        "extra User/7~1: no record with the label User/7 → the record exists",
        "extra Counts@Staff/5: no record with the label Counts@User/5 → the record exists",
        "extra Tag~1: no record with this label → the record exists",
      ])
  }

  @Test func aLabelOfAnotherEntityLeadsToTheRecordWithItsKey() throws {
    let graph = snapshot(
      Record(5, "Staff", key: "id", properties: ["id": text("5")]),
      Record(6, "Counts", key: "user", properties: ["user": one(5)]), user(7), post(1, ["user": one(5)]))
    let step = StepSnapshot(RecordedAction(.fetch, "User"), records: ["Staff/5"])
    func note(_ label: String...) throws -> String? {
      let members = label.map { MemberExpectation.label(located(RecordLabel($0))) }
      return ExpectationCheck.differences(
        Expected(graph: [], records: .init(contains: members), span: somewhere), step: step, graph: graph,
        model: try makeBlogModel()
      ).first.first?.note
    }
    #expect(try note("User/5") == "no record has the label User/5; the record with this key is Staff/5")
    #expect(try note("Staff/7") == "no record has the label Staff/7; the record with this key is User/7")
    #expect(
      try note("Counts@User/5")
        == "no record has the label Counts@User/5; the record with this key is Counts@Staff/5")
    #expect(try note("Post/5") == "no record has the label Post/5")
    try check(
      Expected(
        EntityExpectation(
          "Post", [line("Post", ["id": "1", "user": .record(labels("User/5")[0])])])),
      graph,
      [
        "dangling Post/1 user: User/5 → Staff/5 (no record has the label User/5; the record with this key is Staff/5)"
      ])
  }

  @Test func nilIsExpectedByNull() throws {
    try check(
      Expected(
        EntityExpectation("Post", [line("Post", ["id": "1", "text": .attribute(nil), "user": .noRecord])])),
      snapshot(post(1, ["text": text("a"), "user": one(1007)]), user(7)),
      [#"changed Post/1 text: nothing → string "a""#, "changed Post/1 user: nothing → User/7"])
  }

  @Test func aNestedMatchLooksBehindTheLink() throws {
    let graph = snapshot(
      user(7, ["counts": one(5)]),
      Record(5, "Counts", key: "user", properties: ["user": one(1007), "followers": integer(12)]))
    func nested(_ followers: PropertyExpectation.Value) -> Expected {
      Expected(
        EntityExpectation(
          "User",
          [line("User", ["id": "7", "counts": .record(.match(line("Counts", ["followers": followers])))])]))
    }
    try check(nested(12), graph, [])
    try check(
      nested(13), graph,
      [
        "changed User/7 counts: Counts {followers: integer 13} → Counts@User/7 "
          + "(in Counts@User/7: followers is integer 12, not integer 13)"
      ])
  }

  @Test func aRelationshipMayBeTheKeyOfALine() throws {
    try check(
      Expected(
        EntityExpectation(
          "Counts", [line("Counts", ["user": .record(labels("User/7")[0]), "followers": 13])])),
      snapshot(
        user(7), Record(5, "Counts", key: "user", properties: ["user": one(1007), "followers": integer(12)])),
      ["changed Counts@User/7 followers: integer 13 → integer 12"])
  }

  @Test func membersMatchInAnyOrderUnlessTheRelationshipIsOrdered() throws {
    let graph = snapshot(
      post(1, ["tags": many([2001, 2002]), "pages": many([2002, 2001], ordered: true)]), tag(1, "a"),
      tag(2, "b"))
    let a = MemberExpectation.match(line("Tag", ["text": "a"]))
    let b = MemberExpectation.match(line("Tag", ["text": "b"]))
    func expectation(_ name: PropertyName, _ value: PropertyExpectation.Value) -> Expected {
      Expected(
        EntityExpectation(
          "Post",
          [
            RecordMatch(
              entity: "Post",
              properties: [
                PropertyExpectation(name: "id", value: "1", span: somewhere),
                PropertyExpectation(name: name, value: value, span: somewhere),
              ], span: somewhere)
          ]))
    }
    try check(expectation("tags", .exactly([b, a])), graph, [])
    try check(expectation("tags", .contains([a])), graph, [])
    try check(expectation("tags", .count(2)), graph, [])
    try check(expectation("tags", .count(1)), graph, ["changed Post/1 tags: 1 record → 2 records"])
    try check(expectation("pages", .exactly([b, a])), graph, [])
    try check(
      expectation("pages", .exactly([a, b])), graph,
      [
        #"order Post/1 pages: [Tag {text: string "a"}, Tag {text: string "b"}] → [Tag~1, Tag~2]"#
          + " (the records are the same, in a different order)"
      ])
    try check(
      expectation("tags", .contains(labels("Tag~9"))), graph,
      ["changed Post/1 tags: at least [Tag~9] → [Tag~1, Tag~2] (no record has the label Tag~9)"])
  }

  @Test func aKeyThatTwoRecordsHaveIsReported() throws {
    try check(
      Expected(EntityExpectation("User", [line("User", ["id": "7"])])),
      snapshot(user(7), Record(9, "User", key: "id", properties: ["id": text("7")])),
      ["duplicated: one record with this key → 2: [User/7~1, User/7~2]"])
  }

  @Test func theRecordsOfAStepAreExactAndInOrder() throws {
    let graph = snapshot(post(1), post(2))
    let step = StepSnapshot(RecordedAction(.fetch, "Post"), records: ["Post/2", "Post/1", "Post/2"])
    func records(_ list: ListExpectation<MemberExpectation>) -> Expected {
      Expected(graph: [], records: list, span: somewhere)
    }
    try check(records(.init(exactly: labels("Post/2", "Post/1", "Post/2"))), graph, step: step, [])
    try check(records(.init(anyOrder: labels("Post/1", "Post/2", "Post/2"))), graph, step: step, [])
    try check(records(.init(contains: labels("Post/1"), 3)), graph, step: step, [])
    try check(
      records(.init(exactly: labels("Post/1", "Post/2", "Post/2"))), graph, step: step,
      [
        "order records: [Post/1, Post/2, Post/2] → [Post/2, Post/1, Post/2] (the records are the same, in a different order)"
      ])
    try check(
      records(.init(exactly: labels("Post/2", "Post/9"))), graph, step: step,
      [
        "dangling records: Post/9 → [Post/2, Post/1, Post/2] (no record has the label Post/9)",
        "extra Post/1 records: no other record → Post/1",
        "extra Post/2 records: no other record → Post/2 (the record occurs more often than expected)",
      ])
  }

  @Test func aDeletedRecordIsDescribedByWhatItWas() throws {
    try check(
      Expected(
        graph: [], deleted: .init(exactly: [.match(line("Post", ["text": "old"]))]), span: somewhere),
      snapshot(), before: snapshot(post(1, ["text": text("old")])),
      step: StepSnapshot(RecordedAction(.save), deleted: ["Post/1"]), [])
  }

  @Test func updatedDiagnosticsAndFailure() throws {
    let step = StepSnapshot(
      RecordedAction(.save), updated: ["Post/1": ["text", "user"], "Post/2": ["text"]],
      diagnostics: [DiagnosticSnapshot(code: "7", entity: "Post")])
    try check(
      Expected(
        graph: [], failure: FailureExpectation(code: "701", span: somewhere),
        diagnostics: located([DiagnosticExpectation(code: "3", span: somewhere)]),
        updated: located([UpdateExpectation(record: located("Post/1"), properties: ["text"])]),
        span: somewhere),
      snapshot(post(1), post(2)), step: step,
      [
        "changed Post/1 updated: [text] → [text, user]", "extra Post/2 updated: not updated → [text]",
        "missing diagnostics: 3 → 7 Post",
        "missing failure: failure 701 → success",
      ])
  }

  @Test func aGraphThatContradictsItselfIsFound() throws {
    let graph = snapshot(
      post(1, ["user": one(1007)]), user(7), post(2, ["user": .toOne(99, destination: "User")]))
    #expect(
      graph.contradictions(model: try makeBlogModel()).lines == [
        "inverse Post/1 user: Post/1 in 'posts' of User/7 → nothing",
        "dangling Post/2 user:  → User~? (the record does not exist)",
      ])
  }

  private func check(
    _ expectation: Expected, _ graph: GraphSnapshot, before: GraphSnapshot = GraphSnapshot(),
    step: StepSnapshot? = nil, _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let differences = ExpectationCheck.differences(
      expectation, step: step, graph: graph, before: before, model: try makeBlogModel())
    #expect(differences.lines == lines, sourceLocation: sourceLocation)
  }
}
