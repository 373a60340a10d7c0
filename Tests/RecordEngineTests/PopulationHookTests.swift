import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for what marshalers, hooks, representations and transformers read and change in one population.
@Suite struct PopulationHookTests {
  /// A store, with a method that imports responses about posts.
  private struct Importer {
    let schema: Schema
    let store: StoreCallCounter

    init(_ entities: [EntityDescription], representations: [EntityName: any Representation] = [:]) throws {
      schema = try ManagedObjectModel(entities: entities, representations: representations).schema
      store = StoreCallCounter(MemoryStore(schema: schema))
    }

    @discardableResult
    func posts(
      _ body: JSONValue, _ marshalers: [EntityName: any Marshaler] = [:],
      _ change: (inout PopulationOptions) -> Void = { _ in }
    ) throws(RequestFailure) -> PopulationResult {
      var options = PopulationOptions()
      options.customization = Customization(schema, marshalers: marshalers)
      change(&options)
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: options)
      return try population.populateAndSave(JSONDocument(body), to: store)
    }

    /// Returns the values of an attribute of all records of an entity, oldest first.
    func values(_ name: PropertyName, of entity: EntityIndex = 0) throws -> [AttributeValue?] {
      try store.rows(of: entity).map { row in
        schema.attribute(name, of: row.entity).flatMap { row.values[$0.column] }
      }
    }
  }

  /// The first item is the requested record because it has no key, and the others delete it.
  @Test func aDeletedRecordIsNotPassedToItsMarshaler() throws {
    let importer = try Importer([
      EntityDescription(
        "Mark", primaryKey: "order", deletedWhen: "gone == true",
        attributes: [AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("order", to: "Order", inverse: "marks")]),
      EntityDescription(
        "Order", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("marks", toMany: "Mark", inverse: "order")]),
    ])
    try importer.posts([["order": 1, "text": "red"]])
    let mark = try #require(importer.store.rows(of: 0).first).id
    let notes = Notes()
    let gone: JSONValue = ["order": 1, "text": "red", "gone": true]
    let result = try importer.posts(
      [["text": "blue"], gone, ["order": 1, "gone": true, "text": "red"]],
      ["Mark": Acting(after: { _ in notes.lines.append("populated") })]
    ) {
      $0.detailRecord = mark
      $0.recordsProvenance = true
    }
    #expect(notes.lines == [] && result.changes.deleted.map(\.id) == [mark] && result.records == [])
    let provenance = try #require(result.provenance)
    #expect(provenance.records.map(\.record).contains(mark) == false)
    guard case .tombstone(let node) = provenance.deletions.first?.cause else {
      Issue.record("no tombstone")
      return
    }
    #expect(node.value == gone)
  }

  /// A dictionary that refers to no record is not passed to the hook, although its parent has children.
  @Test func theHookIsNotCalledForItemsWithoutRecords() throws {
    let importer = try Importer([
      EntityDescription(
        "Order", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("marks", to: "Mark", isToMany: true, inverse: "order", stubs: .never)
        ]),
      EntityDescription(
        "Mark", primaryKey: "order", attributes: [AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("order", to: "Order", inverse: "marks")]),
    ])
    try importer.posts([["id": 1, "marks": [["text": "red"]]]])
    let notes = Notes()
    let marks: JSONValue = [["text": "red"], ["text": "blue"], [:]]
    try importer.posts([["id": 1, "marks": marks]]) { options in
      options.prePopulation = { item in
        notes.lines.append("\(item.entity): \(item.dictionary.value.compactText())")
        return nil
      }
    }
    #expect(
      notes.lines.filter { $0.hasPrefix("Mark") } == [#"Mark: {"text":"red"}"#, #"Mark: {"text":"blue"}"#])
  }

  /// A marshaler that acts before and after a record is populated.
  private struct Acting: Marshaler {
    var before: @Sendable (PopulatingRecord) -> Void = { _ in }
    var after: @Sendable (PopulatingRecord) -> Void = { _ in }

    func willPopulate(_ record: PopulatingRecord) { before(record) }
    func didPopulate(_ record: PopulatingRecord) { after(record) }
  }

  // Unchecked: one population writes the properties, and the test reads them afterwards.
  private final class Notes: @unchecked Sendable {
    var lines: [String] = []
    var record: PopulatingRecord?
  }

  private static func entity(_ name: EntityName) -> EntityDescription {
    EntityDescription(name, primaryKey: "id", attributes: [AttributeDescription("id", .string)])
  }

  private func importer() throws -> Importer {
    var post = Self.entity("Post")
    post.attributes.append(AttributeDescription("text", .string))
    post.relationships = [
      RelationshipDescription("author", to: "User"), RelationshipDescription("readers", toMany: "User"),
      RelationshipDescription("fans", toMany: "User"), RelationshipDescription("tags", toMany: "Tag"),
    ]
    return try Importer([post, Self.entity("User"), Self.entity("Tag")])
  }

  // MARK: Before and after

  /// Rule: `customize.around`.
  @Test func aMarshalerReadsTheRecordAndItsLinks() throws {
    let importer = try importer()
    let notes = Notes()
    let marshaler = Acting(after: { record in
      let (id, text): (String?, String?) = (record["id"], record["text"])
      let readers = record.links(of: "readers").map { $0.isNew ? "new" : "stored" }
      notes.lines.append("\(id ?? "") \(text ?? "") \(record.isNew ? "new" : "stored") \(readers)")
    })
    try importer.posts([["id": "a", "text": "A", "readers": ["1"]]], ["Post": marshaler])
    try importer.posts(
      [["id": "a", "text": "B", "readers": ["2"]], ["id": "b", "text": "C"]], ["Post": marshaler])
    #expect(notes.lines == [#"a A new ["new"]"#, #"a B stored ["stored", "new"]"#, "b C new []"])
  }

  /// Rule: `customize.around`. Each record reports only its own values.
  @Test func aValueOfTheWrongTypeIsReportedOnce() throws {
    let importer = try importer()
    let marshaler = Acting(after: { record in
      let id: String? = record["id"]
      if id == "a" { record.setValue(.integer(7), of: "text") }
    })
    let result = try importer.posts(
      [["id": "a", "text": "A"], ["id": "b", "text": "B"]], ["Post": marshaler])
    #expect(result.diagnostics.map(\.code) == [.valueType])
    #expect(result.diagnostics.map(\.pointer?.description) == ["/0"])
    #expect(try importer.values("text") == [.string("A"), .string("B")])
  }

  /// Rule: `request.changes`.
  @Test func aNewLinkAloneIsAChange() throws {
    let importer = try importer()
    try importer.posts([["id": "a", "readers": ["1"]], ["id": "b", "readers": ["2"]]])
    let result = try importer.posts([["id": "a", "readers": ["2"]]])
    #expect(result.summary.updated.map { $0.changes.map(\.name) } == [["readers"]])
  }

  /// Rules: `customize.around`, `request.changes`. The record was a member before, so only the order has changed.
  @Test func aMemberThatIsLinkedAgainIsNotAdded() throws {
    var post = Self.entity("Post")
    post.relationships = [
      RelationshipDescription("tags", toMany: "Tag", isOrdered: true, assignment: .replace)
    ]
    let importer = try Importer([post, Self.entity("Tag")])
    try importer.posts([["id": "a", "tags": ["1", "2", "3"]]])
    let marshaler = Acting(after: { record in
      guard let tag = record.links(of: "tags").first else { return }
      record.unlink(tag, from: "tags")
      record.link(tag, to: "tags")
    })
    let result = try importer.posts([["id": "a", "tags": ["2", "1", "3"]]], ["Post": marshaler])
    #expect(
      result.summary.updated.flatMap(\.changes).map(\.values) == [.toMany(added: [], removed: [])])
  }

  /// Rules: `customize.around`, `request.changes`. The item does not mention the relationship.
  @Test(arguments: [true, false]) func linksThatAMarshalerChangesAreReported(isBefore: Bool) throws {
    let importer = try importer()
    try importer.posts([["id": "a", "readers": ["1"]]])
    let change: @Sendable (PopulatingRecord) -> Void = { record in
      for reader in record.links(of: "readers") { record.link(reader, to: "fans") }
    }
    let marshaler = isBefore ? Acting(before: change) : Acting(after: change)
    let result = try importer.posts([["id": "a", "text": "B"]], ["Post": marshaler])
    #expect(result.summary.updated.map { $0.changes.map(\.name) } == [["text", "fans"]])
  }

  /// Rule: `save.validation`. No two records have the same key, even if a marshaler sets one.
  @Test func aMarshalerCannotRepeatAKey() throws {
    let importer = try importer()
    try importer.posts([["id": "a"]])
    let marshaler = Acting(after: { $0.setValue(.string("a"), of: "id") })
    #expect(throws: RequestFailure.self) { try importer.posts([["id": "b"]], ["Post": marshaler]) }
    #expect(try importer.values("id") == [.string("a")])
  }

  /// A relationship gets no record of another entity, and a to-one loses only its own target.
  @Test func aMarshalerCannotLinkOrUnlinkOtherRecords() throws {
    let importer = try importer()
    let notes = Notes()
    let marshaler = Acting(after: { record in
      for tag in record.links(of: "tags") { record.link(tag, to: "fans") }
      for reader in record.links(of: "readers") { record.unlink(reader, from: "author") }
      notes.lines = ["author", "fans"].map { "\(record.links(of: PropertyName($0)).count) \($0)" }
    })
    try importer.posts([["id": "a", "author": "1", "readers": ["2"], "tags": ["x"]]], ["Post": marshaler])
    #expect(notes.lines == ["1 author", "0 fans"])
  }

  @Test func aMarshalerCannotUseAnEarlierRecord() throws {
    let importer = try importer()
    let notes = Notes()
    let marshaler = Acting(before: { record in
      if let former = notes.record {
        let id: String? = former["id"]
        notes.lines.append(id ?? "none")
        former["text"] = "changed"
      }
      notes.record = record
    })
    try importer.posts([["id": "a", "text": "A"], ["id": "b", "text": "B"]], ["Post": marshaler])
    #expect(notes.lines == ["none"])
    #expect(try importer.values("text") == [.string("A"), .string("B")])
  }

  /// After the first failure, the marshaler reads nothing more.
  @Test func aStoreThatFailsWhileAMarshalerReadsFailsTheRequest() throws {
    let importer = try importer()
    try importer.posts([["id": "a", "text": "A", "readers": ["1"]]])
    let (notes, store) = (Notes(), importer.store)
    let marshaler = Acting(after: { record in
      store.fail([.members])
      notes.lines.append("\(record.links(of: "readers").count)")
      store.fail([])
      notes.lines.append("\(record.links(of: "readers").count)")
    })
    let failure = #expect(throws: RequestFailure.self) {
      try importer.posts([["id": "a", "text": "B"]], ["Post": marshaler])
    }
    #expect(failure?.primary.code == .fetchError)
    #expect(notes.lines == ["0", "0"])
    #expect(try importer.values("text") == [.string("A")])
  }

  // MARK: Children

  private func familyImporter() throws -> Importer {
    var post = Self.entity("Post")
    post.relationships = [
      RelationshipDescription("lines", toMany: "Line", inverse: "post"),
      RelationshipDescription("status", to: "Status", inverse: "post"),
    ]
    let children = [("Line", "lines"), ("Status", "status")].map { name, inverse in
      EntityDescription(
        EntityName(name), primaryKey: "post",
        attributes: [AttributeDescription("size", .int32), AttributeDescription("origin", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: PropertyName(inverse))])
    }
    return try Importer([post] + children)
  }

  /// Rules: `customize.attribute`, `identity.relationship-key.to-many`. An item is compared with stored children by the
  /// values that it would give a new record.
  @Test func aChildIsMatchedByTheValuesOfANewRecord() throws {
    struct Marking: Marshaler {
      func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
        name != "origin" ? .standard : record.isNew ? .value(.string("server")) : .leave
      }
    }
    let importer = try familyImporter()
    let body: JSONValue = [["id": "a", "lines": [["size": 1]]]]
    try importer.posts(body)
    for _ in 1...2 {
      try importer.posts(body, ["Line": Marking()])
      #expect(try importer.values("origin", of: 1) == [nil, .string("server")])
    }
  }

  /// Rule: `customize.relationship-key`.
  @Test func aMarshalerChoosesAmongStoredChildren() throws {
    struct Choosing: Marshaler {
      func child(
        _ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]
      ) -> ChildDecision {
        guard !parent.isNew, let child = children.first(where: { !$0.isNew }) else { return .new }
        return .child(child)
      }
    }
    let importer = try familyImporter()
    try importer.posts([["id": "a", "lines": [["size": 1]], "status": ["size": 1]]])
    let result = try importer.posts(
      [["id": "a", "lines": [["size": 2]], "status": ["size": 2]]],
      ["Line": Choosing(), "Status": Choosing()]
    ) { $0.recordsProvenance = true }
    #expect(result.provenance?.records.map(\.finding) == [.fetched, .chosenChild, .chosenChild])
    for entity in [1, 2] as [EntityIndex] {
      #expect(try importer.values("size", of: entity) == [.integer(2)])
    }
  }

  // MARK: Values, keys and duplicates

  /// Rule: `values.transformable`.
  @Test func aTransformerCanClearAnAttribute() throws {
    struct Cleaning: RecordValueTransformer {
      func value(from json: JSONValue) -> JSONValue { json == "none" ? .null : json }
    }
    var post = Self.entity("Post")
    post.attributes.append(AttributeDescription("json", .transformable, transformer: "cleaning"))
    let importer = try Importer([post])
    for (json, value) in [("x", .json("x")), ("none", nil)] as [(JSONValue, AttributeValue?)] {
      let result = try importer.posts([["id": "1", "json": json]]) {
        $0.transformers = ["cleaning": Cleaning()]
      }
      #expect(result.diagnostics == [])
      #expect(try importer.values("json") == [value])
    }
  }

  /// Rule: `customize.representation`. A null stands for no result, and a scalar is the key itself.
  @Test func onlyTheKeysOfDictionariesAreComputed() throws {
    struct Prefixed: Representation {
      var computesPrimaryKey: Bool { true }

      func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? {
        guard let id = dictionary["id"]?.string, !id.hasPrefix("#") else { return .null }
        return .string("#" + id)
      }
    }
    var post = Self.entity("Post")
    post.relationships = [RelationshipDescription("next", to: "Post")]
    let importer = try Importer([post], representations: ["Post": Prefixed()])
    let result = try importer.posts([["id": "1", "next": "1"], ["id": "#2", "next": nil]])
    #expect(result.diagnostics == [])
    #expect(try importer.values("id") == ["#1", "1", "#2"].map { .string($0) })
  }

  /// Rule: `merge.full-then-stub`. A reference before the full items changes nothing about them.
  @Test(arguments: [
    ["A", "B", "B"], ["A", "B", "C", "B"], ["A", "B", "A"],
  ])
  func aReferenceBeforeFullItemsChangesNothing(texts: [String]) throws {
    let items = texts.map { JSONValue.object(["id": "a", "text": .string($0)]) }
    func outcome(_ items: [JSONValue]) throws -> (calls: [String], text: [AttributeValue?]) {
      let (importer, notes) = (try importer(), Notes())
      try importer.posts(.array(items)) {
        $0.mergeHook = { duplicates in
          notes.lines.append(
            "\(duplicates.first["text"]?.string ?? "") \(duplicates.other["text"]?.string ?? "")")
          return .other
        }
      }
      return (notes.lines, try importer.values("text"))
    }
    let (plain, afterReference) = (try outcome(items), try outcome(["a"] + items))
    #expect(afterReference.calls == plain.calls)
    #expect(afterReference.text == plain.text && plain.text == [.string("B")])
  }

  /// Rule: `merge.strategy`.
  @Test func aDeepMergeContinuesWithTheDictionaryThatAHookSelects() throws {
    let importer = try importer()
    let notes = Notes()
    let marshaler = Acting(after: { notes.lines = $0.links(of: "tags").compactMap { $0["id"] } })
    let body: JSONValue = [
      ["id": "a", "tags": ["x"]], ["id": "a", "tags": ["y"]], ["id": "a", "text": "A", "tags": ["z"]],
      ["id": "a", "tags": ["z", "x"]],
    ]
    try importer.posts(body, ["Post": marshaler]) {
      $0.mergeStrategy = .deep
      $0.mergeHook = { $0.other["text"] == nil ? .standard : .other }
    }
    #expect(notes.lines == ["x", "z"])
  }
}
