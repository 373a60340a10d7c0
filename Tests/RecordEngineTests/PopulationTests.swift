import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests for small cases that the random tests have found, with the rules that determine their results.
@Suite struct PopulationTests {
  /// Imports responses one after another into an empty store. Returns the graph as text, the codes of the last
  /// response, and the violations of the model.
  private func imported(
    _ model: RandomModel, _ responses: (entity: EntityName, response: JSONValue)...
  ) throws -> (graph: [String], codes: [String], violations: [String]) {
    let engine = try ReferenceEngine(model)
    var codes: [String] = []
    for (entity, response) in responses {
      codes = try engine.importResponse(response, of: entity).diagnostics.map(\.code.rawValue)
    }
    let lines = try engine.graph().graph.description.split(separator: "\n")
      .map { $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ") }
    return (lines, codes, try engine.violations())
  }

  private let ant = EntityDescription(
    "Ant", primaryKey: "id", attributes: [AttributeDescription("id", .int32)])

  private func ant(_ relationships: RelationshipDescription...) -> EntityDescription {
    var entity = ant
    entity.relationships = relationships
    return entity
  }

  /// Rule: `population.items`. Records are created in the order in which the response first mentions them.
  @Test func theFirstMentionDeterminesTheAgeOfARecord() async throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Ant", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("next", to: "Ant")])
    ])
    let body: JSONValue = [["id": 1, "next": 2], ["id": 3, "name": "C"], ["id": 2, "name": "B"]]
    let container = try PersistentContainer(
      model: model, configuration: .init(server: CannedServer(["ants": body])))
    _ = try await container.request("Ant", urn: "ants", context: container.makeContext())
    let ants = try container.makeContext().fetch(RecordFetchRequest("Ant"))
    #expect(ants.map { $0["id"] } == [1, 2, 3])
  }

  // MARK: Relationships

  /// Rules: `relationships.inverse`, `relationships.self`.
  @Test func aRecordThatIsItsOwnPartnerGetsAnother() throws {
    let model = RandomModel(ant(RelationshipDescription("partner", to: "Ant", inverse: "partner")))
    let result = try imported(
      model, ("Ant", [["id": 1, "partner": 1]]), ("Ant", [["id": 1, "partner": 2]]))
    #expect(
      result.graph == ["Ant/1: Ant id=1 partner→[Ant/2]", "Ant/2: Ant (stub) id=2 partner→[Ant/1]"])
    #expect(result.violations == [])
  }

  /// Rule: `relationships.conflict`. The list at the latest position in the response wins, regardless of the order of
  /// the first mentions.
  @Test func theLastListInTheResponseWins() throws {
    let model = RandomModel(
      ant(
        RelationshipDescription("owner", to: "Ant", inverse: "owned"),
        RelationshipDescription("owned", toMany: "Ant", inverse: "owner")))
    let result = try imported(
      model, ("Ant", [1, ["id": 2, "owned": [3]], ["id": 1, "owned": [3]]]))
    #expect(result.codes == ["inconsistent-links"])
    #expect(
      result.graph == [
        "Ant/1: Ant id=1 owned→[Ant/3]", "Ant/2: Ant id=2", "Ant/3: Ant (stub) id=3 owner→[Ant/1]",
      ])
  }

  /// Rule: `merge.order-free`.
  @Test(arguments: [false, true]) func aOneToOneStatedFromBothSidesDoesNotDependOnOrder(isReversed: Bool)
    throws
  {
    let model = RandomModel(
      ant(
        RelationshipDescription("left", to: "Ant", inverse: "right"),
        RelationshipDescription("right", to: "Ant", inverse: "left")))
    let items: [JSONValue] = [["id": 1, "left": 2], ["id": 2, "right": 3]]
    let result = try imported(model, ("Ant", .array(isReversed ? items.reversed() : items)))
    let other = try imported(model, ("Ant", .array(items)))
    #expect(result.graph == other.graph || result.codes == ["inconsistent-links"])
  }

  /// Rules: `relationships.conflict`, `mapping.null`.
  @Test(arguments: [false, true]) func membershipInAListBeatsAStatedNull(isReversed: Bool) throws {
    let model = RandomModel(
      ant(
        RelationshipDescription("owner", to: "Ant", inverse: "owned"),
        RelationshipDescription("owned", toMany: "Ant", inverse: "owner")))
    let items: [JSONValue] = [["id": 1, "owned": [2]], ["id": 2, "owner": nil]]
    let result = try imported(model, ("Ant", .array(isReversed ? items.reversed() : items)))
    #expect(result.graph == ["Ant/1: Ant id=1 owned→[Ant/2]", "Ant/2: Ant id=2 owner→[Ant/1]"])
    #expect(result.codes == [])
  }

  /// Rule: `relationships.key-reference`. An item fills a stub, and later references leave the record full.
  @Test func aStubIsFilledOnce() throws {
    let model = RandomModel(ant(RelationshipDescription("friend", to: "Ant")))
    let result = try imported(
      model, ("Ant", [["id": 1, "friend": 2]]), ("Ant", [["id": 2, "friend": nil]]),
      ("Ant", [["id": 3, "friend": 2]]))
    #expect(
      result.graph == [
        "Ant/1: Ant id=1 friend→[Ant/2]", "Ant/2: Ant id=2", "Ant/3: Ant id=3 friend→[Ant/2]",
      ])
  }

  /// Rule: `relationships.replace`. Of two owners that omit a member, the older one keeps it, whatever the order of the
  /// response. The members are reported from the oldest to the youngest.
  @Test func theOldestOwnerKeepsAMember() throws {
    var bee = EntityDescription("Bee", primaryKey: "key")
    bee.attributes = [AttributeDescription("key", .int32), AttributeDescription("size", .int32)]
    bee.relationships = [
      RelationshipDescription("ants", to: "Ant", isToMany: true, inverse: "bees", isOptional: false)
    ]
    let bees = RelationshipDescription("bees", toMany: "Bee", inverse: "ants", assignment: .replace)
    let engine = try ReferenceEngine(RandomModel(ant(bees), bee))
    func item(_ ant: Int, _ bees: JSONValue) -> JSONValue {
      ["id": .number(JSONNumber(Int64(ant))), "bees": bees]
    }
    // The ants 1 and 11 have the bee 1, the ants 2 and 12 the bee 2, and so on.
    let ants = Array(1...8) + Array(11...18)
    _ = try engine.importResponse(
      .array(ants.map { item($0, [["key": .number(JSONNumber(Int64($0 % 10))), "size": 1]]) }), of: "Ant")
    let result = try engine.importResponse(.array(ants.reversed().map { item($0, []) }), of: "Ant")
    #expect(result.diagnostics.map(\.pointer?.description) == (0..<8).map { "/\(15 - $0)/bees" })
    #expect(Set(result.diagnostics.map(\.code)) == [.requiredOwner])
    let lines = try engine.graph().graph.description.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.contains("bees→") }.map { $0.prefix(5) } == (1...8).map { "Ant/\($0)" })
  }

  // MARK: Sub-entities

  /// Rules: `identity.sub-entity`, `relationships.inverse`.
  @Test func linksThatAnEntityLosesGoOnBothSides() throws {
    var bee = EntityDescription("Bee", parent: "Ant", usedWhen: RecordPredicate("kind == 'Bee'"))
    bee.relationships = [RelationshipDescription("friends", toMany: "Bee", inverse: "friends")]
    let cat = EntityDescription("Cat", parent: "Ant", usedWhen: RecordPredicate("kind == 'Cat'"))
    let result = try imported(
      RandomModel(ant, bee, cat), ("Bee", [["id": 1, "friends": [2]]]),
      ("Ant", [["id": 2, "kind": "Cat"]]))
    #expect(result.codes == ["entity-changed"])
    #expect(result.graph == ["Ant/1: Bee id=1", "Ant/2: Cat (stub) id=2"])
    #expect(result.violations == [])
  }

  /// Rules: `merge.order-free`, `identity.sub-entity`.
  @Test func stubsOfTwoEntitiesSideBySideAreReported() throws {
    let bee = EntityDescription("Bee", parent: "Ant", usedWhen: RecordPredicate("kind == 'Bee'"))
    let cat = EntityDescription("Cat", parent: "Ant", usedWhen: RecordPredicate("kind == 'Cat'"))
    let result = try imported(
      RandomModel(ant, bee, cat), ("Ant", [["id": 1, "kind": "Bee"], ["id": 1, "kind": "Cat"]]))
    #expect(result.graph == ["Ant/1: Bee (stub) id=1"])
    #expect(result.codes == ["inconsistent-duplicates"])
  }

  // MARK: Parents as keys

  private var parentAndChild: RandomModel {
    var child = EntityDescription(
      "Cat", primaryKey: "parent", attributes: [AttributeDescription("size", .int32)])
    child.relationships = [RelationshipDescription("parent", to: "Ant", inverse: "child")]
    return RandomModel(ant(RelationshipDescription("child", to: "Cat", inverse: "parent")), child)
  }

  /// Rules: `population.protos`, `merge.first-wins`. An item comes before the items that are nested in it.
  @Test func aChildComesBeforeItselfNestedInItsParent() throws {
    let result = try imported(
      parentAndChild, ("Cat", [["size": 1, "parent": ["id": 7, "child": ["size": 2]]]]))
    #expect(result.codes == ["inconsistent-duplicates"])
    #expect(
      result.graph == ["Ant/7: Ant id=7 child→[Cat@Ant/7]", "Cat@Ant/7: Cat size=1 parent→[Ant/7]"])
  }

  /// Rules: `relationships.key-reference`, `identity.relationship-key.root`.
  @Test func aParentThatIsNoKeyIsReportedOnce() throws {
    let result = try imported(parentAndChild, ("Cat", [["size": 1, "parent": "seven"]]))
    #expect(result.codes == ["value-type", "missing-primary-key"])
  }

  /// Rules: `identity.relationship-key.root`, `relationships.key-reference`.
  @Test func aKeyOfAnAbstractEntityIsNotAParent() throws {
    var model = parentAndChild
    model.entities[0].isAbstract = true
    model.entities.append(EntityDescription("Bee", parent: "Ant", usedWhen: RecordPredicate("kind == 'Bee'")))
    let result = try imported(model, ("Cat", [["size": 1, "parent": 7], ["size": 2, "parent": 7]]))
    #expect(result.codes.contains("missing-primary-key"))
    #expect(result.graph == ["Cat~1: Cat size=1", "Cat~2: Cat size=2"])
  }

  /// Rules: `relationships.sub-entity`, `relationships.key-is-parent`.
  @Test func aParentOfAnotherEntityIsNotLinked() throws {
    var model = parentAndChild
    model.entities[0].relationships = []
    var bee = EntityDescription("Bee", parent: "Ant", usedWhen: RecordPredicate("kind == 'Bee'"))
    bee.attributes = [AttributeDescription("weight", .int32)]
    bee.relationships = [RelationshipDescription("child", to: "Cat", inverse: "parent")]
    model.entities.append(bee)
    model.entities[1].relationships[0].destination = "Bee"
    model.entities[0].attributes.append(AttributeDescription("name", .string))
    model.entities[0].relationships = [RelationshipDescription("cats", toMany: "Cat")]
    let result = try imported(model, ("Ant", [["id": 7, "name": "x", "cats": [["parent": 7, "size": 1]]]]))
    #expect(result.codes.contains("entity-mismatch"))
    #expect(result.violations == [])
  }

  /// Rule: `merge.once`. A child in a dictionary that does not count leaves the stored child unchanged.
  @Test func aSupersededChildIsNotTied() throws {
    var model = parentAndChild
    model.entities[0].attributes.append(AttributeDescription("age", .int32))
    let result = try imported(
      model, ("Ant", [["id": 7, "child": ["size": 1]]]),
      ("Ant", [["id": 7, "age": 1], ["id": 7, "age": 1, "child": ["size": 2]]]))
    #expect(result.codes == ["inconsistent-duplicates"])
    #expect(result.graph.last == "Cat@Ant/7: Cat size=1 parent→[Ant/7]")
  }

  /// Rule: `identity.relationship-key.to-many`. The diagnostics have the order of the relationships in the model.
  @Test func unmatchedChildrenAreReportedInOrder() throws {
    var model = RandomModel(ant)
    let names = ["Bee", "Cat", "Dog", "Elk", "Fox", "Gnu", "Hen"]
    for name in names {
      let (children, parent) = (PropertyName("all\(name)"), PropertyName("of\(name)"))
      model.entities[0].relationships.append(
        RelationshipDescription(children, toMany: EntityName(name), inverse: parent))
      model.entities.append(
        EntityDescription(
          EntityName(name), primaryKey: parent,
          attributes: [AttributeDescription(PropertyName("size\(name)"), .int32)],
          relationships: [RelationshipDescription(parent, to: "Ant", inverse: children)]))
    }
    let engine = try ReferenceEngine(model)
    func response(_ size: JSONValue) throws -> PopulationResult {
      var members = JSONObject()
      members["id"] = 1
      for name in names { members["all\(name)"] = [.object(["size\(name)": size])] }
      return try engine.importResponse([.object(members)], of: "Ant")
    }
    #expect(try response(1).diagnostics == [])
    #expect(try response(2).diagnostics.map(\.entity) == names.map { EntityName($0) })
  }

  /// Rules: `identity.relationship-key.root`, `relationships.key-is-parent`, `identity.sub-entity`. A parent counts if
  /// the stored record, as the response leaves it, is of an entity that the relationship leads to. Otherwise each item
  /// is a record by itself.
  @Test(
    arguments: [
      // The response makes the stored bee a cat.
      ("Bee", .create, "Bee", [["id": 7, "kind": "Cat", "name": "x", "laid": eggs]], "Cat", false),
      // The response names the stored bee without its entity.
      ("Bee", .create, "Bee", [["id": 7, "name": "x", "laid": eggs]], "Bee", true),
      // A key of an abstract entity, or a reference without stubs, does not change the stored cat.
      ("Bug", .create, "Cat", [["id": 8, "name": "x", "laid": eggs]], "Cat", false),
      ("Bee", .never, "Cat", [["id": 8, "name": "x", "laid": eggs]], "Cat", false),
    ] as [(EntityName, StubPolicy, EntityName, JSONValue, EntityName, Bool)])
  func aStoredParentCountsAsTheResponseLeavesIt(
    destination: EntityName, stubs: StubPolicy, stored: EntityName, response: JSONValue, entity: EntityName,
    counts: Bool
  ) throws {
    var ant = ant(RelationshipDescription("laid", toMany: "Egg"))
    ant.attributes.append(AttributeDescription("name", .string))
    var bug = EntityDescription("Bug", parent: "Ant", isAbstract: true)
    var bee = EntityDescription("Bee", parent: "Bug", usedWhen: RecordPredicate("kind == 'Bee'"))
    let egg = RelationshipDescription("egg", to: "Egg", inverse: "parent")
    if destination == "Bug" { bug.relationships = [egg] } else { bee.relationships = [egg] }
    let cat = EntityDescription("Cat", parent: "Ant", usedWhen: RecordPredicate("kind == 'Cat'"))
    let result = try imported(
      RandomModel(
        ant, bug, bee, cat,
        EntityDescription(
          "Egg", primaryKey: "parent", attributes: [AttributeDescription("size", .int32)],
          relationships: [RelationshipDescription("parent", to: destination, inverse: "egg", stubs: stubs)])),
      (stored, [["id": 7, "name": "y"]]), ("Ant", response))
    #expect(result.graph.contains { $0.hasPrefix("Ant/7: \(entity) ") })
    #expect(result.graph.filter { $0.contains(": Egg ") }.count == (counts ? 1 : 2))
    #expect(result.codes.contains("entity-mismatch") != counts)
    #expect(result.violations == [])
  }

  /// Two items that name the ant 7 as their parent.
  private static let eggs: JSONValue = [["parent": 7, "size": 1], ["parent": 7, "size": 2]]

  /// Rule: `identity.relationship-key.root`. One dictionary is an item of two relationships. Of its two records, one is
  /// deleted, so that it is not a parent.
  @Test func aDeletedRecordOfASharedItemIsNotAParent() throws {
    let mother = EntityDescription(
      "Mother", relationships: [RelationshipDescription("egg", to: "Egg", inverse: "mother")])
    func kind(_ name: EntityName, _ key: PropertyName, _ gone: RecordPredicate?) -> EntityDescription {
      EntityDescription(
        name, parent: "Mother", primaryKey: key, deletedWhen: gone,
        attributes: [AttributeDescription(key, .int32, from: ["id"])])
    }
    let result = try imported(
      RandomModel(
        ant(
          RelationshipDescription("bee", to: "Bee", from: ["x"]),
          RelationshipDescription("cat", to: "Cat", from: ["x"])),
        mother, kind("Bee", "bee", nil), kind("Cat", "cat", "gone == true"),
        EntityDescription(
          "Egg", primaryKey: "mother", attributes: [AttributeDescription("size", .int32)],
          relationships: [RelationshipDescription("mother", to: "Mother", inverse: "egg")])),
      ("Ant", [["id": 1, "x": ["id": 7, "gone": true, "egg": ["size": 3]]]]))
    #expect(result.codes == [])
    #expect(result.graph.filter { $0.contains("size=3") }.count == 1)
  }

  /// Rules: `identity.relationship-key.to-many`, `population.create`. The outer item comes first, although its record is
  /// known only after its parent and the items nested in it.
  @Test func theSameResponseFindsTheSameChildrenAgain() throws {
    var model = parentAndChild
    model.entities[0].relationships = [RelationshipDescription("children", toMany: "Cat", inverse: "parent")]
    model.entities[1].relationships[0].inverse = "children"
    model.entities[1].attributes.append(AttributeDescription("name", .string))
    let response: JSONValue = [
      ["size": 1, "parent": ["id": 7, "children": [["size": 1, "name": "a"]]]]
    ]
    let once = try imported(model, ("Cat", response))
    let twice = try imported(model, ("Cat", response), ("Cat", response))
    #expect(twice.graph == once.graph)
    #expect(twice.codes == [])
  }

  // MARK: Tombstones

  /// Rule: `orphans.tombstone`. Nothing but the key is read from a tombstone, even if the items in it refer to each
  /// other in a cycle.
  @Test func aTombstoneMayContainACycle() throws {
    var ant = ant(RelationshipDescription("next", to: "Ant"))
    ant.deletedWhen = "gone == true"
    let result = try imported(
      RandomModel(ant), ("Ant", [1, 2]),
      ("Ant", [["id": 1, "gone": true, "next": ["id": 2, "next": ["id": 3, "next": 2]]]]))
    #expect(result.graph == ["Ant/2: Ant (stub) id=2"])
    #expect(result.codes == [])
  }

  // MARK: Weak references

  /// Rule: `relationships.weak`. A stub that another reference of the same response creates is linked.
  @Test func aWeakReferenceLinksAStubOfItsResponse() throws {
    let weak = RelationshipDescription("weak", to: "Bee", stubs: .never)
    let bee = EntityDescription("Bee", primaryKey: "key", attributes: [AttributeDescription("key", .int32)])
    let model = RandomModel(ant(weak, RelationshipDescription("strong", to: "Bee")), bee)
    let result = try imported(model, ("Ant", [["id": 1, "weak": 7, "strong": 7]]))
    #expect(result.codes == [])
    #expect(result.graph == ["Ant/1: Ant id=1 strong→[Bee/7] weak→[Bee/7]", "Bee/7: Bee (stub) key=7"])
  }
}
