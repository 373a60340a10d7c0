/// A search for the records that are no longer deleted because the records whose cascades reach them are kept.
///
/// If a record cannot be deleted, every record whose cascade reaches it is kept, too. A strongly connected component is
/// therefore kept as a whole or not at all. It suffices to count the edges that lead into each component.
struct CascadeSupport {
  private let taken: [[Int]]
  private let graph: StrongComponents
  /// For each component, the number of its records that are deleted directly, plus the number of edges from deleted
  /// records of other components. Edges within a component do not count.
  private var counts: [Int]

  /// Creates a search.
  ///
  /// - Parameters:
  ///   - taken: for each record, the records that its cascades delete.
  ///   - roots: the records that are deleted directly.
  init(_ taken: [[Int]], roots: [Int]) {
    self.taken = taken
    graph = StrongComponents(taken)
    counts = Array(repeating: 0, count: graph.components.count)
    for root in roots { counts[graph.indices[root]] += 1 }
    for (owner, members) in taken.enumerated() {
      for member in members where graph.indices[member] != graph.indices[owner] {
        counts[graph.indices[member]] += 1
      }
    }
  }

  /// Returns the records that no cascade reaches any longer.
  ///
  /// - Parameters:
  ///   - held: records that must be kept and have not been passed before. All records whose cascades reach them must be
  ///     kept, too.
  ///   - isDoomed: a closure that returns whether a record is still to be deleted.
  mutating func withdraw(_ held: [Int], isDoomed: (Int) -> Bool) -> [Int] {
    var left: [Int] = []
    var pending = held
    while let owner = pending.popLast() {
      for member in taken[owner] where graph.indices[member] != graph.indices[owner] {
        let component = graph.indices[member]
        counts[component] -= 1
        guard counts[component] == 0 else { continue }
        let freed = graph.components[component].filter(isDoomed)
        left += freed
        pending += freed
      }
    }
    return left
  }
}
