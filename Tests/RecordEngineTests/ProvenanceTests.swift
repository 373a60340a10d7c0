import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the provenance of populated records.
@Suite struct ProvenanceTests {
  /// A store, with a method that imports responses and describes their provenance.
  private struct Importer {
    let schema: Schema
    let store: MemoryStore

    init(_ entities: EntityDescription...) throws {
      schema = try ManagedObjectModel(entities: entities).schema
      store = MemoryStore(schema: schema)
    }

    func result(
      _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
    ) throws -> PopulationResult {
      var options = PopulationOptions()
      options.recordsProvenance = true
      change(&options)
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: options)
      return try population.populateAndSave(JSONDocument(body), to: store)
    }

    /// Imports a response. Returns a line for each record, and one for each deletion.
    @discardableResult
    func records(
      _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
    ) throws -> [String] {
      let provenance = try #require(try result(body, change).provenance)
      return provenance.records.map { record in
        let items = record.items.map { "\(pointer($0.node)) \($0.role)" }.joined(separator: ", ")
        return "\(record.entity) \(record.finding) by \(text(record.key)): \(items)"
      }
        + provenance.deletions.map { deletion in
          switch deletion.cause {
          case .tombstone(let node): "deleted: tombstone \(pointer(node))"
          case .orphan: "deleted: orphan"
          case .cascade(_, let name): "deleted: cascade of \(name)"
          case .deleteRule: "deleted: delete rule"
          }
        }
    }

    /// Imports a response. Returns a line for each attribute of its first record.
    func attributes(
      _ body: JSONValue, _ change: (inout PopulationOptions) -> Void = { _ in }
    ) throws -> [String] {
      let record = try #require(try result(body, change).provenance?.records.first)
      return record.attributes.map { attribute in
        let value = attribute.value.map { value in
          let position = value.position.map { pointer($0) } ?? "nowhere"
          let path = value.path.map { " by \($0)" } ?? ""
          let origin = value.origin == .item ? "" : " (\(value.origin))"
          return ": \(value.node.value.compactText()) at \(position)\(path)\(origin)"
        }
        let lost = attribute.superseded.map { ", not \($0.node.value.compactText())" }.joined()
        return "\(attribute.name) \(attribute.effect)\(value ?? "")\(lost)"
      }
    }

    /// Imports a response. Returns a line for each relationship of its records.
    func relationships(_ body: JSONValue) throws -> [String] {
      let provenance = try #require(try result(body).provenance)
      return provenance.records.flatMap { record in
        record.relationships.map { relationship in
          var parts = relationship.links.map { link in
            "\(link.position.map { pointer($0) } ?? "nowhere")\(link.record == nil ? " (none)" : "")"
          }
          if relationship.isNull { parts.append("null \(relationship.position.map { pointer($0) } ?? "")") }
          if relationship.parent != nil { parts.append("parent") }
          parts += relationship.inverses.map { inverse in
            "inverse of \(inverse.name) \(inverse.position.map { pointer($0) } ?? "nowhere")"
          }
          return "\(record.entity).\(relationship.name): \(parts.joined(separator: ", "))"
        }
      }
    }

    private func pointer(_ node: JSONNode) -> String {
      node.pointer.tokens.isEmpty ? "/" : node.pointer.description
    }

    private func text(_ key: RecordProvenance.Key) -> String {
      switch key {
      case .attributes(let names): names.map(\.rawValue).joined(separator: "+")
      case .computed(let name): "computed \(name)"
      case .injected(let name): "injected \(name)"
      case .parent(_, let name, let isNamed): "\(isNamed ? "named" : "enclosing") \(name)"
      case .none: "nothing"
      }
    }
  }

  private static func post(
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = [],
    merge: MergeStrategy? = nil
  ) -> EntityDescription {
    EntityDescription(
      "Post", primaryKey: "id", merge: merge, deletedWhen: RecordPredicate("gone == true"),
      attributes: [AttributeDescription("id", .int32)] + attributes, relationships: relationships)
  }

  private static let user = EntityDescription(
    "User", primaryKey: "id",
    attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)])

  @Test func nothingIsRecordedByDefault() throws {
    let importer = try Importer(Self.post())
    #expect(try importer.result([["id": 1]]) { $0.recordsProvenance = false }.provenance == nil)
    #expect(try importer.result([["id": 1]]).provenance?.records.count == 1)
  }

  // MARK: Records

  @Test func recordsAreCreatedFetchedOrStubs() throws {
    let importer = try Importer(Self.post([], [RelationshipDescription("user", to: "User")]), Self.user)
    let body: JSONValue = [["id": 1, "user": "ada"], ["id": 2, "user": ["id": "eva", "name": "Eva"]]]
    #expect(
      try importer.records(body) == [
        "Post created by id: /0 effective", "User stub by id: /0/user reference",
        "Post created by id: /1 effective", "User created by id: /1/user effective",
      ])
    #expect(
      try importer.records(body) == [
        "Post fetched by id: /0 effective", "User fetched by id: /0/user reference",
        "Post fetched by id: /1 effective", "User fetched by id: /1/user effective",
      ])
  }

  @Test func theItemsOfARecordHaveRoles() throws {
    let importer = try Importer(
      Self.post([AttributeDescription("text", .string)], [RelationshipDescription("next", to: "Post")]))
    let body: JSONValue = [
      ["id": 1, "text": "A", "next": 2], ["id": 2, "text": "B"], ["id": 1, "text": "C"], 1,
      ["id": 1, "text": "A", "next": 2],
    ]
    let expected = [
      "Post created by id: /0 effective, /2 superseded, /3 reference, /4 repeated",
      "Post created by id: /0/next reference, /1 effective",
    ]
    #expect(try importer.records(body) == expected)
    #expect(
      try importer.records(body) { $0.mergeStrategy = .deep }.first
        == "Post fetched by id: /0 effective, /2 merged, /3 reference, /4 repeated")
    #expect(
      try importer.records(body) { $0.mergeHook = { _ in .dictionary(["id": 1, "text": "D"]) } }.first
        == "Post fetched by id: /0 mergedByHook, /2 mergedByHook, /3 reference, /4 repeated")
    #expect(
      try importer.records(body) { $0.mergeHook = { _ in .other } }.first
        == "Post fetched by id: /0 superseded, /2 effective, /3 reference, /4 repeated")
  }

  @Test func keysAreInjectedOrMissing() throws {
    let importer = try Importer(Self.post([AttributeDescription("text", .string)]))
    #expect(try importer.records([["text": "A"]]) == ["Post created by nothing: /0 effective"])
    #expect(
      try importer.records([["text": "A"]]) { $0.keyInjection = { _ in 7 } }
        == ["Post created by injected id: /0 effective"])
  }

  @Test func theDetailRecordNeedsNoKey() throws {
    let importer = try Importer(Self.post([AttributeDescription("text", .string)]))
    let id = try #require(try importer.result([["id": 1]]).records.first)
    #expect(
      try importer.records([["text": "A"]]) { $0.detailRecord = id }
        == ["Post detail by nothing: /0 effective"])
  }

  @Test func aChildIsIdentifiedByItsParent() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")])
    let importer = try Importer(
      Self.post([], [RelationshipDescription("counts", to: "Counts", inverse: "post")]), counts)
    let body: JSONValue = [["id": 1, "counts": ["reads": 3]]]
    #expect(
      try importer.records(body).last == "Counts created by enclosing post: /0/counts effective")
    #expect(
      try importer.records(body).last == "Counts onlyChild by enclosing post: /0/counts effective")
    #expect(
      try importer.relationships(body) == [
        "Post.counts: /0/counts, inverse of post /0/counts",
        "Counts.post: parent, inverse of counts /0/counts",
      ])
  }

  @Test func severalChildrenAreMatched() throws {
    let image = EntityDescription(
      "Image", primaryKey: "post", attributes: [AttributeDescription("url", .string)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "images")])
    let importer = try Importer(
      Self.post([], [RelationshipDescription("images", toMany: "Image", inverse: "post")]), image)
    try importer.records([["id": 1, "images": [["url": "a"], ["url": "b"]]]])
    #expect(
      try importer.records([["id": 1, "images": [["url": "b"], ["url": "c"]]]]).dropFirst() == [
        "Image matchingChild by enclosing post: /0/images/0 effective",
        "Image created by enclosing post: /0/images/1 effective",
      ])
  }

  // MARK: Deletions

  @Test func deletionsHaveCauses() throws {
    let importer = try Importer(
      Self.post(
        [], [RelationshipDescription("user", to: "User", inverse: "posts", deleteRule: .cascade)]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]))
    try importer.records([["id": 1], ["id": 2], ["id": 3, "user": "ada"]])
    #expect(
      try importer.records([["id": 1, "gone": true], ["id": 2]])
        == ["Post fetched by id: /1 reference", "deleted: tombstone /0"])
    let rest = try importer.records([["id": 2]]) { $0.orphans = OrphanDeletion() }
    #expect(rest == ["Post fetched by id: /0 reference", "deleted: orphan", "deleted: delete rule"])
  }

  @Test func aCascadeNamesItsRelationship() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")])
    let importer = try Importer(
      Self.post(
        [], [RelationshipDescription("counts", to: "Counts", inverse: "post", deleteRule: .cascade)]),
      counts)
    try importer.records([["id": 1, "counts": ["reads": 3]]])
    let lines = try importer.records([["id": 1, "gone": true]])
    #expect(lines == ["deleted: cascade of counts", "deleted: tombstone /0"])
  }

  // MARK: Attributes

  @Test func aValueHasItsPathAndPosition() throws {
    let importer = try Importer(
      Self.post([
        AttributeDescription("text", .string, from: ["headline", "meta.title"]),
        AttributeDescription("likes", .int32),
        AttributeDescription("tags", .transformable, from: ["tags.name"]),
        AttributeDescription("count", .int32, from: ["tags.@count"]),
      ]))
    let body: JSONValue = [
      ["id": "1", "meta": ["title": "A"], "tags": [["name": "x"], ["name": "y"]]]
    ]
    #expect(
      try importer.attributes(body) == [
        #"id identified: "1" at /0/id by id"#, #"text set: "A" at /0/meta/title by meta.title"#,
        "likes absent", #"tags set: ["x","y"] at /0/tags by tags.name (gathered)"#,
        "count set: 2 at /0/tags by tags.@count (gathered)",
      ])
  }

  @Test func everyNullHasAnEffect() throws {
    let importer = try Importer(
      Self.post([
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
      Self.post([AttributeDescription("text", .string), AttributeDescription("likes", .int32)]))
    let body: JSONValue = [["id": 1, "text": "A"], ["id": 1, "text": "B", "likes": 3]]
    #expect(
      try importer.attributes(body).dropFirst()
        == [#"text set: "A" at /0/text by text, not "B""#, "likes absent, not 3"])
    #expect(
      try importer.attributes(body) { $0.mergeStrategy = .deep }.dropFirst()
        == [#"text set: "A" at /0/text by text, not "B""#, "likes set: 3 at /1/likes by likes"])
  }

  @Test func valuesOfHooksHaveThePositionOfTheItem() throws {
    let importer = try Importer(Self.post([AttributeDescription("text", .string)]))
    #expect(
      try importer.attributes([["id": 1]]) { $0.prePopulation = { _ in ["id": 1, "text": "B"] } }.last
        == #"text set: "B" at /0 by text (prePopulation)"#)
    let duplicates: JSONValue = [["id": 1, "text": "A"], ["id": 1, "text": "B"]]
    #expect(
      try importer.attributes(duplicates) { $0.mergeHook = { _ in .dictionary(["id": 1, "text": "C"]) } }.last
        == #"text set: "C" at /0 by text (mergedDictionary), not "A", not "B""#)
  }

  @Test func aReferenceIsItsKey() throws {
    let importer = try Importer(Self.post([AttributeDescription("text", .string)]))
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
      try importer.attributes([["id": 1, "version": 1, "text": "B"]]).last
        == #"text unmodified: "B" at /0/text by text"#)
    #expect(
      try importer.attributes([["id": 1, "version": 3, "text": "B"]]).last
        == #"text set: "B" at /0/text by text"#)
  }

  /// A marshaler that makes a different decision about each attribute.
  private struct DecidingMarshaler: Marshaler {
    func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
      switch name {
      case "left": .leave
      case "found": .found("F")
      case "value": .value(.string("V"))
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
    let names: [PropertyName] = ["left", "found", "value", "refused", "standard", "before", "after"]
    let importer = try Importer(Self.post(names.map { AttributeDescription($0, .string) }))
    let item: JSONValue = ["id": 1, "left": "A", "standard": "B", "after": "C"]
    let attributes = try importer.attributes([item]) {
      $0.customization = Customization(importer.schema, marshalers: ["Post": DecidingMarshaler()])
    }
    #expect(
      attributes.dropFirst() == [
        #"left leftByMarshaler: "A" at /0/left by left"#, #"found set: "F" at /0 (marshaler)"#,
        "value setByMarshaler", "refused refusedFromMarshaler",
        #"standard set: "B" at /0/standard by standard"#,
        "before setByMarshaler", #"after setByMarshaler: "C" at /0/after by after"#,
      ])
  }

  // MARK: Relationships

  @Test func relationshipsHaveReferencesOnBothSides() throws {
    let importer = try Importer(
      Self.post([], [RelationshipDescription("user", to: "User", inverse: "posts")]),
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]))
    #expect(
      try importer.relationships([["id": 1, "user": "ada"], ["id": 2, "user": nil], ["id": 3]]) == [
        "Post.user: /0/user", "User.posts: inverse of user /0/user", "Post.user: null /1/user",
      ])
  }

  @Test func aReferenceCanLeadNowhere() throws {
    let importer = try Importer(
      Self.post([], [RelationshipDescription("user", to: "User", stubs: .never)]), Self.user)
    #expect(try importer.relationships([["id": 1, "user": "ada"]]) == ["Post.user: /0/user (none)"])
  }
}
