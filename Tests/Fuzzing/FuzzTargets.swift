/// The targets by name.
enum FuzzTargets {
  private static var all: [(name: String, type: any FuzzTarget.Type)] {
    [
      ("json", JSONTarget.self), ("key-path", KeyPathTarget.self), ("date-pattern", DatePatternTarget.self),
      ("predicate", PredicateTarget.self), ("link", LinkTarget.self), ("headers", HeadersTarget.self),
      ("xcode-model", XcodeModelTarget.self), ("model", ModelTarget.self), ("scenario", ScenarioTarget.self),
      ("golden", GoldenTarget.self), ("sqlite", SQLiteTarget.self), ("cache", CacheTarget.self),
      ("run", RunTarget.self),
    ]
  }

  static var names: String { all.map(\.name).joined(separator: ", ") }

  static func target(named name: String) throws -> (any FuzzTarget)? {
    try all.first { $0.name == name }?.type.init()
  }
}
