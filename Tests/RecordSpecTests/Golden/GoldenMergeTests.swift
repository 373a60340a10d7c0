import JSONTree
import TestSupport
import Testing

@testable import ScenarioReport

/// Tests for the three-way merge of golden files.
struct GoldenMergeTests {
  private static let base = """
    {"graph": {
      "Post": {"Post/1": {"id": "1", "text": "Hello", "user": "User/7"}},
      "User": {"User/7": {"id": "7", "posts": ["Post/1"]}}},
     "steps": [
      {"inserted": ["Post/1", "User/7"], "records": ["Post/1"], "request": "Post", "urn": "posts"},
      {"save": true}]}
    """

  private func members(_ text: String) throws -> JSONObject {
    guard case .object(let members) = try JSONDocument(parsing: Array(text.utf8)).root.value else {
      throw NoObject()
    }
    return members
  }

  private struct NoObject: Error {}

  private func merge(_ ours: String, _ theirs: String, base: String = base) throws -> GoldenMerge {
    try GoldenMerge(base: members(base), ours: members(ours), theirs: members(theirs))
  }

  /// Returns the base with texts replaced, which must occur.
  private func edited(_ edits: (String, String)...) throws -> String {
    try edits.reduce(Self.base) { text, edit in
      try #require(text.contains(edit.0))
      return text.replacing(edit.0, with: edit.1)
    }
  }

  @Test func changesOfDifferentPropertiesAreBothKept() throws {
    let merge = try merge(
      edited(("\"Hello\"", "\"Hi\"")), edited(("\"id\": \"7\"", "\"id\": \"7\", \"name\": \"Ada\"")))
    #expect(merge.conflicts.isEmpty)
    #expect(
      try merge.result
        == .object(
          members(
            edited(
              ("\"Hello\"", "\"Hi\""), ("\"id\": \"7\"", "\"id\": \"7\", \"name\": \"Ada\"")))))
  }

  @Test func insertedRecordsAreAddedToSortedLists() throws {
    let merge = try merge(
      edited(
        ("\"Post/1\": {", "\"Post/0\": {\"id\": \"0\"}, \"Post/1\": {"),
        ("\"inserted\": [", "\"inserted\": [\"Post/0\", "), ("\"posts\": [", "\"posts\": [\"Post/0\", ")),
      edited(
        ("\"Post/1\": {", "\"Post/2\": {\"id\": \"2\"}, \"Post/1\": {"),
        ("\"Post/1\", \"User/7\"", "\"Post/1\", \"Post/2\", \"User/7\""),
        ("\"posts\": [\"Post/1\"", "\"posts\": [\"Post/1\", \"Post/2\"")))
    #expect(merge.conflicts.isEmpty)
    let text = merge.result.canonicalText()
    #expect(text.contains(#""inserted": ["Post/0", "Post/1", "Post/2", "User/7"]"#))
    #expect(text.contains(#""posts": ["Post/0", "Post/1", "Post/2"]"#))
    #expect(text.contains(#""Post/0": { "id": "0" }"#))
    #expect(text.contains(#""Post/2": { "id": "2" }"#))
  }

  /// The order of returned records is a result, and values of attributes are not records.
  @Test(arguments: [
    (
      "\"records\": [\"Post/1\"]", "\"records\": [\"Post/1\", \"Post/2\"]",
      "\"records\": [\"Post/1\", \"User/7\"]", "step 1: 'records'"
    ),
    ("\"text\": \"Hello\"", "\"text\": [\"a\"]", "\"text\": [\"b\"]", "Post/1: 'text'"),
  ])
  func otherListsAreNoSets(_ before: String, _ ours: String, _ theirs: String, _ location: String) throws {
    let merge = try merge(edited((before, ours)), edited((before, theirs)))
    #expect(merge.conflicts.map(\.location) == [location])
  }

  @Test func deletingTheLastRecordOfAnEntityRemovesTheEntity() throws {
    let without = try edited((#""Post": {"Post/1": {"id": "1", "text": "Hello", "user": "User/7"}},"#, ""))
    let merge = try merge(without, Self.base)
    #expect(merge.conflicts.isEmpty)
    #expect(try merge.result == .object(members(without)))
  }

  @Test func stepsOfBothSidesAreKept() throws {
    let merge = try merge(
      edited(("{\"inserted\"", "{\"fetch\": \"User\"}, {\"inserted\"")),
      edited(("{\"save\": true}", "{\"save\": true}, {\"rollback\": true}")))
    #expect(merge.conflicts.isEmpty)
    #expect(
      try merge.result
        == .object(
          members(
            edited(
              ("{\"inserted\"", "{\"fetch\": \"User\"}, {\"inserted\""),
              ("{\"save\": true}", "{\"save\": true}, {\"rollback\": true}")))))
  }

  @Test(
    arguments: [
      (("\"Hello\"", "\"Hi\""), ("\"Hello\"", "\"Bye\""), "Post/1: 'text'"),
      (
        ("\"records\": [\"Post/1\"]", "\"records\": [\"User/7\", \"Post/1\"]"),
        ("\"records\": [\"Post/1\"]", "\"records\": [\"User/8\", \"Post/1\"]"), "step 1: 'records'"
      ),
      (
        (#""Post": {"Post/1": {"id": "1", "text": "Hello", "user": "User/7"}},"#, ""),
        ("\"Hello\"", "\"Bye\""), "Post/1"
      ),
      (
        ("{\"save\": true}", "{\"save\": true}, {\"fetch\": \"User\"}"),
        ("{\"save\": true}", "{\"save\": true}, {\"fetch\": \"Post\"}"), "steps before step 3"
      ),
      (
        (",\n  {\"save\": true}", ""), ("{\"save\": true}", "{\"save\": true, \"deleted\": [\"Post/1\"]}"),
        "step 2"
      ),
      (
        ("\"Post/1\": {", "\"Post/0\": {\"id\": \"0\"}, \"Post/1\": {"),
        ("\"Post/1\": {", "\"Post/0\": {\"id\": \"0\", \"text\": \"\"}, \"Post/1\": {"), "Post/0"
      ),
    ] as [((String, String), (String, String), String)])
  func differentChangesOfOneValueConflict(
    _ ours: (String, String), _ theirs: (String, String), _ location: String
  ) throws {
    let (left, right) = (try edited(ours), try edited(theirs))
    let merge = try merge(left, right)
    #expect(merge.conflicts.map(\.location) == [location])
    #expect(try merge.result == .object(members(left)))
    let reversed = try self.merge(right, left)
    #expect(reversed.conflicts.map(\.location) == [location])
    #expect(try reversed.result == .object(members(right)))
  }

  @Test func requestsOfABatchAreMergedLikeSteps() throws {
    func golden(_ first: String, _ second: String) -> String {
      """
      {"graph": {}, "steps": [{"batch": [
        {"request": "Post", "urn": "a", "records": [\(first)]},
        {"request": "Post", "urn": "b", "records": [\(second)]}]}]}
      """
    }
    let merge = try merge(
      golden("\"Post/1\"", ""), golden("", "\"Post/2\""), base: golden("", ""))
    #expect(merge.conflicts.isEmpty)
    #expect(try merge.result == .object(members(golden("\"Post/1\"", "\"Post/2\""))))
    let conflict = try self.merge(
      golden("\"Post/2\", \"Post/1\"", ""), golden("\"Post/3\", \"Post/1\"", ""),
      base: golden("\"Post/4\"", ""))
    #expect(conflict.conflicts.map(\.location) == ["step 1, request 1: 'records'"])
  }

  @Test func filesThatBothSidesAddedMustBeEqual() throws {
    #expect(try merge(Self.base, Self.base, base: "{}").result == .object(members(Self.base)))
    let merge = try merge(Self.base, edited(("\"Hello\"", "\"Hi\"")), base: "{}")
    #expect(merge.conflicts.map(\.location) == ["Post/1"])
  }

  /// Edits of different properties never conflict, and the merge is the base with all of them.
  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func disjointEditsAreAllKept(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var values: [String: [String: String]] = [:]
    for record in 0..<Int.random(in: 0...8, using: &random) {
      for property in 0..<Int.random(in: 0...4, using: &random) {
        values["Post/\(record)", default: ["id": "\(record)"]]["p\(property)"] = "base"
      }
    }
    var (ours, theirs, both) = (values, values, values)
    for record in 0..<8 {
      for property in 0..<5 where values["Post/\(record)"] != nil {
        let value = Bool.random(using: &random) ? "new" : nil
        switch Int.random(in: 0...2, using: &random) {
        case 0: ours["Post/\(record)"]?["p\(property)"] = value
        case 1: theirs["Post/\(record)"]?["p\(property)"] = value
        default: continue
        }
        both["Post/\(record)"]?["p\(property)"] = value
      }
    }
    let merge = GoldenMerge(base: golden(values), ours: golden(ours), theirs: golden(theirs))
    #expect(merge.conflicts.isEmpty)
    #expect(merge.result == .object(golden(both)))
  }

  private func golden(_ records: [String: [String: String]]) -> JSONObject {
    let records = records.map { label, properties in
      (label, JSONValue.object(JSONObject(properties.map { ($0.key, JSONValue.string($0.value)) })))
    }
    return ["graph": records.isEmpty ? [:] : ["Post": .object(JSONObject(records))], "steps": []]
  }
}
