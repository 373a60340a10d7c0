import RecordEngine

/// Saves of one record each, which a context with live queries merges, and the same saves without live queries.
struct UpdatesWorkload: Workload {
  /// The number of live queries.
  static let observers = 100
  /// The number of saves in one measurement. Each save changes a record that another live query shows.
  static let saves = observers / 2

  /// The record that a save changes.
  enum Change: String, CaseIterable {
    /// A post that one live query shows.
    case shown
    /// A post that no live query shows.
    case hidden
    /// A record of an entity that no live query uses.
    case unrelated

    var title: String {
      switch self {
      case .shown: "a post that one query shows"
      case .hidden: "a post that no query shows"
      case .unrelated: "a record that no query uses"
      }
    }
  }

  let context: BenchmarkInput
  let storage: Storage

  let maximumRounds = 3

  var lines: [Line] { Self.lines(storage) }

  static func lines(_ storage: Storage) -> [Line] {
    Change.allCases.flatMap { change in [false, true].map { line(storage, change, isObserved: $0) } }
  }

  static func line(_ storage: Storage, _ change: Change, isObserved: Bool) -> Line {
    Line(.updates, "\(storage.rawValue).\(change.rawValue).\(isObserved ? "observed" : "unobserved")")
  }

  /// Returns the line without live queries that corresponds to a line.
  static func unobservedLine(beside line: Line) -> Line? {
    parts(of: line).map { Self.line($0.storage, $0.change, isObserved: false) }
  }

  static func title(of line: Line) -> String? {
    guard let (storage, change, isObserved) = parts(of: line) else { return nil }
    return "\(storage.title): \(change.title)\(isObserved ? "" : ", no queries")"
  }

  private static func parts(of line: Line) -> (storage: Storage, change: Change, isObserved: Bool)? {
    let parts = line.part.split(separator: ".").map(String.init)
    guard parts.count == 3, let storage = Storage(rawValue: parts[0]), let change = Change(rawValue: parts[1])
    else { return nil }
    return (storage, change, parts[2] == "observed")
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let file = storage == .sqlite ? try context.folder.newFile("updates.sqlite") : nil
    let screens = ObservedFeed(try await context.feed.container(file: file), context.feed.shape)
    for isObserved in [false, true] {
      if isObserved { try await screens.observe(Self.observers) }
      for change in Change.allCases {
        let line = Self.line(storage, change, isObserved: isObserved)
        guard chosen.contains(line) else { continue }
        try await screens.prepare(change)
        let (elements, duration) = try await Stopwatch.measure { try await screens.save(change) }
        record(line, duration)
        try expect(elements, toBe: isObserved && change == .shown ? Self.saves : 0, "elements", line)
      }
    }
    try await screens.stop()
  }
}
