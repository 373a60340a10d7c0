import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for results of populations that scenarios cannot express: their order and numbers, and the calls of hooks.
@Suite struct PopulationOutcomeTests {
  /// A store in memory, with a method that imports responses.
  private struct Importer {
    let schema: Schema
    var store: any Store
    var options = PopulationOptions()

    init(_ entities: EntityDescription...) throws {
      schema = try ManagedObjectModel(entities: entities).schema
      store = MemoryStore(schema: schema)
    }

    @discardableResult
    func callAsFunction(_ body: JSONValue, of entity: EntityIndex = 0) throws(RequestFailure)
      -> PopulationResult
    {
      let population = Population(
        schema: schema, reader: store, entity: entity, response: "test", options: options)
      return try population.populateAndSave(JSONDocument(body), to: store)
    }

    func row(_ id: Int64) throws -> Row {
      try #require(try store.rows(scope: 0, keys: [.single(.integer(id))])[0])
    }
  }

  /// Lines that hooks record.
  // Unchecked: `recorded` is accessed only under `lock`.
  private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [String] = []

    var lines: [String] { lock.withLock { recorded } }
    func note(_ line: String) { lock.withLock { recorded.append(line) } }
  }

  private static func ant(
    deletedWhen: RecordPredicate? = nil, _ relationships: RelationshipDescription...
  ) -> EntityDescription {
    EntityDescription(
      "Ant", primaryKey: "id", deletedWhen: deletedWhen,
      attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
      relationships: relationships)
  }

  // MARK: Records and changes

  /// A record that only a key mentions first is created at this mention.
  @Test func insertedRecordsAreInTheOrderOfTheirCreation() throws {
    let importer = try Importer(Self.ant(RelationshipDescription("next", to: "Ant", inverse: "next")))
    let result = try importer([["id": 1, "next": 3], ["id": 2, "text": "b"], ["id": 3, "text": "c"]])
    #expect(result.summary.inserted == result.summary.inserted.sorted())
    let ids = try [1, 3, 2].map { try importer.row($0).id }
    #expect(result.summary.inserted == ids)
  }

  /// Rules: `request.detail`, `request.changes`. The item of the record has no key, and a nested item has it.
  @Test func aRecordOfTwoItemsIsCountedOnce() throws {
    var importer = try Importer(
      Self.ant(RelationshipDescription("friends", toMany: "Ant", inverse: "friends")))
    try importer([["id": 1, "text": "a"]])
    let id = try importer.row(1).id
    importer.options.detailRecord = id
    for (text, updated, unchanged) in [("b", [id], []), ("b", [], [id])] {
      let result = try importer(["text": .string(text), "friends": [1]])
      #expect(result.records == [id])
      #expect(result.known == [id])
      #expect(result.summary.updated.map(\.id) == updated)
      #expect(result.summary.unchanged == unchanged)
    }
  }

  /// Rules: `orphans.tombstone`, `population.results`. Whatever other items of the record contain, it is deleted.
  @Test func aDeletedRecordIsNotInTheResult() throws {
    var importer = try Importer(
      Self.ant(deletedWhen: "gone == true", RelationshipDescription("friend", to: "Ant", inverse: "friend")))
    try importer([["id": 1, "text": "a"], ["id": 2, "text": "b"]])
    let (first, second) = (try importer.row(1).id, try importer.row(2).id)
    var result = try importer([["id": 1, "gone": true]])
    #expect(result.records == [])
    #expect(result.summary.deleted == [first])
    importer.options.detailRecord = second
    result = try importer(["text": "c", "friend": ["id": 2, "gone": true]])
    #expect(result.records == [])
    #expect(result.known == [])
    #expect(result.summary.deleted == [second])
    #expect(result.summary.updated == [] && result.summary.unchanged == [])
  }

  /// Rule: `request.detail`. The requested record is read for the message about another one.
  @Test func aMismatchWhoseRecordCannotBeReadIsAFetchError() throws {
    var importer = try Importer(Self.ant())
    try importer([["id": 1, "text": "a"]])
    importer.options.detailRecord = try importer.row(1).id
    #expect(throws: RequestFailure.self) { try importer([["id": 2, "text": "b"]]) }
    let store = StoreCallCounter(importer.store)
    importer.store = store
    importer.options.prePopulation = { _ in
      store.fail([.rowsByID])
      return nil
    }
    let failure = #expect(throws: RequestFailure.self) { try importer([["id": 2, "text": "b"]]) }
    #expect(failure?.primary.code == .fetchError)
  }

  // MARK: Marshalers

  /// A marshaler that acts on records after they have been populated, and notes the values that it converts.
  private struct Acting: Marshaler {
    var after: @Sendable (PopulatingRecord) -> Void = { _ in }
    var converting: @Sendable (JSONNode) -> Void = { _ in }

    func didPopulate(_ record: PopulatingRecord) { after(record) }
    func value(_ conversion: ValueConversion) -> AttributeValue? {
      converting(conversion.rawValue)
      return conversion.standardValue
    }
  }

  /// Rules: `customize.around`, `request.changes`. A relationship that changes only through its inverse is not a change
  /// of the record.
  @Test func changesContainWhatTheItemNamesAndWhatTheMarshalerChanges() throws {
    var importer = try Importer(
      Self.ant(
        RelationshipDescription("owner", to: "Ant", inverse: "owned"),
        RelationshipDescription("owned", toMany: "Ant", inverse: "owner"),
        RelationshipDescription("friends", toMany: "Ant", inverse: "friends"),
        RelationshipDescription("fans", toMany: "Ant")))
    try importer([["id": 1, "friends": [2]], ["id": 2, "text": "b"], ["id": 3, "text": "c"]])
    let marshaler = Acting(after: { record in
      for friend in record.links(of: "friends") where record.value(of: "id") == .integer(1) {
        record.link(friend, to: "fans")
      }
    })
    importer.options.customization = Customization(importer.schema, marshalers: ["Ant": marshaler])
    let result = try importer([["id": 1, "friends": [3], "owner": 2], ["id": 2, "text": "b"]])
    let id = try importer.row(1).id
    #expect(result.summary.updated.map(\.id) == [id])
    #expect(result.summary.updated.map(\.properties) == [["owner", "friends", "fans"]])
  }

  /// Rule: `customize.value`.
  @Test func aMarshalerConvertsNoNull() throws {
    var importer = try Importer(
      EntityDescription(
        "Ant", primaryKey: "id", modificationAttribute: "at",
        attributes: [
          AttributeDescription("id", .int64), AttributeDescription("at", .int64),
          AttributeDescription("text", .string),
        ], relationships: [RelationshipDescription("eggs", toMany: "Egg", inverse: "ant")]),
      EntityDescription(
        "Egg", primaryKey: "ant", attributes: [AttributeDescription("size", .int64)],
        relationships: [RelationshipDescription("ant", to: "Ant", inverse: "eggs")]))
    let notes = Notes()
    let marshaler = Acting(converting: { notes.note($0.kind.rawValue) })
    importer.options.customization = Customization(
      importer.schema, marshalers: ["Ant": marshaler, "Egg": marshaler])
    for text in ["a", "b"] {
      try importer([
        ["id": 1, "at": nil, "text": .string(text), "eggs": [["size": nil], ["size": 7]]],
        ["id": nil, "text": nil],
      ])
    }
    #expect(Set(notes.lines) == ["number", "string"])
  }

  /// Rules: `request.cancel`, `orphans.decide`. A marshaler is the last hook before orphans are decided about.
  @Test func aHookThatCancelsTheRequestIsTheLastOne() throws {
    var importer = try Importer(Self.ant())
    try importer([["id": 1, "text": "a"], ["id": 2, "text": "b"]])
    let notes = Notes()
    let marshaler = Acting(after: { _ in notes.note("canceled") })
    importer.options.customization = Customization(importer.schema, marshalers: ["Ant": marshaler])
    importer.options.checkCancellation = { () throws(RequestFailure) in
      if notes.lines.contains("canceled") {
        throw RequestFailure(Diagnostic(.cancelled, message: "canceled"))
      }
    }
    importer.options.orphans = OrphanDeletion { _ in
      notes.note("decided")
      return .delete
    }
    let failure = #expect(throws: RequestFailure.self) { try importer([["id": 1, "text": "a"]]) }
    #expect(failure?.primary.code == .cancelled)
    #expect(notes.lines == ["canceled"])
  }

  // MARK: The pre-population hook

  private static func posts() throws -> Importer {
    try Importer(
      EntityDescription(
        "Post", primaryKey: "id", deletedWhen: "gone == true",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("author", to: "User"),
          RelationshipDescription("editor", to: "Admin", stubs: .never),
          RelationshipDescription("notes", toMany: "Note", inverse: "post"),
        ]),
      EntityDescription(
        "User", primaryKey: "name",
        attributes: [AttributeDescription("name", .string), AttributeDescription("text", .string)]),
      EntityDescription("Admin", parent: "User"),
      EntityDescription(
        "Note", primaryKey: "post", attributes: [AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "notes")]))
  }

  /// Rule: `population.hook`. The hook is not called for a record that is deleted, nor for a key without a record.
  @Test func theHookIsCalledOncePerRecord() throws {
    var importer = try Self.posts()
    try importer([["id": 1, "notes": [["text": "x"]], "author": "bo"], ["id": 3, "text": "c"]])
    let notes = Notes()
    importer.options.prePopulation = { item in
      let (name, text) = (item.dictionary["name"]?.string, item.dictionary["text"]?.string)
      let key = item.parent.flatMap(\.key).map { " in \($0)" } ?? ""
      notes.note("\(item.entity) \(name ?? text ?? "")\(key)")
      return nil
    }
    let ann: JSONValue = ["name": "ann", "text": "A"]
    try importer([
      ["id": 1, "text": "a", "author": ann, "editor": "bo", "notes": [["text": "x"], ["text": "y"]]],
      ["id": 2, "text": "b", "author": ann, "editor": "cy"], ["id": 3, "gone": true],
    ])
    #expect(
      notes.lines == [
        "Note x in 1", "Note y in 1", "Post a", "User ann in 1", "User bo in 1", "Post b",
      ])
  }

  /// Rule: `population.hook`.
  @Test func aHookReplacesTheDictionaryOnlyByADictionary() throws {
    var importer = try Self.posts()
    importer.options.prePopulation = { $0.entity == "Post" ? "text" : ["name": "other"] }
    #expect(try importer([["id": 1, "text": "a", "author": "ann"]]).diagnostics == [])
    #expect(try importer.row(1).values.contains(.string("a")))
    // A dictionary without other properties leaves a stub a stub.
    let users = try importer.store.rows(of: 1)
    #expect(users.map(\.isStub) == [true])
    #expect(users.map { $0.values[0] } == [.string("ann")])
  }

  // MARK: The merge hook

}
