import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the provenance of the attributes of populated records.
@Suite struct ProvenanceOfAttributesTests {
  private typealias Importer = ProvenanceImporter

  @Test func aValueHasItsPathAndPosition() throws {
    let importer = try Importer(
      Importer.post([
        AttributeDescription("text", .string, from: ["headline", "meta.title"]),
        AttributeDescription("likes", .int32),
        AttributeDescription("tags", .transformable, from: ["tags.name"]),
        AttributeDescription("count", .int32, from: ["tags.@count"]),
        AttributeDescription("first", .transformable, from: ["groups[1].tags.name"]),
      ]))
    let body: JSONValue = [
      [
        "id": "1", "meta": ["title": "A"], "tags": [["name": "x"], ["name": "y"]],
        "groups": [["tags": []], ["tags": [["name": "z"]]]],
      ]
    ]
    #expect(
      try importer.attributes(body) == [
        #"id identified: "1" at /0/id by id"#, #"text set: "A" at /0/meta/title by meta.title"#,
        "likes absent", #"tags set: ["x","y"] at /0/tags by tags.name (gathered)"#,
        "count set: 2 at /0/tags by tags.@count (gathered)",
        #"first set: ["z"] at /0/groups/1/tags by groups[1].tags.name (gathered)"#,
      ])
  }

  @Test func everyNullHasAnEffect() throws {
    let importer = try Importer(
      Importer.post([
        AttributeDescription("cleared", .string), AttributeDescription("kept", .string, null: .keep),
        AttributeDescription("required", .string, isOptional: false),
        AttributeDescription("standard", .int32, default: 5, isOptional: false),
        AttributeDescription("wrong", .int32),
      ]))
    try importer.records([["id": 1, "required": "A"]])
    let body: JSONValue = [
      ["id": 1, "cleared": nil, "kept": nil, "required": nil, "standard": nil, "wrong": "few"]
    ]
    #expect(
      try importer.attributes(body).dropFirst() == [
        "cleared cleared: null at /0/cleared by cleared", "kept keptOverNull: null at /0/kept by kept",
        "required nullForRequired: null at /0/required by required",
        "standard setToDefault: null at /0/standard by standard",
        #"wrong unconvertible: "few" at /0/wrong by wrong"#,
      ])
  }

  @Test func supersededValuesAreListed() throws {
    let importer = try Importer(
      Importer.post([AttributeDescription("text", .string), AttributeDescription("likes", .int32)]))
    let body: JSONValue = [["id": 1, "text": "A"], ["id": 1, "likes": 3]]
    #expect(
      try importer.attributes(body) == [
        "id identified: 1 at /0/id by id", #"text set: "A" at /0/text by text"#, "likes absent, not 3",
      ])
    #expect(
      try importer.attributes(body) { $0.mergeStrategy = .deep }.dropFirst()
        == [#"text set: "A" at /0/text by text"#, "likes set: 3 at /1/likes by likes"])
    let fuller: JSONValue = [["id": 1, "text": "A"], ["id": 1, "text": "B", "likes": 3]]
    #expect(try importer.attributes(fuller)[1] == #"text set: "B" at /1/text by text, not "A""#)
    let nulls: JSONValue = [["id": 1, "text": nil], ["id": 1, "text": "B"]]
    #expect(
      try importer.attributes(nulls) { $0.mergeStrategy = .deep }[1]
        == #"text set: "B" at /1/text by text, not null"#)
  }

  @Test func aReferenceIsItsKey() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    #expect(try importer.attributes([1]) == ["id identified: 1 at /0 (scalarItem)", "text notInReference"])
  }

  @Test func theKeyOfACollectionIsAValue() throws {
    let importer = try Importer(
      EntityDescription(
        "Post", primaryKey: "id", responseKeyedBy: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("text", .string)]))
    #expect(
      try importer.attributes(["7": ["text": "A"]])
        == [#"id identified: "7" at /7 (collectionKey)"#, #"text set: "A" at /7/text by text"#])
    #expect(
      try importer.attributes(["7": ["id": 9]]).first == #"id identified: "7" at /7 (collectionKey)"#)
  }

  @Test func anItemThatIsNotNewerSetsNothing() throws {
    let importer = try Importer(
      EntityDescription(
        "Post", primaryKey: "id", modificationAttribute: "version",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("version", .int32),
          AttributeDescription("text", .string),
        ]))
    try importer.records([["id": 1, "version": 2, "text": "A"]])
    #expect(
      try importer.records([["id": 1, "version": 2, "text": "A"]])
        == ["Post fetched by id: /0 effective (unmodified)"])
    #expect(
      try importer.attributes([["id": 1, "version": 1, "text": "B"]]).last
        == #"text unmodified: "B" at /0/text by text"#)
    #expect(
      try importer.attributes([["id": 1, "version": 3, "text": "B"]]).last
        == #"text set: "B" at /0/text by text"#)
  }

  @Test func aKeyIsTheFirstValueThatIsNotNull() throws {
    let importer = try Importer(
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int32, from: ["old", "new"]),
          AttributeDescription("text", .string, from: ["title", "headline"]),
        ]))
    #expect(
      try importer.attributes([["old": nil, "new": 1, "title": nil, "headline": "A"]]) == [
        "id identified: 1 at /0/new by new", "text cleared: null at /0/title by title",
      ])
  }

  @Test func anInvalidKeyIdentifiesNothing() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    #expect(
      try importer.attributes([["id": "x", "text": "A"]]).first
        == #"id unconvertible: "x" at /0/id by id"#)
    #expect(
      try importer.attributes([["id": nil, "text": "A"]]).first == "id cleared: null at /0/id by id")
    #expect(
      try importer.attributes([["text": "A"]]) == ["id absent", #"text set: "A" at /0/text by text"#])
  }

  private struct NullTransformer: RecordValueTransformer {
    func value(from json: JSONValue) -> JSONValue { .null }
  }

  @Test func aTransformerCanClearAnAttribute() throws {
    let importer = try Importer(
      Importer.post([AttributeDescription("raw", .transformable, transformer: "null")]))
    #expect(
      try importer.attributes([["id": 1, "raw": 7]]) { $0.transformers = ["null": NullTransformer()] }.last
        == "raw cleared: 7 at /0/raw by raw")
  }

  @Test func theDictionaryOfAnItemIsKept() throws {
    let importer = try Importer(
      EntityDescription(
        "Post", primaryKey: "id", dictionaryAttribute: "raw",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("raw", .transformable)]))
    #expect(
      try importer.attributes([["id": 1]]) == ["id identified: 1 at /0/id by id", "raw setToDictionary"])
  }

  @Test func anItemOfTheParentEntityLacksTheAttributesOfTheSubEntity() throws {
    let video = EntityDescription(
      "Video", parent: "Post", usedWhen: RecordPredicate("kind == 'video'"),
      attributes: [AttributeDescription("length", .int32)])
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]), video)
    #expect(
      try importer.attributes([
        ["id": 1, "kind": "video", "length": 5], ["id": 1, "text": "A", "length": 6],
      ]) == [
        "id identified: 1 at /0/id by id", #"text absent, not "A""#,
        "length set: 5 at /0/length by length",
      ])
    #expect(
      try importer.attributes([["id": 2], ["id": 2, "kind": "video"]]).last == "length notInReference")
  }
}
