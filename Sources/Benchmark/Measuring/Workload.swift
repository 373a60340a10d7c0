/// Work that gives figures for some lines of the table. It is done once a round, between all others.
protocol Workload {
  /// In the order of the table.
  var lines: [Line] { get }

  /// How many rounds it is worth at most.
  var maximumRounds: Int { get }

  /// Does the work once, checks what came of it, and tells what it took. Lines that are not `chosen` may be left out.
  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws
}

extension Workload {
  var maximumRounds: Int { .max }
}

/// What all workloads share.
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

/// Fails unless a graph is the feed's.
func expect(_ digest: GraphDigest, toBe expected: GraphDigest, _ line: Line) throws {
  let differences = digest.differences(from: expected)
  if !differences.isEmpty { throw BenchmarkFailure("\(line.name): \(differences.joined(separator: "; "))") }
}

func expect(_ count: Int, toBe expected: Int, _ what: String, _ line: Line) throws {
  if count != expected { throw BenchmarkFailure("\(line.name): \(count) \(what), not \(expected)") }
}
