import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the calls of marshalers and other hooks during a population.
@Suite struct MarshalerTests {
  // Unchecked: the property is accessed only under `lock`.
  private final class Calls: Marshaler, @unchecked Sendable {
    private let lock = NSLock()
    private var names: [String] = []

    var all: [String] { lock.withLock { names } }

    func note(_ name: String) { lock.withLock { names.append(name) } }

    func willPopulate(_ record: PopulatingRecord) { note("will") }

    func didPopulate(_ record: PopulatingRecord) {
      note("did")
      for tag in record.links(of: "tags") { record.unlink(tag, from: "tags") }
    }
  }

  private let schema: Schema
  private let store: MemoryStore
  private let calls = Calls()

  init() throws {
    schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", deletedWhen: RecordPredicate("gone == true"),
        attributes: [AttributeDescription("id", .int32), AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("tags", toMany: "Tag")]),
      EntityDescription("Tag", primaryKey: "id", attributes: [AttributeDescription("id", .int32)]),
    ]).schema
    store = MemoryStore(schema: schema)
  }

  private func result(
    _ body: JSONValue, isMarshaled: Bool = true, _ change: (inout PopulationOptions) -> Void = { _ in }
  ) throws -> PopulationResult {
    var options = PopulationOptions()
    if isMarshaled { options.customization = Customization(schema, marshalers: ["Post": calls]) }
    change(&options)
    return try Population(schema: schema, reader: store, entity: 0, response: "a", options: options)
      .populateAndSave(JSONDocument(body), to: store)
  }

  /// Rule: `request.changes`. The item does not mention the relationship.
  @Test func aRelationshipThatAMarshalerChangesIsAChange() throws {
    _ = try result([["id": 1, "tags": [7, 8]]], isMarshaled: false)
    let updated = try result([["id": 1, "text": "A"]]).summary.updated
    #expect(updated.map(\.properties) == [["text", "tags"]])
    #expect(calls.all == ["will", "did"])
  }

  /// Rules: `customize.around`, `request.detail`. Another item of the response deletes the requested record, so no
  /// marshaler is called.
  @Test func aDeletedRecordIsNotPopulated() throws {
    let id = try #require(try result([["id": 1]], isMarshaled: false).records.first)
    let result = try result([["text": "A"], ["id": 1, "gone": true]]) { $0.detailRecord = id }
    #expect(result.summary.deleted == [id])
    #expect(calls.all.isEmpty)
  }

  /// Rule: `request.cancel`.
  @Test func aCanceledRequestCallsNoMoreHooks() throws {
    let canceled = RequestFailure(Diagnostic(.cancelled, response: "a", message: "canceled"))
    let calls = calls
    #expect(throws: RequestFailure.self) {
      try result([["text": "A"]]) {
        $0.keyInjection = { _ in
          calls.note("key")
          return 1
        }
        $0.checkCancellation = { () throws(RequestFailure) in if !calls.all.isEmpty { throw canceled } }
      }
    }
    #expect(calls.all == ["key"])
  }
}
