import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for the messages of diagnostics. Scenarios compare only their codes and locations.
@Suite struct DiagnosticMessageTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Order", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("pieces", .int16),
          AttributeDescription("paid", .date), AttributeDescription("city", .string),
          AttributeDescription("sent", .date, format: "yyyy-MM-dd"),
        ],
        relationships: [
          RelationshipDescription("buyer", to: "Person", inverse: "orders"),
          RelationshipDescription("lines", to: "Line", isToMany: true, inverse: "order"),
          RelationshipDescription("marks", to: "Mark", isToMany: true, inverse: "order", stubs: .never),
          RelationshipDescription("address", to: "Address", inverse: "orders"),
        ]),
      EntityDescription(
        "Person", primaryKey: "name", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("orders", to: "Order", isToMany: true, inverse: "buyer", stubs: .never)
        ]),
      EntityDescription(
        "Line", primaryKey: "order", deletedWhen: RecordPredicate("gone == true"),
        attributes: [AttributeDescription("article", .string)],
        relationships: [RelationshipDescription("order", to: "Order", inverse: "lines")]),
      EntityDescription(
        "Mark", primaryKey: "order", attributes: [AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("order", to: "Order", inverse: "marks")]),
      EntityDescription("Star", parent: "Mark", usedWhen: "kind == 'star'"),
      EntityDescription(
        "Address", isAbstract: true, primaryKey: "street",
        attributes: [AttributeDescription("street", .string)],
        relationships: [
          RelationshipDescription("orders", to: "Order", isToMany: true, inverse: "address")
        ]),
      EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
      EntityDescription(
        "Album", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("media", to: "Medium", isToMany: true, inverse: "album")]),
      EntityDescription(
        "Medium", isAbstract: true, primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("album", to: "Album", inverse: "media")]),
      EntityDescription("Song", parent: "Medium", usedWhen: "kind == 'song'"),
      EntityDescription("Film", parent: "Medium", usedWhen: "kind == 'film'"),
      EntityDescription(
        "Crate", primaryKey: "id", responseKeyPath: "data.crates",
        attributes: [AttributeDescription("id", .int32)]),
      EntityDescription(
        "Part", primaryKey: "article", "size",
        attributes: [
          AttributeDescription("article", .string), AttributeDescription("size", .int32),
          AttributeDescription("weight", .double),
        ]),
    ])
  }

  private static let nothing =
    "empty-result-set Crate: the response has nothing at the response key path 'data.crates'; "

  @Test(
    arguments: [
      (
        "Order", [["id": 1, "pieces": .string(String(repeating: "x", count: 58))]],
        [
          "value-type Order.pieces /0/pieces: cannot convert \"\(String(repeating: "x", count: 58))\" to int16"
        ]
      ),
      (
        "Order", [["id": 1, "pieces": .string(String(repeating: "x", count: 59))]],
        ["value-type Order.pieces /0/pieces: cannot convert \"\(String(repeating: "x", count: 56))… to int16"]
      ),
      (
        "Order", [["id": 1, "paid": "soon"], ["id": 2, "paid": true], ["id": 3, "sent": "soon"]],
        [
          "value-type Order.paid /0/paid: cannot convert \"soon\" to date without a date format, such as 'iso8601' or 'unix'",
          "value-type Order.paid /1/paid: cannot convert true to date",
          "value-type Order.sent /2/sent: cannot convert \"soon\" to date with the date format 'yyyy-MM-dd'",
        ]
      ),
      (
        "Order",
        [["id": 1, "buyer": []], ["id": 2, "buyer": ["Ann", "Bob"]], ["id": 3, "buyer": ["Ann"]]],
        [
          "many-for-one Order.buyer /0/buyer: an empty array for a to-one relationship was ignored",
          "many-for-one Order.buyer /1/buyer: an array of 2 items for a to-one relationship: the first was linked",
        ]
      ),
      (
        "Order", [["city": "Oulu"], ["city": "Rome"]],
        [
          "missing-primary-key Order /0: none of the 2 items can be identified: the item has no primary key: 'id' is int32; its JSON keys are 'city'"
        ]
      ),
      (
        "Order", [["city": "Oulu"]],
        ["missing-primary-key Order /0: the item has no primary key: 'id' is int32; its JSON keys are 'city'"]
      ),
      (
        "Order", [["id": nil, "city": "Oulu"]],
        [
          "missing-primary-key Order /0: the item has no primary key: 'id' is int32, and its value is null; its JSON keys are 'id', 'city'"
        ]
      ),
      (
        "Order", ["page": 1, "data": [["id": 1]]],
        [
          "missing-primary-key Order: the item has no primary key: 'id' is int32; its JSON keys are 'page', 'data'; the items are probably at 'data': 'responseKeyPath: data'"
        ]
      ),
      (
        "Order", [[:], ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6]],
        [
          "missing-primary-key Order /0: none of the 2 items can be identified: the item has no primary key: 'id' is int32"
        ]
      ),
      (
        "Order", [["data": [["id": 1]], "b": 2, "c": 3, "d": 4, "e": 5, "f": 6]],
        [
          "missing-primary-key Order /0: the item has no primary key: 'id' is int32; its JSON keys are 'data', 'b', 'c', 'd', 'e', 'f'"
        ]
      ),
      (
        "Order", [["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7]],
        [
          "missing-primary-key Order /0: the item has no primary key: 'id' is int32; its JSON keys are 'a', 'b', 'c', 'd', 'e', 'f', …"
        ]
      ),
      (
        "Order", [["city": "Oulu", "buyer": ["name": nil], "lines": []]],
        [
          "missing-primary-key Order /0: the item has no primary key: 'id' is int32; its JSON keys are 'city', 'buyer', 'lines'",
          "missing-primary-key Person /0/buyer: the item has no primary key: 'name' is string, and its value is null; its JSON keys are 'name'",
        ]
      ),
      (
        "Album", [["id": 1, "media": [["kind": "song"], ["kind": "song", "id": nil]]]],
        [
          "missing-primary-key Song /0/media/0: none of the 2 items can be identified: the item has no primary key: 'id' is int32; its JSON keys are 'kind'; to identify such items by their owner: 'primaryKey: album'"
        ]
      ),
      (
        "Album",
        [["id": 1, "media": [["kind": "song", "id": 4], ["kind": "film", "id": 4], ["kind": "film"]]]],
        [
          "inconsistent-duplicates Song /0/media/0: two items of one record have different entities: 'Song' and 'Film'; to make them two records, declare 'primaryKey: [kind, id]', or a key in each sub-entity",
          "missing-primary-key Film /0/media/2: the item has no primary key: 'id' is int32; its JSON keys are 'kind'; to identify such items by their owner: 'primaryKey: album'",
        ]
      ),
      (
        "Order", [["id": 1, "city": "Oulu"], ["id": "x", "city": "Oulu"], ["city": "Turku"]],
        [
          "missing-primary-key Order /1: the key of the item has the wrong type: 'id' is int32, not \"x\"",
          "missing-primary-key Order /2: the item has no primary key: 'id' is int32; its JSON keys are 'city'",
        ]
      ),
      (
        "Order", [["id": 1, "city": "Oulu", "pieces": 1], ["id": 1, "city": "Rome", "pieces": 2]],
        ["inconsistent-duplicates Order.pieces /0: two items of one record differ in 'pieces', 'city'"]
      ),
      (
        "Order", [nil, true, "", "one"],
        [
          "null-element Order /0: a null in a list of items was ignored",
          "invalid-item Order /1: a boolean was ignored: a Boolean cannot be a key",
          "invalid-item Order /2: a string was ignored: an empty string cannot be a key",
          "invalid-item Order /3: a string was ignored: the key 'id' must be int32",
        ]
      ),
      (
        "Order", [["id": 1, "address": ["street": "High", "floor": 2]]],
        ["no-entity Address /0/address: 'Address' is abstract, and none of its sub-entities claims the item"]
      ),
      (
        "Order", [["id": 1, "address": "High"]],
        ["no-entity Order.address /0/address: no record has this key, and 'Address' is abstract"]
      ),
      (
        "Address", ["High", ["street": "Low"], ["street": "Main", "floor": 2]],
        [
          "no-entity Address /2: 'Address' is abstract, and none of its sub-entities claims the item",
          "no-entity Address /0: no record has this key, and 'Address' is abstract",
          "no-entity Address /1: no record has this key, and 'Address' is abstract",
        ]
      ),
      (
        "Order", "one",
        ["invalid-response-format Order: expected records of 'Order', found a string"]
      ),
      (
        "Order", [["id": 1, "lines": [["article": "cup"], ["article": "tin", "gone": true]]]],
        [
          "unmatched-child Line /0/lines/0: no child of the parent matches the item, so a new record was inserted",
          "unmatched-child Line /0/lines/1: no child of the parent matches the item, so no record was deleted",
        ]
      ),
      (
        "Order", [["id": 1, "lines": [["article": "pot"], ["gone": true]]]],
        [
          "unmatched-child Line /0/lines/1: the item has no valid attribute that identifies the deleted child, so no record was deleted"
        ]
      ),
      (
        "Order", [["id": 1, "marks": [[:], ["text": "red"]]]],
        [
          "unmatched-child Mark /0/marks/0: other items have taken all children of the parent that match the item, so no record was linked",
          "missing-reference Order.marks /0/marks/0: no record with this key is in the store or in the response",
        ]
      ),
      (
        "Order", [["id": 1, "marks": [["text": "red", "kind": "star"]]]],
        [
          "unmatched-child Star /0/marks/0: no child of the parent matches the item, so a new record was inserted"
        ]
      ),
      (
        "Order", [["id": 1, "marks": [["text": "red"], ["text": "blue"], [:]]]],
        [
          "unmatched-child Mark /0/marks/1: no child of the parent matches the item, so a new record was inserted",
          "unmatched-child Mark /0/marks/2: other items have taken all children of the parent that match the item, so no record was linked",
          "missing-reference Order.marks /0/marks/2: no record with this key is in the store or in the response",
        ]
      ),
      (
        "Line", [["article": "cup"]],
        ["missing-primary-key Line /0: the item has no parent, and the parent is its key"]
      ),
      (
        "Person", [["name": "Ann", "orders": [7]]],
        [
          "missing-reference Person.orders /0/orders/0: no record with this key is in the store or in the response"
        ]
      ),
      (
        "Note", ["text"],
        ["invalid-item Note /0: a string was ignored: the key of 'Note' is not a single attribute"]
      ),
      (
        "Part", [["article": "cup"], ["article": "tin", "weight": 2]],
        [
          "missing-primary-key Part /0: none of the 2 items can be identified: the item has no primary key: 'article' is string, 'size' is int32; its JSON keys are 'article'"
        ]
      ),
      ("Crate", .null, ["empty-result-set Crate: the response has no items"]),
      ("Crate", [], ["empty-result-set Crate: the response has no items"]),
      (
        "Crate", ["data": ["crates": nil]],
        ["empty-result-set Crate /data/crates: the value at the response key path 'data.crates' has no items"]
      ),
      ("Crate", [:], [Self.nothing + "it is an empty object"]),
      ("Crate", ["a": 1], [Self.nothing + "its only key is 'a'"]),
      (
        "Crate", ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6],
        [Self.nothing + "its keys are 'a', 'b', 'c', 'd', 'e', 'f'"]
      ),
      (
        "Crate", ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7],
        [Self.nothing + "its keys are 'a', 'b', 'c', 'd', 'e', 'f', …"]
      ),
      (
        "Part", ["cup"],
        ["invalid-item Part /0: a string was ignored: the key of 'Part' is not a single attribute"]
      ),
    ] as [(EntityName, JSONValue, [String])])
  func responses(entity: EntityName, response: JSONValue, expected: [String]) async throws {
    let container = try PersistentContainer(
      model: try Self.model(), configuration: .init(server: CannedServer(["a": response])))
    let context = container.makeContext()
    let order = try context.insert("Order")
    order["id"] = 1
    let line = try context.insert("Line")
    line["article"] = "pot"
    line["order"] = order
    let mark = try context.insert("Mark")
    mark["text"] = "red"
    mark["order"] = order
    try context.save()
    var messages: [String] = []
    do {
      messages = try await container.request(entity, urn: "a", context: context).diagnostics.map(
        \.description)
    } catch let failure as RequestFailure {
      messages = failure.diagnostics.map(\.description)
    }
    #expect(messages == expected)
  }

  /// Rule: `orphans.tombstone`.
  @Test func aRequiredRecordIsNotDeleted() async throws {
    func reference(_ name: EntityName, inverse: PropertyName?) -> EntityDescription {
      EntityDescription(
        name, primaryKey: "id", deletedWhen: RecordPredicate("gone == true"),
        attributes: [AttributeDescription("id", .string)],
        relationships: inverse.map { [RelationshipDescription("posts", toMany: "Post", inverse: $0)] } ?? [])
    }
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription("language", to: "Language", isOptional: false),
          RelationshipDescription("topic", to: "Topic", inverse: "posts", isOptional: false),
          RelationshipDescription("cover", to: "Cover", inverse: "post", isOptional: false),
        ]), reference("Language", inverse: nil), reference("Topic", inverse: "topic"),
      EntityDescription(
        "Cover", primaryKey: "id", deletedWhen: "gone == true",
        attributes: [AttributeDescription("id", .string)],
        relationships: [RelationshipDescription("post", to: "Post", inverse: "cover")]),
    ])
    let gone: JSONValue = [["id": "1", "gone": true]]
    let container = try PersistentContainer(
      model: model,
      configuration: .init(
        server: CannedServer([
          "posts": [["id": "1", "language": "1", "topic": "1", "cover": "1"]], "gone": gone,
        ])))
    let context = container.makeContext()
    _ = try await container.request("Post", urn: "posts", context: context)
    var messages: [String] = []
    for entity in ["Language", "Topic", "Cover"] as [EntityName] {
      messages += try await container.request(entity, urn: "gone", context: context).diagnostics
        .map(\.description)
    }
    #expect(
      messages == [
        "required-owner Post.language /0: 'Language/1' was not deleted, because the 'language' of a 'Post' requires it",
        "required-owner Topic.posts /0: 'Topic/1' was not deleted, because one of its 'posts' requires it",
        "required-owner Cover.post /0: 'Cover/1' was not deleted, because its 'post' requires it",
      ])
  }

  /// Rule: `identity.missing`. Entities are reported in the order of the model.
  @Test func missingKeysOfManyEntities() async throws {
    let names = (0..<8).map { EntityName("Entity\($0)") }
    let entities = names.enumerated().map { number, name in
      EntityDescription(
        name, primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: number > 0
          ? [] : names.dropFirst().map { RelationshipDescription(PropertyName("to\($0)"), to: $0) })
    }
    let members = names.dropFirst().reversed().map { "\"to\($0)\": {\"x\": 1}" }.joined(separator: ", ")
    let item = try JSONDocument(parsing: Array("{\(members)}".utf8)).root.value
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: entities), configuration: .init(server: CannedServer(["a": [item]]))
    )
    let result = try await container.request("Entity0", urn: "a", context: container.makeContext())
    let missing = result.diagnostics.filter { $0.code == .missingPrimaryKey }
    #expect(missing.map(\.entity) == names)
  }

  /// The items are read again, because the first of them name a parent that does not exist. The diagnostics of the
  /// first reading are replaced.
  @Test func diagnosticsOfItemsThatAreReadAgain() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Counts", primaryKey: "post", attributes: [AttributeDescription("reads", .int32)],
        relationships: [
          RelationshipDescription("post", to: "Post", inverse: "counts", stubs: .never),
          RelationshipDescription("user", to: "User", from: ["users.id"]),
        ]),
      EntityDescription(
        "Post", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("counts", to: "Counts", inverse: "post")]),
      EntityDescription("User", primaryKey: "id", attributes: [AttributeDescription("id", .int32)]),
    ])
    let item: JSONValue = ["post": 1, "users": [["id": 7], ["id": 8]]]
    let container = try PersistentContainer(
      model: model, configuration: .init(server: CannedServer(["a": [item, item, nil]])))
    let result = try await container.request("Counts", urn: "a", context: container.makeContext())
    let links = "an array of 2 items for a to-one relationship: the first was linked"
    #expect(
      result.diagnostics.map(\.description).prefix(3) == [
        "many-for-one Counts.user: \(links)", "many-for-one Counts.user: \(links)",
        "null-element Counts /2: a null in a list of items was ignored",
      ])
  }

  /// A computed key of the wrong type is not the value that the item has for the attribute.
  @Test func aComputedKey() async throws {
    struct Computing: Representation {
      var computesPrimaryKey: Bool { true }
      func primaryKeyValue(in dictionary: JSONNode) -> JSONValue? { "none" }
    }
    let model = try ManagedObjectModel(
      entities: [
        EntityDescription("Part", primaryKey: "id", attributes: [AttributeDescription("id", .int32)])
      ], representations: ["Part": Computing()])
    let container = try PersistentContainer(
      model: model, configuration: .init(server: CannedServer(["a": [["id": 1]]])))
    let result = try await container.request("Part", urn: "a", context: container.makeContext())
    #expect(
      result.diagnostics.map(\.description) == [
        "missing-primary-key Part /0: the key of the item has the wrong type: 'id' is int32"
      ])
  }
}
