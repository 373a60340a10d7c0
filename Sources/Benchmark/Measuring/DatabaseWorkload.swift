/// A fresh import, an identical import, an import with some changed posts, and a fetch, one after the other in one
/// file. Each of them opens the file again, like an app that is relaunched.
struct DatabaseWorkload<Subject: Contender>: Workload {
  let context: BenchmarkInput
  let name: String
  /// A Boolean value that indicates whether unchanged rows are not written.
  let isSparing: Bool

  /// Contenders that write all rows again take so long that a few rounds are enough.
  var maximumRounds: Int { isSparing ? .max : 3 }

  private var fresh: Line { Line(.fresh, name) }
  private var unchanged: Line { Line(.unchanged, name) }
  private var changed: Line { Line(.changed, name) }
  private var fetch: Line { Line(.fetch, name) }

  var lines: [Line] { isSparing ? [fresh, unchanged, changed, fetch] : [fresh, unchanged, fetch] }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let path = try context.folder.newFile("\(name).sqlite")
    let (feed, changedFeed) = (context.feed, context.changedFeed)

    let duration = try await importing(feed, path, fresh) { subject in
      guard isSparing else { return }
      // A contender may write some rows of its own.
      let written = try subject.changedRows() - feed.shape.rows
      if !(0...20).contains(written) {
        throw BenchmarkFailure("\(fresh.name): \(written) rows written more than there are")
      }
    }
    record(fresh, duration)

    if chosen.contains(unchanged) {
      let duration = try await importing(feed, path, unchanged) { subject in
        if isSparing { try expect(subject.changedRows(), toBe: 0, "rows written", unchanged) }
      }
      record(unchanged, duration)
    }
    if chosen.contains(changed) {
      let duration = try await importing(changedFeed, path, changed) { subject in
        // A contender may write one row of its own.
        let written = try subject.changedRows()
        if written != feed.shape.changedPosts + 1 {
          try expect(written, toBe: feed.shape.changedPosts, "rows written", changed)
        }
      }
      record(changed, duration)
    }
    if chosen.contains(fetch) {
      let subject = try Subject(path: path)
      // The first fetch loads the file into the cache of the system.
      _ = try await subject.fetch(language: FeedShape.rareLanguage)
      let (count, duration) = try await Stopwatch.measure {
        try await subject.fetch(language: FeedShape.rareLanguage)
      }
      try subject.close()
      record(fetch, duration)
      try expect(count, toBe: feed.shape.rarePosts, "posts fetched", fetch)
    }
  }

  private func importing(
    _ feed: Feed, _ path: String, _ line: Line, check: (Subject) throws -> Void
  ) async throws -> TimeTaken {
    let (subject, duration) = try await Stopwatch.measure {
      var subject = try Subject(path: path)
      try await subject.importResponse(feed.bytes)
      return subject
    }
    try check(subject)
    try subject.close()
    try expect(Subject.digest(path: path), toBe: feed.digest, line)
    return duration
  }
}
