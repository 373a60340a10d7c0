import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for sequences of the results of a fetch.
@Suite("Fetching: updates")
struct FetchUpdatesTests {
  @Test(arguments: StoreKind.allCases)
  func beginsWithTheCurrentResult(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 2)
    let updates = try context.updates(of: UpdateWorld.Post.self, where: "likes > 1").makeAsyncIterator()
    let first = try #require(try await updates.nextUpdate())
    #expect(first.records.map(\.id) == ["2"])
    #expect(first.changes.text == "+2@0")

    let none = try context.updates(of: RecordFetchRequest("Note")).makeAsyncIterator()
    let empty = try #require(try await none.nextUpdate())
    #expect(empty.records.isEmpty && empty.changes.isEmpty)
    try world.insert("Note", "a", context)
    #expect(try await none.nextUpdate()?.records.ids == "a")
  }

  @Test(arguments: StoreKind.allCases)
  func deliversUnsavedChanges(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 3)
    let updates = try context.updates(of: UpdateWorld.byLikes).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    func next() async throws -> String {
      let update = try #require(try await updates.nextUpdate())
      #expect(try update.records.ids == context.fetch(UpdateWorld.byLikes).ids)
      return update.changes.text
    }
    let first = try world.record("Post", "1", context)
    first["text"] = "one"
    #expect(try await next() == "1[text]@0")
    first["likes"] = 2.5
    #expect(try await next() == "2:1→0 1[likes]@1")
    try context.delete(world.record("Post", "2", context))
    #expect(try await next() == "-2@0")
    let tag = try world.insert("Tag", "t", context)
    first.add(tag, to: "tags")
    #expect(try await next() == "1[tags]@0")
    tag.remove(first, from: "posts")
    #expect(try await next() == "1[tags]@0")
    let users = try ["a", "b"].map { try world.insert("User", $0, context) }
    first["likers"] = users
    first["user"] = users[0]
    #expect(try await next() == "1[user,likers]@0")
    first["likers"] = [users[1], users[0]]
    #expect(try await next() == "1[likers]@0")
    context.delete(users[0])
    #expect(try await next() == "-1@0")
    context.rollback()
    #expect(try await next() == "+1@0 +2@1")
    try world.insert("Post", "0", context)
    #expect(try await next() == "+4@0")
    context.reset()
    #expect(try await next() == "-4@0")
  }

  @Test(arguments: StoreKind.allCases)
  func deliversNothingIfTheResultIsTheSame(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 3)
    let first = try world.record("Post", "1", context)
    let request = RecordFetchRequest("Post", predicate: "likes < 3", sortDescriptors: [])
    let updates = try context.updates(of: request, properties: ["likes", "tags"]).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    let third = try world.record("Post", "3", context)
    first["likes"] = 1.0
    #expect(try updates.loop.ready() == nil)
    first["likes"] = 2.0
    first["likes"] = 1.0
    #expect(try updates.loop.ready() == nil)
    // The other properties are not observed.
    first["text"] = "one"
    first["user"] = try world.insert("User", "a", context)
    #expect(try updates.loop.ready() == nil)
    // The third post is not part of the result.
    third["likes"] = 4.0
    third.add(try world.insert("Tag", "t", context), to: "tags")
    #expect(try updates.loop.ready() == nil)
    first["likes"] = 1.5
    #expect(try updates.loop.ready()?.changes.text == "1[likes]@0")
    try context.save()
    #expect(try updates.loop.ready() == nil)
    context.refreshAllObjects()
    context.rollback()
    context.reset()
    #expect(try updates.loop.ready() == nil)
    context.delete(third)
    #expect(try updates.loop.ready() == nil)
    try context.save()
    #expect(try updates.loop.ready() == nil)
    first["likes"] = Double.nan
    _ = try updates.loop.ready()
    first["text"] = "two"
    #expect(try updates.loop.ready() == nil)
  }

  /// A save without records of the entities that the fetch uses causes no fetch.
  @Test(arguments: StoreKind.allCases)
  func fetchesOnlyIfARelevantEntityHasChanged(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 2)
    let child = context.makeChild()
    let other = world.container.makeContext()
    var saves = world.container.saves.makeAsyncIterator()
    var observers: [(String, UpdateLoop<FetchUpdate<Record>>)] = []
    for (name, context) in [("parent", context), ("child", child)] {
      let updates = try context.updates(of: RecordFetchRequest("Post"), properties: ["text"])
      observers.append((name, updates.makeAsyncIterator().loop))
    }
    func save(_ entity: EntityName, _ id: String) async throws {
      try world.insert(entity, id, other)
      try other.save()
      child.merge(try #require(await saves.next()))
    }
    for (_, loop) in observers { _ = try loop.ready() }
    for round in ["saved", "unsaved"] {
      try await save("Note", "a \(round)")
      for (name, loop) in observers {
        // With unsaved changes, the context reads their rows again.
        _ = try loop.ready()
        _ = world.calls.takeCounts()
        try await save("Note", "\(name) \(round)")
        try await save("User", "\(name) \(round)")
        _ = world.calls.takeCounts()
        #expect(try loop.ready() == nil)
        #expect(world.calls.takeCounts() == [:], "\(name), \(round)")
        try await save("Post", "\(name) \(round)")
        #expect(try loop.ready()?.changes.inserted.count == 1)
      }
      try world.record("Post", "1", context)["text"] = "unsaved"
      try world.record("Post", "2", child)["text"] = "unsaved"
      for (_, loop) in observers { _ = try loop.ready() }
    }
    // The predicate, the order and observed relationships use further entities.
    let requests = [
      try context.updates(of: RecordFetchRequest("Post", predicate: "user.name == 'x'"), properties: []),
      try context.updates(
        of: RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("user.name")]), properties: []),
      try context.updates(of: RecordFetchRequest("Post"), properties: ["likers"]),
    ]
    for (number, updates) in requests.enumerated() {
      let loop = updates.makeAsyncIterator().loop
      _ = try loop.ready()
      _ = world.calls.takeCounts()
      try await save("User", "user \(number)")
      try world.insert("User", "unsaved user \(number)", context)
      _ = world.calls.takeCounts()
      #expect(try loop.ready() == nil)
      #expect(world.calls.takeCounts() != [:])
    }
  }

  /// A reader that comes late gets the latest result, and all changes since its last element.
  @Test(arguments: StoreKind.allCases)
  func combinesChangesForASlowReader(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 4)
    let (slow, quick) = (
      try context.updates(of: UpdateWorld.byLikes).makeAsyncIterator(),
      try context.updates(of: UpdateWorld.byLikes).makeAsyncIterator()
    )
    _ = try await (slow.nextUpdate(), quick.nextUpdate())
    var delivered: [String] = []
    let posts = try context.fetch(UpdateWorld.byLikes)
    let steps: [() throws -> Void] = [
      { posts[0]["text"] = "one" }, { posts[0]["likes"] = 9.0 }, { context.delete(posts[1]) },
      { try world.insert("Post", "5", context) }, { try world.insert("Post", "6", context) },
      { context.delete(try world.record("Post", "5", context)) }, { posts[2]["text"] = "three" },
      { posts[2].setValue(nil, of: "text") },
    ]
    for step in steps {
      try step()
      delivered.append(try #require(try await quick.nextUpdate()).changes.text)
    }
    #expect(
      delivered == [
        "1[text]@0", "1:0→3 1[likes]@3", "-2@0", "+5@0", "+6@1", "-5@0", "3[text]@1", "3[text]@1",
      ])
    let update = try #require(try await slow.nextUpdate())
    #expect(update.records.ids == "6 3 4 1")
    #expect(update.changes.text == "+6@0 -2@1 1:0→3 1[text,likes]@3")
    #expect(try slow.loop.ready() == nil)
    #expect(try quick.loop.ready() == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func followsRelationshipsOfThePredicateAndTheOrder(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 3)
    let users = try ["a", "b", "c"].map { try world.insert("User", $0, context) }
    for (user, post) in zip(users, try context.fetch(UpdateWorld.byLikes)) {
      user["name"] = user["id"] as String?
      post["user"] = user
    }
    try context.save()
    let request = RecordFetchRequest(
      "Post", predicate: "user.name != 'x'", sortDescriptors: [RecordSortDescriptor("user.name")], limit: 2)
    let updates = try context.updates(of: request).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    users[0]["name"] = "bb"
    #expect(try await updates.nextUpdate()?.changes.text == "2:1→0")
    users[1]["name"] = "x"
    #expect(try await updates.nextUpdate()?.changes.text == "+3@1 -2@0")
    try context.save()
    #expect(try updates.loop.ready() == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func childrenShowTheirOwnChangesAndThoseOfTheirParents(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let parent = try world.context(posts: 2)
    let child = parent.makeChild()
    let (upper, lower) = (
      try parent.updates(of: UpdateWorld.byLikes).makeAsyncIterator(),
      try child.updates(of: UpdateWorld.byLikes).makeAsyncIterator()
    )
    _ = try await (upper.nextUpdate(), lower.nextUpdate())
    try world.record("Post", "1", child)["text"] = "child"
    #expect(try await lower.nextUpdate()?.changes.text == "1[text]@0")
    #expect(try upper.loop.ready() == nil)
    try world.insert("Post", "3", child)
    #expect(try await lower.nextUpdate()?.changes.text == "+3@0")
    #expect(try upper.loop.ready() == nil)
    try child.save()
    #expect(try await upper.nextUpdate()?.changes.text == "+3@0 1[text]@1")
    #expect(try lower.loop.ready() == nil)
    try world.insert("Post", "4", parent)["likes"] = 4.0
    #expect(try await upper.nextUpdate()?.changes.text == "+4@3")
    #expect(try await lower.nextUpdate()?.changes.text == "+4@3")
    // The child has read the record before, so it keeps its values until it is refreshed.
    try world.record("Post", "2", parent)["text"] = "parent"
    #expect(try await upper.nextUpdate()?.changes.text == "2[text]@2")
    #expect(try lower.loop.ready() == nil)
    child.refreshAllObjects()
    #expect(try await lower.nextUpdate()?.changes.text == "2[text]@2")
    parent.rollback()
    #expect(try await upper.nextUpdate()?.changes.text == "-3@0 -4@3 1[text]@0 2[text]@1")
  }

  @Test(arguments: StoreKind.allCases)
  func deliversSavesAndResponses(kind: StoreKind) async throws {
    let world = try UpdateWorld(
      kind,
      server: CannedServer([
        "a": [["id": "1", "text": "newer"], ["id": "2"]], "b": [["id": "3", "text": "three"]],
        "c": [["id": "1", "text": "new"]],
      ]))
    let context = try world.context(posts: 1)
    let other = world.container.makeContext()
    var saves = world.container.saves.makeAsyncIterator()
    let updates = try context.updates(of: RecordFetchRequest("Post")).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    try world.record("Post", "1", other)["text"] = "other"
    try other.save()
    #expect(try updates.loop.ready() == nil)
    context.merge(try #require(await saves.next()))
    #expect(try await updates.nextUpdate()?.changes.text == "1[text]@0")

    // Only links change, and no rows.
    let tag = try world.insert("Tag", "t", other)
    try other.save()
    tag.add(try world.record("Post", "1", other), to: "posts")
    try other.save()
    for _ in 1...2 { context.merge(try #require(await saves.next())) }
    #expect(try await updates.nextUpdate()?.changes.text == "1[tags]@0")
    try world.record("Post", "1", other).remove(tag, from: "tags")
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(try updates.loop.ready()?.changes.text == "1[tags]@0")
    tag.add(try world.record("Post", "1", other), to: "posts")
    other.delete(tag)
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(try updates.loop.ready() == nil)

    // Only the order of members changes.
    let users = try ["a", "b"].map { try world.insert("User", $0, other) }
    let liked = try world.record("Post", "1", other)
    for list in [users, users.reversed()] {
      liked["likers"] = list
      try other.save()
      context.merge(try #require(await saves.next()))
      #expect(try updates.loop.ready()?.changes.text == "1[likers]@0")
    }

    // The response contains the values that another context has saved.
    liked["text"] = "new"
    try other.save()
    _ = await saves.next()
    _ = try await world.container.request("Post", urn: "c", context: context)
    #expect(try updates.loop.ready()?.changes.text == "1[text]@0")

    _ = try await world.container.request("Post", urn: "a", context: context)
    #expect(try await updates.nextUpdate()?.changes.text == "+2@1 1[text]@0")
    _ = try await world.container.request("Post", urn: "a", context: context)
    #expect(try updates.loop.ready() == nil)

    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let unsaved = try await world.container.request("Post", urn: "b", options: options, context: context)
    let update = try #require(try await updates.nextUpdate())
    #expect(update.changes.inserted.count == 1 && update.records[2] === unsaved.records[0])
    // The unsaved record becomes the saved one. It is the same object, so it is neither inserted nor deleted.
    let saved = try world.insert("Post", "3", other)
    (saved["text"], saved["likes"]) = ("saved", 5.0)
    try other.save()
    _ = await saves.next()
    context.merge(try #require(await saves.next()))
    let became = try #require(try updates.loop.ready())
    #expect(became.records[2] === unsaved.records[0])
    #expect(became.changes.inserted.isEmpty && became.changes.deleted.isEmpty)
    #expect(became.changes.updated.map(\.properties) == [["likes"]])
  }

  /// The predicate follows a relationship to a record with unsaved changes.
  @Test(arguments: StoreKind.allCases)
  func addsARecordBesideUnsavedChanges(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 2)
    let (user, post) = (try world.insert("User", "a", context), try world.record("Post", "1", context))
    post["user"] = user
    try context.save()
    let child = context.makeChild()
    try world.record("User", "a", child)["name"] = "Ada"
    let request = RecordFetchRequest("Post", predicate: "user.name == 'Ada' AND likes > 5")
    let updates = try child.updates(of: request).makeAsyncIterator()
    #expect(try await updates.nextUpdate()?.records.ids == "")
    // The child keeps the row that it has read, although the parent changes the record again.
    post["likes"] = 9.0
    let same = try #require(child.record(with: post.recordID))
    #expect(same["likes"] == 9.0)
    post["likes"] = 1.0
    #expect(try updates.loop.ready()?.records.ids == "1")
    #expect(try child.fetch(request).ids == "1")
  }

  /// A save that is not merged yet does not show in part.
  @Test(arguments: StoreKind.allCases)
  func showsASaveAsAWhole(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 3)
    let other = world.container.makeContext()
    var saves = world.container.saves.makeAsyncIterator()
    let updates = try context.updates(of: UpdateWorld.byLikes, properties: ["text"]).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    try other.delete(world.record("Post", "1", other))
    let new = try world.insert("Post", "4", other)
    new["likes"] = 4.0
    try other.save()
    try world.record("Post", "3", context)["text"] = "three"
    #expect(try await updates.nextUpdate()?.changes.text == "3[text]@2")
    context.merge(try #require(await saves.next()))
    #expect(try await updates.nextUpdate()?.changes.text == "+4@2 -1@0")
  }

  @Test func refusesUnknownNames() throws {
    let context = try UpdateWorld(.memory).context(posts: 0)
    let failure = #expect(throws: RequestFailure.self) {
      _ = try context.updates(of: RecordFetchRequest("Post"), properties: ["txt"])
    }
    #expect(failure?.primary.code == .invalidEntity)
    #expect(failure?.primary.message.contains("did you mean 'text'?") == true)
    #expect(throws: RequestFailure.self) { _ = try context.updates(of: RecordFetchRequest("Pst")) }
  }

  @Test(arguments: StoreKind.allCases)
  func endsAfterAnError(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 1)
    let updates = try context.updates(of: RecordFetchRequest("Post")).makeAsyncIterator()
    _ = try await updates.nextUpdate()
    world.calls.fail([.rowsByID])
    try world.insert("Post", "2", context)
    let failure = await #expect(throws: RequestFailure.self) { _ = try await updates.nextUpdate() }
    #expect(failure?.primary.code == .fetchError)
    world.calls.fail([])
    #expect(try await updates.nextUpdate() == nil)
  }
}
