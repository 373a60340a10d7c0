import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the use of a file after a migration.
@Suite struct MigratedFileTests {
  private func open(_ folder: TemporaryFolder, _ entities: [EntityDescription]) throws -> ManagedObjectContext
  {
    try PersistentContainer(
      model: ManagedObjectModel(entities: entities), configuration: .init(store: .file(folder.file()))
    ).makeContext()
  }

  private static func posts(_ areTagsOrdered: Bool, _ arePostsOrdered: Bool) -> [EntityDescription] {
    [("Post", "tags", "Tag", "posts", areTagsOrdered), ("Tag", "posts", "Post", "tags", arePostsOrdered)].map
    {
      EntityDescription(
        EntityName($0), primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription(
            PropertyName($1), toMany: EntityName($2), inverse: PropertyName($3), isOrdered: $4)
        ])
    }
  }

  private func insert(_ entity: EntityName, _ ids: String..., into context: ManagedObjectContext) throws
    -> [Record]
  {
    try ids.map {
      let record = try context.insert(entity)
      record["id"] = $0
      return record
    }
  }

  private func members(
    _ name: PropertyName, of id: String, _ entity: EntityName, _ context: ManagedObjectContext
  ) throws
    -> [String?]
  {
    let owner = try context.fetch(RecordFetchRequest(entity)).first { $0["id"] == id }
    let members: [Record] = try #require(owner)[name]
    return members.map { $0["id"] }
  }

  /// One table stores the links of both relationships, and it belongs to the one that the model declares first.
  @Test(arguments: [(true, false), (false, true), (true, true)])
  func bothRelationshipsKeepTheirOrder(areTagsOrdered: Bool, arePostsOrdered: Bool) throws {
    let folder = try TemporaryFolder()
    let entities = Self.posts(areTagsOrdered, arePostsOrdered)
    do {
      let context = try open(folder, entities)
      let posts = try insert("Post", "a", "b", "c", into: context)
      let tags = try insert("Tag", "x", "y", "z", into: context)
      for post in [posts[1], posts[2], posts[0]] {
        for tag in [tags[2], tags[0], tags[1]] { post.add(tag, to: "tags") }
      }
      if areTagsOrdered { posts[0]["tags"] = [tags[1], tags[0], tags[2]] }
      if arePostsOrdered { tags[0]["posts"] = [posts[2], posts[0], posts[1]] }
      try context.save()
    }
    var extended = entities
    extended[0].attributes.append(AttributeDescription("more", .string))
    for entities in [entities, extended, entities.reversed(), entities] {
      let context = try open(folder, entities)
      #expect(
        try members("tags", of: "a", "Post", context)
          == (areTagsOrdered ? ["y", "x", "z"] : ["x", "y", "z"]))
      #expect(
        try members("posts", of: "x", "Tag", context)
          == (arePostsOrdered ? ["c", "a", "b"] : ["a", "b", "c"]))
    }
  }

  /// The members of a relationship that becomes ordered are in the order of their numbers, and new ones follow them.
  @Test func newMembersFollowTheFormerOnes() throws {
    let folder = try TemporaryFolder()
    do {
      let context = try open(folder, Self.posts(false, false))
      let post = try insert("Post", "a", into: context)[0]
      for tag in try insert("Tag", "x", "y", "z", into: context) { post.add(tag, to: "tags") }
      try context.save()
    }
    do {
      let context = try open(folder, Self.posts(true, false))
      let tag = try insert("Tag", "w", into: context)[0]
      try #require(try context.fetch(RecordFetchRequest("Post")).first).add(tag, to: "tags")
      try context.save()
    }
    #expect(
      try members("tags", of: "a", "Post", open(folder, Self.posts(true, false))) == ["x", "y", "z", "w"])
  }

  /// The file records a change that needs no migration, because a later model is compared with it.
  @Test func aPropertyThatWasOptionalMeanwhile() throws {
    let folder = try TemporaryFolder()
    func model(isOptional: Bool) -> [EntityDescription] {
      [
        EntityDescription(
          "Post", attributes: [AttributeDescription("title", .string, isOptional: isOptional)])
      ]
    }
    _ = try open(folder, model(isOptional: false))
    do {
      let context = try open(folder, model(isOptional: true))
      _ = try context.insert("Post")
      try context.save()
    }
    let error = #expect(throws: PersistentStoreError.self) { try open(folder, model(isOptional: false)) }
    #expect(
      error?.changes == ["'Post.title' became required, and has no default for records without a value"])
  }

  /// A record without a key does not get a default as its key. Rule: `identity.default`.
  @Test func aDefaultForRecordsOfWhichSomeHaveItAsTheirKey() throws {
    let folder = try TemporaryFolder()
    func model(_ code: AttributeDescription) -> [EntityDescription] {
      [
        EntityDescription("Item", attributes: [code]),
        EntityDescription("Part", parent: "Item", primaryKey: "code"),
      ]
    }
    do {
      let context = try open(folder, model(AttributeDescription("code", .string)))
      for entity in ["Item", "Part"] as [EntityName] { _ = try context.insert(entity) }
      try context.save()
    }
    let required = AttributeDescription("code", .string, default: "none", isOptional: false)
    let items = try open(folder, model(required)).fetch(RecordFetchRequest("Item"))
    #expect(items.map { $0.value(of: "code") } == [.string("none"), nil])
  }

  /// Copies of a file that are migrated separately differ from then on.
  @Test func copiesAreMigratedToDifferentGenerations() throws {
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.store")
    _ = try open(folder, Self.posts(false, false))
    try FileManager.default.copyItem(at: folder.file(), to: copy)
    let schema = try ManagedObjectModel(entities: Self.posts(true, false)).schema
    let sessions = try [folder.file(), copy].map {
      try SQLiteStore(url: $0, schema: schema).generation.session
    }
    #expect(sessions[0] != sessions[1])
  }

  /// One relationship becomes ordered while the table moves to the other one.
  @Test(arguments: [true, false]) func anOrderIsAddedWhileTheTableMoves(wereTagsOrdered: Bool) throws {
    let folder = try TemporaryFolder()
    do {
      let context = try open(folder, Self.posts(wereTagsOrdered, !wereTagsOrdered))
      let posts = try insert("Post", "a", "b", into: context)
      let tags = try insert("Tag", "x", "y", into: context)
      if wereTagsOrdered {
        for post in posts { post["tags"] = [tags[1], tags[0]] }
      } else {
        for tag in tags { tag["posts"] = [posts[1], posts[0]] }
      }
      try context.save()
    }
    let context = try open(folder, Self.posts(true, true).reversed())
    #expect(try members("tags", of: "a", "Post", context) == (wereTagsOrdered ? ["y", "x"] : ["x", "y"]))
    #expect(try members("posts", of: "x", "Tag", context) == (wereTagsOrdered ? ["a", "b"] : ["b", "a"]))
  }

  /// The records at the other end store a to-many with a to-one inverse.
  @Test func aRequiredListWhoseMembersAreRemoved() throws {
    func model(hasPlayers: Bool) -> [EntityDescription] {
      var members = RelationshipDescription("members", toMany: "Person", inverse: "team")
      members.isOptional = false
      return [
        EntityDescription("Team", relationships: [members]),
        EntityDescription(
          "Person", relationships: [RelationshipDescription("team", to: "Team", inverse: "members")]),
      ] + (hasPlayers ? [EntityDescription("Player", parent: "Person")] : [])
    }
    for (entities, refusal) in [
      (["Person", "Player"], nil),
      (
        ["Player"],
        "'Team.members' is required, and 1 record would have none: the entity of their destination was removed"
      ),
    ] as [([EntityName], String?)] {
      let folder = try TemporaryFolder()
      do {
        let context = try open(folder, model(hasPlayers: true))
        let team = try context.insert("Team")
        for entity in entities { team.add(try context.insert(entity), to: "members") }
        try context.save()
      }
      var changes: [String]?
      do {
        _ = try open(folder, model(hasPlayers: false))
      } catch let error as PersistentStoreError {
        changes = error.changes
      }
      #expect(changes == refusal.map { [$0] })
    }
  }
}
