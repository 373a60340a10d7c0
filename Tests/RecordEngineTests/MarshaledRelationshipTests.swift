import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for marshalers that decide about relationships and children. Rules: `customize.relationship`,
/// `customize.relationship-key`.
@Suite struct MarshaledRelationshipTests {
  /// A marshaler that notes its calls.
  // Unchecked: `lines` is accessed only under `lock`.
  private final class Deciding: Marshaler, @unchecked Sendable {
    typealias Decision = @Sendable (PropertyName, [PopulatedRecord]?) -> RelationshipDecision

    private let decision: Decision
    private let lock = NSLock()
    private var lines: [String] = []

    init(_ decision: @escaping Decision = { _, _ in .standard }) { self.decision = decision }

    var calls: [String] { lock.withLock { lines } }

    func relationship(
      _ name: PropertyName, of record: PopulatedRecord, links: [PopulatedRecord]?
    ) -> RelationshipDecision {
      func text(_ record: PopulatedRecord) -> String {
        let id: String? = record["id"]
        return "\(record.isNew ? "new" : "stored") \(id ?? "")"
      }
      let linked = links.map { $0.map(text).joined(separator: ", ") } ?? "absent"
      lock.withLock { lines.append("\(record.entity) \(text(record)), \(name): \(linked)") }
      return decision(name, links)
    }
  }

  private static func id() -> AttributeDescription {
    AttributeDescription("id", .string)
  }

  private static func entities(authorNull: NullPolicy? = nil) -> [EntityDescription] {
    [
      EntityDescription(
        "Post", primaryKey: "id", attributes: [id()],
        relationships: [
          RelationshipDescription("author", to: "User", inverse: "posts", null: authorNull),
          RelationshipDescription("editor", to: "Editor", stubs: .never),
          RelationshipDescription("readers", toMany: "User", assignment: .replace),
          RelationshipDescription("source", to: "Source", inverse: "post"),
        ]),
      EntityDescription(
        "User", primaryKey: "id", attributes: [id()],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "author")]),
      EntityDescription("Editor", parent: "User"),
      EntityDescription(
        "Source", primaryKey: "post", attributes: [id()],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "source")]),
    ]
  }

  /// Populates responses for the first entity one after another. Returns the last result and the store.
  private func populate(
    _ entities: [EntityDescription], _ marshaler: (any Marshaler)?, _ responses: JSONValue...
  ) throws -> (result: PopulationResult, store: MemoryStore, schema: Schema) {
    let schema = try ManagedObjectModel(entities: entities).schema
    let store = MemoryStore(schema: schema)
    var results: [PopulationResult] = []
    for (number, response) in responses.enumerated() {
      var options = PopulationOptions()
      if number == responses.count - 1, let marshaler {
        let names = entities.filter { $0.parent == nil }.map(\.name)
        options.customization = Customization(
          schema, marshalers: Dictionary(uniqueKeysWithValues: names.map { ($0, marshaler) }))
      }
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: options)
      results.append(try population.populateAndSave(JSONDocument(response), to: store))
    }
    return (try #require(results.last), store, schema)
  }

  @Test func aMarshalerIsAskedAboutAllRelationshipsOfFullItemsExceptTheKey() throws {
    let marshaler = Deciding()
    let (result, _, _) = try populate(
      Self.entities(), marshaler, [["id": "1", "author": "a"]],
      [
        // The record is a plain user, which the relationship to an editor cannot lead to.
        ["id": "1", "author": "b", "editor": "a", "source": ["id": "s"]],
        ["id": "2", "readers": ["a", "b"]],
      ])
    #expect(
      marshaler.calls == [
        "Post stored 1, author: new b", "Post stored 1, editor: ", "Post stored 1, readers: absent",
        "Post stored 1, source: new s", "Post new 2, author: absent", "Post new 2, editor: absent",
        "Post new 2, readers: stored a, new b", "Post new 2, source: absent",
      ])
    #expect(result.diagnostics.map(\.code) == [.entityMismatch])
  }

  /// A marshaler does not receive the record of a tombstone, whose link protects it nevertheless.
  @Test(arguments: [false, true]) func theRecordOfATombstoneIsNotALink(hasMarshaler: Bool) throws {
    var entities = Self.entities()
    entities[1].deletedWhen = RecordPredicate("gone == true")
    entities[1].relationships[0].deleteRule = .deny
    let marshaler = Deciding()
    let (result, _, _) = try populate(
      entities, hasMarshaler ? marshaler : nil, [["id": "1", "readers": ["a"]]],
      [["id": "2", "author": ["id": "a", "gone": true]]])
    #expect(result.diagnostics.map(\.code) == [.deniedDeletion])
    #expect(marshaler.calls.first == (hasMarshaler ? "Post new 2, author: " : nil))
  }

  @Test(
    arguments: [
      (.keep, "b", { @Sendable links in .replace(links ?? []) }, "b"),
      (.keep, "b", { @Sendable _ in .replace([]) }, nil),
      (.keep, .null, { @Sendable _ in .standard }, "a"), (.clear, .null, { @Sendable _ in .standard }, nil),
      (.clear, .null, { @Sendable _ in .link([]) }, "a"),
    ] as [(NullPolicy, JSONValue, @Sendable ([PopulatedRecord]?) -> RelationshipDecision, String?)])
  func aMarshalerDecidesAboutAToOne(
    null: NullPolicy, author: JSONValue,
    decision: @escaping @Sendable ([PopulatedRecord]?) -> RelationshipDecision, expected: String?
  ) throws {
    let marshaler = Deciding { name, links in name == "author" ? decision(links) : .standard }
    let (result, store, schema) = try populate(
      Self.entities(authorNull: null), marshaler, [["id": "1", "author": "a"]],
      [["id": "1", "author": author]])
    let post = try #require(store.rows(result.records)[0])
    let users = store.rows(post.toOnes.compactMap(\.self)).compactMap { $0?.key(in: schema) }
    #expect(users == (expected.map { [.single(.string($0))] } ?? []))
  }

  /// Rule: `relationships.replace`. Which record the left out element is remains unknown.
  @Test func aMarshalerDoesNotCompleteAListWithAnInvalidElement() throws {
    let (result, store, schema) = try populate(
      Self.entities(), Deciding(), [["id": "1", "readers": ["a", "b"]]],
      [["id": "1", "readers": ["a", nil]]])
    let readers = try #require(schema.relationships.first { $0.name == "readers" })
    #expect(store.members(of: readers.index, owners: result.records)[0].count == 2)
  }

  // MARK: Children

  /// A marshaler that notes the numbers of children it can choose from.
  // Unchecked: the properties are accessed only under `lock`.
  private final class Choosing: Marshaler, @unchecked Sendable {
    private let choosesParent: Bool
    private let lock = NSLock()
    private var known: PopulatedRecord?
    private var numbers: [Int] = []

    init(choosesParent: Bool) { self.choosesParent = choosesParent }

    var counts: [Int] { lock.withLock { numbers } }

    func child(
      _ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]
    ) -> ChildDecision {
      lock.withLock {
        numbers.append(children.count)
        if choosesParent { return .child(parent) }
        known = known ?? children.first
        return known.map(ChildDecision.child) ?? .new
      }
    }
  }

  private static let order = EntityDescription(
    "Order", primaryKey: "id", attributes: [id()],
    relationships: [RelationshipDescription("lines", toMany: "Line", inverse: "order")])
  private static let line = EntityDescription(
    "Line", primaryKey: "order", attributes: [id()],
    relationships: [RelationshipDescription("order", to: "Order", inverse: "lines")])

  /// The marshaler can choose only among the children that are passed to it. Its other choices have no effect.
  @Test(arguments: [false, true]) func aMarshalerChoosesOnlyAmongThePassedChildren(isReversed: Bool) throws {
    let marshaler = Choosing(choosesParent: true)
    let stored: [JSONValue] = [["id": "1", "order": "A"], ["id": "2", "order": "A"]]
    let other: [JSONValue] = [["id": "3", "order": "A"], ["id": "4", "order": "A"]]
    let (result, _, _) =
      isReversed
      ? try populate(
        [Self.order, Self.line], marshaler, [["id": "A", "lines": .array(stored)]],
        [["id": "A", "lines": .array(other)]])
      : try populate([Self.line, Self.order], marshaler, .array(stored), .array(other))
    #expect(result.changes.inserted.count == 2)
    #expect(result.changes.updated.isEmpty)
    #expect(marshaler.counts == [2, 2])
  }

  @Test func aChildIsChosenOnce() throws {
    let marshaler = Choosing(choosesParent: false)
    let (result, _, _) = try populate(
      [Self.line, Self.order], marshaler, [["id": "1", "order": "A"], ["id": "2", "order": "A"]],
      [["id": "3", "order": "A"], ["id": "4", "order": "A"]])
    #expect(marshaler.counts == [2, 1])
    #expect(result.changes.inserted.count == 1)
  }
}
