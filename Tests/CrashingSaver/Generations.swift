import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// A graph whose records and links each contain the number of their generation. A mixture of two generations is
/// invalid.
struct Generations {
  private let schema: Schema
  private let store: SQLiteStore

  private static let count = 300

  /// Opens a store.
  ///
  /// - Parameter isExtended: a Boolean value that indicates whether nodes have one more attribute, with a default.
  init(_ url: URL, isExtended: Bool = false) throws {
    var entities = [
      EntityDescription(
        "Node", primaryKey: "id",
        attributes: [
          AttributeDescription("id", .int64), AttributeDescription("generation", .int64),
          AttributeDescription("text", .string),
        ],
        relationships: [
          RelationshipDescription("next", to: "Node", inverse: "former"),
          RelationshipDescription("former", toMany: "Node", inverse: "next"),
          RelationshipDescription(
            "others", toMany: "Node", inverse: "owners", isOrdered: true, assignment: .replace),
          RelationshipDescription("owners", toMany: "Node", inverse: "others"),
        ])
    ]
    if isExtended {
      entities[0].attributes.append(
        AttributeDescription("more", .string, default: .string(String(repeating: "more ", count: 50))))
    }
    schema = try ManagedObjectModel(entities: entities).schema
    store = try SQLiteStore(url: url, schema: schema)
  }

  /// Saves one generation after the other, until an error occurs.
  func save() throws {
    var generation = try check()
    while true {
      generation += 1
      let population = Population(
        schema: schema, reader: store, entity: EntityIndex(0), response: "generation",
        options: PopulationOptions())
      _ = try population.populateAndSave(JSONDocument(Self.response(generation)), to: store)
      CrashingSaver.say("\(generation)")
    }
  }

  private static func next(_ node: Int, _ generation: Int) -> Int { (node + generation) % count }

  private static func others(_ node: Int, _ generation: Int) -> [Int] {
    (1...5).map { (node * 7 + generation * $0) % (count * 2) }.reduce(into: []) { list, other in
      if !list.contains(other) { list.append(other) }
    }
  }

  private static func text(_ node: Int, _ generation: Int) -> String {
    String(repeating: "\(node) in \(generation). ", count: 20 + generation % 20)
  }

  private static func response(_ generation: Int) -> JSONValue {
    .array(
      (0..<count).map { node in
        [
          "id": number(node), "generation": number(generation), "text": .string(text(node, generation)),
          "next": number(next(node, generation)), "others": .array(others(node, generation).map(number)),
        ]
      })
  }

  private static func number(_ value: Int) -> JSONValue { .number(JSONNumber(Int64(value))) }

  /// Returns the generation in the store; 0 if the store is empty. Throws an error for a mixture.
  func check() throws -> Int {
    let rows = try store.rows(of: EntityIndex(0))
    guard !rows.isEmpty else { return 0 }
    var nodes: [RecordID: Int] = [:]
    var generations: Set<Int> = []
    for row in rows {
      guard case .integer(let node)? = row.values[0] else { throw Mixture(text: "a node has no id") }
      nodes[row.id] = Int(node)
      if case .integer(let generation)? = row.values[1] { generations.insert(Int(generation)) }
    }
    guard generations.count == 1, let generation = generations.first else {
      throw Mixture(text: "it holds the generations \(generations.sorted())")
    }
    guard Set(nodes.values).isSuperset(of: 0..<Self.count), Set(nodes.values).count == rows.count else {
      throw Mixture(text: "nodes are missing, or there twice")
    }
    let others = try store.members(of: RelationshipIndex(2), owners: rows.map(\.id))
    let owners = try store.members(of: RelationshipIndex(3), owners: rows.map(\.id))
    var links: Set<[Int]> = []
    var backLinks: Set<[Int]> = []
    for (row, (others, owners)) in zip(rows, zip(others, owners)) {
      guard let node = nodes[row.id] else { continue }
      for other in others { links.insert([node, nodes[other] ?? -1]) }
      for owner in owners { backLinks.insert([nodes[owner] ?? -1, node]) }
      guard node < Self.count else { continue }
      guard row.values[2] == .string(Self.text(node, generation)),
        row.toOnes[0].flatMap({ nodes[$0] }) == Self.next(node, generation),
        others.map({ nodes[$0] ?? -1 }) == Self.others(node, generation)
      else { throw Mixture(text: "node \(node) is not of the generation \(generation)") }
    }
    guard links == backLinks else { throw Mixture(text: "links differ by side") }
    return generation
  }

  private struct Mixture: Error, CustomStringConvertible {
    var text: String

    var description: String { text }
  }
}
