import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// A few records with values of every type, shared by all fetch tests.
///
/// There are posts 1 to 6, users a, b and c, and tags x, y and z. There are also photos p and q, and videos v and w.
/// User a is the boss of b. Post 6 has only a key.
struct FetchWorld {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
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
          RelationshipDescription("editor", to: "User"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
          RelationshipDescription("likers", toMany: "User", isOrdered: true),
          RelationshipDescription("media", toMany: "Media", inverse: "post"),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("name", .string),
          AttributeDescription("age", .int16),
        ],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user"),
          RelationshipDescription("boss", to: "User", inverse: "staff"),
          RelationshipDescription("staff", toMany: "User", inverse: "boss"),
        ]),
      EntityDescription(
        "Tag", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("text", .string),
          AttributeDescription("weight", .double),
        ],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
      EntityDescription(
        "Media", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "media")]),
      EntityDescription(
        "Photo", parent: "Media",
        attributes: [
          AttributeDescription("width", .int32), AttributeDescription("caption", .string),
          AttributeDescription("size", .int32),
        ]),
      EntityDescription(
        "Video", parent: "Media",
        attributes: [
          AttributeDescription("length", .int32), AttributeDescription("caption", .string),
          AttributeDescription("size", .string),
        ]),
    ])
  }

  /// The same visible text, composed and decomposed.
  static let composed = "caf\u{E9}"
  static let decomposed = "cafe\u{301}"

  /// A new store with all of the records.
  let store: TestStore
  let coordinator: PersistentStoreCoordinator

  init(_ kind: StoreKind) throws {
    let model = try Self.model()
    store = try TestStore(kind, model.schema)
    coordinator = PersistentStoreCoordinator(model: model, store: store.store, recordTypes: [])
    let context = ManagedObjectContext(coordinator: coordinator)
    try Self.fill(context)
    try context.save()
  }

  func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  static func fill(_ context: ManagedObjectContext) throws {
    func insert(_ entity: EntityName, _ values: [(PropertyName, AttributeValue)]) throws -> Record {
      let record = try context.insert(entity)
      for (name, value) in values { record.setValue(value, of: name) }
      return record
    }
    func date(_ text: String) throws -> AttributeValue {
      try AttributeValue(literal: .string(text), type: .date)
    }
    func decimal(_ text: String) throws -> AttributeValue {
      try AttributeValue(literal: .string(text), type: .decimal)
    }
    let a = try insert("User", [("id", .string("a")), ("name", .string("Ada")), ("age", .integer(36))])
    let b = try insert("User", [("id", .string("b")), ("name", .string("bob")), ("age", .integer(20))])
    let c = try insert("User", [("id", .string("c"))])
    b["boss"] = a
    let x = try insert("Tag", [("id", .string("x")), ("text", .string("swift")), ("weight", .double(1.5))])
    let y = try insert("Tag", [("id", .string("y")), ("text", .string("Linux")), ("weight", .double(2))])
    let z = try insert("Tag", [("id", .string("z"))])

    let one = try insert(
      "Post",
      [
        ("id", .string("1")), ("text", .string("Hello")), ("likes", .integer(7)),
        ("big", .integer(9_007_199_254_740_993)), ("price", try decimal("9.95")), ("score", .double(0.1)),
        ("ratio", .double(Double(Float(0.1)))), ("isDraft", .boolean(true)),
        ("date", try date("2000-01-01T00:00:00Z")), ("image", .binary(Data([1, 2]))),
        ("uuid", .uuid(try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")))),
        ("link", .uri(try #require(URL(string: "https://example.com/a")))), ("extra", .json(["k": 1])),
      ])
    let two = try insert(
      "Post",
      [
        ("id", .string("2")), ("text", .string("hello World")), ("likes", .integer(10)),
        ("big", .integer(9_007_199_254_740_992)), ("price", try decimal("10")), ("score", .double(7)),
        ("ratio", .double(7)), ("isDraft", .boolean(false)), ("date", try date("2000-01-01T00:00:00.5Z")),
        ("image", .binary(Data([1]))), ("extra", .json("plain")),
      ])
    let three = try insert(
      "Post",
      [
        ("id", .string("3")), ("text", .string(composed)), ("likes", .integer(0)), ("big", .integer(.max)),
        ("price", try decimal("12345678901234567890.123456789")), ("score", .double(-1e300)),
        ("ratio", .double(-2.5)), ("isDraft", .boolean(false)), ("date", try date("1969-07-20T20:17:40Z")),
        ("extra", .json(12)),
      ])
    let four = try insert(
      "Post",
      [
        ("id", .string("4")), ("text", .string(decomposed)), ("likes", .integer(-3)), ("big", .integer(.min)),
        ("price", try decimal("-0.5")), ("score", .double(9_007_199_254_740_992)), ("extra", .json(true)),
      ])
    let five = try insert(
      "Post",
      [
        ("id", .string("5")), ("text", .string("nul\u{0}hidden")), ("likes", .integer(7)),
        ("price", try decimal("9.950")), ("extra", .json([1, "two"])),
      ])
    _ = try insert("Post", [("id", .string("6"))])
    one["user"] = a
    two["user"] = a
    three["user"] = b
    four["user"] = c
    one["editor"] = a
    two["editor"] = b
    one["tags"] = [x, y]
    two["tags"] = [y]
    three["tags"] = [y, z]
    one["likers"] = [b, a]
    five["likers"] = [c]

    let p = try insert(
      "Photo",
      [
        ("id", .string("p")), ("width", .integer(640)), ("caption", .string("Sea")), ("size", .integer(5)),
      ])
    let q = try insert("Photo", [("id", .string("q")), ("width", .integer(320))])
    let v = try insert(
      "Video",
      [
        ("id", .string("v")), ("length", .integer(9)), ("caption", .string("sea")), ("size", .string("5")),
      ])
    _ = try insert("Video", [("id", .string("w")), ("caption", .string("Land")), ("size", .string("large"))])
    one["media"] = [p, v]
    two["media"] = [q]
  }

  /// Returns the ids of the records that match a predicate, in the order of the store.
  static func ids(_ entity: EntityName, _ predicate: String, in context: ManagedObjectContext) throws
    -> String
  {
    let request = RecordFetchRequest(entity, predicate: try RecordPredicate(predicate))
    return try ids(context.fetch(request))
  }

  static func ids(_ records: [Record]) -> String {
    records.map { $0.value(of: "id") }.map { if case .string(let id)? = $0 { id } else { "?" } }
      .joined(separator: " ")
  }

  /// Returns a record as JSON, like a server would send it, with related records down to a depth.
  static func json(_ record: Record, _ schema: Schema, depth: Int = 3) throws -> String {
    let name = try #require(record.entityName)
    let entity = try #require(schema.entity(name))
    var members: [String] = []
    func add(_ name: PropertyName, _ text: String) { members.append("\"\(name)\": \(text)") }
    for attribute in entity.attributes {
      guard let value = record.value(of: attribute.name) else { continue }
      add(attribute.name, value.literal(type: attribute.type).compactText())
    }
    for index in entity.relationships where depth > 0 {
      let relationship = schema.relationships[index]
      if relationship.isToMany {
        let others: [Record] = record[relationship.name]
        let texts = try others.map { try json($0, schema, depth: depth - 1) }
        add(relationship.name, "[\(texts.joined(separator: ", "))]")
      } else if let other = record[relationship.name] as Record? {
        add(relationship.name, try json(other, schema, depth: depth - 1))
      }
    }
    return "{\(members.joined(separator: ", "))}"
  }
}
