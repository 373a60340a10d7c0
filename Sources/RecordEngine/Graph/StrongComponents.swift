/// The strongly connected components of a directed graph: nodes that can all be reached from each other.
struct StrongComponents {
  private(set) var components: [[Int]] = []
  /// By node: the index of its component.
  private(set) var indices: [Int]

  /// Finds the components with Tarjan's algorithm, without recursion, as paths may be as long as there are nodes.
  ///
  /// - Complexity: linear in the nodes and edges.
  init(_ successors: [[Int]]) {
    indices = Array(repeating: -1, count: successors.count)
    /// By node: when it was reached, or a node that was reached earlier and can be reached from it; 0 if it was not reached.
    var lowest = Array(repeating: 0, count: successors.count)
    var reached = 0
    /// Reached nodes that are in no component yet.
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
