/// Fresh imports of increasing numbers of posts.
struct GrowthWorkload<Subject: Contender>: Workload {
  let context: BenchmarkInput
  let name: String
  let feed: Feed

  let maximumRounds = 3

  private var line: Line { .growth(name, feed.shape.posts) }
  var lines: [Line] { [line] }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let path = try context.folder.newFile("\(name)-growth.sqlite")
    let (subject, duration) = try await Stopwatch.measure {
      var subject = try Subject(path: path)
      try await subject.importResponse(feed.bytes)
      return subject
    }
    record(line, duration)
    try subject.close()
    try expect(Subject.digest(path: path), toBe: feed.digest, line)
  }
}
