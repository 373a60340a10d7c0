import RecordEngine
import RecordModel
import Testing

/// Tests for the diagnostics of details whose item has another key than the requested record, or one that cannot be
/// converted. Rule: `request.detail`.
@Suite struct DetailDiagnosticTests {
  /// Requests the details of a record, and returns the diagnostics of the response or failure.
  private func diagnostics(
    of entity: EntityDescription, _ values: [PropertyName: String], response: JSONValue,
    representation: (any Representation)? = nil, mergeHook: MergeHook? = nil
  ) async throws -> [String] {
    let representations = representation.map { [entity.name: $0] } ?? [:]
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: [entity], representations: representations),
      configuration: .init(server: CannedServer(["detail": response])))
    let context = container.makeContext()
    let record = try context.insert(entity.name)
    for (name, value) in values { record[name] = value }
    try context.save()
    var options = RequestOptions()
    options.mergeHook = mergeHook
    do {
      return try await container.requestDetail(of: record, options: options).diagnostics.map(\.description)
    } catch let failure as RequestFailure {
      return failure.diagnostics.map(\.description)
    }
  }

  private let post = EntityDescription(
    "Post", primaryKey: "id", detailURN: "detail",
    attributes: [
      AttributeDescription("id", .string), AttributeDescription("text", .string),
    ])
  private let line = EntityDescription(
    "Line", primaryKey: "sku", "position", detailURN: "detail",
    attributes: [
      AttributeDescription("sku", .string), AttributeDescription("position", .string),
      AttributeDescription("text", .string),
    ])

  @Test(
    arguments: [
      (["id": "2"], ": the response contains 'Post/2' instead of 'Post/1'"),
      (
        [["text": "a"], ["id": "3", "text": "b"]], " /1: the response contains 'Post/3' instead of 'Post/1'"
      ),
    ] as [(JSONValue, String)])
  func aMismatchNamesBothRecords(response: JSONValue, message: String) async throws {
    #expect(
      try await diagnostics(of: post, ["id": "1"], response: response) == ["record-mismatch Post\(message)"])
  }

  /// Rule: `request.detail.change`.
  @Test func aTakenKeyNamesBothRecords() async throws {
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: [post]),
      configuration: .init(server: CannedServer(["detail": ["id": "2"]])))
    let context = container.makeContext()
    let records = try ["1", "2"].map { key in
      let record = try context.insert("Post")
      record["id"] = key
      return record
    }
    try context.save()
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.requestDetail(of: records[0], method: "POST")
    }
    #expect(
      failure?.diagnostics.map(\.description) == [
        "record-mismatch Post: the response gives 'Post/1' the key of another record, 'Post/2'; another response has "
          + "probably brought this record before, so delete 'Post/1'"
      ])
    let others = try await container.requestDetail(of: records[1], method: "POST")
    #expect(others.records.first === records[1])
  }

  /// The item does not name the entity of the record.
  @Test func aMismatchNamesTheStoredEntity() async throws {
    let (container, note) = try containerWithNote(["id": "3"])
    let post: Record = try #require(note["post"])
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.requestDetail(of: post)
    }
    #expect(failure?.primary.message == "the response contains 'Article/3' instead of 'Post/1'")
  }

  @Test func aMismatchWithoutAKey() async throws {
    let found = try await diagnostics(of: post, ["id": "1"], response: [["id": "1"], ["text": "a"]])
    #expect(
      found.last
        == "record-mismatch Post /1: the response contains a 'Post' without a key instead of 'Post/1'")
  }

  /// The first item is the requested record.
  @Test(
    arguments: [
      (["id": "2"], "'Post/2'"), (["text": "c"], "a 'Post' without a key"),
    ] as [(JSONValue, String)])
  func aMismatchOfARecordWithoutAKey(item: JSONValue, title: String) async throws {
    let found = try await diagnostics(of: post, ["text": "a"], response: [["text": "b"], item])
    #expect(
      found.last
        == "record-mismatch Post /1: the response contains \(title) instead of the requested 'Post', which has no key"
    )
  }

  /// The caller has given the record the key of another one, so its key does not lead to it.
  @Test func aKeyThatAnotherRecordHas() async throws {
    let container = try PersistentContainer(
      model: try ManagedObjectModel(entities: [post]),
      configuration: .init(server: CannedServer(["detail": ["text": "b"]])))
    let context = container.makeContext()
    let records = try ["1", "2"].map { id in
      let record = try context.insert("Post")
      record["id"] = id
      return record
    }
    try context.save()
    records[0]["id"] = "2"
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.requestDetail(of: records[0], options: options)
    }
    #expect(failure?.diagnostics.map(\.code) == [.missingPrimaryKey, .recordMismatch])
  }

  @Test func aMismatchOfACompositeKey() async throws {
    let found = try await diagnostics(
      of: line, ["sku": "tea", "position": "1"], response: ["sku": "tea", "position": "2", "text": "a"])
    #expect(found == ["record-mismatch Line: the response contains 'Line/tea,2' instead of 'Line/tea,1'"])
  }

  @Test func aMismatchOfAPartOfAKey() async throws {
    let found = try await diagnostics(
      of: line, ["sku": "tea", "position": "1"], response: ["position": "2", "text": "a"])
    #expect(
      found.last
        == "record-mismatch Line: the response contains a part of another key than that of 'Line/tea,1'")
  }

  /// A record that its parent identifies is named by its parent.
  @Test(
    arguments: [
      (["post": "2"], "'Note@Post/2' instead of 'Note@Post/1'"),
      (["post": "1", "text": "b"], "another 'Note@Post/1' than the requested one"),
      (["post": ["likes": 1], "text": "b"], "another 'Note' instead of 'Note@Post/1'"),
      (["post": "3"], "'Note@Article/3' instead of 'Note@Post/1'"),
    ] as [(JSONValue, String)])
  func aMismatchOfAChild(response: JSONValue, title: String) async throws {
    let (container, note) = try containerWithNote(response)
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.requestDetail(of: note)
    }
    #expect(failure?.primary.message == "the response contains \(title)")
  }

  /// Returns a container whose server answers with a response, and a saved note of a post.
  private func containerWithNote(_ response: JSONValue) throws -> (PersistentContainer, Record) {
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Post", primaryKey: "id", detailURN: "detail",
          attributes: [AttributeDescription("id", .string), AttributeDescription("likes", .int32)],
          relationships: [RelationshipDescription("notes", toMany: "Note", inverse: "post")]),
        EntityDescription("Article", parent: "Post"),
        EntityDescription(
          "Note", primaryKey: "post", deletedWhen: "gone == true", detailURN: "detail",
          attributes: [AttributeDescription("text", .string)],
          relationships: [RelationshipDescription("post", to: "Post", inverse: "notes")]),
      ]), configuration: .init(server: CannedServer(["detail": response])))
    let context = container.makeContext()
    let (post, note) = (try context.insert("Post"), try context.insert("Note"))
    let article = try context.insert("Article")
    (post["id"], article["id"]) = ("1", "3")
    (note["text"], note["post"]) = ("a", post)
    try context.save()
    return (container, note)
  }

  /// Several items are the requested record: one without its key, and others with it. The result lists the record once, and
  /// not as updated if one of the items deletes it.
  @Test(arguments: [false, true]) func severalItemsOfAChild(isGone: Bool) async throws {
    let (container, note) = try containerWithNote([
      ["text": "b"], ["post": "1", "text": "a", "gone": isGone ? true : false],
    ])
    let result = try await container.requestDetail(of: note)
    let (changes, id) = (result.changes, note.recordID)
    #expect(changes.deleted == (isGone ? [id] : []))
    #expect((changes.unchanged + changes.updated.map(\.id)).count { $0 == id } == (isGone ? 0 : 1))
  }

  /// Only the first item can be the requested record.
  @Test func aSecondItemWithAnUnconvertibleParent() async throws {
    let (container, note) = try containerWithNote([
      ["post": "1", "text": "a"], ["post": ["id": ["x"]], "text": "b"],
    ])
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.requestDetail(of: note)
    }
    #expect(failure?.diagnostics.map(\.code) == [.missingPrimaryKey, .recordMismatch])
  }

  @Test func anUnconvertibleKeyIsReported() async throws {
    let found = try await diagnostics(of: post, ["id": "1"], response: ["id": ["a"], "text": "b"])
    #expect(
      found == [
        "value-type Post.id /id: cannot convert [\"a\"] to string, so the item counts as the requested record"
      ])
  }

  /// The record has no key, so the request leads to it in another way.
  @Test func anUnconvertibleKeyOfARecordWithoutKeyIsReported() async throws {
    let found = try await diagnostics(of: post, ["text": "a"], response: ["id": ["a"], "text": "b"])
    #expect(
      found == [
        "value-type Post.id /id: cannot convert [\"a\"] to string, so the item counts as the requested record"
      ])
  }

  @Test func anUnconvertiblePartOfAKeyIsReported() async throws {
    let found = try await diagnostics(
      of: line, ["sku": "tea", "position": "1"], response: ["sku": "tea", "position": ["a"], "text": "b"])
    #expect(
      found == [
        "value-type Line.position /position: cannot convert [\"a\"] to string, so the item counts as the requested record"
      ])
  }

  /// The other item, which the hook returns, has a valid key.
  @Test func anUnconvertibleKeyIsReportedAtItsItem() async throws {
    let found = try await diagnostics(
      of: post, ["id": "1"], response: [["id": ["a"], "text": "b"], ["id": "1", "text": "c"]],
      mergeHook: { _ in .other })
    #expect(
      found == [
        "value-type Post.id /0/id: cannot convert [\"a\"] to string, so the item counts as the requested record"
      ])
  }

  /// The item has a value for the attribute, but its key is the computed one.
  @Test func anUnconvertibleComputedKeyIsReported() async throws {
    struct Computing: Representation {
      var computesPrimaryKey: Bool { true }
      func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? { ["a"] }
    }
    for id in [["b"], "2"] as [JSONValue] {
      let found = try await diagnostics(
        of: post, ["id": "1"], response: ["id": id, "text": "b"], representation: Computing())
      #expect(
        found == [
          "value-type Post.id: cannot convert the key of the item to string, so the item counts as the requested record"
        ])
    }
  }

  @Test(
    arguments: [
      (nil, "declare a 'detailURN' for 'Post', or state the address of the request"),
      (
        "posts/{id}",
        "a value that the 'detailURN' of 'Post' contains is missing, empty, or a path segment that leads elsewhere"
      ),
    ] as [(String?, String)])
  func aMissingAddress(detailURN: String?, reason: String) async throws {
    let post = EntityDescription(
      "Post", primaryKey: "id", detailURN: detailURN, attributes: [AttributeDescription("id", .string)])
    #expect(
      try await diagnostics(of: post, [:], response: [])
        == ["undefined-detail-urn Post: the record has no detail address; \(reason)"])
  }

  @Test(arguments: [["text": "b"], ["id": nil, "text": "b"]] as [JSONValue])
  func anItemWithoutAKeyIsTheRequestedRecord(response: JSONValue) async throws {
    #expect(try await diagnostics(of: post, ["id": "1"], response: response) == [])
  }
}
