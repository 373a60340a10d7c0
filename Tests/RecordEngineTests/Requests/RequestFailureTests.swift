import Foundation
import RecordEngine
import Testing

/// Tests for the properties of a failure. Rule: `diagnostics.all`.
@Suite struct RequestFailureTests {
  typealias Fixture = RequestFixture

  private final class Item: Record {}

  private func failure(
    of response: ServerResponse, options: RequestOptions? = nil, entity: EntityName = "Item"
  ) async throws -> RequestFailure {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", primaryKey: "id", responseKeyPath: "data",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("price", .decimal, isOptional: false),
        ],
        relationships: [RelationshipDescription("parts", toMany: "Part", inverse: "item")]),
      EntityDescription(
        "Part", attributes: [AttributeDescription("name", .string, isOptional: false)],
        relationships: [RelationshipDescription("item", to: "Item", inverse: "parts")]),
    ])
    let container = try PersistentContainer(
      model: model, recordTypes: [Item.self], configuration: .init(server: TestServer { _ in response }))
    let context = container.makeContext()
    do {
      _ = try await container.request(entity, urn: "items", options: options, context: context)
    } catch let failure as RequestFailure {
      return failure
    }
    throw Unexpected()
  }

  private struct Unexpected: Error {}

  @Test func aSaveErrorTellsTheRecordThatIsAtFault() async throws {
    let body: JSONValue = [
      "total": 2, "data": [["id": "a", "price": 1], ["id": "b", "price": 2, "parts": [["size": 7]]]],
    ]
    let failure = try await failure(of: ServerResponse(.json(body)))
    #expect(failure.primary.code == .saveError)
    #expect(failure.primary.property == "name")
    #expect(failure.recordDictionary?.value == ["size": 7])
    #expect(failure.recordType == "Record")
    #expect(failure.initialEntity == "Item")
    #expect(failure.keyPathForResponseObject == "data")
    #expect(failure.responseObject?.value == body)
    #expect(failure.server == "TestServer")
    #expect(failure.responseText == nil)
  }

  /// Rule: `request.failure`. A 304 response contains no records.
  @Test func aStatusThatSaysThatNothingWasModified() async throws {
    let response = ServerResponse(.bytes([]), status: 304, headers: ["ETag": "\"v1\""])
    let unasked = try await failure(of: response)
    #expect(unasked.primary.code == .httpStatus && unasked.diagnostics.count == 1)
    #expect(unasked.status == 304 && unasked.header("etag") == "\"v1\"")
    #expect(
      unasked.primary.message
        == "the server answered with status 304: the server returned 'not modified', but the request has no condition"
    )
    var options = RequestOptions()
    options.headers["if-none-match"] = "\"v1\""
    let asked = try await failure(of: response, options: options)
    #expect(asked.status == 304)
    #expect(
      asked.primary.message
        == "the server answered with status 304: the server returned 'not modified' because of If-None-Match in the request"
    )
    // The headers that the server adds count too. A body does not matter.
    var added = ServerResponse(.json(["data": [["id": "a"]]]), status: 304)
    added.sentRequest = ServerRequest(urn: "items", headers: ["If-Modified-Since": "yesterday"])
    #expect(
      try await failure(of: added).primary.message.contains("because of If-Modified-Since in the request"))
  }

  @Test func whatADebuggerRaisesTellsItsItem() async throws {
    var options = RequestOptions()
    options.debugger = CodeDebugger(failOn: [.valueType])
    options.keyPathForResponseObject = "items"
    let body: JSONValue = ["items": [["id": "a", "price": "cheap", "parts": [["name": "x"]]]]]
    let failure = try await failure(of: ServerResponse(.json(body)), options: options)
    #expect(failure.primary.pointer?.description == "/items/0/price")
    #expect(failure.recordDictionary?["id"]?.string == "a")
    #expect(failure.recordType == "Item")
    #expect(failure.keyPathForResponseObject == "items")
  }

  /// The dictionary of a failure is the innermost item of the response that contains the value.
  @Test(
    arguments: [
      // Neither an earlier item nor a key alone.
      ([["id": "b"], ["id": "a", "size": "big"]], "a"), ([["id": "a", "weak": "d"]], "a"),
      // The item of 'a' is nested in that of 'b', but an earlier item mentions 'a'.
      ([["id": "c", "next": "a"], ["id": "b", "next": ["id": "a", "size": "big"]]], "a"),
      // The dictionary of the hook is not in the response, but its bytes have the same positions.
      (
        [
          ["id": "a", "size": "big", "name": .string(String(repeating: "x", count: 200))],
          ["id": "m", "name": "x"], ["id": "m", "name": "y"],
        ], "a"
      ),
    ] as [(JSONValue, String)])
  func theDictionaryOfAFailureIsTheInnermostItem(body: JSONValue, id: String) async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("name", .string),
          AttributeDescription("size", .int32),
        ],
        relationships: [
          RelationshipDescription("next", to: "Item"),
          RelationshipDescription("weak", to: "Item", stubs: .never),
        ])
    ])
    let container = try PersistentContainer(
      model: model, configuration: .init(server: TestServer(["items": body])))
    var options = RequestOptions()
    options.debugger = CodeDebugger(failOn: [.valueType, .missingReference])
    options.mergeHook = { _ in .dictionary(["id": "m", "name": .string(String(repeating: "y", count: 100))]) }
    let failure = await Fixture.failure { [options] in
      _ = try await container.request(
        "Item", urn: "items", options: options, context: container.makeContext())
    }
    #expect(failure?.recordDictionary?["id"]?.string == id)
  }

  @Test func whatIsNoJSONIsToldAsText() async throws {
    let failure = try await failure(of: ServerResponse(.bytes(Array("<html> \u{FC}".utf8) + [0xFF])))
    #expect(failure.primary.code == .invalidResponseFormat)
    #expect(failure.responseText == "<html> \u{FC}\u{FFFD}")
    #expect(failure.responseObject == nil)
    #expect(failure.recordDictionary == nil)
  }

  @Test func whatCanBeNoRecordsIsToldAsTextAndValue() async throws {
    let failure = try await failure(of: ServerResponse(.bytes(Array("true".utf8))), entity: "Part")
    #expect(failure.primary.code == .invalidResponseFormat)
    #expect(failure.responseText == "true")
    #expect(failure.responseObject?.boolean == true)
    #expect(failure.initialEntity == "Part")
  }

  @Test func anErrorStatusHasNoResponseObject() async throws {
    let failure = try await failure(of: ServerResponse(.bytes([]), status: 503))
    #expect(failure.status == 503)
    #expect(failure.server == "TestServer")
    #expect(failure.recordType == "Item")
    #expect(failure.responseObject == nil)
  }

  @Test func aRecordTypeThatIsNotRegisteredIsNamedWithItsEntity() async throws {
    final class Pots: Record {}
    let container = try PersistentContainer(
      model: try Fixture.model(), configuration: .init(server: TestServer([:])))
    let context = container.makeContext()
    let error = await #expect(throws: RequestFailure.self) {
      _ = try await container.request(Fixture.Post.self, urn: "posts", context: context)
    }
    #expect(
      error?.description
        == "invalid-entity: to use it for the entity 'Post', pass Post.self in the container's 'recordTypes'")
    let unknown = #expect(throws: RequestFailure.self) { try context.fetch(Pots.self) }
    #expect(
      unknown?.description
        == "invalid-entity: no entity has the record type 'Pots'; did you mean 'Post'?")
  }

  /// Registering a record type without an entity is an error.
  @Test func aRecordTypeWithoutAnEntityIsRefused() throws {
    final class Pots: Record {}
    final class Somewhere: Record {}
    let model = try Fixture.model()
    let folder = try TemporaryFolder()
    let types: [Record.Type] = [Fixture.Post.self, Pots.self, Somewhere.self]
    let error = #expect(throws: ModelError.self) {
      try PersistentContainer(model: model, recordTypes: types)
    }
    #expect(
      error?.description == """
        /entities: no entity has the record type 'Pots'; did you mean 'Post'?
        /entities: no entity has the record type 'Somewhere'
        """)
    #expect(throws: ModelError.self) {
      try PersistentContainer(
        model: model, recordTypes: types, configuration: .init(store: .file(folder.file())))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file().path))
  }

  @Test func whatFailsBeforeAnythingIsSentTellsTheEntity() async throws {
    let container = try PersistentContainer(model: try Fixture.model(), recordTypes: [Fixture.Post.self])
    do {
      _ = try await container.request(Fixture.Post.self, urn: "posts", context: container.makeContext())
      Issue.record("a request without a server has to fail")
    } catch let failure as RequestFailure {
      #expect(failure.primary.code == .undefinedServer)
      #expect(failure.initialEntity == "Post")
      #expect(failure.recordType == "Post")
      #expect(failure.server == nil)
    }
  }
}
