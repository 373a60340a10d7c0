/// Finds the cycles of a graph in which at most one edge leaves each node.
enum Cycles {
  /// Returns the cycles that walks from the given nodes enter, in the order of the walks. Each cycle starts with the
  /// node at which a walk first enters it.
  ///
  /// - Complexity: linear in the number of visited nodes.
  static func find<Node: Hashable>(from starts: some Sequence<Node>, next: (Node) -> Node?) -> [[Node]] {
    /// The number of the walk that visited each node.
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
