/// The feed in many small responses, with one save each, into one file.
struct PagesWorkload<Subject: Contender>: Workload {
  let context: BenchmarkInput
  let name: String
  let pages: [[UInt8]]

  private var line: Line { Line(.pages, name) }
  var lines: [Line] { [line] }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let path = try context.folder.newFile("\(name)-pages.sqlite")
    let (subject, duration) = try await Stopwatch.measure {
      var subject = try Subject(path: path)
      for page in pages { try await subject.importResponse(page) }
      return subject
    }
    record(line, duration)
    try subject.close()
    try expect(Subject.digest(path: path), toBe: context.feed.digest, line)
  }
}
