/// A line of the table, for example `fresh.engine`.
struct Line: Hashable {
  var group: Group
  /// The contender and the size.
  var part: String

  init(_ group: Group, _ part: String) {
    self.group = group
    self.part = part
  }

  static func growth(_ name: String, _ posts: Int) -> Line { Line(.growth, "\(name).\(posts)") }

  var name: String { "\(group.rawValue).\(part)" }

  /// Returns whether a name selects this line, by its group, its contender or its whole name.
  func isMeant(by name: String) -> Bool {
    let parts = self.name.split(separator: ".")
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(parts.contains)
  }
}

/// The groups of measurements, in the order of the table.
enum Group: String, CaseIterable {
  case inMemory = "in-memory"
  case fresh, unchanged, changed, fetch, pages, cache, properties, updates, growth, peak, scenarios, suite,
    diff
}
