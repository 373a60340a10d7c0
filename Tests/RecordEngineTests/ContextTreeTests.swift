import RecordEngine
import Testing

/// Tests for parent and child contexts, object identity, refreshing and notifications of saves. Rules: `context.*`,
/// `save.*`.
@Suite struct ContextTreeTests {
  final class Post: Record {}

  private static func container(_ bodies: [String: JSONValue] = [:]) throws -> PersistentContainer {
    try PersistentContainer(
      model: try ManagedObjectContextTests.model(), recordTypes: [Post.self],
      configuration: .init(server: CannedServer(bodies)))
  }

  private func ids(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(RecordFetchRequest("Post")).compactMap { $0["id"] }
  }

  private func post(_ id: String, in context: ManagedObjectContext) throws -> Post {
    let post = try context.insert(Post.self)
    post["id"] = id
    return post
  }

  // MARK: Children

  @Test func aChildsRequestIsSavedToTheStore() async throws {
    let container = try Self.container(["a": [["id": "1", "text": "new"]]])
    let parent = container.makeContext()
    let post = try post("1", in: parent)
    try parent.save()
    let child = parent.makeChild()
    let result = try await container.request("Post", urn: "a", context: child)
    #expect(result.records.map(\.recordID) == [post.recordID])
    #expect(result.records[0].context === child)
    #expect(post["text"] == "new")
    #expect(!parent.hasChanges)
  }

  @Test func aParentValidatesWhatItsChildrenHaveSaved() throws {
    let container = try Self.container()
    let parent = container.makeContext()
    let posts = try ["1", "2"].map { try post($0, in: parent) }
    try parent.save()
    let child = parent.makeChild()
    try #require(child.record(with: posts[1].recordID))["id"] = "1"
    try child.save()
    let failure = #expect(throws: RequestFailure.self) { try parent.save() }
    #expect(failure?.primary.message == "another 'Post' already has the key \"1\"")
    #expect(try ids(container.makeContext()) == ["1", "2"])
  }

  /// A record that a child inserts becomes the record of its parent with the same key, and both become the saved one.
  /// Rule: `context.conflict.key`.
  @Test func recordsWithTheSameKeyBecomeOne() throws {
    let container = try Self.container()
    let (other, parent) = (container.makeContext(), container.makeContext())
    let child = parent.makeChild()
    let (own, inChild) = (try post("1", in: parent), try post("1", in: child))
    inChild["text"] = "mine"
    try child.save()
    #expect(inChild.recordID == own.recordID && own["text"] == "mine")
    let saved = try post("1", in: other)
    (saved["text"], saved["likes"]) = ("saved", 5)
    try other.save()
    try parent.save()
    #expect([own, inChild].allSatisfy { $0.recordID == saved.recordID })
    #expect(inChild["text"] == "mine" && own["likes"] == 5)
  }

  // MARK: Records

  @Test func aRecordIsOneObject() throws {
    let context = try Self.container().makeContext()
    let made = try post("1", in: context)
    let user = try context.insert("User")
    made["user"] = user
    #expect(try context.fetch(RecordFetchRequest("Post")).first === made)
    #expect(context.record(with: made.recordID) === made)
    #expect((user["posts"] as [Record]).first === made)
    try context.save()
    context.reset()
    #expect(try context.fetch(RecordFetchRequest("Post")).first === made)
    #expect(made["user"] as Record? === user)
  }

  @Test func aRecordSaysWhatHasChanged() throws {
    let context = try Self.container().makeContext()
    let post = try post("1", in: context)
    let (user, other) = (try context.insert("User"), try context.insert("User"))
    #expect(post.isInserted)
    #expect(post.hasChanges)
    #expect(post.changedProperties == ["id"])
    try context.save()
    #expect(!post.isInserted)
    #expect(!post.hasChanges)
    post["text"] = "x"
    post["user"] = user
    user.add(other, to: "friends")
    #expect(post.isUpdated)
    #expect(post.changedProperties == ["text", "user"])
    #expect(user.changedProperties == ["posts", "friends"])
    #expect(other.changedProperties == ["friends"])
    #expect(context.unsavedChanges.updated.map(\.id) == [post.recordID, user.recordID])
    post["text"] = String?.none
    post["user"] = Record?.none
    #expect(!post.hasChanges)
    context.delete(post)
    #expect(post.hasChanges)
    #expect(!post.isUpdated)
    #expect(context.unsavedChanges.deleted == [post.recordID])
  }

  @Test func membersAreAddedAndTakenOutOneByOne() throws {
    let context = try Self.container().makeContext()
    let user = try context.insert("User")
    let posts = try ["1", "2", "3"].map { try post($0, in: context) }
    for post in posts.reversed() { user.add(post, to: "posts") }
    user.add(posts[2], to: "posts")
    #expect(ManagedObjectContextTests.names(user["posts"]) == ["3", "2", "1"])
    user.remove(posts[1], from: "posts")
    #expect(ManagedObjectContextTests.names(user["posts"]) == ["3", "1"])
    #expect(posts[1]["user"] as Record? == nil)
  }

  @Test func aTypeWithoutEntityCannotBeMade() throws {
    final class Stranger: Record {}
    let context = try Self.container().makeContext()
    let failure = #expect(throws: RequestFailure.self) { try context.insert(Stranger.self) }
    #expect(failure?.primary.code == .invalidEntity)
    #expect(!context.hasChanges)
  }

  // MARK: Refreshing

  @Test(arguments: [true, false]) func aRefreshedRecordIsReadAnew(mergesChanges: Bool) throws {
    let container = try Self.container()
    let context = container.makeContext()
    let (mine, friend) = (try post("1", in: context), try context.insert("User"))
    try context.save()
    let other = container.makeContext()
    let theirs = try #require(other.record(with: mine.recordID))
    theirs["likes"] = 7
    try other.save()
    #expect(mine["likes"] as Int? == nil)
    mine["text"] = "mine"
    friend.add(mine, to: "posts")
    context.refresh(mine, mergeChanges: mergesChanges)
    #expect(mine["likes"] == 7)
    #expect(mine["text"] as String? == (mergesChanges ? "mine" : nil))
    #expect(mine["user"] as Record? === (mergesChanges ? friend : nil))
    #expect(context.hasChanges == mergesChanges)
  }

  // MARK: Notifications of saves

  @Test func everySaveIsTold() async throws {
    let container = try Self.container(["a": [["id": "1", "text": "sent"]]])
    var (first, second) = (container.saves.makeAsyncIterator(), container.saves.makeAsyncIterator())
    let (context, other) = (container.makeContext(), container.makeContext())
    let made = try post("1", in: context)
    let inserted = try context.save()
    #expect(try other.fetch(RecordFetchRequest("Post")).map { $0["text"] as String? } == [nil])
    _ = try await container.request("Post", urn: "a", context: context)
    try context.save()
    context.delete(made)
    let deleted = try context.save()

    let saves = [await first.next(), await first.next(), await first.next()].compactMap(\.self)
    #expect(saves.map(\.changes)[0] == inserted)
    #expect(
      saves.map(\.changes)[1].updated.map(\.id) == [made.recordID]
        && saves.map(\.changes)[1].updated.map(\.properties) == [["text"]])
    #expect(saves.map(\.changes)[2] == deleted)
    #expect(saves.allSatisfy { $0.contextID == context.contextID && $0.contextID != other.contextID })
    let again = [await second.next(), await second.next(), await second.next()].compactMap(\.self)
    #expect(again.map(\.changes) == saves.map(\.changes))

    let theirs = try #require(other.record(with: made.recordID))
    for save in saves.prefix(2) { other.merge(save) }
    #expect(theirs.isDeleted)
    try post("2", in: other)["text"] = "unsaved"
    other.merge(saves[2])
    #expect(try ids(other) == ["2"])
  }

  @Test func theStreamEndsWithTheContainer() async throws {
    var container: PersistentContainer? = try Self.container()
    let saves = container?.saves
    if let context = container?.makeContext() {
      _ = try post("1", in: context)
      try context.save()
    }
    container = nil
    var count = 0
    if let saves { for await _ in saves { count += 1 } }
    #expect(count == 1)
  }
}
