import OrderedCollections
import RecordModel
import Testing

@testable import RecordEngine

/// Tests that a context keeps only the latest value of each property that its caller sets, and that these values
/// suffice to restore the graph.
@Suite struct CallerChangesTests {
  /// Returns a model of nodes with every kind of relationship, and of pages that require a node.
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id", deletedWhen: "isGone == true",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("text", .string),
          AttributeDescription("isGone", .boolean),
        ],
        relationships: [
          RelationshipDescription("parent", to: "Node", inverse: "children"),
          RelationshipDescription("children", toMany: "Node", inverse: "parent"),
          RelationshipDescription("place", to: "Node", inverse: "list"),
          RelationshipDescription("list", toMany: "Node", inverse: "place", isOrdered: true),
          RelationshipDescription("twin", to: "Node", inverse: "twin"),
          RelationshipDescription("loose", to: "Node"),
          RelationshipDescription("friends", toMany: "Node", inverse: "friends"),
          RelationshipDescription("likes", toMany: "Node", inverse: "likedBy"),
          RelationshipDescription("likedBy", toMany: "Node", inverse: "likes"),
          RelationshipDescription(
            "tracks", toMany: "Node", inverse: "albums", isOrdered: true, assignment: .replace),
          RelationshipDescription("albums", toMany: "Node", inverse: "tracks"),
          RelationshipDescription("marks", toMany: "Node", assignment: .replace),
          RelationshipDescription("pages", toMany: "Page", inverse: "node"),
        ]),
      EntityDescription(
        "Page", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("node", to: "Node", inverse: "pages", isOptional: false)]),
    ])
  }

  private static let toOnes: [PropertyName] = ["parent", "place", "twin", "loose"]
  private static let toManys: [PropertyName] = [
    "children", "list", "friends", "likes", "likedBy", "tracks", "albums", "marks",
  ]

  @Test func togglingDoesNotPileUp() throws {
    let container = try PersistentContainer(model: try Self.model())
    let context = container.makeContext()
    let (a, b) = (try context.insert("Node"), try context.insert("Node"))
    for number in 0..<1000 {
      a["id"] = number
      a["parent"] = b
      a["parent"] = nil as Record?
      for name: PropertyName in ["friends", "likes", "children", "marks"] {
        a.add(b, to: name)
        a.remove(b, from: name)
      }
    }
    context.refreshAllObjects()
    let caller = context.unsaved.caller
    #expect(caller.values.count + caller.toOnes.count + caller.links.count < 20)
    #expect((a["friends"] as [Record]).isEmpty)
  }

  /// A record that leaves an ordered relationship through its inverse and returns is the last one.
  @Test func aMemberThatReturnsThroughTheInverseIsLast() throws {
    let context = try PersistentContainer(model: try Self.model()).makeContext()
    let nodes = try (1...4).map { number in
      let node = try context.insert("Node")
      node["id"] = number
      return node
    }
    nodes[0]["tracks"] = Array(nodes[1...])
    try context.save()
    nodes[1].remove(nodes[0], from: "albums")
    nodes[1].add(nodes[0], to: "albums")
    #expect((nodes[0]["tracks"] as [Record]).map { $0["id"] } == [3, 4, 2])
  }

  @Test func ordersWithoutMembersAreNotKept() throws {
    let schema = try Self.model().schema
    func relationship(_ name: PropertyName) -> SchemaRelationship {
      schema.relationships[schema.entities[0].relationshipIndices[name] ?? 0]
    }
    let tracks = relationship("tracks")
    let ids = (1...4).map { RecordID(tree: 0, serial: $0) }
    func end(_ number: Int) -> RelationshipEnd {
      RelationshipEnd(relationship: tracks.index, owner: ids[number])
    }
    var caller = CallerChanges()
    for owner in 0..<3 { caller.placeLast(ids[3], in: end(owner)) }
    caller.placeLast(ids[0], in: end(2))
    caller.removeMember(ids[3], from: tracks, of: ids[0], isMember: true)
    caller.removeMember(ids[2], from: relationship("albums"), of: ids[3], isMember: true)
    #expect(Set(caller.orders.keys) == [end(1), end(2)])
    #expect(caller.orders[end(2)].map { Array($0.placed) } == [ids[0]])
    caller.forgetProperties(of: ids[3], schema)
    #expect(Array(caller.orders.keys) == [end(2)])
    caller.setOrder([], of: end(0))
    caller.removeMember(ids[3], from: tracks, of: ids[0], isMember: false)
    #expect(caller.orders[end(0)]?.order.map { Array($0) } == [])
  }

  /// A link of a newer response replaces the caller's changes of both ends, even if it names only one of them. The former
  /// partner then has no partner.
  @Test func aNewerLinkReplacesBothEnds() throws {
    let schema = try Self.model().schema
    let twin = schema.relationships[schema.entities[0].relationshipIndices["twin"] ?? 0]
    let ids = (0...2).map { RecordID(tree: 0, serial: $0) }
    let ends = ids.map { RelationshipEnd(relationship: twin.index, owner: $0) }
    var caller = CallerChanges()
    caller.setToOne(twin, of: ids[0], to: ids[1])
    var newer = ResponseChanges()
    newer.toOnes = [(ends[2], ids[0])]
    caller.forget(whatIsSetBy: newer, schema)
    #expect(caller.toOnes[ends[0]] == nil && caller.toOnes[ends[1]] == .target(nil))
  }

  /// Repeating the edits without the overwritten ones results in the same graph as before the save.
  @Test(arguments: 0..<40) func leavingThemOutChangesNothing(seed: Int) throws {
    let container = try PersistentContainer(model: try Self.model())
    let context = container.makeContext()
    var numbers = RandomNumbers(seed: UInt64(seed))
    let nodes = try (0..<5).map { number in
      let node = try context.insert("Node")
      node["id"] = number
      return node
    }
    func change() {
      let (node, other) = (nodes[numbers.number(0...4)], nodes[numbers.number(0...4)])
      let toMany = numbers.pick(Self.toManys) ?? Self.toManys[0]
      switch numbers.number(0...4) {
      case 0: node[numbers.pick(Self.toOnes) ?? Self.toOnes[0]] = other
      case 1: node[numbers.pick(Self.toOnes) ?? Self.toOnes[0]] = nil as Record?
      case 2, 3: node.add(other, to: toMany)
      default: node.remove(other, from: toMany)
      }
    }
    func contents() -> [[Int?]] {
      nodes.flatMap { node in
        Self.toOnes.map { [(node[$0] as Record?)?["id"]] }
          + Self.toManys.map { (node[$0] as [Record]).map { $0["id"] } }
      }
    }
    for _ in 0..<4 {
      for _ in 0..<60 { change() }
      let before = contents()
      context.refreshAllObjects()
      #expect(contents() == before)
      try context.save()
      #expect(contents() == before)
    }
  }

  @Test func settingWhatAResponseHasLinkedKeepsItsPosition() async throws {
    let container = try PersistentContainer(
      model: Self.model(),
      configuration: .init(
        server: CannedServer([
          "stored": [["id": 1], ["id": 2], ["id": 3]],
          "list": [["id": 1, "list": [2, 3], "tracks": [2, 3]]],
        ])))
    let context = container.makeContext()
    let nodes = try await container.request("Node", urn: "stored", context: context).records
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request("Node", urn: "list", options: options, context: context)
    nodes[1]["place"] = nodes[0]
    nodes[0].add(nodes[1], to: "tracks")
    try context.save()
    #expect((nodes[0]["list"] as [Record]).map { $0["id"] } == [2, 3])
    #expect((nodes[0]["tracks"] as [Record]).map { $0["id"] } == [2, 3])
  }

  /// The caller's order and deletions are merged again with each unsaved response.
  @Test func anOrderOutlivesDeletionsAndResponses() async throws {
    let container = try PersistentContainer(
      model: Self.model(),
      configuration: .init(
        server: CannedServer([
          "list": [["id": 1, "list": [2, 3, 4, 5]]], "later": [["id": 6]],
          "swapped": [["id": 1, "list": [3, 2, 5, 4]]], "added": [["id": 1, "list": [7]]],
        ])))
    let context = container.makeContext()
    let list = try await container.request("Node", urn: "list", context: context).records[0]
    func ids() -> [Int?] { (list["list"] as [Record]).map { $0["id"] } }
    list["list"] = (list["list"] as [Record]).reversed()
    #expect(ids() == [5, 4, 3, 2])
    context.delete((list["list"] as [Record])[1])
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request("Node", urn: "later", options: options, context: context)
    #expect(ids() == [5, 3, 2])
    // Another context saves a different order of the server.
    _ = try await container.request("Node", urn: "swapped", context: container.makeContext())
    context.refreshAllObjects()
    #expect(ids() == [5, 3, 2])
    let first = (list["list"] as [Record])[0]
    list.remove(first, from: "list")
    list.add(first, to: "list")
    _ = try await container.request("Node", urn: "added", options: options, context: context)
    #expect(ids() == [3, 2, 5, 7])
    try context.save()
    #expect(ids() == [3, 2, 5, 7])
  }
}
