import Dispatch
import Foundation
import RecordModel
import TestSupport
import Testing

@testable import RecordEngine

/// Tests that the context of a request keeps the rows of the response, so that they are not read again.
@Suite(.timeLimit(.minutes(5))) struct SavedRowsTests {
  /// Returns a model with an attribute of each type and a relationship of each kind.
  private static func model() throws -> ManagedObjectModel {
    let types = AttributeType.allCases.map {
      AttributeDescription(PropertyName($0.rawValue), $0, format: $0 == .date ? "yyyy-MM-dd" : nil)
    }
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", responseKeyPath: "data",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)] + types,
        relationships: [
          RelationshipDescription("cover", to: "Post"),
          RelationshipDescription("previous", to: "Post", inverse: "next"),
          RelationshipDescription("next", to: "Post", inverse: "previous"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
        ]),
      EntityDescription(
        "Tag", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ])
  }

  private static let values: JSONValue = [
    "id": "1", "text": "first", "int16": -7, "int32": 7, "int64": 9_007_199_254_740_993, "float": 0.1,
    "double": 1e-7, "decimal": .string("1.50"), "boolean": true, "string": "a\u{0}é", "date": "2026-11-21",
    "binary": "AAEC/w==", "uuid": "C0FFEE00-1111-2222-3333-444455556666", "uri": "https://example.org/a?b#c",
    "transformable": ["b": [1, .null, "x"], "a": 1.5], "cover": ["id": "2"],
    "previous": ["id": "3"], "tags": ["x", "y"],
  ]

  private static let bodies: [String: JSONValue] = [
    "first": ["data": [values, ["id": "2", "text": "second"], values]],
    "changed": ["data": [["id": "1", "text": "changed", "previous": .null, "tags": ["z"]], ["id": "4"]]],
    "fewer": ["data": [["id": "1", "text": "alone"]]],
  ]

  private let test: TestStore
  private let store: StoreCallCounter
  private let container: PersistentContainer

  init() throws { try self.init(.memory) }

  private init(_ kind: StoreKind, server: TestServer = TestServer(bodies)) throws {
    let model = try Self.model()
    test = try TestStore(kind, model.schema)
    store = StoreCallCounter(test.store)
    container = PersistentContainer(model: model, store: store, configuration: .init(server: server))
  }

  private var orphans: RequestOptions {
    var options = RequestOptions()
    options.orphans = OrphanDeletion()
    return options
  }

  /// Returns a Boolean value that indicates whether the context shows the stored values of the records.
  private func areAsStored(_ records: [Record], _ context: ManagedObjectContext) throws -> Bool {
    let ids = records.map(\.recordID)
    return try ids.map(context.row) == store.rows(ids)
  }

  @Test(arguments: StoreKind.allCases) func theyAreAsTheStoreHasThem(kind: StoreKind) async throws {
    let test = try SavedRowsTests(kind)
    let (former, context) = (test.container.makeContext(), test.container.makeContext())
    for (urn, context) in [
      ("first", former), ("first", former), ("first", context), ("changed", context), ("changed", former),
      ("first", former),
    ] {
      _ = test.store.takeCounts()
      let result = try await test.container.request("Post", urn: urn, context: context)
      #expect(
        test.store.takeCounts()[.rowsByID] ?? 0 <= 1, "\(urn): only the rows of linked records can be read")
      #expect(result.diagnostics.isEmpty && !result.records.isEmpty)
      #expect(try test.areAsStored(result.records, context), "\(urn)")
    }
  }

  @Test(arguments: StoreKind.allCases) func whatLedToADeletedRecordLeadsNowhere(kind: StoreKind) async throws
  {
    let test = try SavedRowsTests(kind)
    let context = test.container.makeContext()
    _ = try await test.container.request("Post", urn: "first", context: context)
    let result = try await test.container.request(
      "Post", urn: "fewer", options: test.orphans, context: context)
    #expect(result.changes.deleted.count == 2)
    #expect(try test.areAsStored(result.records, context))
    #expect(try test.store.rows(result.records.map(\.recordID))[0]?.toOnes == [nil, nil, nil])
  }

  @Test func theyAreNotReadAgain() async throws {
    for urn in ["first", "first"] {
      let context = container.makeContext()
      let result = try await container.request("Post", urn: urn, context: context)
      _ = store.takeCounts()
      let texts: [String?] = result.records.map { $0["text"] }
      #expect(texts == ["first", "second", "first"])
      #expect(store.takeCounts() == [:])
    }
  }

  @Test func whatIsUnsavedInAParentIsSeenInAChild() async throws {
    let parent = container.makeContext()
    let post = try #require(try await container.request("Post", urn: "first", context: parent).records.first)
    post.setValue(.string("by hand"), of: "text")
    let child = parent.makeChild()
    let result = try await container.request("Post", urn: "changed", context: child)
    #expect(result.records.first?["text"] == "by hand")
    #expect(result.records.first?["cover"] as Record? != nil)
    let own = container.makeContext()
    let theirs = try await container.request("Post", urn: "changed", context: own).records.first
    #expect(theirs?["text"] == "changed")
  }

  @Test @MainActor func whatOthersHaveSavedSinceIsRead() async throws {
    let other = container.makeContext()
    let post = try #require(try await container.request("Post", urn: "first", context: other).records.first)
    let isPopulating = EventCounter()
    let (mayGoOn, isSaved) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var options = RequestOptions()
    options.prePopulation = { _ in
      isPopulating.note()
      Self.block(until: mayGoOn)
      return nil
    }
    let text = Task { @MainActor [options] () -> String? in
      let context = container.makeContext()
      let result = try await container.request("Post", urn: "changed", options: options, context: context)
      return result.records.first?["text"]
    }
    await isPopulating.wait()
    store.onCommitted { isSaved.signal() }
    mayGoOn.signal()
    // After its save the request needs this actor, which is blocked here.
    Self.block(until: isSaved)
    post.setValue(.string("by hand"), of: "text")
    #expect(try other.save().updated.map(\.properties) == [["text"]])
    #expect(try await text.value == "by hand")
  }

  /// Blocks the thread until an event, for at most a minute.
  private static func block(until event: DispatchSemaphore) {
    #expect(event.wait(timeout: .now() + 60) == .success)
    // The event stays signaled for other waiters.
    event.signal()
  }
}
