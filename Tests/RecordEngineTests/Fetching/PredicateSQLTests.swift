import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the SQL of predicates. `FetchCaseTests` and `FetchLawTests` test what it selects: a condition that calls
/// `holds(…)` selects the same rows, but reads each of them and uses no index.
@Suite struct PredicateSQLTests {
  private let schema: Schema

  init() throws {
    schema = try ManagedObjectModel(
      entities: FetchWorld.model().entities + [
        EntityDescription("Item", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
        EntityDescription(
          "Song", parent: "Item", attributes: [AttributeDescription("note", .string)],
          relationships: [
            RelationshipDescription("fans", toMany: "User"), RelationshipDescription("place", to: "User"),
            RelationshipDescription("singer", to: "User"),
          ]),
        EntityDescription(
          "Play", parent: "Item",
          relationships: [
            RelationshipDescription("place", to: "User"), RelationshipDescription("note", to: "User"),
          ]),
      ]
    ).schema
  }

  /// Expects the condition of a predicate on the rows `t` of an entity. The whole predicate is SQL, unless the
  /// condition is nil.
  private func expect(
    _ entity: EntityName, _ predicate: String, _ condition: String?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let entity = try #require(schema.entity(entity), sourceLocation: sourceLocation)
    var compiler = PredicateSQL(schema: schema, layout: SQLiteLayout(schema, StoredModel(schema)))
    let found = try compiler.condition(
      RecordPredicate(predicate), at: PredicateSQL.RowReference(alias: "t", entity: entity.index))
    #expect(found.sql == condition ?? "1", "\(predicate)", sourceLocation: sourceLocation)
    #expect(found.isWhole == (condition != nil), "\(predicate)", sourceLocation: sourceLocation)
  }

  @Test func equality() throws {
    try expect("Post", "text == 'a'", #"t."text" = ?1"#)
    try expect("Post", "'a' == text", #"t."text" = ?1"#)
    try expect("Post", "text != 'a'", #"(t."text" = ?1) IS NOT TRUE"#)
    try expect("Post", "text == nil", #"t."text" IS NULL"#)
    try expect("Post", "text == 7", "0")
    try expect("Post", "text == link", #"t."text" IS t."link""#)
    try expect("Post", "likes == score", #"holds(?1, t."likes", t."score")"#)
    try expect("Post", "text ==[c] 'a'", #"holds(?1, t."text")"#)
    try expect("Post", "isDraft == YES", #"t."isDraft" = ?1"#)
    try expect("Post", "price == 1", #"holds(?1, t."price")"#)
    try expect("Post", "score == 0.1", #"t."score" = ?1"#)
    try expect("Post", "score == 0.1000000000000000055", "0")
    try expect("Post", "date == '2000-01-01T00:00:00Z'", #"t."date" = ?1"#)
    try expect("Post", "text == CAST(0, 'NSDate')", #"holds(?1, t."text")"#)
    try expect("Post", "uuid == 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", #"t."uuid" = ?1"#)
    try expect("Post", "uuid == 'x'", "0")
    try expect("Post", "user == editor", #"t."user" IS t."editor""#)
    try expect("Post", "text IN {'a', nil, 7}", #"(t."text" IS NULL OR t."text" IN (?1))"#)
    let numbers = (1...21).map(String.init).joined(separator: ", ")
    try expect("Post", "likes IN {\(numbers)}", #"(t."likes" IN (SELECT c0 FROM "$list"(?1)))"#)
    try expect("Post", "user.@count == nil", "1")
    try expect("Post", "extra.k == nil", "1")
    try expect(
      "Media", "post == post.user",
      #"(t."post" IS NULL AND (SELECT t1."user" FROM "Post" AS t1 WHERE t1."$id" = t."post") IS NULL)"#)
  }

  @Test func order() throws {
    try expect("Post", "likes < big", #"t."likes" < t."big""#)
    try expect("Post", "likes <= 7", #"t."likes" <= ?1"#)
    try expect("Post", "7 < likes", #"t."likes" > ?1"#)
    try expect("Post", "likes BETWEEN {1, 7}", #"(t."likes" >= ?1 AND t."likes" <= ?2)"#)
    try expect("Post", "likes < nil", "0")
    try expect("Post", "likes < 'x'", "0")
    try expect("Post", "likes < 7.5", #"holds(?1, t."likes")"#)
    try expect("Post", "user < 'x'", "0")
    try expect("Post", "score < 0.1", #"t."score" < ?1"#)
    try expect("Post", "date >= CAST(0, 'NSDate')", #"t."date" >= ?1"#)
    try expect("Post", "uuid < 'x'", #"holds(?1, t."uuid")"#)
  }

  @Test func logic() throws {
    try expect("Post", "NOT text == 'a'", #"(t."text" = ?1) IS NOT TRUE"#)
    try expect("Post", "NOT TRUEPREDICATE", "0")
    try expect("Post", "FALSEPREDICATE OR text == 'a'", #"t."text" = ?1"#)
    try expect("Post", "text == 'a' AND FALSEPREDICATE", "0")
    try expect("Post", "text == 'a' OR TRUEPREDICATE", "1")
    try expect("Post", "ALL likes > 1", #"(t."likes" IS NULL OR t."likes" > ?1)"#)
    try expect("Post", "ANY likes > 1", #"(t."likes" IS NOT NULL AND t."likes" > ?1)"#)
  }

  /// The parser of SQLite has a stack of a fixed size. Parts beside each other need no more of it than one of them.
  @Test func depth() throws {
    func isWhole(_ predicate: String) throws -> Bool {
      let entity = try #require(schema.entity("Post")).index
      var compiler = PredicateSQL(schema: schema, layout: SQLiteLayout(schema, StoredModel(schema)))
      return try compiler.condition(
        RecordPredicate(predicate), at: PredicateSQL.RowReference(alias: "t", entity: entity)
      ).isWhole
    }
    var nested = "likes == 0"
    for level in 1...15 {
      nested = "likes == \(level) \(level % 2 == 0 ? "AND" : "OR") (\(nested))"
      if level % 2 == 1 { #expect(try isWhole(nested) == (level <= 13), "\(level)") }
    }
    let wide = repeatElement("ANY tags.text == 'a'", count: 9).joined(separator: " AND ")
    #expect(try isWhole(wide))
  }

  @Test func members() throws {
    try expect(
      "Post", "tags.@count > 1",
      #"(SELECT COUNT(*) FROM "Post.tags" AS t1 WHERE t1.owner = +t."$id") > ?1"#)
    try expect(
      "Post", "media.@count > 1", #"(SELECT COUNT(*) FROM "Media" AS t1 WHERE t1."post" = +t."$id") > ?1"#)
    try expect(
      "Post", "ANY tags.text == 'a'",
      #"EXISTS (SELECT 1 FROM "Post.tags" AS t2, "Tag" AS t1 "#
        + #"WHERE (t2.owner = +t."$id" AND t1."$id" = t2.member AND t1."text" = ?1))"#)
    try expect(
      "Tag", "ANY posts.text == 'a'",
      #"EXISTS (SELECT 1 FROM "Post.tags" AS t2, "Post" AS t1 "#
        + #"WHERE (t2.member = +t."$id" AND t1."$id" = t2.owner AND t1."text" = ?1))"#)
    // The value of a path through several to-manys is a list of lists.
    try expect("Post", "tags.posts.text CONTAINS 'a'", nil)
    try expect("Post", "'a' IN tags.posts.text", nil)
    try expect("Post", "tags.text.k == nil", nil)
    try expect("User", "ANY posts.user.posts.text == 'a'", nil)
    // A tag is reached through each of its posts, and so are all of its posts.
    try expect("User", "ANY posts.tags.posts.text == 'a'", nil)
    let path = repeatElement("staff", count: 8).joined(separator: ".")
    try expect("User", "ANY staff.\(path).name == 'a'", nil)
  }

  @Test func subEntities() throws {
    try expect("Media", "caption == 'a'", #"COALESCE(t."caption", t."caption$2") = ?1"#)
    try expect("Media", "size == 5", nil)
    try expect(
      "Item", "singer.name == 'a'",
      #"(SELECT t1."name" FROM "User" AS t1 WHERE t1."$id" = t."singer") = ?1"#)
    try expect("Item", "ANY fans.name == 'a'", nil)
    try expect("Item", "place.name == 'a'", nil)
    try expect("Item", "note == nil", nil)
  }
}
