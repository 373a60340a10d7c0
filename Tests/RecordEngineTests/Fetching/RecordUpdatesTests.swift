import RecordModel
import Testing

@testable import RecordEngine

/// Tests for sequences of the states of one record.
@Suite("Fetching: updates of a record")
struct RecordUpdatesTests {
  @Test(arguments: StoreKind.allCases)
  func namesTheChangedPropertiesUntilTheRecordIsDeleted(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 2)
    let posts = try context.fetch(UpdateWorld.Post.self)
    let all = context.updates(of: posts[0]).makeAsyncIterator()
    let some = context.updates(of: posts[0], properties: ["text", "tags"]).makeAsyncIterator()
    let first = try #require(try await all.nextUpdate())
    #expect(first.record === posts[0] && first.properties == [])
    _ = try await some.nextUpdate()
    posts[1]["text"] = "two"
    try world.insert("Note", "a", context)
    posts[0].setValue(nil, of: "text")
    #expect(try all.loop.ready() == nil)
    let tag = try world.insert("Tag", "t", context)
    tag.add(posts[0], to: "posts")
    posts[0]["likes"] = 7.0
    posts[0]["text"] = "one"
    #expect(try await all.nextUpdate()?.properties == ["text", "likes", "tags"])
    #expect(try await some.nextUpdate()?.properties == ["text", "tags"])
    posts[0]["likes"] = 8.0
    #expect(try some.loop.ready() == nil)
    try context.save()
    #expect(try await all.nextUpdate()?.properties == ["likes"])

    let other = world.container.makeContext()
    var saves = world.container.saves.makeAsyncIterator()
    try world.record("Post", "1", other)["text"] = "other"
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(try await all.nextUpdate()?.properties == ["text"])
    try other.delete(world.record("Post", "1", other))
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(try await all.nextUpdate() == nil)
    #expect(try await context.updates(of: posts[0]).makeAsyncIterator().nextUpdate() == nil)
    context.delete(posts[1])
    context.rollback()
    #expect(try await some.nextUpdate() == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func followsAnUnsavedRecordThatIsSavedElsewhere(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind, server: CannedServer(["a": [["id": "1", "text": "new", "user": "A"]]]))
    let context = world.container.makeContext()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let post = try await world.container.request(
      UpdateWorld.Post.self, urn: "a", options: options, context: context
    ).records[0]
    let updates = context.updates(of: post).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    var saves = world.container.saves.makeAsyncIterator()
    let other = world.container.makeContext()
    let saved = try world.insert("Post", "1", other)
    (saved["text"], saved["likes"]) = ("saved", 5.0)
    saved["user"] = try world.insert("User", "A", other)
    try other.save()
    context.merge(try #require(await saves.next()))
    // The user has become a saved record too, so the relationship has not changed.
    let update = try updates.loop.ready()
    #expect(update?.record === post && update?.properties == ["likes"])
  }

  /// A child follows an unsaved record of its parent, or one of its own that becomes the record of its parent first.
  @Test(arguments: [false, true]) func aChildFollowsAnUnsavedRecord(isOwn: Bool) async throws {
    let world = try UpdateWorld(.memory, server: CannedServer(["a": [["id": "1", "text": "new"]]]))
    let parent = world.container.makeContext()
    let child = parent.makeChild()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let context = isOwn ? child : parent
    let post = try await world.container.request(
      UpdateWorld.Post.self, urn: "a", options: options, context: context
    ).records[0]
    let updates = child.updates(of: try #require(child.record(with: post.recordID))).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    if isOwn {
      _ = try await world.container.request("Post", urn: "a", options: options, context: parent)
      child.refreshAllObjects()
      #expect(try updates.loop.ready() == nil)
    }
    var saves = world.container.saves.makeAsyncIterator()
    let other = world.container.makeContext()
    let saved = try world.insert("Post", "1", other)
    (saved["text"], saved["likes"]) = ("saved", 5.0)
    try other.save()
    parent.merge(try #require(await saves.next()))
    let update = try updates.loop.ready()
    #expect(update?.properties == ["likes"] && update?.record["text"] == "new")
  }

  /// A save of the context reads all rows again, and thus shows what another context has saved.
  /// The request of a child that no sequence observes changes a record of its parent.
  @Test func noticesTheRequestOfAnUnobservedChild() async throws {
    let world = try UpdateWorld(.memory, server: CannedServer(["a": [["id": "1", "text": "new"]]]))
    let parent = try world.context(posts: 1)
    let updates = parent.updates(of: try world.record("Post", "1", parent)).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    _ = try await world.container.request("Post", urn: "a", context: parent.makeChild())
    #expect(try updates.loop.ready()?.properties == ["text"])
  }

  @Test func showsAnEarlierSaveAfterASave() async throws {
    let world = try UpdateWorld(.memory)
    let context = try world.context(posts: 1)
    let updates = context.updates(of: try world.record("Post", "1", context)).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    let other = world.container.makeContext()
    try world.record("Post", "1", other)["text"] = "other"
    try other.save()
    try world.insert("Note", "a", context)
    try context.save()
    #expect(try updates.loop.ready()?.properties == ["text"])
  }

  @Test func staysAtItsEnd() async throws {
    let world = try UpdateWorld(.memory)
    let context = try world.context(posts: 1)
    let post = try world.record("Post", "1", context)
    let updates = context.updates(of: post).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    context.delete(post)
    #expect(try await updates.nextUpdate() == nil)
    context.rollback()
    #expect(!post.isDeleted)
    #expect(try await updates.nextUpdate() == nil)
  }

  /// A child that deletes a member no longer shows it, even if the parent has removed it from the owner in the meantime.
  @Test func aDeletedMemberIsGone() async throws {
    let world = try UpdateWorld(.memory)
    let parent = try world.context(posts: 1)
    let (user, post) = (try world.insert("User", "A", parent), try world.record("Post", "1", parent))
    post["user"] = user
    try parent.save()
    let child = parent.makeChild()
    let updates = child.updates(of: try #require(child.record(with: user.recordID))).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    post["user"] = nil as Record?
    child.delete(try #require(child.record(with: post.recordID)))
    #expect(try updates.loop.ready()?.properties == ["posts"])
  }

  /// A merged deletion makes a context read all rows again if the model has a to-one without inverse. It then also shows
  /// saves that were not merged.
  @Test func showsAnEarlierSaveAfterAMergedDeletion() async throws {
    let id = AttributeDescription("id", .string)
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Post", primaryKey: "id", attributes: [id],
          relationships: [RelationshipDescription("cover", to: "Photo")]),
        EntityDescription("Photo", primaryKey: "id", attributes: [id]),
        EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
      ]), configuration: .init())
    let (context, other) = (container.makeContext(), container.makeContext())
    let (photo, note) = (try other.insert("Photo"), try other.insert("Note"))
    try other.save()
    let shown = try #require(context.record(with: note.recordID))
    let updates = context.updates(of: shown).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    var saves = container.saves.makeAsyncIterator()
    note["text"] = "new"
    try other.save()
    _ = await saves.next()
    photo["id"] = "1"
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(shown["text"] as String? == nil)
    other.delete(photo)
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(shown["text"] == "new")
    #expect(try updates.loop.ready()?.properties == ["text"])
  }

  @Test func throwsIfTheRecordCannotBeRead() async throws {
    let world = try UpdateWorld(.memory)
    let context = try world.context(posts: 1)
    let post = try #require(try context.fetch(RecordFetchRequest("Post")).first)
    let updates = context.updates(of: post).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    world.calls.fail([.rowsByID])
    context.refresh(post, mergeChanges: true)
    await #expect(throws: RequestFailure.self) { _ = try await updates.nextUpdate() }
    world.calls.fail([])
    #expect(try await updates.nextUpdate() == nil)
  }
}
