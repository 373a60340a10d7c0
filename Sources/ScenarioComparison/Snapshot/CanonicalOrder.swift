import ScenarioFormat

/// A canonical order of records without labels. It depends only on the contents and the links of the records.
///
/// Records are distinguished by name, owners and content, then repeatedly by their neighbors. Records that still look
/// alike are divided into connected islands, which are ordered by their internal structure. In an island whose records
/// all look alike, each record in turn is tried as the first one, until `effort` is spent. The choices lead to
/// different results only in islands that are regular without being symmetric.
struct CanonicalOrder {
  /// A record without a label.
  struct Node {
    /// A link to or from a record with a label.
    struct Neighbor {
      var label: RecordLabel
      var property: String
      var position: Int
    }

    /// A link to or from another record without a label.
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
    /// The links from records with a label.
    var owners: [Neighbor] = []
    /// The links to records with a label.
    var links: [Neighbor] = []
    var edges: [Edge] = []
  }

  /// Returns the indices of `nodes` in their canonical order.
  static func of(_ nodes: [Node], effort: Int = 2_000_000) -> [Int] {
    var search = CanonicalOrder(nodes, effort: effort)
    return search.order(Array(nodes.indices))
  }

  private struct Edge {
    /// The rank of the property and the direction among all edges.
    var kind: Int
    var position: Int
    var node: Int
  }

  private let edges: [[Edge]]
  /// The color of each node. Nodes that look alike so far have equal colors, and smaller colors come first.
  private var color: [Int]
  /// The position of each node that an outer step has distinguished from its neighbors.
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

  /// Returns the ranks of values. Equal values have equal ranks, and smaller values have smaller ranks.
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
  /// Returns `nodes` in order. Their neighbors outside `nodes` already have positions.
  private mutating func order(_ nodes: [Int]) -> [Int] {
    guard nodes.count > 1 else { return nodes }
    refine(nodes)
    let classes = Dictionary(grouping: nodes) { color[$0] }.sorted { $0.key < $1.key }.map(\.value)
    guard classes.count < nodes.count else { return classes.map { $0[0] } }

    // Distinguished nodes divide the other nodes into islands. Positions need to differ only among neighbors.
    let next = highestPosition(around: nodes) + 1
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
    // Inside an island, colors are renumbered. Only the earlier colors are comparable among islands.
    for (node, color) in zip(nodes, colors) { self.color[node] = color }
    let looks = Self.ranks(islands.map { Look(look(of: $0)) })

    // Islands that look alike are interchangeable only as a whole, so the nodes of one precede those of the next.
    var turn: [Int: (island: Int, position: Int)] = [:]
    for (number, island) in islands.indices.sorted(by: { looks[$0] < looks[$1] }).enumerated() {
      for (position, node) in islands[island].enumerated() { turn[node] = (number, position) }
    }
    return classes.flatMap { members in
      members.sorted { (turn[$0] ?? (0, 0)) < (turn[$1] ?? (0, 0)) }
    }
  }

  /// Tries each of `first` before its equals, and returns the order with the smallest look.
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

  /// Distinguishes nodes by their neighbors until the number of colors no longer changes.
  private mutating func refine(_ nodes: [Int]) {
    var count = 0
    while true {
      let looks = nodes.map { node in
        effort -= 1 + edges[node].count
        return Look([color[node]] + neighbors(of: node) { color[$0] })
      }
      let ranks = Self.ranks(looks)
      for (node, rank) in zip(nodes, ranks) { color[node] = rank }
      let classes = Set(ranks).count
      if classes == count || classes == nodes.count { return }
      count = classes
    }
  }

  /// Returns the kind, position and name of each neighbor of a node, sorted.
  private func neighbors(of node: Int, named name: (Int) -> Int) -> [Int] {
    edges[node]
      .map { edge in (edge.kind, edge.position, position[edge.node].map { -1 - $0 } ?? name(edge.node)) }
      .sorted(by: <)
      .flatMap { [$0.0, $0.1, $0.2] }
  }

  /// Returns the look of ordered nodes from inside. Interchangeable islands have equal looks.
  private func look(of order: [Int]) -> [Int] {
    var position: [Int: Int] = [:]
    for (index, node) in order.enumerated() { position[node] = index }
    return order.flatMap { node in
      let neighbors = neighbors(of: node) { position[$0] ?? 0 }
      return [color[node], neighbors.count] + neighbors
    }
  }

  private func highestPosition(around nodes: [Int]) -> Int {
    nodes.reduce(0) { highest, node in
      edges[node].reduce(highest) { max($0, position[$1.node] ?? 0) }
    }
  }

  /// Returns the groups of nodes that edges within the group connect.
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

/// Numbers that are compared lexicographically.
private struct Look: Comparable {
  let numbers: [Int]
  init(_ numbers: [Int]) { self.numbers = numbers }
  static func < (left: Look, right: Look) -> Bool { left.numbers.lexicographicallyPrecedes(right.numbers) }
}

/// The features of a node without its unlabeled neighbors: name, then owners, then content, then other links.
///
/// The comparison is by byte, because canonically equivalent texts differ in a file.
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
    // Each list ends with a byte that no text starts with, so that a shorter list does not run into the next one.
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

/// Returns a nonnegative number as bytes that sort as the numbers do.
private func bytes(of number: Int) -> [UInt8] {
  withUnsafeBytes(of: UInt64(bitPattern: Int64(number)).bigEndian) { Array($0) }
}
