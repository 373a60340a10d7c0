/// The strongly connected components of a directed graph. The nodes of a component can all be reached from each other.
struct StrongComponents {
  private(set) var components: [[Int]] = []
  /// The index of the component of each node.
  private(set) var indices: [Int]

  /// Finds the components with Tarjan's algorithm. Does not recurse, because a path can contain all nodes.
  ///
  /// - Complexity: linear in the number of nodes and edges.
  init(_ successors: [[Int]]) {
    indices = Array(repeating: -1, count: successors.count)
    /// For each node, the time at which it was reached, or that of an earlier node that can be reached from it; 0 if it
    /// has not been reached.
    var lowest = Array(repeating: 0, count: successors.count)
    var reached = 0
    /// The reached nodes that do not belong to a component yet.
    var open: [Int] = []
    var path: [(node: Int, time: Int, next: Int)] = []

    func enter(_ node: Int) {
      reached += 1
      lowest[node] = reached
      open.append(node)
      path.append((node, reached, 0))
    }

    for start in successors.indices where lowest[start] == 0 {
      enter(start)
      while let (node, time, next) = path.last {
        let others = successors[node]
        if next < others.count {
          path[path.count - 1].next += 1
          let other = others[next]
          if lowest[other] == 0 {
            enter(other)
          } else if indices[other] < 0 {
            lowest[node] = min(lowest[node], lowest[other])
          }
          continue
        }
        path.removeLast()
        if let before = path.last?.node { lowest[before] = min(lowest[before], lowest[node]) }
        guard lowest[node] == time, let first = open.lastIndex(of: node) else { continue }
        for member in open[first...] { indices[member] = components.count }
        components.append(Array(open[first...]))
        open.removeSubrange(first...)
      }
    }
  }
}
