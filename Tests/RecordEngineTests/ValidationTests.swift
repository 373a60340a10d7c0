import Foundation
import RecordEngine
import Testing

/// Tests that all violations of the model are reported in a fixed order. Rule: `save.validation`.
@Suite struct ValidationTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Team", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("name", .string, isOptional: false),
          AttributeDescription("rating", .double), AttributeDescription("price", .decimal),
          AttributeDescription("founded", .date),
        ],
        relationships: [
          RelationshipDescription(
            "members", to: "Member", isToMany: true, inverse: "team", isOptional: false, maxCount: 2,
            deleteRule: .deny)
        ]),
      EntityDescription(
        "Member", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [
          RelationshipDescription("team", to: "Team", inverse: "members", isOptional: false)
        ]),
      EntityDescription(
        "Score", attributes: [AttributeDescription("points", .float)],
        relationships: [
          RelationshipDescription("parts", to: "Score", isToMany: true, maxCount: 1),
          RelationshipDescription("voices", to: "Score", isToMany: true, minCount: 2),
          RelationshipDescription("pages", to: "Score", isToMany: true, deleteRule: .deny),
        ]),
    ])
  }

  private func messages(_ context: ManagedObjectContext) -> [String] {
    let failure = #expect(throws: RequestFailure.self) { try context.save() }
    return (failure?.diagnostics ?? []).map {
      "\($0.entity?.rawValue ?? "?").\($0.property?.rawValue ?? "?"): \($0.message)"
    }
  }

  @Test func everyViolationIsNamed() throws {
    let container = try PersistentContainer(model: try Self.model())
    let context = container.makeContext()
    let members = try (1...4).map { number in
      let member = try context.insert("Member")
      member["id"] = number
      return member
    }
    let (first, second) = (try context.insert("Team"), try context.insert("Team"))
    for (number, team) in [(1, first), (2, second)] { (team["id"], team["name"]) = (number, "team") }
    (first["members"], second["members"]) = (Array(members[...1]), Array(members[2...]))
    try context.save()

    context.delete(second)
    first["name"] = String?.none
    first["rating"] = Double.nan
    first.add(members[3], to: "members")
    let empty = try context.insert("Team")
    (empty["id"], empty["name"]) = (3, "empty")
    let expected = [
      "Team.name: 'name' of 'Team/1' is required", "Team.rating: 'rating' of 'Team/1' is not a finite number",
      "Team.members: 'members' of 'Team/3' is required",
      "Team.members: 'members' of 'Team/1' has 3 members, and at most 2 are allowed",
      "Team.members: 'Team/2' cannot be deleted while 'members' contains a record",
    ]
    #expect(messages(context).sorted() == expected.sorted())
    #expect(messages(context) == messages(context))
    #expect(try container.makeContext().fetch(RecordFetchRequest("Team")).count == 2)
    context.rollback()
    #expect(try context.save().isEmpty)
  }

  /// This also holds for an entity without requirements.
  @Test func optionalNumbersAreFinite() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let score = try context.insert("Score")
    score["points"] = Float.infinity
    #expect(messages(context) == ["Score.points: 'points' is not a finite number"])
  }

  @Test func anOptionalRelationshipHasAMaximum() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let score = try context.insert("Score")
    score["parts"] = [try context.insert("Score"), try context.insert("Score")]
    #expect(messages(context) == ["Score.parts: 'parts' has 2 members, and at most 1 is allowed"])
  }

  @Test func anOptionalRelationshipHasAMinimum() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let score = try context.insert("Score")
    score["voices"] = [try context.insert("Score")]
    #expect(messages(context) == ["Score.voices: 'voices' has 1 member, and at least 2 are required"])
  }

  /// Nothing denies the deletion of a record that was never saved.
  @Test func anUnsavedRecordOfAResponseCanBeDeleted() async throws {
    let server = NextResponse()
    let container = try PersistentContainer(model: try Self.model(), configuration: .init(server: server))
    let context = container.makeContext()
    try await server.request(
      "Score", [["points": 1, "pages": [["points": 2]]]], from: container, context, isSaved: false)
    context.delete(try #require(try context.fetch("Score").first { $0["points"] == Float(1) }))
    try context.save()
    #expect(try container.makeContext().fetch("Score").map { $0["points"] } == [Float(2)])
  }

  @Test func anInsertedRecordCanBeDeleted() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let page = try context.insert("Score")
    try context.save()
    let score = try context.insert("Score")
    score["pages"] = [page]
    context.delete(score)
    #expect(try context.save().isEmpty)
  }

  @Test func numbersAreFinite() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let team = try context.insert("Team")
    team["name"] = "team"
    team.add(try context.insert("Member"), to: "members")
    for value in [Double.nan, .infinity, -.infinity] {
      team["rating"] = value
      #expect(messages(context) == ["Team.rating: 'rating' is not a finite number"])
    }
    team["rating"] = 1.5
    team["price"] = Decimal.nan
    team["founded"] = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(
      messages(context) == [
        "Team.price: 'price' is not a finite number", "Team.founded: 'founded' is not a finite number",
      ])
    (team["price"], team["founded"]) = (Decimal(1), Date(timeIntervalSinceReferenceDate: 0))
    try context.save()
  }

  /// A stub that the caller or an unsaved response changes becomes a full record, which needs its required properties.
  @Test func aChangedStubIsValidated() async throws {
    let server = NextResponse()
    let container = try PersistentContainer(model: try Self.model(), configuration: .init(server: server))
    let context = container.makeContext()
    server.set([["id": 1, "team": 5]])
    _ = try await container.request("Member", urn: "members", context: context)
    let team = try #require(try context.fetch(RecordFetchRequest("Team")).first)
    team["rating"] = 1.5
    #expect(messages(context) == ["Team.name: 'name' of 'Team/5' is required"])
    context.rollback()
    server.set([["id": 5, "rating": 1.5]])
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request("Team", urn: "teams", options: options, context: context)
    #expect(messages(context) == ["Team.name: 'name' of 'Team/5' is required"])
  }

  /// A save compares the keys that it leaves behind: records can exchange their keys, and take those of deleted records.
  @Test func keysAreComparedAfterTheSave() throws {
    let container = try PersistentContainer(model: try ManagedObjectContextTests.model())
    let context = container.makeContext()
    let users = try ["a", "b", "c"].map { id in
      let user = try context.insert("User")
      user["id"] = id
      return user
    }
    try context.save()
    users[0]["id"] = "b"
    #expect(messages(context) == [#"User.id: another 'User' already has the key "b""#])
    users[1]["id"] = "a"
    context.delete(users[2])
    let new = try context.insert("User")
    new["id"] = "c"
    try context.save()
    #expect(users[..<2].map { $0["id"] } == ["b", "a"] && new["id"] == "c")
  }

  /// A record that the caller inserts is not a stub, even if only a relationship of it is set.
  @Test func anInsertedRecordNeedsAllRequiredProperties() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "User", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("profile", to: "Profile", inverse: "user")]),
      EntityDescription(
        "Profile", primaryKey: "user", attributes: [AttributeDescription("text", .string, isOptional: false)],
        relationships: [RelationshipDescription("user", to: "User", inverse: "profile")]),
    ])
    let context = try PersistentContainer(model: model).makeContext()
    let user = try context.insert("User")
    user["id"] = 1
    user["profile"] = try context.insert("Profile")
    #expect(messages(context) == ["Profile.text: 'text' of 'Profile@User/1' is required"])
  }
}
