import RecordEngine
import Testing

/// Tests for unsaved changes that meet changes saved by other contexts. Rules: `context.refresh`, `context.conflict`.
@Suite struct ManagedObjectContextTests {
  class Media: Record {}
  final class Video: Media {}

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user", isOrdered: true),
          RelationshipDescription("friends", toMany: "User", inverse: "friends"),
        ]),
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("text", .string),
          AttributeDescription("likes", .int32),
        ],
        relationships: [RelationshipDescription("user", to: "User", inverse: "posts")]),
      EntityDescription("Media", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
      EntityDescription(
        "Photo", parent: "Media", usedWhen: "kind == 'photo'",
        attributes: [AttributeDescription("width", .int32)]),
      EntityDescription(
        "Video", parent: "Media", usedWhen: "kind == 'video'",
        attributes: [AttributeDescription("length", .int32)]),
    ])
  }

  /// Returns a container whose server has a response for each address.
  static func container(_ bodies: [String: JSONValue]) throws -> PersistentContainer {
    try PersistentContainer(
      model: try model(), recordTypes: [Media.self, Video.self],
      configuration: .init(server: CannedServer(bodies)))
  }

  static func names(_ records: [Record]) -> [String] { records.compactMap { $0["id"] } }

  static func record(_ id: String, _ entity: EntityName, _ context: ManagedObjectContext) throws -> Record {
    try #require(context.fetch(RecordFetchRequest(entity)).first { $0["id"] == id })
  }

  @Test func unloadedMembersCanBeRemoved() async throws {
    let container = try Self.container(["a": [["id": "A", "friends": ["B", "C"]]]])
    _ = try await container.request("User", urn: "a", context: container.makeContext())
    let context = container.makeContext()
    let user = try Self.record("A", "User", context)
    let friends: [Record] = user["friends"]
    user["friends"] = friends.filter { $0["id"] == "C" }
    let changes = try context.save()
    #expect(
      changes.updated.map(\.id) == [user.recordID] && changes.updated.map(\.properties) == [["friends"]])

    let other = container.makeContext()
    #expect(try Self.names(Self.record("A", "User", other)["friends"]) == ["C"])
    #expect(try Self.names(Self.record("B", "User", other)["friends"]) == [])
  }

  @Test func aHeldRecordWhoseEntityChangesIsEmptyAndStopsNothing() async throws {
    let container = try Self.container([
      "photo": [["id": "1", "kind": "photo", "width": 640]],
      "video": [["id": "1", "kind": "video", "length": 9]],
    ])
    let context = container.makeContext()
    let held = try await container.request("Media", urn: "photo", context: context).records[0]
    let video = try await container.request("Media", urn: "video", context: context).records[0]
    let width: Int? = held["width"]
    #expect(width == nil)
    held["width"] = 7
    #expect(video["length"] == 9)
    // The class of an object cannot change.
    #expect(video is Video && !(held is Video))
    #expect(video.entityName == "Video")
  }

  @Test func aSubEntityWithoutTypeHasItsAncestors() async throws {
    let container = try Self.container([
      "media": [["id": "1", "kind": "photo"], ["id": "2", "kind": "none"]]
    ])
    let context = container.makeContext()
    let result = try await container.request(Media.self, urn: "media", context: context)
    #expect(Self.names(result.records) == ["1", "2"])
  }

  @Test func aKeyMadeByHandMayNotBeAnotherRecords() async throws {
    let container = try Self.container(["a": [["id": "1"]]])
    let context = container.makeContext()
    let mine = try context.insert("Post")
    mine["id"] = "3"
    try context.save()
    mine["id"] = "1"
    _ = try await container.request("Post", urn: "a", context: context)
    let failure = #expect(throws: RequestFailure.self) { try context.save() }
    #expect(failure?.primary.message == "another 'Post' already has the key \"1\"")
    mine["id"] = "2"
    try context.save()
    #expect(try Self.names(container.makeContext().fetch(RecordFetchRequest("Post"))) == ["2", "1"])
  }

  private func savedUsers(_ container: PersistentContainer) throws -> (ManagedObjectContext, [Record], Record)
  {
    let context = container.makeContext()
    let users = try ["A", "B"].map { id in
      let user = try context.insert("User")
      user["id"] = id
      return user
    }
    let post = try context.insert("Post")
    (post["id"], post["user"]) = ("1", users[0])
    try context.save()
    return (context, users, post)
  }

  /// A context that merges its own save keeps the values that it has read.
  @Test func aContextsOwnSaveHasNoEffect() async throws {
    let container = try Self.container([:])
    var saves = container.saves.makeAsyncIterator()
    let (context, _, post) = try savedUsers(container)
    let other = container.makeContext()
    try Self.record("1", "Post", other)["text"] = "new"
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(post["text"] as String? == nil)
    context.merge(try #require(await saves.next()))
    #expect(post["text"] == "new")
  }

  /// A record that no longer exists cannot be linked. A to-one that is set to it becomes nil.
  @Test func aRecordThatIsGoneIsNotLinked() throws {
    let (context, users, post) = try savedUsers(Self.container([:]))
    context.delete(users[1])
    try context.save()
    users[0].add(users[1], to: "friends")
    users[0]["friends"] = [users[1]]
    #expect(!context.hasChanges && !users[0].hasChanges)
    post["user"] = users[1]
    #expect(post["user"] as Record? == nil && post.changedProperties == ["user"])
  }

  /// A list that is set to its own members does not count as changed.
  @Test func aListThatIsSetToItselfIsNotReported() throws {
    let (context, users, _) = try savedUsers(Self.container([:]))
    users[0]["posts"] = users[0]["posts"] as [Record]
    let post = try context.insert("Post")
    post["user"] = users[0]
    #expect(context.unsavedChanges.updated.isEmpty)
  }
}
