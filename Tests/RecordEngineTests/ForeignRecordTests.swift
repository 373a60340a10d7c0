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
