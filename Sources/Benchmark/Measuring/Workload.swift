/// An operation that measures some lines of the table. It runs once in each round, alternating with the other
/// workloads.
protocol Workload {
  /// The measured lines, in the order of the table.
  var lines: [Line] { get }

  /// The maximum number of rounds.
  var maximumRounds: Int { get }

  /// Runs the workload once, checks its results, and records its durations. Lines that are not in `chosen` may be
  /// skipped.
  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws
}

extension Workload {
  var maximumRounds: Int { .max }
}

/// The input of all workloads.
struct BenchmarkInput {
  let feed: Feed
  let changedFeed: Feed
  let folder: TemporaryFolder

  init(posts: Int) throws {
    feed = Feed(posts: posts)
    changedFeed = Feed(posts: posts, isChanged: true)
    folder = try TemporaryFolder()
  }
}

/// Throws an error unless a digest is equal to that of the feed.
func expect(_ digest: GraphDigest, toBe expected: GraphDigest, _ line: Line) throws {
  let differences = digest.differences(from: expected)
  if !differences.isEmpty { throw BenchmarkFailure("\(line.name): \(differences.joined(separator: "; "))") }
}

func expect(_ count: Int, toBe expected: Int, _ what: String, _ line: Line) throws {
  if count != expected { throw BenchmarkFailure("\(line.name): \(count) \(what), not \(expected)") }
}
