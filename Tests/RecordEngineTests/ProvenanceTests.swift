import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the provenance of populated records.
@Suite struct ProvenanceTests {
  private typealias Importer = ProvenanceImporter

  @Test func nothingIsRecordedByDefault() throws {
    let importer = try Importer(Importer.post())
    #expect(try importer.result([["id": 1]]) { $0.recordsProvenance = false }.provenance == nil)
    #expect(try importer.result([["id": 1]]).provenance?.records.count == 1)
  }

  // MARK: Records

  @Test func recordsAreCreatedFetchedOrStubs() throws {
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("user", to: "User")]), Importer.user)
    let body: JSONValue = [["id": 1, "user": "ada"], ["id": 2, "user": ["id": "eva", "name": "Eva"]]]
    #expect(
      try importer.records(body) == [
        "Post created by id: /0 effective", "User stub by id: /0/user reference",
        "Post created by id: /1 effective", "User created by id: /1/user effective",
      ])
    #expect(
      try importer.records(body) == [
        "Post fetched by id: /0 effective", "User fetched by id: /0/user reference",
        "Post fetched by id: /1 effective", "User fetched by id: /1/user effective",
      ])
  }

  @Test func theItemsOfARecordHaveRoles() throws {
    let importer = try Importer(
      Importer.post([AttributeDescription("text", .string)], [RelationshipDescription("next", to: "Post")]))
    let body: JSONValue = [
      ["id": 1, "text": "A", "next": 2], ["id": 2, "text": "B"], ["id": 1, "text": "C"], 1,
      ["id": 1, "text": "A", "next": 2], ["id": 1, "text": "D"], ["id": 3, "next": 2],
    ]
    let expected = [
      "Post created by id: /0 effective, /2 superseded, /3 reference, /4 repeated, /5 superseded",
      "Post created by id: /0/next reference, /1 effective, /6/next reference",
      "Post created by id: /6 effective",
    ]
    #expect(try importer.records(body) == expected)
    #expect(
      try importer.records(body) { $0.mergeStrategy = .deep }.first
        == "Post fetched by id: /0 effective, /2 merged, /3 reference, /4 repeated, /5 merged")
    #expect(
      try importer.records(body) { $0.mergeHook = { _ in .dictionary(["id": 1, "text": "D"]) } }.first
        == "Post fetched by id: /0 mergedByHook, /2 mergedByHook, /3 reference, /4 repeated, /5 mergedByHook")
    #expect(
      try importer.records(body) { $0.mergeHook = { _ in .other } }.first
        == "Post fetched by id: /0 superseded, /2 superseded, /3 reference, /4 repeated, /5 effective")
  }

  @Test func nestedItemsCanBeRepeated() throws {
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("user", to: "User")]), Importer.user)
    let (ada, eva): (JSONValue, JSONValue) = (["id": "ada", "name": "Ada"], ["id": "eva"])
    let body: JSONValue = [
      ["id": 1, "user": ada], ["id": 2, "user": ada], ["id": 3, "user": eva], ["id": 4, "user": eva],
    ]
    #expect(
      try importer.records(body).filter { $0.hasPrefix("User") } == [
        "User created by id: /0/user effective, /1/user repeated",
        "User stub by id: /2/user reference, /3/user reference",
      ])
  }

  private struct TextLength: Representation {
    var computesPrimaryKey: Bool { true }

    func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? {
      dictionary["text"]?.string.map { .number(JSONNumber(Int64($0.count))) }
    }
  }

  @Test func keysAreComputedInjectedOrMissing() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    #expect(try importer.records([["text": "A"]]) == ["Post created by nothing: /0 effective"])
    #expect(
      try importer.records([["text": "A"]]) { $0.keyInjection = { _ in 7 } }
        == ["Post created by injected id: /0 effective"])
    let computing = try Importer(
      Importer.post([AttributeDescription("text", .string)]), representations: ["Post": TextLength()])
    #expect(
      try computing.records([["text": "A"], 7]) == [
        "Post created by computed id: /0 effective", "Post stub by id: /1 reference",
      ])
  }

  /// A reference comes first, which creates a stub or no record.
  @Test(arguments: [StubPolicy.never, .create])
  func aFullItemIsRepeatedAfterAReference(stubs: StubPolicy) throws {
    let importer = try Importer(
      Importer.post(
        [],
        [
          RelationshipDescription("reader", to: "User", stubs: stubs),
          RelationshipDescription("user", to: "User"),
        ]),
      Importer.user)
    let user: JSONValue = ["id": "ada", "name": "Ada"]
    #expect(
      try importer.records([["id": 1, "reader": "ada", "user": user], ["id": 2, "user": user]])[1]
        == "User created by id: /0/reader reference, /0/user effective, /1/user repeated")
  }

  /// The items are read again without their parent, because no record has its key.
  @Test func itemsWithoutAParentAreRecordsOfTheirOwn() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "user", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("user", to: "User", inverse: "counts", stubs: .never)])
    var user = Importer.user
    user.relationships = [RelationshipDescription("counts", to: "Counts", inverse: "user")]
    let importer = try Importer(counts, user)
    #expect(
      try importer.records([["reads": 1, "user": "ada"], ["reads": 2, "user": "ada"]])
        == ["Counts created by nothing: /0 effective", "Counts created by nothing: /1 effective"])
  }

  @Test func theDetailRecordNeedsNoKey() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    let id = try #require(try importer.result([["id": 1]]).records.first)
    let found = try importer.records([["text": "A"]]) { $0.detailRecord = id }
    #expect(found == ["Post detail by nothing: /0 effective"])
  }

  /// Rule: `request.detail.change`.
  @Test func theChangedRecordReceivesTheKeyOfItsItem() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    let id = try #require(try importer.result([["id": 1]]).records.first)
    for line in [
      "Post detail by id: /0 effective", "Post fetched by id: /0 effective",
    ] {
      let found = try importer.records([["id": 2, "text": "A"]]) {
        $0.detailRecord = id
        $0.detailRecordReceivesKey = true
      }
      #expect(found == [line])
    }
  }

  /// The effective item can be another one than the first, whose key cannot be converted.
  @Test func theDetailRecordCanHaveAnItemWithItsKey() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    let id = try #require(try importer.result([["id": 1]]).records.first)
    let duplicates: JSONValue = [["id": "one", "text": "A"], ["id": 1, "text": "B"]]
    for (merged, line) in [
      (.other, "id identified: 1 at /1/id by id"), (.first, #"id unconvertible: "one" at /0/id by id"#),
      (.dictionary(["id": 2]), "id unusedKey: 2 at /0 by id (mergedDictionary)"),
    ] as [(MergedDictionary, String)] {
      let found = try importer.attributes(duplicates) {
        $0.detailRecord = id
        $0.mergeHook = { _ in merged }
      }
      #expect(found.first == line)
    }
  }

  /// The record is deleted by the first item that marks it as deleted.
  @Test func theDetailRecordCanBeDeleted() throws {
    let importer = try Importer(Importer.post([AttributeDescription("text", .string)]))
    let firsts: [(JSONValue, String)] = [
      (["text": "A"], "/1"), (["id": 1, "text": "A"], "/1"), (["gone": true], "/0"),
    ]
    for (first, pointer) in firsts {
      let id = try #require(try importer.result([["id": 1]]).records.first)
      let found = try importer.records([first, ["id": 1, "gone": true]]) { $0.detailRecord = id }
      #expect(found == ["deleted: tombstone \(pointer)"])
    }
  }

  @Test func aChildIsIdentifiedByItsParent() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")])
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("counts", to: "Counts", inverse: "post")]), counts)
    let body: JSONValue = [["id": 1, "counts": ["reads": 3]]]
    #expect(
      try importer.records(body).last == "Counts created by enclosing post: /0/counts effective")
    #expect(
      try importer.records(body).last == "Counts onlyChild by enclosing post: /0/counts effective")
    #expect(
      try importer.relationships(body) == [
        "Post.counts by counts: /0/counts, inverse of post /0/counts",
        "Counts.post: parent, inverse of counts /0/counts",
      ])
  }

  @Test func aChildCanNameItsParent() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [
        RelationshipDescription("post", to: "Post", inverse: "counts"),
        RelationshipDescription("best", to: "Post"),
      ])
    let importer = try Importer(
      Importer.post(
        [AttributeDescription("text", .string)],
        [
          RelationshipDescription("counts", to: "Counts", inverse: "post"),
          RelationshipDescription("seen", to: "Counts"),
        ]), counts)
    func key(_ item: JSONValue) throws -> String? {
      try importer.records([item]).last { $0.hasPrefix("Counts") }?.split(separator: " ")[3...4]
        .joined(separator: " ")
    }
    #expect(try key(["id": 1, "seen": ["post": 1, "reads": 3]]) == "named post:")
    #expect(try key(["id": 1, "counts": ["reads": 3, "best": 1]]) == "enclosing post:")
    #expect(try key(["id": 1, "counts": ["reads": 3, "post": 2]]) == "enclosing post:")
    // The item that mentions the child as that of its parent is superseded.
    let body: JSONValue = [
      ["id": 1, "text": "A"], ["id": 1, "counts": ["reads": 3]],
      ["id": 2, "seen": ["post": 1]],
    ]
    #expect(
      try importer.relationships(body) == [
        "Post.counts: inverse of post /1/counts", "Counts.post: parent", "Post.seen by seen: /2/seen",
      ])
  }

  /// The items of the response are read again if one of them names a parent that does not exist.
  @Test func anItemWithAnInvalidParentHasOnlyItsOwnItems() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts", stubs: .never)])
    let importer = try Importer(
      counts, Importer.post([], [RelationshipDescription("counts", to: "Counts", inverse: "post")]))
    #expect(
      try importer.records([["post": 1, "reads": 1], ["post": 1, "reads": 2], ["post": 1, "reads": 3]]) == [
        "Counts created by nothing: /0 effective", "Counts created by nothing: /1 effective",
        "Counts created by nothing: /2 effective",
      ])
  }

  @Test func severalChildrenAreMatched() throws {
    let image = EntityDescription(
      "Image", primaryKey: "post", attributes: [AttributeDescription("url", .string)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "images")])
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("images", toMany: "Image", inverse: "post")]), image)
    try importer.records([["id": 1, "images": [["url": "a"], ["url": "b"]]]])
    #expect(
      try importer.records([["id": 1, "images": [["url": "b"], ["url": "c"]]]]).dropFirst() == [
        "Image matchingChild by enclosing post: /0/images/0 effective",
        "Image created by enclosing post: /0/images/1 effective",
      ])
  }

  // MARK: Deletions

  @Test func deletionsHaveCauses() throws {
    let importer = try Importer(
      Importer.post(
        [], [RelationshipDescription("user", to: "User", inverse: "posts", deleteRule: .cascade)]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]))
    try importer.records([["id": 1], ["id": 2], ["id": 3, "user": "ada"]])
    #expect(
      try importer.records([["id": 1, "gone": true], ["id": 2]])
        == ["Post fetched by id: /1 reference", "deleted: tombstone /0"])
    let rest = try importer.records([["id": 2]]) { $0.orphans = OrphanDeletion() }
    #expect(rest == ["Post fetched by id: /0 reference", "deleted: orphan", "deleted: delete rule"])
  }

  @Test func aCascadeNamesItsRelationship() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")])
    let importer = try Importer(
      Importer.post(
        [], [RelationshipDescription("counts", to: "Counts", inverse: "post", deleteRule: .cascade)]),
      counts)
    try importer.records([["id": 1, "counts": ["reads": 3]]])
    let lines = try importer.records([["id": 1, "gone": true]])
    #expect(lines == ["deleted: cascade of counts", "deleted: tombstone /0"])
  }

  @Test func aCascadeComesFromADeletedOwner() throws {
    func owner(_ name: String, _ rule: DeleteRule) -> EntityDescription {
      EntityDescription(
        EntityName(name), primaryKey: "id", deletedWhen: RecordPredicate("gone == true"),
        attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription(
            PropertyName("\(name)s"), toMany: "Page", inverse: PropertyName(name.lowercased()),
            deleteRule: rule)
        ])
    }
    let page = EntityDescription(
      "Page", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
      relationships: [
        RelationshipDescription("kept", to: "Kept", inverse: "Kepts"),
        RelationshipDescription("loose", to: "Loose", inverse: "Looses"),
        RelationshipDescription("whole", to: "Whole", inverse: "Wholes"),
      ])
    let all = EntityDescription(
      "All", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
      relationships: ["Kept", "Loose", "Whole"].map { name in
        RelationshipDescription(PropertyName(name), to: EntityName(name))
      } + [RelationshipDescription("page", to: "Page")])
    let importer = try Importer(
      all, owner("Kept", .cascade), owner("Loose", .nullify), owner("Whole", .cascade), page)
    try importer.records(["id": 1, "page": ["id": 1, "kept": 1, "loose": 1, "whole": 1]])
    let gone: JSONValue = ["id": 1, "gone": true]
    let lines = try importer.records(["id": 1, "Loose": gone, "Whole": gone])
    #expect(lines.contains("deleted: cascade of Wholes"))
  }

  @Test func aTombstoneWhoseRecordStaysPopulatesNothing() throws {
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("user", to: "User", inverse: "posts", deleteRule: .deny)]),
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]))
    try importer.records([["id": 1, "user": "ada"], ["id": 2, "user": "ada"]])
    let body: JSONValue = [["id": 1, "gone": true, "user": "ada"], ["id": 2, "user": "ada"]]
    #expect(
      try importer.records(body) == [
        "User fetched by id: /0/user reference, /1/user reference", "Post fetched by id: /1 effective",
      ])
    #expect(
      try importer.relationships(body)
        == ["User.posts: inverse of user /1/user", "Post.user by user: /1/user"])
  }

  // MARK: Relationships

  @Test func relationshipsHaveReferencesOnBothSides() throws {
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("user", to: "User", inverse: "posts")]),
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]))
    #expect(
      try importer.relationships([["id": 1, "user": "ada"], ["id": 2, "user": nil], ["id": 3]]) == [
        "Post.user by user: /0/user", "User.posts: inverse of user /0/user",
        "Post.user by user: null /1/user",
      ])
  }

  @Test func aReferenceCanLeadNowhere() throws {
    let importer = try Importer(
      Importer.post([], [RelationshipDescription("user", to: "User", stubs: .never)]), Importer.user)
    #expect(try importer.relationships([["id": 1, "user": "ada"]]) == ["Post.user by user: /0/user (none)"])
    let chain = try Importer(Importer.post([], [RelationshipDescription("next", to: "Post")]))
    try chain.records([2])
    #expect(
      try chain.relationships([["id": 1, "next": ["id": 2, "gone": true]]])
        == ["Post.next by next: /0/next (none)"])
  }

  /// A path without keys leads to the item itself, unless the item is only a key.
  @Test func aRelationshipHasThePathThatIsPresent() throws {
    let counts = EntityDescription(
      "Counts", primaryKey: "post", attributes: [AttributeDescription("likes", .int32)],
      relationships: [RelationshipDescription("post", to: "Post", inverse: "counts")])
    let importer = try Importer(
      Importer.post(
        [],
        [
          RelationshipDescription(
            "counts", to: "Counts", inverse: "post", from: [MappingPath(keys: [])], usesOwnName: false),
          RelationshipDescription("user", to: "User", inverse: "posts", from: ["author", "owner.user"]),
          RelationshipDescription("next", to: "Post", inverse: "former"),
          RelationshipDescription("former", to: "Post", inverse: "next"),
        ]), counts,
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user", from: [MappingPath(keys: [])])
        ]))
    #expect(
      try importer.relationships(["id": 1, "likes": 3, "owner": ["user": "ada"], "next": 2]) == [
        "Post.counts by []: /, inverse of post /", "Post.user by owner.user: /owner/user",
        "Post.next by next: /next", "Counts.post: parent, inverse of counts /",
        "User.posts: inverse of user /owner/user", "Post.former: inverse of next /next",
      ])
  }

  /// The cache entry in which a response was stored, and from which the next request is answered.
  @Test func aCachedResponseHasTheEntryOfTheStoredOne() async throws {
    let server = TestServer { _ in
      ServerResponse(.json(["id": "1"]), headers: ["Cache-Control": "max-age=60"])
    }
    let model = try RequestFixture.model()
    let container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: server, cache: RecordCache(now: { moment(0) })), recordsProvenance: true)
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    var entries: [CacheEntryID?] = []
    for served: Served in [.network, .cache] {
      let result = try await container.request(
        "User", urn: "a", options: options, context: container.makeContext())
      #expect(result.served == served)
      entries.append(result.provenance?.cacheEntry)
    }
    #expect(entries[0] != nil && entries[0] == entries[1])
  }

  /// Only the results of a container that records the provenance have one, except for dry runs.
  @Test(arguments: [false, true], [false, true])
  func someResultsHaveNone(isDryRun: Bool, isRecorded: Bool) async throws {
    let model = try RequestFixture.model()
    let container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: TestServer(["a": ["id": "1"]])), recordsProvenance: isRecorded)
    var options = RequestOptions()
    options.isDryRun = isDryRun
    let result = try await container.request(
      "User", urn: "a", options: options, context: container.makeContext())
    #expect((result.provenance != nil) == (isRecorded && !isDryRun))
    #expect(result.drift == nil)
  }
}
