import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the comparison of a record with its former state, on which sequences of updates are based.
@Suite struct ObservedRecordTests {
  private let schema: Schema
  private let properties: ObservedProperties

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", attributes: [AttributeDescription("text", .string), AttributeDescription("score", .double)],
        relationships: [
          RelationshipDescription("owner", to: "Post"), RelationshipDescription("set", toMany: "Post"),
          RelationshipDescription("list", toMany: "Post", isOrdered: true),
        ]),
      EntityDescription("Film", parent: "Post"),
    ]).schema
    properties = ObservedProperties(nil, of: 0, schema)
  }

  private func id(_ serial: Int64) -> RecordID { RecordID(tree: 0, serial: serial) }

  private func record(
    _ serial: Int64 = 1, entity: EntityIndex = 0, text: String? = nil, score: Double? = nil,
    owner: Int64? = nil, set: [Int64] = [], list: [Int64] = []
  ) -> ObservedRecord {
    ObservedRecord(
      id: id(serial),
      row: Row(
        id: id(serial), entity: entity, isStub: false,
        values: [text.map(AttributeValue.string), score.map(AttributeValue.double)], toOnes: [owner.map(id)]),
      members: [set.map(id), list.map(id)])
  }

  private func changes(_ former: ObservedRecord, _ new: ObservedRecord, _ names: [PropertyName]? = nil)
    -> [PropertyName]?
  {
    new.changes(since: former, ObservedProperties(names, of: 0, schema), schema)
  }

  @Test func changedProperties() {
    let former = record(text: "a", score: 1, owner: 2, set: [2, 3], list: [3, 2])
    #expect(changes(former, former) == nil)
    #expect(changes(former, record(text: "b", score: 1, owner: 2, set: [2, 3], list: [3, 2])) == ["text"])
    #expect(
      changes(former, record(score: 2, owner: 2, set: [2, 3], list: [2, 3])) == ["text", "score", "list"])
    #expect(changes(former, record(text: "a", score: 1, set: [2], list: [3, 2])) == ["owner", "set"])
    #expect(
      changes(former, record(text: "b", score: 1, owner: 2, set: [2, 3], list: [3, 2]), ["score"]) == nil)
  }

  /// A change of the entity counts even if no property changes with it.
  @Test func changedEntity() {
    #expect(changes(record(text: "a"), record(entity: 1, text: "a")) == [])
    #expect(changes(record(text: "a"), record(entity: 1, text: "b")) == ["text"])
  }

  /// NaN differs from itself.
  @Test func notANumber() {
    #expect(changes(record(score: .nan), record(score: .nan)) == nil)
    #expect(changes(record(score: .nan), record(score: 1)) == ["score"])
    #expect(changes(record(score: 1), record(score: .nan)) == ["score"])
    #expect(changes(record(score: .nan), record(score: nil)) == ["score"])
  }

  private var successors: RecordSuccessors {
    let successors = RecordSuccessors()
    successors.add([id(9): id(1), id(8): id(2)])
    return successors
  }

  @Test func unsavedRecordsThatAreReplaced() {
    var value = record(9, owner: 8, set: [4, 8, 9], list: [4, 9, 8, 2])
    value.replace(successors, properties, schema)
    #expect(value.id == id(1) && value.row.toOnes == [id(2)])
    #expect(value.members == [[1, 2, 4], [4, 1, 2]].map { $0.map(id) })
  }

  /// Of two records that become one, the unsaved one counts as deleted.
  @Test func recordsThatBecomeOne() {
    var list = [record(9), record(1), record(8), record(3)]
    list.replace(successors, properties, schema)
    #expect(list.map(\.id) == [9, 1, 2, 3].map(id))
  }
}
