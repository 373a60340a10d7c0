import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the changes after which sequences of updates read the store again.
@Suite("Fetching: effects of changes")
struct UpdateEffectTests {
  private struct Case: CustomTestStringConvertible {
    let name: String
    var request = RecordFetchRequest("Post", predicate: "likes < 3")
    var properties: [PropertyName]? = ["text", "likes"]
    /// The identifier of the changed post.
    var post = "4"
    var likes: Double?
    var fetches = true
    /// The changes of the element; nil if there is none.
    var element: String?

    var testDescription: String { name }
  }

  private static let cases = [
    Case(name: "neither shown before nor after", fetches: false),
    Case(name: "shown before and after", post: "1", fetches: false, element: "1[text]@0"),
    Case(name: "shown only before", post: "1", likes: 7, fetches: false, element: "-1@0"),
    Case(name: "shown only after", likes: 0, fetches: false, element: "+4@2"),
    Case(
      name: "all records match", request: RecordFetchRequest("Post"), fetches: false, element: "4[text]@3"),
    Case(
      name: "within the limit",
      request: RecordFetchRequest("Post", predicate: "likes < 3", limit: 3), likes: 0, fetches: false,
      element: "+4@2"),
    Case(
      name: "after the limit",
      request: RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("likes")], limit: 2)),
    Case(
      name: "moved before the limit",
      request: RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("likes")], limit: 2),
      likes: 0,
      element: "+4@0 -2@1"),
    Case(
      name: "before the offset", request: RecordFetchRequest("Post", predicate: "likes < 3", offset: 1),
      post: "1", likes: 7, element: "-2@0"),
    Case(
      name: "a predicate with a to-one", request: RecordFetchRequest("Post", predicate: "user.name == 'Ada'"),
      fetches: false),
    Case(
      name: "a predicate with a to-many",
      request: RecordFetchRequest("Post", predicate: "ANY tags.id == 't'"),
      fetches: false),
    Case(
      name: "a predicate that returns to the entity",
      request: RecordFetchRequest("Post", predicate: "user.posts.@count > 5")),
    Case(name: "members", request: RecordFetchRequest("User"), properties: ["posts"]),
    Case(name: "no members", request: RecordFetchRequest("User"), properties: ["name"], fetches: false),
  ]

  private static let fetchCalls: [StoreCallCounter.Call] = [.rowsOfFetch, .rowsOfEntity]

  /// A merged save of one record causes a fetch only if other records than this one can enter or leave the result.
  @Test(arguments: StoreKind.allCases, cases)
  private func mergedSave(kind: StoreKind, test: Case) async throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 4)
    let other = world.container.makeContext()
    var saves = world.container.saves.makeAsyncIterator()
    let loop = try context.updates(of: test.request, properties: test.properties).makeAsyncIterator().loop
    _ = try loop.ready()
    try change(test, world.record("Post", test.post, other))
    try other.save()
    context.merge(try #require(await saves.next()))
    try expect(test, loop, world)
  }

  /// The same holds for unsaved changes of attributes.
  @Test(arguments: StoreKind.allCases, cases)
  private func unsavedChange(kind: StoreKind, test: Case) throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 4)
    let post = try world.record("Post", test.post, context)
    let loop = try context.updates(of: test.request, properties: test.properties).makeAsyncIterator().loop
    _ = try loop.ready()
    try change(test, post)
    try expect(test, loop, world)
    // The save itself changes nothing.
    try context.save()
    #expect(try loop.ready() == nil)
  }

  private func change(_ test: Case, _ post: Record) throws {
    if let likes = test.likes { post["likes"] = likes } else { post["text"] = "new" }
  }

  private func expect(_ test: Case, _ loop: UpdateLoop<FetchUpdate<Record>>, _ world: UpdateWorld) throws {
    _ = world.calls.takeCounts()
    #expect(try loop.ready()?.changes.text == test.element)
    let counts = world.calls.takeCounts()
    #expect(Self.fetchCalls.contains { counts[$0] != nil } == test.fetches, "\(counts)")
  }

  /// An unsaved change of an attribute and its save do not make other sequences fetch, even if the context has saved
  /// before.
  @Test(arguments: StoreKind.allCases)
  func ownSaves(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 4)
    let loop = try context.updates(of: RecordFetchRequest("Post", predicate: "likes < 3")).makeAsyncIterator()
      .loop
    _ = try loop.ready()
    let hidden = try world.record("Post", "4", context)
    for round in 1...3 {
      hidden["text"] = "\(round)"
      try context.save()
      _ = world.calls.takeCounts()
      #expect(try loop.ready() == nil)
      let counts = world.calls.takeCounts()
      #expect(!Self.fetchCalls.contains { counts[$0] != nil }, "\(counts)")
    }
    try world.record("Post", "1", context)["text"] = "new"
    #expect(try loop.ready()?.changes.text == "1[text]@0")
  }

  private static let waysToDiscardRows:
    [(name: String, body: @Sendable (ManagedObjectContext, SavedChanges) throws -> Void)] = [
      ("refresh", { context, _ in context.refreshAllObjects() }),
      ("reset", { context, _ in context.reset() }),
      ("merge", { context, save in context.merge(save) }),
    ]

  /// A child notices changes that its parent made before the sequence began or after it, once it shows them.
  @Test(arguments: StoreKind.allCases)
  func changesThatAChildShowsLater(kind: StoreKind) async throws {
    for (name, discardRows) in Self.waysToDiscardRows {
      let world = try UpdateWorld(kind)
      let parent = try world.context(posts: 2)
      let (child, other) = (parent.makeChild(), world.container.makeContext())
      let read = try world.record("Post", "1", child)
      try world.record("Post", "1", parent)["text"] = "earlier"
      let loop = try child.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
      #expect(try loop.ready()?.records.first?["text"] as String? == nil)
      var saves = world.container.saves.makeAsyncIterator()
      for (number, text) in ["earlier", "later"].enumerated() {
        try world.record("Post", "1", parent)["text"] = text
        #expect(try loop.ready() == nil, "\(name)")
        try world.insert("Note", "\(number)", other)
        try other.save()
        try discardRows(child, #require(await saves.next()))
        #expect(try loop.ready()?.changes.text == "1[text]@0", "\(name), \(text)")
        #expect(read["text"] == text)
      }
    }
  }

  /// The parent has changed the record while nothing observed it, after the child has read it.
  @Test func aChangeBeforeTheSequenceThatAChildShowsLater() throws {
    let world = try UpdateWorld(.memory)
    let parent = try world.context(posts: 1)
    let child = parent.makeChild()
    let read = try world.record("Post", "1", child)
    try world.record("Post", "1", parent)["text"] = "earlier"
    let loop = try child.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
    #expect(try loop.ready()?.records.first?["text"] as String? == nil)
    child.refreshAllObjects()
    #expect(try loop.ready()?.changes.text == "1[text]@0")
    #expect(read["text"] == "earlier")
  }

  /// A context that releases rows reads them again later, with the saves of other contexts since then.
  @Test(arguments: StoreKind.allCases)
  func aSaveThatIsShownAfterRowsWereReleased(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 40)
    context.leastRowLimit = 10
    let predicate: RecordPredicate = "likes < 3"
    let loop = try context.updates(of: RecordFetchRequest("Post", predicate: predicate)).makeAsyncIterator()
      .loop
    _ = try loop.ready()
    let other = world.container.makeContext()
    try world.record("Post", "1", other)["text"] = "new"
    try other.save()
    _ = try context.fetch(RecordFetchRequest("Post"))
    context.rowLimit = 0
    context.forgetUnusedRows()
    #expect(try loop.ready()?.changes.text == "1[text]@0")
  }

  /// A child notices changes of its parent if only the child is observed.
  @Test(arguments: StoreKind.allCases)
  func changesOfParents(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let parent = try world.context(posts: 1)
    let child = parent.makeChild()
    let loop = try child.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
    _ = try loop.ready()
    try world.insert("Post", "2", parent)["likes"] = 2.0
    #expect(try loop.ready()?.changes.text == "+2@1")
  }

  /// A child notices links that its parent has merged, at both ends, even if the child has read the members before.
  @Test(arguments: StoreKind.allCases)
  func linksThatAParentMerges(kind: StoreKind) async throws {
    let world = try UpdateWorld(kind)
    let parent = try world.context(posts: 1)
    try world.insert("Tag", "t", parent)
    try parent.save()
    let (child, other) = (parent.makeChild(), world.container.makeContext())
    #expect(try (world.record("Post", "1", child)["tags"] as [Record]).isEmpty)
    #expect(try (world.record("Tag", "t", child)["posts"] as [Record]).isEmpty)
    let loops = try [
      RecordFetchRequest("Post", predicate: "ANY tags.id == 't'"),
      RecordFetchRequest("Tag", predicate: "ANY posts.id == '1'"),
    ].map { try child.updates(of: $0, properties: []).makeAsyncIterator().loop }
    for loop in loops { #expect(try loop.ready()?.records.isEmpty == true) }
    var saves = world.container.saves.makeAsyncIterator()
    try world.record("Post", "1", other).add(world.record("Tag", "t", other), to: "tags")
    try other.save()
    parent.merge(try #require(await saves.next()))
    for loop in loops { #expect(try loop.ready()?.changes.text == "+1@0") }
  }

  /// A rollback makes a context show the links that other contexts have saved.
  @Test(arguments: StoreKind.allCases)
  func linksThatARollbackShows(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let (context, other) = (try world.context(posts: 2), world.container.makeContext())
    let loop = try context.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
    _ = try loop.ready()
    let post = try world.record("Post", "1", other)
    post.add(try world.insert("Tag", "t", other), to: "tags")
    try other.save()
    #expect(try loop.ready() == nil)
    context.rollback()
    #expect(try loop.ready()?.changes.text == "1[tags]@0")
  }

  /// A context notices links and orders that a child saves to it, even if they only replace other unsaved changes.
  @Test(arguments: StoreKind.allCases)
  func linksAndOrdersOfAChild(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let parent = try world.context(posts: 2)
    let likers = try ["A", "B"].map { try world.insert("User", $0, parent) }
    let (first, second) = (try world.record("Post", "1", parent), try world.record("Post", "2", parent))
    first["likers"] = likers
    let tag = try world.insert("Tag", "t", parent)
    try parent.save()
    for liker in likers { second.add(liker, to: "likers") }
    let loop = try parent.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
    _ = try loop.ready()
    let child = parent.makeChild()
    func expect(
      _ changes: String, after change: (_ post: Record, _ tag: Record, _ users: [Record]) throws -> Void
    ) throws {
      let users = try ["A", "B"].map { try world.record("User", $0, child) }
      let post = try world.record("Post", changes.hasPrefix("1") ? "1" : "2", child)
      try change(post, world.record("Tag", "t", child), users)
      try child.save()
      #expect(try loop.ready()?.changes.text == changes)
    }
    try expect("1[tags]@0") { post, tag, _ in post.add(tag, to: "tags") }
    try expect("1[tags]@0") { post, tag, _ in post.remove(tag, from: "tags") }
    try expect("1[likers]@0") { post, _, users in post["likers"] = [users[1], users[0]] }
    try expect("2[likers]@1") { post, _, users in
      post.remove(users[0], from: "likers")
      post.add(users[0], to: "likers")
    }
    #expect((second["likers"] as [Record]).ids == "B A" && (tag["posts"] as [Record]).isEmpty)
  }

  /// A context notices that a response hides a record that the context has not read, and that another one shows it again
  /// without a change in the store.
  @Test(arguments: StoreKind.allCases)
  func recordsThatResponsesHideAndShow(kind: StoreKind) async throws {
    let items: [JSONValue] = [["id": "1", "likes": 1], ["id": "2", "likes": 2]]
    let world = try UpdateWorld(kind, server: CannedServer(["last": [items[1]], "all": .array(items)]))
    let context = try world.context(posts: 2)
    let loop = try context.updates(of: UpdateWorld.byLikes).makeAsyncIterator().loop
    _ = try loop.ready()
    context.refreshAllObjects()
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    options.orphans = OrphanDeletion()
    _ = try await world.container.request("Post", urn: "last", options: options, context: context)
    #expect(try loop.ready()?.changes.text == "-1@0")
    options.orphans = nil
    let result = try await world.container.request("Post", urn: "all", options: options, context: context)
    #expect(result.changes.inserted.count == 1)
    #expect(try loop.ready()?.changes.text == "+1@0")
  }

  /// A sequence for one record reads nothing if another record has changed.
  @Test(arguments: StoreKind.allCases)
  func otherRecords(kind: StoreKind) throws {
    let world = try UpdateWorld(kind)
    let context = try world.context(posts: 2)
    let (first, second) = (try world.record("Post", "1", context), try world.record("Post", "2", context))
    let loop = context.updates(of: first).makeAsyncIterator().loop
    _ = try loop.ready()
    second["text"] = "new"
    _ = world.calls.takeCounts()
    #expect(try loop.ready() == nil)
    #expect(world.calls.takeCounts() == [:])
    first["text"] = "new"
    #expect(try loop.ready()?.properties == ["text"])
  }

  /// Changes of entities that a sequence does not use do not wake its task.
  @Test func otherEntitiesSendNoSignal() async throws {
    let world = try UpdateWorld(.memory)
    let context = try world.context(posts: 1)
    let (notes, posts) = (UpdateSignal(), UpdateSignal())
    context.addObserver(
      notes, of: [context.schema.entities[try #require(context.schema.indices["Note"])].tree])
    context.addObserver(
      posts, of: [context.schema.entities[try #require(context.schema.indices["Post"])].tree])
    try world.insert("Post", "2", context)
    for signal in [notes, posts] { signal.finish() }
    #expect(await posts.wait())
    #expect(await !notes.wait())
  }

  @Test func historyOfChanges() throws {
    let schema = try UpdateWorld.model().schema
    let (post, note) = (RecordID(tree: TreeIndex(0), serial: 1), RecordID(tree: TreeIndex(3), serial: 1))
    var history = ChangeHistory(schema)
    history.append(ChangedRecords())
    #expect(history.count == 0 && history.changes(since: 0).isEmpty)
    history.append(ChangedRecords(post))
    history.append(ChangedRecords(note))
    #expect(history.changes(since: 0).ids == [post, note] && history.changes(since: 0).trees.isEmpty)
    #expect(history.changes(since: 1).ids == [note])
    #expect(history.changes(since: 2).isEmpty)
    for _ in 1...3 * ChangeHistory.keptChanges { history.append(ChangedRecords(note)) }
    // The first changes are no longer kept, but the history knows which trees they affected.
    #expect(history.changes(since: 0).trees == [post.tree, note.tree])
    #expect(history.changes(since: 1).trees == [note.tree])
    #expect(history.changes(since: history.count - ChangeHistory.keptChanges).ids == [note])
  }

  /// A save changes the records at both ends of a link, and those whose members have another order.
  @Test func changesOfLinksAndOrders() throws {
    let schema = try UpdateWorld.model().schema
    let ids = (0...6).map { RecordID(tree: TreeIndex(0), serial: $0) }
    var changes = ChangeSet()
    changes.linked = [Link(0, nil, owner: ids[1], member: ids[2])]
    changes.unlinked = [Link(0, nil, owner: ids[3], member: ids[4])]
    changes.orderings = [ChangeSet.Ordering(relationship: 0, owner: ids[5], added: [], order: [ids[0]])]
    #expect(Set(ChangedRecords(changes, known: [ids[6]], schema).ids) == Set(ids[1...6]))
  }

  @Test func changesOfManyRecordsAreKeptAsTrees() {
    var changes = ChangedRecords()
    for serial in 1...Int64(ChangedRecords.limit) {
      changes.formUnion(ChangedRecords(RecordID(tree: TreeIndex(0), serial: serial)))
    }
    #expect(changes.trees.isEmpty && changes.ids.count == ChangedRecords.limit)
    changes.formUnion(ChangedRecords(RecordID(tree: TreeIndex(1), serial: 1)))
    #expect(changes.trees == [TreeIndex(0), TreeIndex(1)] && changes.ids.isEmpty)
  }
}
