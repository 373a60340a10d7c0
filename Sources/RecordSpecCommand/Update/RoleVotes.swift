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

  /// Returns the mapping. Different new values have different old ones, also if they stay as they are.
  ///
  /// A new value gets the old one for which it stands in more positions than for any other, and for which no other new value
  /// stands in as many.
  ///
  /// - Complexity: linear in the number of pairs, apart from sorting the conflicts.
  var mapping: Mapping {
    var bestNew: [String: (value: String?, count: Int)] = [:]
    for (new, olds) in counts {
      for (old, count) in olds {
        let best = bestNew[old]
        if best == nil || count > best?.count ?? 0 {
          bestNew[old] = (new, count)
        } else if count == best?.count {
          bestNew[old] = (nil, count)
        }
      }
    }
    var mapping = Mapping()
    var rejected: [String] = []
    for (new, olds) in counts {
      let most = olds.values.max() ?? 0
      let best = olds.filter { $0.value == most }.keys
      if let old = best.first, best.count == 1, bestNew[old]?.value == new {
        mapping.values[new] = old
      } else {
        mapping.conflicts.append(new)
      }
    }
    // An old value must not become that of two roles, the second of which keeps its new value.
    var sources = Dictionary(
      mapping.values.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    rejected = seen.union(counts.keys).filter { mapping.values[$0] == nil }
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
