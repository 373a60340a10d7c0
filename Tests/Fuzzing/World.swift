import Foundation
import RecordEngine
import RecordModel

/// A few records with values of every type, and the models of their store before and after a migration.
enum World {
  /// Returns a model of the store.
  ///
  /// - Parameter isMigrated: a Boolean value that indicates whether to return the later of the two models.
  static func model(isMigrated: Bool = false) throws -> ManagedObjectModel {
    var post = EntityDescription(
      "Post", primaryKey: "id",
      attributes: [
        AttributeDescription("id", .string), AttributeDescription("text", .string),
        AttributeDescription("likes", .int32), AttributeDescription("big", .int64),
        AttributeDescription("price", .decimal), AttributeDescription("score", .double),
        AttributeDescription("ratio", .float), AttributeDescription("isDraft", .boolean),
        AttributeDescription("date", .date), AttributeDescription("image", .binary),
        AttributeDescription("uuid", .uuid), AttributeDescription("link", .uri),
        AttributeDescription("extra", .transformable),
      ],
      relationships: [
        RelationshipDescription("user", to: "User", inverse: "posts"),
        RelationshipDescription("tags", toMany: "Tag", inverse: "posts", isOrdered: true),
        RelationshipDescription("likers", toMany: "User"),
      ])
    if isMigrated {
      post.attributes.append(AttributeDescription("added", .int16, default: 7))
      post.attributes.removeAll { $0.name == "score" }
      post.attributes[1] = AttributeDescription("body", .string, renamingIdentifier: "text")
    }
    return try ManagedObjectModel(entities: [
      post,
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int64), AttributeDescription("name", .string),
          AttributeDescription("age", .int16),
        ],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user", isOrdered: true),
          RelationshipDescription("boss", to: "User", inverse: "staff"),
          RelationshipDescription("staff", toMany: "User", inverse: "boss"),
        ]),
      EntityDescription(
        "Admin", parent: "User",
        attributes: [AttributeDescription("level", .int16), AttributeDescription("rights", .transformable)]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("text", .string), AttributeDescription("weight", .double)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ])
  }

  /// Creates the records and saves them.
  static func fill(_ context: ManagedObjectContext) throws {
    func insert(_ entity: EntityName, _ values: [PropertyName: AttributeValue]) throws -> Record {
      let record = try context.insert(entity)
      for (name, value) in values.sorted(by: { $0.key < $1.key }) { record.setValue(value, of: name) }
      return record
    }
    let ada = try insert("Admin", ["id": .integer(1), "name": .string("Ada"), "level": .integer(3)])
    let bob = try insert("User", ["id": .integer(2), "name": .string("bob"), "age": .integer(20)])
    let unnamed = try insert("User", ["id": .integer(.max)])
    bob["boss"] = ada
    let swift = try insert("Tag", ["text": .string("swift"), "weight": .double(1.5)])
    let linux = try insert("Tag", ["text": .string("Linux")])
    let first = try insert(
      "Post",
      [
        "id": .string("1"), "text": .string("Hello"), "likes": .integer(7),
        "big": .integer(9_007_199_254_740_993), "price": .decimal(Decimal(995) / 100), "score": .double(0.1),
        "ratio": .double(-2.5), "isDraft": .boolean(true),
        "date": .date(Date(timeIntervalSinceReferenceDate: 0)), "image": .binary(Data([1, 2, 0xFF])),
        "uuid": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
        "extra": .json(["k": [1, "two", nil]]),
      ])
    if let url = URL(string: "https://example.com/a") { first.setValue(.uri(url), of: "link") }
    let second = try insert(
      "Post",
      [
        "id": .string("2"), "text": .string("hello Wörld"), "likes": .integer(-3), "big": .integer(.min),
        "score": .double(-1e300), "isDraft": .boolean(false),
        "date": .date(Date(timeIntervalSinceReferenceDate: -1e9 + 0.5)), "extra": .json("plain"),
      ])
    let third = try insert(
      "Post", ["id": .string("3"), "text": .string("cafe\u{301}"), "likes": .integer(7)])
    first["user"] = ada
    second["user"] = bob
    third["user"] = bob
    first["tags"] = [linux, swift]
    second["tags"] = [swift]
    first["likers"] = [unnamed, bob]
    try context.save()
  }
}
