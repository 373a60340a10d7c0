/// Finds the records that are no longer deleted once the records whose cascades reach them stay.
///
/// A record that cannot be taken along holds all that would take it, so that a strong component is held as a whole or not at
/// all. It is therefore enough to count the links that lead into each component.
struct CascadeSupport {
  private let taken: [[Int]]
  private let graph: StrongComponents
  /// By component: how many of its records are to be deleted by themselves, and how many links lead to it from records of
  /// others that go. Within a component records take each other, so that they go or stay together.
  private var counts: [Int]

  /// - Parameters:
  ///   - taken: by record, those that it takes with it.
  ///   - roots: the records that are to be deleted by themselves.
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

  /// Returns the records that nothing takes any more.
  ///
  /// - Parameters:
  ///   - held: records that have to stay, and were not named before. All that would take them are held too.
  ///   - isDoomed: returns whether a record does not stay yet.
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
