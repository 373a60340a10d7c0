import Foundation
import RecordEngine
import RecordModel
import Testing

/// Tests for record types and customizations of a container. Scenarios prove the rules; these tests cover the Swift
/// API.
@Suite struct CustomizingTests {
  private static let body: JSONValue = [
    "data": [
      "media": [
        [
          "id": "1", "kind": "video", "title": "no", "headline": ["text": "Sea"], "rating": "high",
          "short_text": "S", "tags": ["a", ["text": "b", "hidden": true], "c"],
        ],
        ["id": "2", "title": "Fog", "rating": 3, "shortText": "F", "version": 1],
        ["id": "2", "title": "Fog again", "rating": 4, "version": 2],
      ]
    ]
  ]

  private func check(_ result: [Record], isTyped: Bool) {
    #expect(result.map { $0["title"] } == ["Sea", "Fog again", "Fog again"])
    #expect(result.map { $0["rating"] } == [5, 4, 4])
    #expect(result.map { $0["tagCount"] } == [2, 0, 0])
    #expect(result.map { $0["shortText"] } == ["S", nil, nil])
    #expect(result.map(\.entityName) == [isTyped ? "Video" : "Media", "Media", "Media"])
  }

  @Test func aRecordTypeSaysHowItsRecordsAreRead() async throws {
    let model = try ManagedObjectModel(entities: mediaEntities())
    let server = CannedServer(["media": Self.body])
    let folder = try TemporaryFolder()
    for container in [
      try PersistentContainer(
        model: model, recordTypes: [Media.self, Video.self], configuration: .init(server: server)),
      try PersistentContainer(
        model: model, recordTypes: [Media.self, Video.self],
        configuration: .init(store: .file(folder.file()), server: server)),
    ] {
      let context = container.makeContext()
      let result = try await container.request(Media.self, urn: "media", context: context)
      check(result.records, isTyped: true)
      #expect(result.diagnostics == [])
      // The request's hook takes precedence over the marshaler. It also chooses the last of the two duplicates, so the
      // result is the same.
      check(try await newest(context, container), isTyped: true)
    }
  }

  @Test func anEntityWithoutATypeIsReadAsTheModelAndTheContainerSay() async throws {
    let media = try #require(Self.body["data"]?["media"])
    let container = try plainContainer(server: CannedServer(["media": media]))
    let context = container.makeContext()
    check(try await container.request("Media", urn: "media", context: context).records, isTyped: false)
  }

  @Test func notesAreReadThroughTheirDictionary() async throws {
    let model = try ManagedObjectModel(entities: [noteEntity])
    let body: JSONValue = [["id": "1", "color": "red", "size": ["w": 1]]]
    let container = try PersistentContainer(
      model: model, recordTypes: [Note.self], configuration: .init(server: CannedServer(["notes": body])))
    let context = container.makeContext()
    let note = try #require(
      try await container.request(Note.self, urn: "notes", context: context).records.first)
    #expect(note[json: "color"] == "red")
    #expect(note[json: "size"]?["w"] == 1)
    #expect(note[json: "weight"] == nil)
  }

  // MARK: Errors

  private final class Wrong: Record {
    override class var keyPathForResponseObject: MappingPath? { "a..b" }
    override class var dateFormat: String? { "q''q'" }
    override class var representation: (any Representation)? { NoKey() }
  }

  private struct NoKey: Representation {
    func primaryKey(of entity: EntityDescription) -> [PropertyName] { ["identifier"] }
  }

  private static func wrongModel() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription("Wrong", primaryKey: "id", attributes: [AttributeDescription("id", .string)])
    ])
  }

  private static let paths = [
    "/entities/Wrong/dateFormat", "/entities/Wrong/primaryKey", "/entities/Wrong/responseKeyPath",
  ]

  @Test func whatARecordTypeSaysIsChecked() throws {
    let error = try #require(throws: ModelError.self) {
      try PersistentContainer(model: try Self.wrongModel(), recordTypes: [Wrong.self])
    }
    #expect(error.problems.map(\.path.description).sorted() == Self.paths)
    let folder = try TemporaryFolder()
    #expect(throws: error) {
      try PersistentContainer(
        model: try Self.wrongModel(), recordTypes: [Wrong.self],
        configuration: .init(store: .file(folder.file())))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file().path))
  }

  @Test func aRepresentationOfAnUnknownEntityIsAnError() throws {
    let error = try #require(throws: ModelError.self) {
      try ManagedObjectModel(entities: mediaEntities(), representations: ["Medai": SnakeCase()])
    }
    #expect(error.problems.map(\.code) == ["unknown-entity"])
    #expect(error.problems.first?.advice == "did you mean 'Media'?")
  }

  private struct Computed: Representation {
    var computesPrimaryKey: Bool { true }
  }

  @Test func onlyASingleAttributeCanBeComputed() throws {
    let error = try #require(throws: ModelError.self) {
      try ManagedObjectModel(
        entities: [
          EntityDescription("Line", attributes: [AttributeDescription("id", .string)]),
          EntityDescription("Part", parent: "Line"),
        ], representations: ["Line": Computed()])
    }
    #expect(
      error.problems.filter { $0.severity == .error }.map(\.path.description) == ["/entities/Line/primaryKey"]
    )
  }

  @Test func aKeptDictionaryNeedsATransformableAttribute() throws {
    for (name, code) in [
      ("id", "dictionary-attribute"), ("rwa", "unknown-attribute"), ("made", "dictionary-attribute"),
    ] {
      let error = try #require(throws: ModelError.self) {
        try ManagedObjectModel(entities: [
          EntityDescription(
            "Note", primaryKey: "id", dictionaryAttribute: PropertyName(name),
            attributes: [
              AttributeDescription("id", .string), AttributeDescription("raw", .transformable),
              AttributeDescription("made", .transformable, transformer: "maker"),
            ])
        ])
      }
      #expect(error.problems.map(\.code) == [code])
      #expect(error.problems.first?.path.description == "/entities/Note/dictionaryAttribute")
    }
  }

  /// The representation is shared with a sub-entity. It returns the key that the sub-entity already inherits from its
  /// ancestor.
  @Test func aSharedRepresentationLeavesOneKeyToTheTree() throws {
    struct Key: Representation {
      func primaryKey(of entity: EntityDescription) -> [PropertyName] { ["title"] }
    }
    let model = try ManagedObjectModel(
      entities: mediaEntities(), representations: ["Media": Key(), "Video": Key()])
    #expect(model.entities.map(\.primaryKey) == [["title"], [], ["text"]])
  }

  // MARK: Marshalers

  /// A marshaler that customizes one step.
  private struct Acting: Marshaler {
    var attribute: @Sendable (PropertyName) -> AttributeDecision = { _ in .standard }
    var before: @Sendable (PopulatingRecord) -> Void = { _ in }
    var after: @Sendable (PopulatingRecord) -> Void = { _ in }

    func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision { attribute(name) }
    func willPopulate(_ record: PopulatingRecord) { before(record) }
    func didPopulate(_ record: PopulatingRecord) { after(record) }
  }

  private func container(
    _ kind: StoreKind, _ folder: TemporaryFolder, _ marshaler: any Marshaler, _ body: JSONValue
  ) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: mediaEntities())
    let (server, marshalers) = (
      CannedServer(["a": body]), ["Media": marshaler] as [EntityName: any Marshaler]
    )
    return switch kind {
    case .memory:
      try PersistentContainer(model: model, configuration: .init(server: server, marshalers: marshalers))
    case .sqlite:
      try PersistentContainer(
        model: model,
        configuration: .init(store: .file(folder.file()), server: server, marshalers: marshalers))
    }
  }

  @Test(arguments: StoreKind.allCases) func linksAreMadeAndCutAfterwards(kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let marshaler = Acting(after: { record in
      for tag in record.links(of: "tags") where tag["text"] == "b" { record.unlink(tag, from: "tags") }
      // Linking the other tags again changes nothing.
      for tag in record.links(of: "tags") { record.link(tag, to: "tags") }
    })
    let container = try container(kind, folder, marshaler, [["id": "1", "rating": 3, "tags": ["c"]]])
    let context = container.makeContext()
    let media = try context.insert("Media")
    media["id"] = "1"
    media["tags"] = try ["a", "b"].map { text in
      let tag = try context.insert("Tag")
      tag["text"] = text
      return tag
    }
    try context.save()
    let result = try await container.request("Media", urn: "a", context: context)
    let tags: [Record] = media["tags"]
    #expect(Set(tags.map { $0["text"] }) == ["a", "c"])
    #expect(result.changes.updated.map(\.properties) == [["rating", "tags"]])
  }

  /// A hook can move the records of one relationship to another, and clear a value.
  @Test(arguments: StoreKind.allCases) func linksAreMovedAfterwards(kind: StoreKind) async throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("author", to: "User"), RelationshipDescription("owner", to: "User"),
          RelationshipDescription("readers", toMany: "User"), RelationshipDescription("fans", toMany: "User"),
        ]),
      EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
    ])
    let marshaler = Acting(after: { record in
      record.setValue(nil, of: "text")
      for reader in record.links(of: "readers") {
        record.unlink(reader, from: "readers")
        record.link(reader, to: "fans")
      }
      for author in record.links(of: "author") {
        record.link(author, to: "owner")
        // The record is in none of these.
        record.unlink(author, from: "readers")
        if author["id"] != "1" { record.unlink(author, from: "author") }
      }
    })
    let body: JSONValue = [
      ["id": "a", "text": "A", "author": "1", "readers": ["2", "3"]],
      ["id": "b", "text": "B", "author": "2", "readers": ["1"]],
    ]
    var configuration = PersistentContainer.Configuration(
      server: CannedServer(["a": body]), marshalers: ["Post": marshaler])
    if kind == .sqlite { configuration.store = .file(folder.file()) }
    let container = try PersistentContainer(model: model, configuration: configuration)
    let result = try await container.request("Post", urn: "a", context: container.makeContext())
    #expect(result.diagnostics == [])
    func ids(_ record: Record, _ names: [PropertyName]) -> [[String]] {
      names.map { name in
        let records: [Record] = record[name]
        return records.compactMap { $0["id"] }.sorted()
      }
    }
    func id(_ record: Record, _ name: PropertyName) -> String? {
      let target: Record? = record[name]
      return target?["id"]
    }
    // Another context reads what was saved.
    let saved = try container.makeContext().fetch(RecordFetchRequest("Post"))
    for record in saved { #expect(record["text"] as String? == nil) }
    let posts = Dictionary(uniqueKeysWithValues: saved.map { ($0["id"] as String? ?? "", $0) })
    let (first, second) = (try #require(posts["a"]), try #require(posts["b"]))
    #expect(ids(first, ["readers", "fans"]) == [[], ["2", "3"]])
    #expect(ids(second, ["readers", "fans"]) == [[], ["1"]])
    #expect([id(first, "author"), id(first, "owner")] == ["1", "1"])
    #expect([id(second, "author"), id(second, "owner")] == [nil, "2"])
  }

  @Test func aRecordIsOfUseOnlyWhileItIsPopulated() async throws {
    // Unchecked: one request writes the property, and the test reads it afterwards.
    final class Kept: @unchecked Sendable { var record: PopulatingRecord? }
    let kept = Kept()
    let folder = try TemporaryFolder()
    let container = try container(
      .memory, folder, Acting(before: { kept.record = $0 }), [["id": "1", "title": "Sea"]])
    let context = container.makeContext()
    let media = try await container.request("Media", urn: "a", context: context).records[0]
    let record = try #require(kept.record)
    record["title"] = "Fog"
    let title: String? = record["title"]
    #expect(title == nil)
    #expect(record.links(of: "tags").isEmpty)
    #expect(media["title"] == "Sea")
    #expect(record.isNew)
  }

  @Test(
    arguments: [
      (AttributeDecision.value(.string("many")), ["value-type"], 1), (.value(nil), [], nil),
      (.value(.integer(1 << 40)), ["value-type"], 1), (.found("7"), [], 7), (.found(.null), [], nil),
      (.found("many"), ["value-type"], 1), (.leave, [], 1), (.value(.integer(9)), [], 9),
    ] as [(AttributeDecision, [String], Int?)])
  func answersForAnAttribute(answer: AttributeDecision, codes: [String], rating: Int?) async throws {
    let folder = try TemporaryFolder()
    let marshaler = Acting(attribute: { $0 == "rating" ? answer : .standard })
    let container = try container(.memory, folder, marshaler, [["id": "1", "rating": 3, "title": "T"]])
    let context = container.makeContext()
    let media = try context.insert("Media")
    media["id"] = "1"
    media["rating"] = 1
    try context.save()
    let result = try await container.request("Media", urn: "a", context: context)
    #expect(result.diagnostics.map(\.code.rawValue) == codes)
    #expect(media["rating"] == rating)
    #expect(media["title"] == "T")
  }

  /// For an attribute, a marshaler learns whether the record was stored before.
  @Test func aMarshalerKnowsWhetherARecordIsNew() async throws {
    struct Noting: Marshaler {
      func attribute(_ name: PropertyName, of record: PopulatedRecord) -> AttributeDecision {
        name == "title" ? .value(.string(record.isNew ? "new" : "stored")) : .standard
      }
    }
    let folder = try TemporaryFolder()
    let container = try container(.memory, folder, Noting(), [["id": "1", "title": "a"]])
    let context = container.makeContext()
    for title in ["new", "stored"] {
      let media = try await container.request("Media", urn: "a", context: context).records[0]
      #expect(media["title"] == title)
    }
  }

  /// A null stands for no key.
  @Test func anInjectedNullIsNoKey() async throws {
    let folder = try TemporaryFolder()
    let container = try container(.memory, folder, Acting(), [["title": "a"]])
    var diagnostics: [[Diagnostic]] = []
    for key in [nil, .null, "x"] as [JSONValue?] {
      var options = RequestOptions()
      options.keyInjection = { _ in key }
      let context = container.makeContext()
      diagnostics.append(
        try await container.request("Media", urn: "a", options: options, context: context).diagnostics)
    }
    #expect(diagnostics[0].map(\.code) == [.missingPrimaryKey])
    #expect(diagnostics[0] == diagnostics[1])
    #expect(diagnostics[2] == [])
  }

  /// Properties that only the merged dictionary has fill stubs, and change nothing else.
  @Test func aMergedDictionaryFillsStubs() async throws {
    let entities = [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("author", to: "User"), RelationshipDescription("reader", to: "User"),
          RelationshipDescription("editor", to: "User"),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)]),
    ]
    let body: JSONValue = [
      // The first stub comes before the duplicates, and the other one after them.
      ["id": "0", "editor": "6"],
      ["id": "1", "text": "a", "author": "7", "reader": ["id": "8", "name": "Bo"]], ["id": "1", "text": "b"],
    ]
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: entities),
      configuration: .init(server: CannedServer(["a": body])))
    var options = RequestOptions()
    options.mergeHook = { _ in
      .dictionary([
        "id": "9", "text": "c", "author": ["id": "7", "name": "Ada"], "reader": ["id": "8", "name": "Max"],
        "editor": ["id": "6", "name": "Eve"],
      ])
    }
    let context = container.makeContext()
    let result = try await container.request("Post", urn: "a", options: options, context: context)
    let post = result.records[1]
    #expect(result.diagnostics == [])
    #expect(post["id"] == "1")
    #expect(post["text"] == "c")
    let users: [Record?] = [post["author"], post["reader"], post["editor"]]
    #expect(users.map { $0?["name"] } == ["Ada", "Bo", "Eve"])
    #expect(try context.fetch(RecordFetchRequest("User")).count == 3)
  }

  @Test func aMergeHookThatAnswersNoDictionaryLeavesItToTheStrategy() async throws {
    let folder = try TemporaryFolder()
    let container = try container(
      .memory, folder, Acting(), [["id": "1", "title": "a"], ["id": "1", "title": "b", "rating": 2]])
    var options = RequestOptions()
    options.mergeHook = { _ in .dictionary("text") }
    options.mergeStrategy = .deep
    let context = container.makeContext()
    let media = try await container.request("Media", urn: "a", options: options, context: context).records[0]
    #expect(media["title"] == "a")
    #expect(media["rating"] == 2)
  }
}
