/// The values of an old session that stood where those of a new one stand, with the number of such positions.
struct RoleVotes {
  /// The number of positions, by new and old value.
  private var counts: [String: [String: Int]] = [:]
  /// All new values.
  private var seen: Set<String> = []

  mutating func add(new: String, old: String, count: Int = 1) {
    counts[new, default: [:]][old, default: 0] += count
  }

  /// Adds a new value that may have no old one.
  mutating func see(_ new: String) { seen.insert(new) }

  /// Returns a Boolean value that indicates whether a value is one of the new ones.
  func contains(_ new: String) -> Bool { seen.contains(new) || counts[new] != nil }

  mutating func add(_ other: RoleVotes) {
    for (new, olds) in other.counts { for (old, count) in olds { add(new: new, old: old, count: count) } }
    seen.formUnion(other.seen)
  }

  /// The old value of each new one, and the new values whose old one is not clear.
  struct Mapping {
    var values: [String: String] = [:]
    /// The new values that stay as recorded, sorted.
    var conflicts: [String] = []
  }

  /// Returns the mapping. Different new values have different old ones, even if they stay as they are.
  ///
  /// The pairs with the most positions come first. A pair holds if no other pair with as many positions has one of its values.
  /// Otherwise both values stay, because one of them stands for two.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of pairs.
  var mapping: Mapping {
    var pairs: [Int: [(new: String, old: String)]] = [:]
    for (new, olds) in counts { for (old, count) in olds { pairs[count, default: []].append((new, old)) } }
    var mapping = Mapping()
    var takenNew: Set<String> = []
    var takenOld: Set<String> = []
    for count in pairs.keys.sorted(by: >) {
      let free = (pairs[count] ?? []).filter { !takenNew.contains($0.new) && !takenOld.contains($0.old) }
      let news = Dictionary(free.map { ($0.new, 1) }, uniquingKeysWith: +)
      let olds = Dictionary(free.map { ($0.old, 1) }, uniquingKeysWith: +)
      for (new, old) in free {
        if news[new] == 1, olds[old] == 1 { mapping.values[new] = old }
        takenNew.insert(new)
        takenOld.insert(old)
      }
    }
    mapping.conflicts = counts.keys.filter { mapping.values[$0] == nil }
    // An old value must not become that of two roles, the second of which keeps its new value.
    var sources = Dictionary(
      mapping.values.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    var rejected = Array(seen.union(counts.keys).filter { mapping.values[$0] == nil })
    while let kept = rejected.popLast() {
      guard let source = sources[kept], source != kept else { continue }
      sources[kept] = nil
      mapping.values[source] = nil
      mapping.conflicts.append(source)
      rejected.append(source)
    }
    mapping.conflicts.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return mapping
  }
}
