import JSONTree
import RecordEngine

/// Parsing without anything else.
struct TapeWorkload: Workload {
  static let line = Line(.inMemory, "tape")

  let context: BenchmarkInput
  let lines = [Self.line]

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let (document, duration) = try await Stopwatch.measure {
      try JSONDocument(parsing: context.feed.bytes)
    }
    record(Self.line, duration)
    let count = document.root["data"]?.count ?? 0
    try expect(count, toBe: context.feed.shape.posts, "posts", Self.line)
  }
}

/// The engine with an empty store in memory, without and with the save.
struct PopulateWorkload: Workload {
  static let line = Line(.inMemory, "populate")
  static let saveLine = Line(.inMemory, "save")

  let context: BenchmarkInput
  let engine: EngineInMemory
  let lines = [Self.line, Self.saveLine]

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let feed = context.feed
    if chosen.contains(Self.line) {
      let (result, duration) = try await Stopwatch.measure { try engine.populate(feed.bytes) }
      record(Self.line, duration)
      try expect(result.records.count, toBe: feed.shape.posts, "records answered", Self.line)
      try expect(result.changes.inserted.count, toBe: feed.shape.records, "records made", Self.line)
      try expect(result.changes.linked.count, toBe: 3 * feed.shape.posts, "links made", Self.line)
      try expect(result.diagnostics.count, toBe: 0, "diagnostics", Self.line)
    }
    if chosen.contains(Self.saveLine) {
      let (store, duration) = try await Stopwatch.measure { try engine.populateAndSave(feed.bytes) }
      record(Self.saveLine, duration)
      try expect(engine.digest(of: store), toBe: feed.digest, Self.saveLine)
    }
  }
}
