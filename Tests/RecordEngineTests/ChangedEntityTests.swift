import RecordEngine
import Testing

/// Tests for unsaved changes of records whose entity another context changes. Changes of properties that the new entity
/// does not have are ignored. Rule: `identity.sub-entity`.
@Suite struct ChangedEntityTests {
  private let server = NextResponse()
  private let container: PersistentContainer
  private let (context, other): (ManagedObjectContext, ManagedObjectContext)

  init() throws {
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Media", primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("title", .string)]),
        EntityDescription(
          "Photo", parent: "Media", usedWhen: "kind == 'photo'",
          attributes: [AttributeDescription("width", .int32)],
          relationships: [
            RelationshipDescription("album", to: "Album", inverse: "photos"),
            RelationshipDescription("places", toMany: "Album"),
          ]),
        EntityDescription("Video", parent: "Media", usedWhen: "kind == 'video'"),
        EntityDescription(
          "Album", primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("title", .string)],
          relationships: [
            RelationshipDescription("photos", toMany: "Photo", inverse: "album"),
            RelationshipDescription("cover", to: "Photo"),
            RelationshipDescription("pinned", toMany: "Photo"),
          ]),
      ]),
      configuration: .init(server: server))
    (context, other) = (container.makeContext(), container.makeContext())
  }

  @discardableResult
  private func request(
    _ entity: EntityName, _ items: JSONValue, _ context: ManagedObjectContext, isSaved: Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> Record {
    let result = try await server.request(entity, items, from: container, context, isSaved: isSaved)
    return try #require(result.records.first)
  }

  @Test(arguments: [false, true]) func whatTheNewEntityLacksIsNotChanged(isResponse: Bool) async throws {
    let photo = try await request(
      "Media", [["id": "1", "kind": "photo", "title": "Reef"]], context, isSaved: true)
    let album = try await request("Album", [["id": "A", "title": "Sea"]], context, isSaved: true)
    if isResponse {
      let item: JSONValue = ["id": "1", "kind": "photo", "width": 5, "album": "A", "places": ["A"]]
      try await request("Media", [item], context, isSaved: false)
      try await request("Album", [["id": "A", "cover": "1", "pinned": ["1"]]], context, isSaved: false)
    } else {
      photo["width"] = 5
      (photo["album"], album["cover"]) = (album, photo)
      photo.add(album, to: "places")
      album.add(photo, to: "pinned")
    }
    #expect(photo["width"] == 5 && album["cover"] as Record? === photo)
    #expect((album["photos"] as [Record]).count == 1 && (album["pinned"] as [Record]).count == 1)
    try await request("Media", [["id": "1", "kind": "video"]], other, isSaved: true)
    // Without any change, the context would read all rows again.
    album["title"] = "Sea"
    context.refreshAllObjects()
    #expect(!context.hasChanges)
    #expect(album["cover"] as Record? == nil && (album["pinned"] as [Record]).isEmpty)
  }

  /// An unsaved response has changed the entity. Relationships that do not lead to it lose the record, even if another
  /// context has linked it in the meantime.
  @Test func aLaterLinkDoesNotLeadToTheNewEntity() async throws {
    let photo = try await request("Media", [["id": "1", "kind": "photo"]], other, isSaved: true)
    let album = try await request("Album", [["id": "A"]], other, isSaved: true)
    try await request("Media", [["id": "1", "kind": "video"]], context, isSaved: false)
    album["cover"] = photo
    album.add(photo, to: "pinned")
    try other.save()
    context.refreshAllObjects()
    let same = try #require(context.record(with: album.recordID))
    #expect(same["cover"] as Record? == nil && (same["pinned"] as [Record]).isEmpty)
  }
}
