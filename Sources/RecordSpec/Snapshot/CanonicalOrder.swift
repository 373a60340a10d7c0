/// An order of records that have no name yet, made of nothing but what the records are and how they hang together.
///
/// Records are told apart by name, owners and content; then by their neighbours, as often as that helps. What is
/// still alike falls into islands, which are put in order by how they look from inside. Within an island where
/// everything looks alike, one record is taken first, and each choice is tried until `effort` is spent; choices only
/// differ in islands that are regular without being symmetric.
struct CanonicalOrder {
  /// A record that waits for its label.
  struct Node {
    /// A link to or from a record that has a label already.
    struct Neighbor {
      var label: RecordLabel
      var property: String
      var position: Int
    }

    /// A link to or from another record that waits.
    struct Edge {
      var property: String
      var isIncoming: Bool
      var position: Int
      var node: Int

      init(property: String, isIncoming: Bool, position: Int, _ node: Int) {
        self.property = property
        self.isIncoming = isIncoming
        self.position = position
        self.node = node
      }
    }

    var name: String
    var content: [String]
    /// Links from labelled records.
    var owners: [Neighbor] = []
    /// Links to labelled records.
    var links: [Neighbor] = []
    var edges: [Edge] = []
  }

  /// The positions of `nodes` in their canonical order.
  static func of(_ nodes: [Node], effort: Int = 2_000_000) -> [Int] {
    var search = CanonicalOrder(nodes, effort: effort)
    return search.order(Array(nodes.indices))
  }

  private struct Edge {
    /// The rank of property and direction among all.
    var kind: Int
    var position: Int
    var node: Int
  }

  private let edges: [[Edge]]
  /// Equal for nodes that look alike so far; smaller comes first.
  private var color: [Int]
  /// The place of nodes that an outer step has told apart from all others around them.
  private var position: [Int?]
  private var effort: Int

  private init(_ nodes: [Node], effort: Int) {
    let kinds = Set(nodes.flatMap { $0.edges.map { ($0.isIncoming ? "<" : ">") + $0.property } }).sorted()
    let rank = Dictionary(kinds.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    edges = nodes.map { node in
      node.edges.map {
        Edge(
          kind: rank[($0.isIncoming ? "<" : ">") + $0.property] ?? 0, position: $0.position, node: $0.node)
      }
    }
    color = Self.ranks(nodes.map(Signature.init))
    position = Array(repeating: nil, count: nodes.count)
    self.effort = effort
  }

  /// Numbers values so that equal ones get equal numbers and smaller ones smaller numbers.
  private static func ranks<Value: Comparable>(_ values: [Value]) -> [Int] {
    let sorted = values.indices.sorted { values[$0] < values[$1] }
    var ranks = Array(repeating: 0, count: values.count)
    for position in sorted.indices.dropFirst() {
      let (last, current) = (sorted[position - 1], sorted[position])
      ranks[current] = values[last] < values[current] ? position : ranks[last]
    }
    return ranks
  }
}

// The search
extension CanonicalOrder {
  /// Puts `nodes` in order. What is next to them and not among them has a place already.
  private mutating func order(_ nodes: [Int]) -> [Int] {
    guard nodes.count > 1 else { return nodes }
    refine(nodes)
    let classes = Dictionary(grouping: nodes) { color[$0] }.sorted { $0.key < $1.key }.map(\.value)
    guard classes.count < nodes.count else { return classes.map { $0[0] } }

    // What is told apart divides the rest into islands. Places only have to differ among neighbours.
    let next = highestPlace(around: nodes) + 1
    for (offset, members) in classes.filter({ $0.count == 1 }).enumerated() {
      position[members[0]] = next + offset
    }
    defer { for node in nodes { position[node] = nil } }

    var islands = self.islands(of: classes.filter { $0.count > 1 }.flatMap { $0 })
    if islands.count == 1, islands[0].count == nodes.count {
      return bestChoice(in: nodes, first: classes.min { $0.count < $1.count } ?? nodes)
    }
    let colors = nodes.map { color[$0] }
    for index in islands.indices { islands[index] = order(islands[index]) }
    // Inside an island colors were numbered anew; among islands only those from before compare.
    for (node, color) in zip(nodes, colors) { self.color[node] = color }
    let looks = Self.ranks(islands.map { Look(look(of: $0)) })

    // Islands that look the same may stand for each other, but only as a whole: each takes its own turn.
    var turn: [Int: (island: Int, position: Int)] = [:]
    for (number, island) in islands.indices.sorted(by: { looks[$0] < looks[$1] }).enumerated() {
      for (position, node) in islands[island].enumerated() { turn[node] = (number, position) }
    }
    return classes.flatMap { members in
      members.sorted { (turn[$0] ?? (0, 0)) < (turn[$1] ?? (0, 0)) }
    }
  }

  /// Takes each of `first` to come before its equals, and keeps the order that looks smallest.
  private mutating func bestChoice(in nodes: [Int], first: [Int]) -> [Int] {
    let colors = nodes.map { color[$0] }
    var best: (order: [Int], look: Look)?
    for choice in first {
      for (node, color) in zip(nodes, colors) { self.color[node] = 2 * color + 1 }
      color[choice] -= 1
      let order = self.order(nodes)
      for (node, color) in zip(nodes, colors) { self.color[node] = color }
      let look = Look(look(of: order))
      if best.map({ look < $0.look }) ?? true { best = (order, look) }
      if effort <= 0 { break }
    }
    return best?.order ?? nodes
  }

  /// Tells nodes apart by their neighbours until that changes nothing any more.
  private mutating func refine(_ nodes: [Int]) {
    var count = 0
    while true {
      let looks = nodes.map { node in
        effort -= 1 + edges[node].count
        return Look([color[node]] + neighbours(of: node) { color[$0] })
      }
      let ranks = Self.ranks(looks)
      for (node, rank) in zip(nodes, ranks) { color[node] = rank }
      let classes = Set(ranks).count
      if classes == count || classes == nodes.count { return }
      count = classes
    }
  }

  /// Kind, position and name of what is next to a node, in an order of its own.
  private func neighbours(of node: Int, named name: (Int) -> Int) -> [Int] {
    edges[node]
      .map { edge in (edge.kind, edge.position, position[edge.node].map { -1 - $0 } ?? name(edge.node)) }
      .sorted(by: <)
      .flatMap { [$0.0, $0.1, $0.2] }
  }

  /// How ordered nodes look from inside: equal for islands that could stand for each other.
  private func look(of order: [Int]) -> [Int] {
    var position: [Int: Int] = [:]
    for (index, node) in order.enumerated() { position[node] = index }
    return order.flatMap { node in
      let neighbours = neighbours(of: node) { position[$0] ?? 0 }
      return [color[node], neighbours.count] + neighbours
    }
  }

  private func highestPlace(around nodes: [Int]) -> Int {
    nodes.reduce(0) { highest, node in
      edges[node].reduce(highest) { max($0, position[$1.node] ?? 0) }
    }
  }

  /// The nodes that hang together by edges among themselves.
  private func islands(of nodes: [Int]) -> [[Int]] {
    var waiting = Set(nodes)
    var islands: [[Int]] = []
    for start in nodes where waiting.remove(start) != nil {
      var island = [start]
      var next = 0
      while next < island.count {
        for edge in edges[island[next]] where waiting.remove(edge.node) != nil { island.append(edge.node) }
        next += 1
      }
      islands.append(island)
    }
    return islands
  }
}

/// Numbers that compare one by one, the shorter of two equal beginnings first.
private struct Look: Comparable {
  let numbers: [Int]
  init(_ numbers: [Int]) { self.numbers = numbers }
  static func < (left: Look, right: Look) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
}

/// What a node is without its unlabelled neighbours: name, then owners, then content, then other links.
///
/// Compared byte by byte, since two spellings that count as the same text are not the same in a file.
struct Signature: Comparable {
  private let name: [UInt8]
  private let rest: [[UInt8]]

  init(_ node: CanonicalOrder.Node) {
    func texts(_ links: [CanonicalOrder.Node.Neighbor]) -> [[UInt8]] {
      let sorted = links.sorted {
        ($0.label, $0.property, $0.position) < ($1.label, $1.property, $1.position)
      }
      return sorted.flatMap { link in
        [Array(link.label.rawValue.utf8), Array(link.property.utf8), bytes(of: link.position)]
      }
    }
    // Each list ends with a byte no text starts with, so that a shorter list is not read on into the next.
    let end: [[UInt8]] = [[0]]
    name = Array(node.name.utf8)
    rest = texts(node.owners) + end + node.content.map { Array($0.utf8) } + end + texts(node.links)
  }

  static func < (left: Signature, right: Signature) -> Bool {
    if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
    return left.rest.lexicographicallyPrecedes(right.rest) { $0.lexicographicallyPrecedes($1) }
  }

  static func == (left: Signature, right: Signature) -> Bool {
    left.name == right.name && left.rest == right.rest
  }
}

/// The number as bytes that sort as the numbers do.
private func bytes(of number: Int) -> [UInt8] {
  withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).bigEndian) { Array($0) }
}
