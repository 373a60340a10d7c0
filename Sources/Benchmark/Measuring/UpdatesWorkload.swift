import RecordEngine

/// Saves of one record each, which a context with live queries merges, and the same saves without live queries.
struct UpdatesWorkload: Workload {
  private typealias Change = ObservedFeed.Change

  let context: BenchmarkInput
  let storage: Storage

  let maximumRounds = 3

  var lines: [Line] { Self.lines(storage) }

  static func lines(_ storage: Storage) -> [Line] {
    Change.allCases.flatMap { change in [false, true].map { line(storage, change, isObserved: $0) } }
  }

  private static func line(_ storage: Storage, _ change: Change, isObserved: Bool) -> Line {
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
    let feed = ObservedFeed(try await context.feed.container(file: file), context.feed.shape)
    for isObserved in [false, true] {
      if isObserved { try await feed.observe() }
      for change in Change.allCases {
        let line = Self.line(storage, change, isObserved: isObserved)
        guard chosen.contains(line) else { continue }
        try await feed.prepare(change)
        let (elements, duration) = try await Stopwatch.measure { try await feed.save(change) }
        record(line, duration)
        try expect(elements, toBe: isObserved && change == .shown ? ObservedFeed.saves : 0, "elements", line)
      }
    }
    try await feed.stop()
  }
}
