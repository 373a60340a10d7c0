import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the provenance of records that hooks and marshalers change.
@Suite struct ProvenanceOfHooksTests {
  private typealias Importer = ProvenanceImporter

  @Test func valuesOfHooksHaveThePositionOfTheItem() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    #expect(
      try importer.attributes([["id": 1, "text": "A"]]) {
        $0.prePopulation = { _ in ["id": 1, "text": "B"] }
      }.last
        == #"text set: "B" at /0 by text (prePopulation)"#)
    let duplicates: JSONValue = [["id": 1, "text": "A"], ["id": 1, "text": "B"]]
    // The text of the merged dictionary has the index that the text of the first item has in the response.
    #expect(
      try importer.attributes(duplicates) {
        $0.mergeHook = { _ in .dictionary(["a": 0, "id": 1, "text": "C"]) }
      }.last
        == #"text set: "C" at /0 by text (mergedDictionary), not "A", not "B""#)
    // The items are the same record because of their key, which the merged dictionary lacks.
    #expect(
      try importer.attributes(duplicates) { $0.mergeHook = { _ in .dictionary(["text": "C"]) } }.first?
        .hasPrefix("id identified") == true)
    #expect(
      try importer.attributes(duplicates) {
        $0.mergeHook = { _ in .other }
        $0.prePopulation = { _ in ["id": 1, "text": "D"] }
      }.last == #"text set: "D" at /1 by text (prePopulation), not "A", not "B""#)
  }

  /// A marshaler that makes a different decision about each attribute.
  private struct DecidingMarshaler: Marshaler {
    func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
      switch name {
      case "left": .leave
      case "found": .found("F")
      case "value": .value(.string("V"))
      case "null": .value(.json(.null))
      case "refused": .value(.integer(1))
      default: .standard
      }
    }

    func willPopulate(_ record: PopulatingRecord) {
      record.setValue(.string("W"), of: "before")
      record.setValue(.string("W"), of: "standard")
    }

    func didPopulate(_ record: PopulatingRecord) { record.setValue(.string("D"), of: "after") }
  }

  @Test func marshalersDecide() throws {
    let names: [PropertyName] = ["left", "found", "value", "null", "refused", "standard", "before", "after"]
    let importer = try Importer(Importer.post(names.map { AttributeDescription($0, .string) }))
    let item: JSONValue = ["id": 1, "left": "A", "standard": "B", "after": "C"]
    let attributes = try importer.attributes([item]) {
      $0.customization = Customization(importer.schema, marshalers: ["Post": DecidingMarshaler()])
    }
    #expect(
      attributes.dropFirst() == [
        #"left leftByMarshaler: "A" at /0/left by left"#, #"found set: "F" at /0 (marshaler)"#,
        "value setByMarshaler", "null setByMarshaler", "refused refusedFromMarshaler",
        #"standard set: "B" at /0/standard by standard"#,
        "before setByMarshaler", #"after setByMarshaler: "C" at /0/after by after"#,
      ])
  }

  /// The values are those that a hook has chosen, even if another item has equal or other values elsewhere.
  @Test(
    arguments: [
      ("names", ["x"], .dictionary(["tags": [["name": "x"]]]), "/0 by tags.name (mergedDictionary)"),
      ("tags", [["name": "x"]], .dictionary(["names": ["x"]]), "/0 by names (mergedDictionary)"),
      (
        "tags", [["name": "y"]], .dictionary(["tags": [["name": "x"]]]), "/0 by tags.name (mergedDictionary)"
      ),
      ("tags", [["name": "x"]], .other, "/1/tags by tags.name (gathered)"),
    ] as [(String, JSONValue, MergedDictionary, String)])
  func gatheredValuesAreThoseThatAHookHasChosen(
    key: String, value: JSONValue, answer: MergedDictionary, position: String
  ) throws {
    let importer = try Importer(
      Importer.post([
        AttributeDescription("likes", .int32),
        AttributeDescription("names", .transformable, from: ["names", "tags.name"]),
      ]))
    let items: [JSONValue] = [1, 2].map { .object(["id": 1, key: value, "likes": $0]) }
    let line = try importer.attributes(.array(items)) { $0.mergeHook = { _ in answer } }.last
    #expect(line?.hasPrefix(#"names set: ["x"] at \#(position)"#) == true, "\(line ?? "")")
  }

  /// Items that a hook nests in the merged dictionary are not in the response.
  @Test func recordsInAMergedDictionaryHaveThePositionOfTheItem() throws {
    let user = EntityDescription(
      "User", primaryKey: "id",
      attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
      relationships: [RelationshipDescription("friend", to: "User")])
    let importer = try Importer(
      Importer.post(
        [AttributeDescription("text", .string)],
        [RelationshipDescription("author", to: "User"), RelationshipDescription("reader", to: "User")]),
      user)
    let body: JSONValue = [["id": 1, "text": "A", "author": "7"], ["id": 1, "text": "B", "author": "7"]]
    let merge: (inout PopulationOptions) -> Void = {
      $0.mergeHook = { _ in
        .dictionary([
          "id": 1, "text": "C", "author": ["id": "7", "name": "Ada", "friend": "9"], "reader": "8",
        ])
      }
    }
    #expect(
      try importer.records(body, merge) == [
        "Post created by id: /0 mergedByHook, /1 mergedByHook",
        "User created by id: /0/author reference, /1/author reference", "User stub by id: ",
        "User stub by id: ",
      ])
    #expect(
      try importer.relationships(body, merge) == [
        "Post.author by author: /0", "Post.reader by reader: /0", "User.friend by friend: /0/author",
      ])
  }

  // MARK: Items that are read before the items around them

  private static func postAndCounts() throws -> Importer {
    try Importer(
      EntityDescription(
        "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")]),
      Importer.post(
        [AttributeDescription("text", .string)],
        [
          RelationshipDescription("counts", to: "Counts", inverse: "post"),
          RelationshipDescription("seen", to: "Counts"),
        ]))
  }

  @Test func supersededValuesAreInTheOrderOfTheResponse() throws {
    let body: JSONValue = [
      ["reads": 1, "post": ["id": 1, "counts": ["reads": 2]]], ["reads": 3, "post": 1],
    ]
    #expect(
      try Self.postAndCounts().attributes(body, of: "Counts") { $0.mergeHook = { _ in .other } }
        == ["reads set: 3 at /1/reads by reads, not 1, not 2"])
  }

  /// The merged dictionary provides the values of a record that the response only refers to.
  @Test func allReferencesToARecordInAMergedDictionaryAreItsItems() throws {
    let body: JSONValue = [
      ["post": ["id": 1, "counts": ["post": 1]]], ["reads": 9, "post": ["id": 5, "text": "A"]],
      ["reads": 9, "post": ["id": 5, "text": "B"]],
    ]
    let records = try Self.postAndCounts().records(body) {
      $0.mergeHook = { duplicates in
        duplicates.entity == "Post"
          ? .dictionary(["id": 5, "text": "C", "seen": ["post": 1, "reads": 7]]) : .standard
      }
    }
    #expect(records.contains("Counts created by named post: /0 reference, /0/post/counts reference"))
  }

  // MARK: Marshalers

  private struct ChoosingMarshaler: Marshaler {
    func child(
      _ item: JSONNode, of parent: PopulatedRecord, among children: [PopulatedRecord]
    ) -> ChildDecision { children.last.map { .child($0) } ?? .new }
  }

  @Test func marshalersChooseChildren() throws {
    for isToMany in [true, false] {
      let image = EntityDescription(
        "Image", primaryKey: "post", attributes: [AttributeDescription("url", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "images")])
      let importer = try Importer(
        Importer.post(
          [], [RelationshipDescription("images", to: "Image", isToMany: isToMany, inverse: "post")]),
        image)
      try importer.records([["id": 1, "images": [["url": "a"]]]])
      let records = try importer.records([["id": 1, "images": [["url": "b"]]]]) {
        $0.customization = Customization(importer.schema, marshalers: ["Image": ChoosingMarshaler()])
      }
      #expect(records.last == "Image chosenChild by enclosing post: /0/images/0 effective")
    }
  }
}
