import RecordModel

@testable import ScenarioComparison
@testable package import ScenarioFormat

// Short forms for the graphs, expectations and differences of these tests.

/// Returns a model of posts, users, counts with their user as the key, tags without a key, and staff as a sub-entity of
/// users.
func makeBlogModel() throws -> Schema {
  try ManagedObjectModel(
    entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("user", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
          RelationshipDescription("pages", toMany: "Tag", isOrdered: true),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user"),
          RelationshipDescription("counts", to: "Counts", inverse: "user"),
        ]),
      EntityDescription("Staff", parent: "User"),
      EntityDescription(
        "Counts", primaryKey: "user", attributes: [AttributeDescription("followers", .int64)],
        relationships: [RelationshipDescription("user", to: "User", inverse: "counts")]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("text", .string), AttributeDescription("rank", .int64)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ]
  ).schema
}

func post(_ id: Int, _ properties: [PropertyName: Record.Value] = [:]) -> Record {
  Record(
    id, "Post", key: "id", properties: ["id": text(String(id))].merging(properties) { $1 })
}

func user(_ id: Int, _ properties: [PropertyName: Record.Value] = [:]) -> Record {
  Record(
    1000 + id, "User", key: "id", properties: ["id": text(String(id))].merging(properties) { $1 })
}

func tag(_ id: Int, _ word: String, _ properties: [PropertyName: Record.Value] = [:]) -> Record {
  Record(2000 + id, "Tag", properties: ["text": text(word)].merging(properties) { $1 })
}

func snapshot(_ records: Record...) -> GraphSnapshot { Graph(records: records).labeled().snapshot }

extension Difference {
  /// The difference on one line, such as `changed Post/1 text: string "a" → string "b" (note) ~ Post/2` or `changed
  /// Post/1 tags: - Tag~1, + Tag~2`.
  var line: String {
    var subject = [step.map { "step \($0)" }, record?.rawValue, property].compactMap(\.self).joined(
      separator: " ")
    if !subject.isEmpty { subject = " " + subject }
    let note = note.map { " (\($0))" } ?? ""
    let nearest = nearest.map { nearest in
      " ~ \(nearest.record): " + nearest.differences.map(\.line).joined(separator: ", ")
    }
    let entries = missing.map { "- \($0)" } + extra.map { "+ \($0)" }
    let values = [expected, actual].allSatisfy { $0 == nil } ? "" : "\(expected ?? "") → \(actual ?? "")"
    let parts = (values.isEmpty ? [] : [values]) + entries
    return "\(kind)\(subject): \(parts.joined(separator: ", "))\(note)\(nearest ?? "")"
  }
}

extension Differences {
  var lines: [String] { first.map(\.line) }
}

/// A source location for tests in which files and lines do not matter.
let somewhere = SourceFile(path: "Scenarios/a.yaml", bytes: Array("expect: {}".utf8)).span(0..<6)

func located<Value>(_ value: Value) -> Located<Value> { Located(value: value, span: somewhere) }

func line(
  _ entity: EntityName, _ properties: KeyValuePairs<PropertyName, PropertyExpectation.Value>
) -> RecordMatch {
  RecordMatch(
    entity: entity,
    properties: properties.map { PropertyExpectation(name: $0, value: $1, span: somewhere) },
    span: somewhere)
}

func labels(_ labels: RecordLabel...) -> [MemberExpectation] { labels.map { .label(located($0)) } }

extension PropertyExpectation.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .attribute(.string(value)) }
  package init(integerLiteral value: Int64) { self = .attribute(.integer(value)) }
}

extension EntityExpectation {
  init(
    _ entity: EntityName, count: Int? = nil, absent: [RecordLabel] = [], _ records: [RecordMatch] = [],
    only: Bool = false
  ) {
    self.init(
      entity: entity, count: count.map(located), absent: absent.map(located), records: records,
      isExhaustive: only, span: somewhere)
  }
}

extension Expectation {
  init(_ graph: EntityExpectation...) { self.init(graph: graph, span: somewhere) }
}

extension ListExpectation<MemberExpectation> {
  init(
    exactly: [MemberExpectation]? = nil, anyOrder: [MemberExpectation]? = nil,
    contains: [MemberExpectation]? = nil, _ count: Int? = nil
  ) {
    self.init(
      exactly: exactly, anyOrder: anyOrder, contains: contains, count: count, span: somewhere)
  }
}

/// Swift Testing also declares a type named `Expectation`.
typealias Expected = Expectation
