import RecordModel
import TestSupport
import Testing

@testable import RecordEngine

/// Tests for fetches that exceed the limits of SQLite, which the engine evaluates itself.
@Suite("Fetching: deep and long")
struct DeepFetchTests {
  /// A chain of nodes from 0. The next node is the value of a to-one relationship and the only member of a to-many
  /// relationship.
  private struct World {
    let store: TestStore
    let context: ManagedObjectContext
    let coordinator: PersistentStoreCoordinator

    init(_ kind: StoreKind, count: Int = 70) throws {
      let model = try ManagedObjectModel(entities: [
        EntityDescription(
          "Node", primaryKey: "id",
          attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)],
          relationships: [
            RelationshipDescription("next", to: "Node", inverse: "former"),
            RelationshipDescription("former", toMany: "Node", inverse: "next"),
            RelationshipDescription("others", toMany: "Node", inverse: "owners"),
            RelationshipDescription("owners", toMany: "Node", inverse: "others"),
          ])
      ])
      store = try TestStore(kind, model.schema)
      coordinator = PersistentStoreCoordinator(model: model, store: store.store, recordTypes: [])
      context = ManagedObjectContext(coordinator: coordinator)
      var last: Record?
      for number in 0..<count {
        let node = try context.insert("Node")
        node["id"] = number
        last?["next"] = node
        last?.add(node, to: "others")
        last = node
      }
      try context.save()
      context.reset()
    }

    func ids(_ request: RecordFetchRequest) throws -> [Int] {
      try context.fetch(request).map { $0["id"] ?? -1 }
    }

    func ids(_ predicate: String) throws -> [Int] {
      try ids(RecordFetchRequest("Node", predicate: RecordPredicate(predicate)))
    }

    func isWhole(_ request: RecordFetchRequest) throws -> Bool {
      try #require(store.store as? SQLiteStore).sql(for: coordinator.fetch(request)).isWhole
    }
  }

  private static func path(_ key: String, _ length: Int, _ end: String) -> String {
    (Array(repeating: key, count: length) + [end]).joined(separator: ".")
  }

  @Test(arguments: StoreKind.allCases) func alternatingLogic(kind: StoreKind) throws {
    let world = try World(kind)
    var expected: Set = [0]
    var (text, negated) = ("id == 0", "id == 0")
    for depth in 1...60 {
      text = depth % 2 == 0 ? "id < \(depth) AND (\(text))" : "id == \(depth) OR (\(text))"
      expected = depth % 2 == 0 ? expected.filter { $0 < depth } : expected.union([depth])
      #expect(try world.ids(text) == expected.sorted(), "\(depth)")
      #expect(
        try world.context.count(for: RecordFetchRequest("Node", predicate: RecordPredicate(text)))
          == expected.count)
    }
    var held: Set = [0]
    for depth in 1...30 {
      negated = depth % 2 == 0 ? "id >= \(depth) AND NOT (\(negated))" : "id == \(depth) OR NOT (\(negated))"
      let rest = Set(0..<70).subtracting(held)
      held = depth % 2 == 0 ? rest.filter { $0 >= depth } : rest.union([depth])
      #expect(try world.ids(negated) == held.sorted(), "\(depth)")
    }
    for depth in 1...31 {
      let not = String(repeating: "NOT (", count: depth) + "id == 0 OR id == 2"
      let ids = try world.ids(not + String(repeating: ")", count: depth))
      #expect(ids == (depth % 2 == 0 ? [0, 2] : Array(0..<70).filter { $0 != 0 && $0 != 2 }), "\(depth)")
    }
  }

  @Test(arguments: StoreKind.allCases) func longPaths(kind: StoreKind) throws {
    let world = try World(kind)
    for length in Array(1...12) + [17, 18, 32, 33, 50, 69] {
      let to = 69 - length
      #expect(try world.ids(Self.path("next", length, "id") + " == 69") == [to], "\(length)")
      #expect(try world.ids("ANY \(Self.path("others", length, "id")) == 69") == [to], "\(length)")
      #expect(try world.ids("ANY \(Self.path("former", length, "id")) == 0") == [length], "\(length)")
      #expect(try world.ids("ALL \(Self.path("others", length, "id")) == 69").contains(to), "\(length)")
      let mixed = Self.path("next", length / 2, Self.path("others", length - length / 2, "id"))
      #expect(try world.ids("ANY \(mixed) == 69") == [to], "\(length)")
      #expect(try world.ids(Self.path("next", length - 1, "others.@count") + " == 1").count == 70 - length)
      let sort = RecordSortDescriptor(Self.path("next", length, "id"), isAscending: false)
      let sorted = Array((0..<(70 - length)).reversed()) + Array((70 - length)..<70)
      #expect(try world.ids(RecordFetchRequest("Node", sortDescriptors: [sort])) == sorted, "\(length)")
    }
  }

  @Test(arguments: StoreKind.allCases) func thousandsOfKeys(kind: StoreKind) throws {
    let world = try World(kind, count: 3)
    let nodes = try world.context.fetch(RecordFetchRequest("Node"))
    nodes[2]["next"] = nodes[0]
    let path = Self.path("next", 16_000, "id")
    // In a ring of three nodes, 16,000 steps lead to the next node.
    #expect(try world.ids("\(path) == 2") == [1])
    try world.context.save()
    #expect(try world.ids("\(path) == 2") == [1])
    #expect(throws: RequestFailure.self) { try world.ids("\(Self.path("next", 16_000, "idd")) == 2") }
  }

  /// Each step has two members, one of which is the record itself, so that every step doubles the number of paths.
  @Test(arguments: StoreKind.allCases)
  func membersThatAreReachedInManyWays(kind: StoreKind) throws {
    let world = try World(kind)
    for node in try world.context.fetch(RecordFetchRequest("Node")) { node.add(node, to: "others") }
    for _ in 1...2 {
      for length in [2, 3, 4, 8, 9, 60] {
        let path = Self.path("others", length, "id")
        #expect(try world.ids("ANY \(path) == 65") == Array(max(0, 65 - length)...65), "\(length)")
        #expect(try world.ids("NONE \(path) > 60") == Array(0...(60 - length)), "\(length)")
      }
      try world.context.save()
    }
    // SQL would follow every path.
    #expect(
      try kind == .memory
        || !world.isWhole(RecordFetchRequest("Node", predicate: "ANY others.others.others.id == 1")))
  }

  @Test(arguments: StoreKind.allCases) func manyParts(kind: StoreKind) throws {
    let world = try World(kind)
    let units = [
      ("TRUEPREDICATE", Array(0..<70)), ("NOT (FALSEPREDICATE AND id == 1)", Array(0..<70)),
      ("id == 2", [2]), ("ANY others.next.id == 9", [7]), ("next.next.next.next.id == 9", [5]),
    ]
    for count in isTestingAll ? [200, 201, 1500] : [201] {
      for (unit, ids) in units where count < 1000 || !unit.contains(".") {
        for word in [" OR ", " AND "] {
          let text = Array(repeating: unit, count: count).joined(separator: word)
          #expect(try world.ids(text) == ids, "\(count) \(unit)")
        }
      }
    }
    let sort = (0..<2100).map { RecordSortDescriptor($0 % 2 == 0 ? "text" : "id", isAscending: false) }
    #expect(try world.ids(RecordFetchRequest("Node", sortDescriptors: sort)) == (0..<70).reversed())
  }

  /// SQL evaluates typical predicates completely, and large predicates that are constant or can be simplified.
  @Test func sqlIsAskedForWhatPeopleWrite() throws {
    let world = try World(.sqlite)
    var nested = "id == 0"
    for depth in 1...8 { nested = "id == \(depth) \(depth % 2 == 0 ? "AND NOT" : "OR") (\(nested))" }
    let texts = [
      nested, Self.path("next", 8, "id") + " == 9", "ANY \(Self.path("others", 2, "next.id")) == 9",
      "ANY \(Self.path("former", 8, "next.id")) == 9", "ANY \(Self.path("former", 7, "others.id")) == 9",
      "ANY others.\(Self.path("former", 7, "id")) == 9",
      Array(repeating: "TRUEPREDICATE", count: 1500).joined(separator: " OR "),
      String(repeating: "NOT (", count: 30) + "id == 0" + String(repeating: ")", count: 30),
      (0..<200).map { "id == \($0)" }.joined(separator: " OR "),
    ]
    for text in texts {
      #expect(try world.isWhole(RecordFetchRequest("Node", predicate: RecordPredicate(text))), "\(text)")
    }
    let sort = RecordSortDescriptor(Self.path("next", 8, "id"))
    #expect(try world.isWhole(RecordFetchRequest("Node", sortDescriptors: [sort])))
  }
}
