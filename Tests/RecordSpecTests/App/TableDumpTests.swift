import JSONTree
import RecordModel
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat

/// Tests for the graph of the rows of a dump.
struct TableDumpTests {
  private static func graph(
    _ tables: [String: [JSONObject]], _ rules: TableRule...
  ) throws(TableDumpProblem) -> JSONValue {
    let dump = TableDump(
      tables.sorted { $0.key < $1.key }.map { TableDump.Table(EntityName($0), rows: $1) })
    return try dump.graph(by: TableRules(rules)).goldenForm
  }

  private static func rule(_ name: String, key: String...) -> TableRule {
    var rule = TableRule(EntityName(name))
    rule.key = key.map { PropertyName($0) }
    return rule
  }

  @Test func nullIsMissingAndNumbersAreCanonical() throws {
    let number = try #require(JSONNumber(digits: "1.50"))
    let graph = try Self.graph(
      ["post": [["id": 1.0, "text": nil, "price": .number(number), "tags": [1.0]]]],
      Self.rule("post", key: "id"))
    #expect(graph.compactText() == #"{"post":{"post/1":{"id":1,"price":1.5,"tags":[1]}}}"#)
  }

  @Test func rowsWithoutAKeyAreLabeledByTheirContent() throws {
    let rows: [JSONObject] = [["text": "b"], ["text": "a"]]
    #expect(
      try Self.graph(["log": rows], Self.rule("log")).compactText()
        == #"{"log":{"log~1":{"text":"a"},"log~2":{"text":"b"}}}"#)
  }

  @Test func localIDsBecomeLinksAndAreNotCompared() throws {
    var (post, user, tag) = (
      Self.rule("post", key: "server_id"), Self.rule("user", key: "server_id"),
      Self.rule("post_tag", key: "post", "tag")
    )
    (post.id, user.id) = ("_id", "_id")
    post.references = ["author": "user"]
    tag.references = ["post": "post"]
    let graph = try Self.graph(
      [
        "post": [["_id": 31, "server_id": 1, "author": 44], ["_id": 32, "server_id": 2, "author": 99]],
        "user": [["_id": 44, "server_id": 7]], "post_tag": [["post": 31, "tag": "sea"]],
      ], post, user, tag)
    #expect(
      graph.compactText()
        == #"{"post":{"post/1":{"author":"user/7","server_id":1},"post/2":{"author":"user~?","server_id":2}},"post_tag":{"post_tag/1,sea":{"post":1,"tag":"sea"}},"user":{"user/7":{"server_id":7}}}"#
    )
  }

  @Test(
    arguments: [
      (.boolean, 1, true), (.boolean, "0", false), (.boolean, "true", true),
      (.boolean, 2, 2), (.number, "9007199254740993", .number(JSONNumber(9_007_199_254_740_993))),
      (.number, "x", "x"), (.date, "2000-01-01 12:00:00.000", "2000-01-01T12:00:00Z"),
      (.date, "2000-01-01T13:00:00+01:00", "2000-01-01T12:00:00Z"),
      (.unixSeconds, 946_684_800, "2000-01-01T00:00:00Z"),
      (.unixMilliseconds, 946_684_800_500, "2000-01-01T00:00:00.5Z"),
      (.unixMilliseconds, "2000-01-01T00:00:00.5Z", "2000-01-01T00:00:00.5Z"),
      (.uuid, "a5c8a4f0-0000-4000-8000-000000000001", "A5C8A4F0-0000-4000-8000-000000000001"),
      (.uuid, "pcik8AAAQACAAAAAAAAAAQ==", "A5C8A4F0-0000-4000-8000-000000000001"),
      (.json, #"{"a":[1]}"#, ["a": [1]]), (.json, "{", "{"),
    ] as [(ColumnType, JSONValue, JSONValue)])
  func typesMakeStoredFormsEqual(type: ColumnType, stored: JSONValue, canonical: JSONValue) throws {
    var rule = Self.rule("post", key: "id")
    rule.types = ["value": type]
    let expected: JSONValue = ["post": ["post/1": ["id": 1, "value": canonical]]]
    #expect(try Self.graph(["post": [["id": 1, "value": stored]]], rule) == expected)
  }

  /// A row that refers to nothing must not get the label of another row that has the same number by chance.
  @Test func aReferenceInAKeyThatLeadsNowhereIsNoKey() throws {
    var (post, tag) = (Self.rule("post", key: "server_id"), Self.rule("post_tag", key: "post", "tag"))
    post.id = "_id"
    tag.references = ["post": "post"]
    let graph = try Self.graph(
      ["post": [["_id": 31, "server_id": 1]], "post_tag": [["post": 1, "tag": "sea"]]], post, tag)
    #expect(
      graph.compactText()
        == #"{"post":{"post/1":{"server_id":1}},"post_tag":{"post_tag~1":{"post":"post~?","tag":"sea"}}}"#)
    var other = tag
    other.references = ["post": "pots"]
    #expect(throws: TableDumpProblem.self) { try Self.graph(["post": [], "post_tag": []], post, other) }
  }

  @Test func ignoredTablesAndColumnsAreLeftOut() throws {
    var (post, log) = (Self.rule("post", key: "id"), Self.rule("log"))
    post.ignoredColumns = ["fetched_at"]
    log.isIgnored = true
    #expect(
      try Self.graph(["post": [["id": 1, "fetched_at": 5]], "log": [["x": 1]]], post, log)
        == ["post": ["post/1": ["id": 1]]])
    #expect(try Self.graph(["post": []], post, log) == [:])
  }

  @Test(
    arguments: [
      (
        ["user": [JSONObject]()], "the dump has no table 'post', which 'tables' describes",
        "let the adapter dump it, with an empty list if it has no rows"
      ),
      (["posts": []], "the dump has no table 'post', which 'tables' describes", "did you mean 'posts'?"),
      (
        ["post": [["ID": 1]]], "no row of 'post' has the column 'id', which 'tables' names",
        "did you mean 'ID'?"
      ),
      (
        ["post": [], "user": [["id": 7]]], "the dump has the table 'user', which 'tables' does not describe",
        "write 'user: id' with the key, or 'user: ignore'"
      ),
    ] as [([String: [JSONObject]], String, String)])
  func whatCannotBeReadIsAProblem(
    tables: [String: [JSONObject]], message: String, advice: String
  ) {
    let problem = #expect(throws: TableDumpProblem.self) {
      try Self.graph(tables, Self.rule("post", key: "id"))
    }
    #expect(problem?.message == message && problem?.advice == advice)
  }
}
