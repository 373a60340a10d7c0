import RecordModel
import Testing

@testable import RecordEngine

/// Tests for required relationships that a `noAction` rule has emptied. They may stay empty, even if the deleted record
/// was never saved. Rule: `save.delete-rules`.
@Suite struct ExcusedRelationshipTests {
  private let server = NextResponse()
  private let container: PersistentContainer
  private let parent: ManagedObjectContext

  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Camp", primaryKey: "id", deletedWhen: "isClosed == true",
        attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("tents", toMany: "Tent", inverse: "camp", deleteRule: .noAction),
          RelationshipDescription("guides", toMany: "Guide", inverse: "camps", deleteRule: .noAction),
        ]),
      EntityDescription(
        "Tent", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("camp", to: "Camp", inverse: "tents", isOptional: false)]),
      EntityDescription(
        "Guide", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription(
            "camps", to: "Camp", isToMany: true, inverse: "guides", isOptional: false, assignment: .replace)
        ]),
    ])
    container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema), configuration: .init(server: server))
    parent = container.makeContext()
  }

  private func saved(_ entity: EntityName, _ body: JSONValue) async throws {
    try await server.request(entity, body, from: container, parent, isSaved: true)
  }

  private func unsaved(
    _ entity: EntityName, _ body: JSONValue, _ context: ManagedObjectContext? = nil
  ) async throws {
    try await server.request(entity, body, from: container, context ?? parent, isSaved: false)
  }

  /// A new camp is deleted before it is saved, so no deletion remains.
  @Test(arguments: [false, true]) func anEmptiedRelationshipMayBeSaved(isLaterResponseSaved: Bool)
    async throws
  {
    try await saved("Camp", [["id": 1, "tents": [["id": 1]], "guides": [["id": 1]]]])
    try await unsaved("Tent", [["id": 1, "camp": ["id": 9]]])
    try await unsaved("Guide", [["id": 1, "camps": [["id": 9]]]])
    try await unsaved("Camp", [["id": 9, "isClosed": true]])
    try await server.request("Camp", [["id": 2]], from: container, parent, isSaved: isLaterResponseSaved)
    try parent.save()
    let fresh = container.makeContext()
    #expect(try fresh.fetch(RecordFetchRequest("Tent")).map { $0["camp"] as Record? } == [nil])
    #expect(try fresh.fetch(RecordFetchRequest("Guide")).map { ($0["camps"] as [Record]).count } == [0])
  }

  @Test func aRelationshipThatIsSetAgainIsRequiredAgain() async throws {
    try await saved("Camp", [["id": 1, "tents": [["id": 1]]], ["id": 2]])
    try await unsaved("Tent", [["id": 1, "camp": ["id": 9]]])
    try await unsaved("Camp", [["id": 9, "isClosed": true]])
    try await unsaved("Tent", [["id": 1, "camp": ["id": 2]]])
    let tent = try #require(try parent.fetch(RecordFetchRequest("Tent")).first)
    tent["camp"] = nil as Record?
    #expect(throws: RequestFailure.self) { try parent.save() }
  }

  /// A saved record replaces the parent's unsaved one, whose relationship is emptied in the child.
  @Test func aReplacedRecordMayHaveAnEmptiedRelationship() async throws {
    let child = parent.makeChild()
    try await unsaved("Camp", [["id": 2, "tents": [["id": 1]]]])
    try await unsaved("Tent", [["id": 1, "camp": ["id": 9]]], child)
    try await unsaved("Camp", [["id": 9, "isClosed": true]], child)
    try await saved("Camp", [["id": 2, "tents": [["id": 1]]]])
    try child.save()
    try parent.save()
    let tents = try container.makeContext().fetch(RecordFetchRequest("Tent"))
    #expect(tents.map { $0["camp"] as Record? } == [nil])
  }
}
