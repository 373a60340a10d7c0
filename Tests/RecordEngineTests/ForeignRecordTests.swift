import RecordEngine
import RecordModel
import Testing

/// Tests for records of other contexts and containers. Linking or deleting a foreign record stops the program, even if
/// its id is valid in this context.
@Suite struct ForeignRecordTests {
  private static func makeContext() throws -> ManagedObjectContext {
    try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self]).makeContext()
  }

  @Test func whatAnotherContextHasSavedMayBeLinked() throws {
    let container = try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self])
    let (context, other) = (container.makeContext(), container.makeContext())
    let post = try context.insert(Post.self)
    let user = try other.insert(User.self)
    try other.save()
    post["user"] = user
    try context.save()
    #expect(post.user?.recordID == user.recordID)
    other.delete(post)
    try other.save()
    #expect(post.isDeleted || container.makeContext().record(with: post.recordID) == nil)
  }

  /// A record of another context that is already deleted, in either context, can be passed.
  @Test func whatIsDeletedMayBeDeletedAgain() throws {
    let container = try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self])
    let (context, other) = (container.makeContext(), container.makeContext())
    let posts = try (0..<2).map { _ in try other.insert(Post.self) }
    try other.save()
    context.delete(try #require(context.record(with: posts[0].recordID)))
    context.delete(posts[0])
    other.delete(posts[1])
    try other.save()
    context.delete(posts[1])
    #expect(context.unsavedChanges.deleted == [posts[0].recordID])
  }

  @Test func aChildMayLinkWhatItsParentHasMade() throws {
    let parent = try Self.makeContext()
    let user = try parent.insert(User.self)
    let child = parent.makeChild()
    let post = try child.insert(Post.self)
    post["user"] = user
    try child.save()
    #expect(user.posts.map(\.recordID) == [post.recordID])
  }

  #if compiler(>=6.2)
    @Test func recordsOfAnotherContainerAreRefused() async {
      await #expect(processExitsWith: .failure) {
        let alien = try Self.makeContext().insert(Post.self)
        let context = try Self.makeContext()
        _ = try context.insert(Post.self)
        context.delete(alien)
      }
      await #expect(processExitsWith: .failure) {
        let alien = try Self.makeContext().insert(User.self)
        let context = try Self.makeContext()
        _ = try context.insert(User.self)
        try context.insert(Post.self)["user"] = alien
      }
    }

    @Test func savesOfAnotherContainerAreRefused() async {
      await #expect(processExitsWith: .failure) {
        let container = try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self])
        var saves = container.saves.makeAsyncIterator()
        let context = container.makeContext()
        _ = try context.insert(Post.self)
        try context.save()
        let save = try #require(await saves.next())
        // Containers number their contexts in the same way, so the first context would ignore the save.
        try Self.makeContext().makeChild().merge(save)
      }
    }

    @Test func recordsThatAnotherContextHasNotSavedAreRefused() async {
      await #expect(processExitsWith: .failure) {
        let container = try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self])
        let user = try container.makeContext().insert(User.self)
        try container.makeContext().insert(Post.self)["user"] = user
      }
      await #expect(processExitsWith: .failure) {
        let container = try PersistentContainer(model: try blogModel(), recordTypes: [Post.self, User.self])
        let post = try container.makeContext().insert(Post.self)
        try container.makeContext().insert(User.self).add(post, to: "posts")
      }
    }
  #endif
}
