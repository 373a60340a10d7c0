import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests that the number of calls to the store does not depend on the number of items in a response: records are read
/// in groups.
@Suite struct StoreCallTests {
  /// Responses with `count` items, of which the last one is imported twice.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var entities: [EntityDescription]
    /// The responses. The first one fills the store.
    var responses: @Sendable (_ count: Int) -> [JSONValue]

    var testDescription: String { name }
  }

  private static func node(_ relationships: RelationshipDescription...) -> EntityDescription {
    EntityDescription(
      "Node", primaryKey: "id",
      attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
      relationships: relationships)
  }

  private static func list(_ count: Int, _ item: (Int) -> JSONValue) -> JSONValue {
    .array((1...count).map(item))
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

  private static func pairs(_ assignment: RelationshipAssignment, isOrdered: Bool) -> [EntityDescription] {
    [
      node(
        RelationshipDescription(
          "others", toMany: "Node", inverse: "owners", isOrdered: isOrdered, assignment: assignment),
        RelationshipDescription("owners", toMany: "Node", inverse: "others"))
    ]
  }

  private static func owners(_ assignment: RelationshipAssignment, isOrdered: Bool) -> [EntityDescription] {
    [
      node(
        RelationshipDescription(
          "owned", toMany: "Node", inverse: "owner", isOrdered: isOrdered, assignment: assignment),
        RelationshipDescription("owner", to: "Node", inverse: "owned"))
    ]
  }

  /// Returns responses in which each node links to the next ones. The second response shifts the links by one.
  private static func shifting(_ name: String) -> @Sendable (Int) -> [JSONValue] {
    { count in
      [0, 1].map { shift in
        list(count) { number in
          [
            "id": self.number(number),
            name: [self.number(number * 2 + 5000 + shift), self.number(number * 2 + 5001 + shift)],
          ]
        }
      }
    }
  }

  private static func toOnes(_ name: String) -> @Sendable (Int) -> [JSONValue] {
    { count in
      [0, 1].map { shift in
        list(count) { number in
          ["id": self.number(number), name: self.number((number + shift) % count + 5000)]
        }
      }
    }
  }

  static let cases: [Case] = [
    Case(
      name: "attributes", entities: [node()],
      responses: { count in
        ["a", "b"].map { text in list(count) { ["id": number($0), "text": .string(text)] } }
      }),
    Case(
      name: "to-one", entities: [node(RelationshipDescription("next", to: "Node"))], responses: toOnes("next")
    ),
    Case(name: "to-one with inverse", entities: owners(.union, isOrdered: false), responses: toOnes("owner")),
    Case(
      name: "one-to-one",
      entities: [
        node(
          RelationshipDescription("next", to: "Node", inverse: "former"),
          RelationshipDescription("former", to: "Node", inverse: "next"))
      ], responses: toOnes("next")),
    Case(
      name: "one-to-one cleared",
      entities: [
        node(
          RelationshipDescription("next", to: "Node", inverse: "former"),
          RelationshipDescription("former", to: "Node", inverse: "next"))
      ],
      responses: { count in
        [toOnes("next")(count)[0], list(count) { ["id": number($0), "next": nil] }]
      }),
    Case(name: "lists of owned", entities: owners(.union, isOrdered: false), responses: shifting("owned")),
    Case(
      name: "replaced lists of owned", entities: owners(.replace, isOrdered: false),
      responses: shifting("owned")),
    Case(
      name: "replaced ordered lists of owned", entities: owners(.replace, isOrdered: true),
      responses: shifting("owned")),
    Case(name: "many-to-many", entities: pairs(.union, isOrdered: false), responses: shifting("others")),
    Case(
      name: "ordered many-to-many", entities: pairs(.union, isOrdered: true), responses: shifting("others")),
    Case(
      name: "replaced many-to-many", entities: pairs(.replace, isOrdered: false),
      responses: shifting("others")),
    Case(
      name: "replaced ordered many-to-many", entities: pairs(.replace, isOrdered: true),
      responses: shifting("others")),
    Case(
      name: "counted lists",
      entities: [
        node(RelationshipDescription("others", to: "Node", isToMany: true, minCount: 1, maxCount: 9))
      ], responses: shifting("others")),
    Case(
      name: "children by parent",
      entities: [
        node(RelationshipDescription("child", to: "Child", inverse: "parent")),
        EntityDescription(
          "Child", primaryKey: "parent", attributes: [AttributeDescription("size", .int64)],
          relationships: [RelationshipDescription("parent", to: "Node", inverse: "child")]),
      ],
      responses: { count in
        [1, 2].map { size in list(count) { ["id": number($0), "child": ["size": number(size)]] } }
      }),
    Case(
      name: "children by parent and content",
      entities: [
        node(RelationshipDescription("children", toMany: "Child", inverse: "parent")),
        EntityDescription(
          "Child", primaryKey: "parent", attributes: [AttributeDescription("size", .int64)],
          relationships: [RelationshipDescription("parent", to: "Node", inverse: "children")]),
      ],
      responses: { count in
        [1, 2].map { size in
          list(count) { ["id": number($0), "children": [["size": 1], ["size": number(size)]]] }
        }
      }),
    Case(
      name: "changed entities",
      entities: [
        node(
          RelationshipDescription("others", toMany: "Node", inverse: "owners"),
          RelationshipDescription("owners", toMany: "Node", inverse: "others")),
        EntityDescription(
          "First", parent: "Node", usedWhen: RecordPredicate("text == 'first'"),
          relationships: [
            RelationshipDescription("friends", toMany: "First", inverse: "friends"),
            RelationshipDescription("partner", to: "First", inverse: "partner"),
          ]),
        EntityDescription("Second", parent: "Node", usedWhen: RecordPredicate("text == 'second'")),
      ],
      responses: { count in
        [
          list(count) {
            [
              "id": number($0), "text": "first",
              "friends": [["id": number($0 % count + 1), "text": "first"]],
            ]
          },
          list(count) { ["id": number($0), "text": "second"] },
        ]
      }),
    Case(
      name: "changed entities in relationships without inverse",
      entities: [
        node(
          RelationshipDescription("firsts", toMany: "First"), RelationshipDescription("first", to: "First")),
        EntityDescription("First", parent: "Node", usedWhen: RecordPredicate("text == 'first'")),
        EntityDescription("Second", parent: "Node", usedWhen: RecordPredicate("text == 'second'")),
      ],
      responses: { count in
        [
          list(count) { number in
            let next: JSONValue = ["id": Self.number(number % count + 1), "text": "first"]
            return ["id": Self.number(number), "text": "first", "firsts": [next], "first": next]
          },
          list(count) { ["id": number($0), "text": "second"] },
        ]
      }),
    Case(
      name: "replaced lists of members that require them",
      entities: [
        node(
          RelationshipDescription("others", toMany: "Node", inverse: "owners", assignment: .replace),
          RelationshipDescription("owners", to: "Node", isToMany: true, inverse: "others", minCount: 2))
      ], responses: shifting("others")),
  ]

  @Test(arguments: cases) func callsDoNotGrowWithItems(_ value: Case) throws {
    let few = try counts(value, 10)
    let many = try counts(value, 200)
    var growing: [String] = []
    for (number, (few, many)) in zip(few, many).enumerated() {
      for call in StoreCallCounter.Call.allCases where few[call] ?? 0 != many[call] ?? 0 {
        growing.append("response \(number): \(call.rawValue) \(few[call] ?? 0) → \(many[call] ?? 0)")
      }
    }
    #expect(growing == [])
  }

  /// Returns the calls of importing each response, and of importing the last one again.
  private func counts(_ value: Case, _ count: Int) throws -> [[StoreCallCounter.Call: Int]] {
    let schema = try ManagedObjectModel(entities: value.entities).schema
    let store = StoreCallCounter(MemoryStore(schema: schema))
    let responses = value.responses(count)
    return try (responses + responses.suffix(1)).map { response in
      let population = Population(
        schema: schema, reader: store, entity: 0, response: "test", options: PopulationOptions())
      let result = try population.populateAndSave(JSONDocument(response), to: store)
      #expect(result.records.count == count)
      return store.takeCounts()
    }
  }
}
