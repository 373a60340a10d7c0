/// The cycles of a graph in which at most one edge leaves each node.
enum Cycles {
  /// Returns the cycles that walks lead into, in the order of the walks, each from the node at which a walk first meets it.
  ///
  /// - Complexity: linear in the nodes that are walked over.
  static func find<Node: Hashable>(from starts: some Sequence<Node>, next: (Node) -> Node?) -> [[Node]] {
    /// For each node the number of the walk that has passed it.
    var walks: [Node: Int] = [:]
    var cycles: [[Node]] = []
    for (walk, start) in starts.enumerated() {
      var current: Node? = start
      while let node = current, walks[node] == nil {
        walks[node] = walk
        current = next(node)
      }
      guard let entry = current, walks[entry] == walk else { continue }
      var cycle = [entry]
      while let node = cycle.last.flatMap(next), node != entry { cycle.append(node) }
      cycles.append(cycle)
    }
    return cycles
  }
}
