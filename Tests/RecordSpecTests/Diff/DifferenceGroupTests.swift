import JSONTree
import RecordModel
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests for the shapes of differences, and for entities whose labels have all changed.
struct DifferenceGroupTests {
  /// The same change in two golden files has the same shape, so that it can be reviewed once.
  @Test func theSameChangeInAnotherGoldenFileHasTheSameShape() {
    func difference(_ file: String, _ record: RecordLabel, _ actual: String = "nothing", step: Int? = nil)
      -> Difference
    {
      Difference(
        .changed, at: .golden(file), step: step, record: record, property: "text", expected: "string \"a\"",
        actual: actual)
    }
    let shape = DifferenceShape(difference("a.json", "Post/1"))
    #expect(shape == DifferenceShape(difference("b.json", "Post/2")))
    #expect(shape.entity == "Post" && shape.change == .removed)
    #expect(shape != DifferenceShape(difference("a.json", "Tag/1")))
    #expect(shape != DifferenceShape(difference("a.json", "Post/1", "string \"b\"")))
    #expect(shape != DifferenceShape(difference("a.json", "Post/1", step: 1)))
    #expect(
      DifferenceShape(difference("a.json", "Post/1", step: 1))
        == DifferenceShape(difference("a.json", "Post/1", step: 2)))
  }

  @Test func appendedDifferencesAreCounted() {
    func differences(_ numbers: ClosedRange<Int>) -> Differences {
      Differences(numbers.map { Difference(.extra, at: .graph, record: RecordLabel("Post/\($0)")) })
    }
    var all = differences(1...Differences.limit)
    all.append(contentsOf: differences(1...Differences.limit + 5))
    #expect(all.count == 2 * Differences.limit + 5)
    #expect(all.first.count == Differences.limit)
    #expect(all.groups.map(\.count) == [all.count])
    #expect(all.filter { $0.shape.kind == .missing }.isEmpty)
    #expect(all.filter { $0.shape.kind == .extra }.count == all.count)
  }

  /// The records of a golden file and of a run as JSON, the key of users in the model, and the differences.
  struct Change: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var key: [PropertyName]
    var recorded: String
    var actual: String
    var lines: [String]
  }

  private static let named = #"{"User/7": {"id": "7", "rank": "8"}, "User/8": {"id": "8", "rank": "7"}}"#

  static let changes: [Change] = [
    Change(
      testDescription: "a key that no record has", key: ["id"], recorded: named,
      actual: #"{"User~1": {"rank": "8"}, "User~2": {"rank": "7"}}"#,
      lines: [
        "relabeled: 2 records: User/7, User/8 → 2 records: User~1, User~2 "
          + "(no User record has a value for the primary key 'id')",
        #"changed User~1 id: string "7" → nothing"#, #"changed User~2 id: string "8" → nothing"#,
      ]),
    // The labels are the same, but of other records.
    Change(
      testDescription: "a key with the values of another", key: ["rank"], recorded: named,
      actual: #"{"User/8": {"id": "7", "rank": "8"}, "User/7": {"id": "8", "rank": "7"}}"#,
      lines: [
        "relabeled: 2 records: User/7, User/8 → 2 records: User/7, User/8 "
          + "(the primary key is 'rank'; in the golden file, it is 'id')"
      ]),
    Change(
      testDescription: "a new key", key: ["id"], recorded: #"{"User~1": {"id": "7"}}"#,
      actual: #"{"User/7": {"id": "7"}}"#,
      lines: [
        "relabeled: 1 record: User~1 → 1 record: User/7 "
          + "(the primary key is 'id'; the records in the golden file have none)"
      ]),
    Change(
      testDescription: "a key of another type", key: ["id"], recorded: #"{"User/07": {"id": "07"}}"#,
      actual: #"{"User/7": {"id": 7}}"#,
      lines: [
        "relabeled: 1 record: User/07 → 1 record: User/7 "
          + "(the primary key 'id' is a number; in the golden file, it is a string)",
        #"changed User/7 id: string "07" → integer 7"#,
      ]),
    // Links to records that have been split are not compared.
    Change(
      testDescription: "another number of records", key: [],
      recorded: #"""
        {"User/7": {"id": "7", "posts": ["Post~1", "Post~2"]}, "Post~1": {"user": "User/7"}, "Post~2": {"user": "User/7"}}
        """#,
      actual: #"""
        {"User~1": {"id": "7", "posts": ["Post~1"]}, "User~2": {"id": "7", "posts": ["Post~2"]},
        "Post~1": {"user": "User~1"}, "Post~2": {"user": "User~2"}}
        """#,
      lines: [
        "relabeled: 1 record: User/7 → 2 records: User~1, User~2 "
          + "('User' has no primary key; in the golden file, it is 'id')"
      ]),
    // Other records of the same entity are no change of its labels.
    Change(
      testDescription: "other records", key: ["id"], recorded: #"{"User/7": {"id": "7"}}"#,
      actual: #"{"User/8": {"id": "8"}}"#,
      lines: [#"missing User/7: {id: "7"} → nothing"#, #"extra User/8: nothing → {id: "8"}"#]),
  ]

  @Test(arguments: changes)
  func changedLabelsOfAnEntityAreOneDifference(change: Change) throws {
    var user = EntityDescription(
      "User", attributes: [AttributeDescription("id", .string), AttributeDescription("rank", .string)],
      relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")])
    user.primaryKey = change.key
    let post = EntityDescription(
      "Post", relationships: [RelationshipDescription("user", to: "User", inverse: "posts")])
    let model = try ManagedObjectModel(entities: [user, post]).schema
    var graph = GraphSnapshot()
    for (label, record) in try content(change.actual).records {
      let properties = record.properties.map { ($0, snapshot(of: $1, name: $0)) }
      graph.records[label] = RecordSnapshot(
        label: label, entity: record.entity, properties: Dictionary(uniqueKeysWithValues: properties))
    }
    let differences = try GoldenDiff.differences(
      recorded: content(change.recorded), actual: ScenarioSnapshot(graph: graph), model: model, path: "a.json"
    )
    #expect(differences.lines == change.lines)
  }

  private func content(_ text: String) throws -> RecordedContent {
    let records = try JSONDocument(parsing: Array(text.utf8)).root.members.map { member in
      let label = RecordLabel(member.key)
      let properties = member.value.members.map { (PropertyName($0.key), $0.value.value) }
      return (
        label,
        RecordedContent.Record(
          entity: label.entity, properties: Dictionary(uniqueKeysWithValues: properties))
      )
    }
    return RecordedContent(records: Dictionary(uniqueKeysWithValues: records))
  }

  private func snapshot(of value: JSONValue, name: PropertyName) -> PropertySnapshot {
    switch value {
    case .string(let text) where name == "user": .toOne(RecordLabel(text))
    case .string(let text): .attribute(.string(text), .string)
    case .array(let links):
      .toMany(
        links.compactMap { if case .string(let text) = $0 { RecordLabel(text) } else { nil } },
        isOrdered: false)
    default: .attribute(.integer(7), .int64)
    }
  }
}
