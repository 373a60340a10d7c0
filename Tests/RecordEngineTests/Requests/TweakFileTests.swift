import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the file of tweaks. Rule: `tweaks.file`.
@Suite struct TweakFileTests {
  typealias Fixture = RequestFixture

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", responseKeyPath: "data",
        attributes: [
          AttributeDescription("id", .string),
          AttributeDescription("text", .string, from: ["body", MappingPath(keys: ["a.b", "c"])]),
        ],
        relationships: [RelationshipDescription("user", to: "User", inverse: "posts", from: ["author"])]),
      EntityDescription(
        "Note", parent: "Post", attributes: [AttributeDescription("color", .string, usesOwnName: false)]),
      EntityDescription(
        "User", primaryKey: "site", "id",
        attributes: [AttributeDescription("site", .string), AttributeDescription("id", .int64)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
      EntityDescription("Tag"),
    ])
  }

  private static let written = """
    {
      "Note": {
        "properties": {
          "color": { "instead": [] }
        }
      },
      "Post": {
        "primaryKey": "id",
        "properties": {
          "id": { "instead": "id" },
          "text": { "instead": ["body", "[\\"a.b\\", c]", "text"] },
          "user": { "instead": ["author", "user"] }
        },
        "responseKeyPath": "data"
      },
      "Tag": { "primaryKey": null, "responseKeyPath": null },
      "User": {
        "primaryKey": ["site", "id"],
        "properties": {
          "id": { "instead": "id" },
          "posts": { "instead": "posts" },
          "site": { "instead": "site" }
        },
        "responseKeyPath": null
      }
    }

    """

  private static func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

  private static func paths(_ schema: Schema) -> [[[MappingPath]]] {
    schema.entities.map { entity in
      entity.attributes.map(\.paths) + entity.relationships.map { schema.relationships[$0].paths }
    }
  }

  /// Preparing a request does not read the file, because reading takes time. The file is read before the request is
  /// sent.
  @Test func theFileIsNotReadByTheCaller() async throws {
    let folder = try TemporaryFolder()
    let server = TestServer(["posts": ["data": []]])
    let container = try PersistentContainer(
      model: try Self.model(), configuration: .init(server: server, tweaks: folder.file("tweaks.json")))
    try Data("{".utf8).write(to: folder.file("tweaks.json"))
    let request = RecordRequest(entity: "Post", urn: "posts")
    let context = container.makeContext()
    _ = try container.pipeline.prepare(request)
    let code = await Fixture.code { _ = try await container.perform(request, context: context) }
    #expect(code == .invalidTweaks)
    #expect(server.requests.isEmpty)
    // A request that is prepared before the file is corrected uses the corrected file.
    let prepared = try container.pipeline.prepare(request)
    try Data("{}".utf8).write(to: folder.file("tweaks.json"))
    let result: RequestResult<Record> = try await container.pipeline.perform(prepared, context)
    #expect(result.records.isEmpty)
  }

  /// Unsaved responses find records by a key that a tweak sets, except for those that the caller has inserted and
  /// deleted.
  @Test func aDeletedRecordIsNotFoundByATweakedKey() async throws {
    let folder = try TemporaryFolder()
    try Data(#"{"Post": {"primaryKey": "text"}}"#.utf8).write(to: folder.file("tweaks.json"))
    let server = NextResponse()
    let container = try PersistentContainer(
      model: try Self.model(), configuration: .init(server: server, tweaks: folder.file("tweaks.json")))
    let context = container.makeContext()
    server.set(["data": [["text": "a"]]])
    let stored = try await container.request("Post", urn: "posts", context: context).records[0]
    let deleted = try context.insert("Post")
    deleted["text"] = "b"
    context.delete(deleted)
    server.set(["data": [["text": "a", "id": "1"], ["text": "b", "id": "2"]]])
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let changes = try await container.request("Post", urn: "posts", options: options, context: context)
      .changes
    #expect(changes.updated.map(\.id) == [stored.recordID])
    #expect(changes.inserted.compactMap { context.record(with: $0)?["text"] } == ["b"])
  }

  @Test func allThatCanBeSaidIsWritten() throws {
    let folder = try TemporaryFolder()
    let model = try Self.model()
    try TweakFile.write(model, to: folder.file("tweaks.json"))
    #expect(try Self.text(folder.file("tweaks.json")) == Self.written)
    let schema = try TweakFile(url: folder.file("tweaks.json"), model: model).schema()
    #expect(schema.entities.map(\.key) == model.schema.entities.map(\.key))
    #expect(schema.entities.map(\.keyScope) == model.schema.entities.map(\.keyScope))
    #expect(schema.entities.map(\.responseKeyPath) == model.schema.entities.map(\.responseKeyPath))
    #expect(Self.paths(schema) == Self.paths(model.schema))
    #expect(schema.tweakedKeyScopes == [])
  }

  @Test func whatIsTweakedIsKept() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("tweaks.json")
    try Data(
      #"{"Post": {"primaryKey": "text", "properties": {"text": {"before": ["x.y"]}}}, "Note": {"responseKeyPath": "n"}}"#
        .utf8
    ).write(to: file)
    try TweakFile.write(try Self.model(), to: file)
    let text = try Self.text(file)
    #expect(text.contains(#""primaryKey": "text""#))
    #expect(text.contains(#""text": { "before": "x.y" }"#))
    #expect(text.contains(#""responseKeyPath": "n""#))
    #expect(text.contains(#""user": { "instead": ["author", "user"] }"#))
    try TweakFile.write(try Self.model(), to: file)
    #expect(try Self.text(file) == text)
  }

  @Test func aWrongFileIsNotWrittenOver() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("tweaks.json")
    try Data("{".utf8).write(to: file)
    #expect(throws: TweakFileError.self) { try TweakFile.write(try Self.model(), to: file) }
    #expect(try Self.text(file) == "{")
    #expect(throws: TweakFileError.self) {
      try TweakFile.write(try Self.model(), to: folder.url.appendingPathComponent("none/tweaks.json"))
    }
  }

  /// The text of a file, and the expected messages.
  @Test(arguments: [
    ("", ["1:1: "]),
    (
      "[1]",
      ["1:1: expected an object for tweaks, found an array; write {\"Post\": {\"primaryKey\": \"guid\"}}"]
    ),
    (
      "{\n  \"Pots\": {}\n}", ["2:3: unknown entity 'Pots'; did you mean 'Post'?"]
    ),
    (
      "{\"Zebra\": {}}",
      ["1:2: unknown entity 'Zebra'; use one of 'Post', 'Note', 'User', 'Tag'"]
    ),
    (
      "{\"Post\": {\"primryKey\": \"id\"}}",
      ["1:11: unknown key 'primryKey' for an entity; did you mean 'primaryKey'?"]
    ),
    (
      "{\"Post\": {\"primaryKey\": \"guid\", \"responseKeyPath\": 7}}",
      ["1:52: expected a string for a key path, found a number"]
    ),
    (
      "{\"Post\": {\"primaryKey\": \"txt\"}}",
      ["1:25: 'Post' has no property 'txt'; did you mean 'text'?"]
    ),
    ("{\"Post\": {\"primaryKey\": []}}", ["1:25: the key must name a property; write null for no key"]),
    (
      "{\"User\": {\"primaryKey\": \"posts\"}}",
      ["1:25: 'posts' is a to-many relationship, and only a to-one relationship can be a key"]
    ),
    (
      "{\"User\": {\"primaryKey\": [\"id\", \"ids\"]}}",
      ["1:32: 'User' has no property 'ids'; did you mean 'id'?"]
    ),
    (
      "{\"Post\": {\"properties\": {\"txt\": {\"instead\": \"a\"}, \"text\": {\"instad\": \"a\"}, \"id\": {}}}}",
      [
        "1:26: 'Post' has no property 'txt'; did you mean 'text'?",
        "1:60: unknown key 'instad' for a property; did you mean 'instead'?",
        "1:82: missing key 'instead' or 'before'",
      ]
    ),
    (
      "{\"Note\": {\"properties\": {\"text\": {\"instead\": \"a\"}}}}",
      ["1:26: 'Note' inherits 'text' from 'Post'; write it for 'Post'"]
    ),
    (
      "{\"Post\": {\"properties\": {\"text\": {\"instead\": \"a\", \"before\": [\"b..c\"]}}}}",
      ["1:51: 'instead' cannot be combined with 'before'; remove one of them"]
    ),
    (
      "{\"Tag\": {}, \"Tag\": {\"responseKeyPath\": \"a.\"}}",
      [
        "1:13: duplicate key 'Tag'; remove one of them",
        "1:40: 'a.' is not a key path: missing key after '.'",
      ]
    ),
  ])
  func mistakesAreTold(text: String, messages: [String]) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("tweaks.json")
    try Data(text.utf8).write(to: url)
    let file = TweakFile(url: url, model: try Self.model())
    do {
      _ = try file.schema()
      Issue.record("an invalid file was accepted")
    } catch {
      #expect(error.messages.count == messages.count)
      for (found, expected) in zip(error.messages, messages) {
        #expect(
          expected.hasSuffix(": ")
            ? found.hasPrefix("tweaks.json:" + expected) : found == "tweaks.json:" + expected)
      }
    }
  }

  @Test func nothingIsSentWithAWrongFile() async throws {
    let folder = try TemporaryFolder()
    let url = folder.file("tweaks.json")
    let server = TestServer(["posts": ["data": [["id": "1"]]]])
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: server, tweaks: url))
    let context = container.makeContext()
    _ = try await container.request("Post", urn: "posts", context: context)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    #expect(
      await Fixture.code { _ = try await container.request("Post", urn: "posts", context: context) }
        == .invalidTweaks)
    #expect(server.requests.count == 1)
    try FileManager.default.removeItem(at: url)
    try container.writeTweaks(to: url)
    let result = try await container.request("Post", urn: "posts", context: context)
    #expect(result.changes.isEmpty)
  }

  @Test func theArticlesProgramRuns() async throws {
    let folder = try TemporaryFolder()
    let container = try tweakableContainer(
      try Fixture.model(), server: TestServer(["posts": ["items": [["id": "1"]]]]),
      file: folder.file("t.json"))
    try Data(#"{"Post": {"responseKeyPath": "items"}}"#.utf8).write(to: folder.file("t.json"))
    let result = try await container.request("Post", urn: "posts", context: container.makeContext())
    #expect(result.records.count == 1)
  }
}
