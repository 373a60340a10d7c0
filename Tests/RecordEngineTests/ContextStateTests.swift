import RecordModel
import Testing

@testable import RecordEngine

/// Tests for what a context and its records say about unsaved changes.
@Suite struct ContextStateTests {
  final class Photo: Record {}
  final class Video: Record {}

  static func container(_ bodies: [String: JSONValue] = [:]) throws -> PersistentContainer {
    try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Post", primaryKey: "id", detailURN: "posts/{id}",
          attributes: [
            AttributeDescription("id", .string), AttributeDescription("text", .string, isOptional: false),
            AttributeDescription("likes", .int32),
          ],
          relationships: [
            RelationshipDescription("items", toMany: "Item"),
            RelationshipDescription("photos", toMany: "Photo", isOrdered: true, assignment: .replace),
            RelationshipDescription("cover", to: "Photo"), RelationshipDescription("clip", to: "Video"),
          ]),
        EntityDescription(
          "Item", isAbstract: true, primaryKey: "id", detailURN: "items/{id}",
          attributes: [AttributeDescription("id", .int32)]),
        EntityDescription(
          "Photo", parent: "Item", relationships: [RelationshipDescription("next", to: "Photo")]),
        EntityDescription(
          "Video", parent: "Item", detailURN: "{link}",
          attributes: [AttributeDescription("link", .string, isOptional: false)]),
      ]), recordTypes: [Photo.self, Video.self], configuration: .init(server: CannedServer(bodies)))
  }

  /// Returns a context with a saved post.
  static func saved(_ container: PersistentContainer) throws -> (ManagedObjectContext, Record) {
    let context = container.makeContext()
    let post = try context.insert("Post")
    (post["id"], post["text"]) = ("1", "old")
    try context.save()
    return (context, post)
  }

  private func text(_ container: PersistentContainer) throws -> String? {
    try container.makeContext().fetch(RecordFetchRequest("Post")).first?["text"]
  }

  /// A change of a context.
  struct Step: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var body: @Sendable (ManagedObjectContext, Record) throws -> Void
  }

  static let steps = [
    Step(testDescription: "set") { _, post in post["text"] = "newer" },
    Step(testDescription: "insert") { context, _ in _ = try context.insert("Post") },
    Step(testDescription: "delete") { context, post in context.delete(post) },
    Step(testDescription: "save") { context, _ in try context.save() },
    Step(testDescription: "rollback") { context, _ in context.rollback() },
    Step(testDescription: "reset") { context, _ in context.reset() },
    Step(testDescription: "refresh") { $0.refresh($1, mergeChanges: false) },
    Step(testDescription: "save of a child") { context, post in
      let child = context.makeChild()
      child.record(with: post.recordID)?["likes"] = 1
      try child.save()
    },
  ]

  /// A request that is being populated notices each change of its context, and of the parents of its context.
  @Test(arguments: steps) func everyChangeAdvancesTheRevision(step: Step) throws {
    let (context, post) = try Self.saved(Self.container())
    post["text"] = "new"
    let child = context.makeChild()
    let before = (own: context.revision, child: child.revision)
    try step.body(context, post)
    #expect(context.revision > before.own && child.revision > before.child)
  }

  @Test func problemsOfSaving() throws {
    let (context, post) = try Self.saved(Self.container())
    #expect(context.problemsOfSaving().isEmpty)
    let (other, another) = (try context.insert("Post"), try context.insert("Post"))
    #expect(context.problemsOfSaving().map(\.record) == [other.recordID, another.recordID])
    (other["text"], another["text"]) = ("a", "b")
    #expect(context.problemsOfSaving().isEmpty)
    other["id"] = "1"
    let problems = context.problemsOfSaving()
    #expect(!problems.isEmpty)
    #expect(problems.allSatisfy { [post.recordID, other.recordID].contains($0.record) })
  }

  @Test func theStatesOfARecord() throws {
    func state(_ record: Record) -> [Bool] {
      [record.isInserted, record.isUpdated, record.isDeleted, record.hasChanges]
    }
    let (context, post) = try Self.saved(Self.container())
    #expect(state(post) == [false, false, false, false])
    post["text"] = "new"
    #expect(state(post) == [false, true, false, true])
    context.delete(post)
    #expect(state(post) == [false, false, true, true])
    let other = try context.insert("Post")
    #expect(state(other) == [true, false, false, true])
    other["text"] = "b"
    #expect(state(other) == [true, false, false, true])
    try context.save()
    #expect(state(post) == [false, false, true, false])
    #expect(state(other) == [false, false, false, false])
  }

  @Test func membersOfAnUnorderedRelationshipHaveNoOrder() throws {
    let (context, post) = try Self.saved(Self.container())
    let photos = try [context.insert(Photo.self), context.insert(Photo.self)]
    post["items"] = photos
    try context.save()
    post["items"] = Array(photos.reversed())
    #expect(context.unsavedChanges.isEmpty && !context.hasChanges)
    #expect(!post.hasChanges && post.changedProperties == [])
  }

  @Test func addressesOfDetails() throws {
    let (context, post) = try Self.saved(Self.container())
    let photo = try context.insert(Photo.self)
    #expect(photo.recordDetailURN == nil)
    photo["id"] = 7
    #expect(photo.recordDetailURN == "items/7")
    #expect(post.recordDetailURN == "posts/1")
    post["id"] = "a \"b\""
    #expect(post.recordDetailURN == "posts/a%20%22b%22")
    // The last two would lead to another address.
    for id in ["", ".", ".."] {
      post["id"] = id
      #expect(post.recordDetailURN == nil)
    }
    // A value that is the whole address is not encoded.
    let video = try context.insert(Video.self)
    for link in ["https://host/a b?c=d", ".."] {
      video["link"] = link
      #expect(video.recordDetailURN == link)
    }
  }

  /// A list of records of one type does not show the others, so setting it keeps them.
  @Test func aListOfOneType() throws {
    let (context, post) = try Self.saved(Self.container())
    let photo = try context.insert(Photo.self)
    let videos = try (0..<2).map { _ in try context.insert(Video.self) }
    post["items"] = [photo, videos[0]] as [Record]
    post["items"] = [videos[1]] as [Video]
    #expect((post["items"] as [Record]).map(\.recordID) == [photo.recordID, videos[1].recordID])
    #expect((post["items"] as [Photo]).map(\.recordID) == [photo.recordID])
    post["items"] = [] as [Record]
    #expect((post["items"] as [Record]).isEmpty)
  }

  /// A member that is removed and added again is the last one of an ordered relationship. The members of other
  /// relationships are sorted by age.
  @Test func theOrderOfMembers() throws {
    let (context, post) = try Self.saved(Self.container())
    let photos = try (0..<2).map { _ in try context.insert(Photo.self) }
    func positions(_ name: PropertyName) -> [Int?] {
      (post[name] as [Record]).map { record in photos.firstIndex { $0 === record } }
    }
    for (name, expected) in [("items", [0, 1]), ("photos", [1, 0])] as [(PropertyName, [Int?])] {
      post[name] = Array(photos.reversed())
      #expect(positions(name) == expected)
      post[name] = photos
      try context.save()
      post.remove(photos[0], from: name)
      post.add(photos[0], to: name)
      #expect(positions(name) == expected)
    }
  }

  /// A stub needs no values, until the caller sets one.
  @Test func aStubThatTheCallerHasSet() async throws {
    let container = try Self.container(["posts": [["id": "1", "text": "new", "clip": 3]]])
    let context = container.makeContext()
    let post = try await container.request("Post", urn: "posts", context: context).records[0]
    let clip = try #require(post["clip"] as Video?)
    #expect(context.problemsOfSaving().isEmpty)
    clip["id"] = 4
    #expect(context.problemsOfSaving().map(\.record) == [clip.recordID])
  }

  @Test func anAbstractEntityHasNoRecords() throws {
    let context = try Self.container().makeContext()
    let error = #expect(throws: RequestFailure.self) { try context.insert("Item") }
    #expect(error?.primary.code == .invalidEntity)
    #expect(error?.primary.message == "'Item' is abstract")
  }

  /// A dry run fails if a save of the response would fail. If the response would stay unsaved, it reports why a later save would
  /// fail.
  @Test(arguments: [true, false]) func aDryRunOfWhatCannotBeSaved(isSaved: Bool) async throws {
    let container = try Self.container(["posts": [["id": "2", "likes": 1]]])
    var options = RequestOptions()
    options.isDryRun = true
    options.automaticallyPersistsRecords = isSaved
    var codes: [DiagnosticCode] = []
    let failure = await RequestFixture.failure {
      codes = try await container.request(
        "Post", urn: "posts", options: options, context: container.makeContext()
      ).diagnostics.map(\.code)
    }
    #expect(failure?.primary.code == (isSaved ? .saveError : nil))
    #expect(codes == (isSaved ? [] : [.saveError]))
  }

  /// A response that changes only the order of members changes the relationship, even beside changes of the caller.
  @Test func changedOrdersAreVisible() async throws {
    let container = try Self.container([
      "first": [["id": "1", "photos": [["id": 1], ["id": 2]]]],
      "second": [["id": "1", "photos": [["id": 2], ["id": 1]]]],
      "third": [["id": "1", "photos": [["id": 2], ["id": 1], ["id": 3]]]],
    ])
    let (context, post) = try Self.saved(container)
    post["likes"] = 1
    var options = RequestOptions()
    var changes: [[String: Int]] = []
    for urn in ["first", "second", "third"] {
      let result = try await container.request("Post", urn: urn, options: options, context: context)
      options.automaticallyPersistsRecords = false
      changes.append([:])
      for change in result.changes.updated.flatMap(\.changes) {
        guard case .toMany(let added, let removed) = change.values else { continue }
        changes[changes.count - 1]["\(change.name)"] = added.count - removed.count
      }
    }
    #expect(changes == [["photos": 2], ["photos": 0], ["photos": 1]])
  }

  @Test func changesOfASave() throws {
    let (context, post) = try Self.saved(Self.container())
    let photos = try (0..<2).map { _ in try context.insert(Photo.self) }
    let ids = photos.map(\.recordID)
    func save(_ list: [Record], _ cover: Record?) throws -> [PropertyChange] {
      post["photos"] = list
      post["cover"] = cover
      return try context.save().updated.flatMap(\.changes)
    }
    let first = try save(photos, photos[0])
    #expect(first.map(\.name) == ["photos", "cover"])
    #expect(first.map(\.values) == [.toMany(added: ids, removed: []), .toOne(from: nil, to: ids[0])])
    let second = try save(photos.reversed(), photos[1])
    #expect(second.map(\.values) == [.toMany(added: [], removed: []), .toOne(from: ids[0], to: ids[1])])
    // Setting the same list again changes nothing.
    #expect(try save(photos.reversed(), photos[1]).isEmpty)
    let third = try save([photos[0]], nil)
    #expect(third.map(\.values) == [.toMany(added: [], removed: [ids[1]]), .toOne(from: ids[1], to: nil)])
  }

  /// A to-one without inverse becomes nil when its target is deleted by another context.
  @Test func aTargetThatAnotherContextDeletes() async throws {
    let container = try Self.container()
    let (context, post) = try Self.saved(container)
    let photo = try context.insert(Photo.self)
    post["cover"] = photo
    try context.save()
    let updates = context.updates(of: post, properties: ["cover"]).makeAsyncIterator()
    _ = try await updates.next()
    var saves = container.saves.makeAsyncIterator()
    let other = container.makeContext()
    other.delete(try #require(other.record(with: photo.recordID)))
    try other.save()
    context.merge(try #require(await saves.next()))
    #expect(try updates.loop.ready()?.properties == ["cover"])
  }

  /// The deletion of a target changes the to-one once, and its save does not change it again.
  @Test func aTargetThatTheContextDeletes() async throws {
    let (context, post) = try Self.saved(Self.container())
    let photo = try context.insert(Photo.self)
    post["cover"] = photo
    try context.save()
    let updates = context.updates(of: post).makeAsyncIterator()
    _ = try await updates.next()
    context.delete(photo)
    #expect(try await updates.next()?.properties == ["cover"])
    // The save also reads the row of the post.
    post.add(try context.insert(Photo.self), to: "items")
    #expect(try await updates.next()?.properties == ["items"])
    try context.save()
    post["text"] = "new"
    #expect(try await updates.next()?.properties == ["text"])
  }

  /// Removing a record of an entity that the relationship cannot contain changes nothing.
  @Test func aRecordThatCannotBeAMemberIsNotRemoved() throws {
    let container = try Self.container()
    let (context, post) = try Self.saved(container)
    let video = try context.insert(Video.self)
    (video["id"], video["link"]) = (1, "clips/1")
    try context.save()
    context.removeMember(video.recordID, from: "photos", of: post.recordID)
    #expect(!context.hasChanges)
  }

  /// A record keeps its object while the context discards rows and the entries of other objects.
  @Test func aRecordIsOneObjectAmongMany() throws {
    let context = try Self.container().makeContext()
    context.leastRowLimit = 10
    for number in 0..<50 { try context.insert(Photo.self)["id"] = number }
    try context.save()
    let held = try context.fetch(RecordFetchRequest("Photo"))[7]
    for _ in 0..<3 {
      let photos = try context.fetch(RecordFetchRequest("Photo"))
      #expect(photos[7] === held && photos.count == 50)
    }
    #expect(context.record(with: held.recordID) === held)
  }

  @Test func aSortOrderThatContinuesAfterAnAttribute() throws {
    let context = try Self.container().makeContext()
    var request = RecordFetchRequest("Post")
    request.sortDescriptors = [RecordSortDescriptor("text.length")]
    let error = #expect(throws: RequestFailure.self) { try context.fetch(request) }
    #expect(
      error?.primary.message
        == "'text' of 'Post' is an attribute, and a key path cannot continue after one")
  }

  /// An error marks the mistake in its line of the predicate.
  @Test(
    arguments: [
      (
        "text == 'a'\n  AND txet == 'b'\n", .invalidEntity,
        "'Post' has no property 'txet'; did you mean 'text'?\n    AND txet == 'b'\n        ^^^^"
      ),
      (
        "txet == 'b'", .invalidEntity,
        "'Post' has no property 'txet'; did you mean 'text'?\n  txet == 'b'\n  ^^^^"
      ),
      (
        "likes > .5", .fetchError,
        "invalid predicate: expected a key path or a value, found .; write a digit before the decimal point, such as 0.5\n"
          + "  likes > .5\n          ^"
      ),
    ] as [(String, DiagnosticCode, String)])
  func predicates(text: String, code: DiagnosticCode, message: String) throws {
    let context = try Self.container().makeContext()
    let error = #expect(throws: RequestFailure.self) {
      try context.fetch(RecordFetchRequest("Post", predicate: RecordPredicate(stringLiteral: text)))
    }
    #expect(error?.primary.code == code)
    #expect(error?.primary.message == message)
  }
}
