import ScenarioRun

/// The layers of the nodes of a graph. Every edge leads to a later layer, after some edges were reversed.
struct LayerAssignment {
  /// The layer of each node.
  private(set) var layers: [Int]
  /// The start and the end of each edge, so that the start is in an earlier layer.
  private(set) var edges: [(start: Int, end: Int)]
  /// For each edge, a Boolean value that indicates whether its start and end were exchanged.
  let isReversed: [Bool]

  init(count: Int, edges: [(start: Int, end: Int)]) {
    isReversed = Self.reversals(count: count, edges)
    self.edges = zip(edges, isReversed).map { edge, isReversed in
      isReversed ? (edge.end, edge.start) : edge
    }
    layers = Array(repeating: 0, count: count)
    assignLayers(count: count)
  }

  /// Returns which edges to reverse, so that no cycle remains: those that lead back on a path from the first nodes.
  private static func reversals(count: Int, _ edges: [(start: Int, end: Int)]) -> [Bool] {
    var outgoing = Array(repeating: [Int](), count: count)
    var isEnd = Array(repeating: false, count: count)
    for (index, edge) in edges.enumerated() {
      outgoing[edge.start].append(index)
      isEnd[edge.end] = true
    }
    enum State { case new, onPath, done }
    var state = Array(repeating: State.new, count: count)
    var isReversed = Array(repeating: false, count: edges.count)
    // Nodes without incoming edges come first, so that few edges lead back.
    for root in (0..<count).filter({ !isEnd[$0] }) + Array(0..<count) where state[root] == .new {
      var path = [(node: root, next: 0)]
      state[root] = .onPath
      while let (node, next) = path.last {
        guard next < outgoing[node].count else {
          state[node] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let edge = outgoing[node][next]
        let end = edges[edge].end
        switch state[end] {
        case .onPath: isReversed[edge] = true
        case .new:
          state[end] = .onPath
          path.append((end, 0))
        case .done: break
        }
      }
    }
    return isReversed
  }

  /// Puts each node after all nodes before it, as early as possible. Nodes without incoming edges move next to their
  /// successors.
  private mutating func assignLayers(count: Int) {
    var incoming = Array(repeating: 0, count: count)
    var outgoing = Array(repeating: [Int](), count: count)
    for edge in edges {
      incoming[edge.end] += 1
      outgoing[edge.start].append(edge.end)
    }
    let first = (0..<count).filter { incoming[$0] == 0 }
    var ready = first
    var next = 0
    while next < ready.count {
      let node = ready[next]
      next += 1
      for end in outgoing[node] {
        layers[end] = max(layers[end], layers[node] + 1)
        incoming[end] -= 1
        if incoming[end] == 0 { ready.append(end) }
      }
    }
    for node in first {
      if let nearest = outgoing[node].map({ layers[$0] }).min() { layers[node] = nearest - 1 }
    }
    // All first nodes may have moved.
    let least = layers.min() ?? 0
    for node in layers.indices { layers[node] -= least }
  }
}
