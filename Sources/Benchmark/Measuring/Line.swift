/// One line of the table, `fresh.engine`.
struct Line: Hashable {
  var group: Group
  /// Who, and how much.
  var part: String

  init(_ group: Group, _ part: String) {
    self.group = group
    self.part = part
  }

  static func growth(_ name: String, _ posts: Int) -> Line { Line(.growth, "\(name).\(posts)") }

  var name: String { "\(group.rawValue).\(part)" }

  /// Whether someone means this line, or all of its group or of its contender, who asks for `name`.
  func isMeant(by name: String) -> Bool {
    let parts = self.name.split(separator: ".")
    return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(parts.contains)
  }
}

/// What is measured, in the order of the table.
enum Group: String, CaseIterable {
  case inMemory = "in-memory"
  case fresh, unchanged, changed, fetch, pages, cache, growth, peak
}
