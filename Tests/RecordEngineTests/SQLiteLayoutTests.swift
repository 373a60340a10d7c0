import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the tables of a file. A change of them makes existing files invalid.
@Suite struct SQLiteLayoutTests {
  @Test func objects() throws {
    let schema = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", "day",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("day", .date),
          AttributeDescription("ID", .string),
        ],
        relationships: [
          RelationshipDescription("author", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts", isOrdered: true),
          RelationshipDescription("related", toMany: "Post"),
        ]),
      EntityDescription("Film", parent: "Post", attributes: [AttributeDescription("length", .int16)]),
      EntityDescription(
        "User",
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "author", isOrdered: true),
          RelationshipDescription("favorite", to: "Post"),
          RelationshipDescription("list", toMany: "Post", isOrdered: true),
        ]),
      EntityDescription(
        "Tag", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "tags", isOrdered: true)
        ]),
    ]).schema
    let objects = SQLiteLayout(schema, StoredModel(schema)).objects(schema)
    #expect(
      objects.map(\.sql) == [
        #"CREATE TABLE "Post" ("$id" INTEGER PRIMARY KEY, "$entity", "$stub", "id", "day", "ID$2", "length", "author", "author$position")"#,
        #"CREATE INDEX "Post.Post$key" ON "Post" ("id", "day")"#,
        #"CREATE INDEX "Post.author$index" ON "Post" ("author", "author$position") WHERE "author" NOT NULL"#,
        #"CREATE TABLE "User" ("$id" INTEGER PRIMARY KEY, "$entity", "$stub", "favorite")"#,
        #"CREATE INDEX "User.favorite$index" ON "User" ("favorite") WHERE "favorite" NOT NULL"#,
        #"CREATE TABLE "Tag" ("$id" INTEGER PRIMARY KEY, "$entity", "$stub", "name")"#,
        #"CREATE INDEX "Tag.Tag$key" ON "Tag" ("name")"#,
        #"CREATE TABLE "Post.tags" (owner, member, position, inversePosition, PRIMARY KEY (owner, member)) WITHOUT ROWID"#,
        #"CREATE INDEX "Post.tags$inverse" ON "Post.tags" (member, owner)"#,
        #"CREATE TABLE "Post.related" (owner, member, PRIMARY KEY (owner, member)) WITHOUT ROWID"#,
        #"CREATE INDEX "Post.related$inverse" ON "Post.related" (member, owner)"#,
        #"CREATE TABLE "User.list" (owner, member, position, PRIMARY KEY (owner, member)) WITHOUT ROWID"#,
        #"CREATE INDEX "User.list$inverse" ON "User.list" (member, owner)"#,
      ])
  }

  @Test func quotedNames() {
    #expect("name".quoted == "\"name\"")
    #expect("a\"\"b".quoted == "\"a\"\"\"\"b\"")
  }

  /// The model in the file is read back as it was written, and a text that is no model is not accepted.
  @Test func storedModel() throws {
    let schema = try FetchWorld.model().schema
    let model = StoredModel(schema)
    #expect(StoredModel(text: model.text) == model)
    for part in ["\"type\"", "\"destination\"", "\"name\"", "\"column\"", "\"entities\"", "\"number\""] {
      #expect(
        StoredModel(text: model.text.replacing(part, with: "\"other\"", maxReplacements: 1)) == nil, "\(part)"
      )
    }
  }
}
