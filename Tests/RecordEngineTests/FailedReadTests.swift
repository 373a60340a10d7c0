import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a property stays unset if its current value cannot be read, and that the next save or fetch reports the
/// error.
@Suite struct FailedReadTests {
  private let store: StoreCallCounter
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    let model = try ManagedObjectContextTests.model()
    store = StoreCallCounter(MemoryStore(schema: model.schema))
    coordinator = PersistentStoreCoordinator(model: model, store: store, recordTypes: [])
    let context = ManagedObjectContext(coordinator: coordinator)
    let user = try context.insert("User")
    user["id"] = "A"
    user["posts"] = try ["1", "2", "3"].map { id in
      let post = try context.insert("Post")
      post["id"] = id
      return post
    }
    try context.save()
  }

  private func posts() throws -> [String] {
    let context = ManagedObjectContext(coordinator: coordinator)
    return ManagedObjectContextTests.names(
      try ManagedObjectContextTests.record("A", "User", context)["posts"])
  }

  @Test(arguments: [StoreCallCounter.Call.members, .rowsByID]) func aListIsNotSet(
    call: StoreCallCounter.Call
  ) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let user = try ManagedObjectContextTests.record("A", "User", context)
    let post = try ManagedObjectContextTests.record("2", "Post", context)
    let other = ManagedObjectContext(coordinator: coordinator)
    let foreign = try ManagedObjectContextTests.record("3", "Post", other)
    context.refresh(post, mergeChanges: false)
    store.fail([call])
    user["posts"] = [post, foreign]
    store.fail([])
    #expect(throws: RequestFailure.self) { try context.save() }
    #expect(!context.hasChanges)
    try context.save()
    #expect(try posts() == ["1", "2", "3"])
    // After the value can be read again, the property is set.
    user["posts"] = [post]
    try context.save()
    #expect(try posts() == ["2"])
  }

  @Test func aSaveWithoutChangesWritesNothing() throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    _ = try ManagedObjectContextTests.record("A", "User", context)
    store.fail([.commit])
    #expect(try context.save().isEmpty)
  }

  @Test func aToOneIsNotSet() throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let post = try ManagedObjectContextTests.record("1", "Post", context)
    let user = try ManagedObjectContextTests.record("A", "User", context)
    context.refresh(user, mergeChanges: false)
    store.fail([.rowsByID])
    post["user"] = user
    store.fail([])
    #expect(throws: RequestFailure.self) { try context.save() }
    try context.save()
    #expect(try posts() == ["1", "2", "3"])
  }

  @Test func aFetchReportsTheError() throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    let user = try ManagedObjectContextTests.record("A", "User", context)
    store.fail([.members])
    #expect((user["posts"] as [Record]).isEmpty)
    store.fail([])
    #expect(throws: RequestFailure.self) { try context.fetch(RecordFetchRequest("User")) }
    #expect(try context.fetch(RecordFetchRequest("User")).count == 1)
  }
}
