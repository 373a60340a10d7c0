import ArgumentParser
import Foundation
import RecordEngine

/// Work whose instructions are counted. Unlike processor time, the count hardly depends on the machine, so that a small
/// change shows.
enum CountedWork: String, CaseIterable, ExpressibleByArgument {
  case populate, fresh, unchanged, hit, fetch, read, scenario

  /// The number of times that a repetition reads all posts.
  private static let passes = 20

  /// The unit of the count.
  var unit: String {
    switch self {
    case .populate: "an item populated in memory"
    case .fresh: "an item imported into a new file"
    case .unchanged: "an item imported again into its file"
    case .hit: "an item of a cache hit in memory, all attributes unread"
    case .fetch: "a post fetched from a file and read"
    case .read: "an attribute read by its typed property"
    case .scenario: "a scenario run and compared"
    }
  }

  /// Returns the number of units in one repetition.
  func units(_ shape: FeedShape) -> Int {
    switch self {
    case .populate, .fresh, .unchanged: shape.records
    case .hit: shape.posts
    case .read: Self.passes * shape.posts
    case .fetch: shape.rarePosts
    case .scenario: 1
    }
  }

  /// Prepares the input, and does the work. The work of recordspec is done in processes of its own.
  func perform(_ repetitions: Int, posts: Int) async throws {
    let input = try BenchmarkInput(posts: posts)
    defer { input.folder.remove() }
    let bytes = input.feed.bytes
    switch self {
    case .populate:
      let engine = try EngineInMemory()
      for _ in 0..<repetitions { _ = try engine.populate(bytes) }
    case .fresh:
      for _ in 0..<repetitions {
        try await Engine(path: input.folder.newFile("fresh.sqlite")).importResponse(bytes)
      }
    case .unchanged:
      let path = try input.folder.newFile("unchanged.sqlite")
      for _ in 0...repetitions { try await Engine(path: path).importResponse(bytes) }
    case .hit:
      let engine = try CachedEngine(bytes, files: nil, recognizesRepetition: false)
      for _ in 0...repetitions { _ = try await engine.request(.on) }
    case .fetch:
      let path = try input.folder.newFile("fetch.sqlite")
      let engine = try Engine(path: path)
      try await engine.importResponse(bytes)
      for _ in 0..<repetitions { _ = try engine.fetch(language: FeedShape.rareLanguage) }
    case .read:
      let context = try await input.feed.container(file: nil).makeContext()
      let records = try context.fetch(FeedRecordTypes.Post.self)
      var sum = 0
      for _ in 0..<(Self.passes * repetitions) { for post in records { sum &+= post.stars } }
      // The sum keeps the optimizer from removing the work.
      if sum == .min { print(sum) }
    case .scenario: break
    }
  }
}

/// The instructions for one unit of each work.
struct InstructionCounts {
  /// The part by which a count may differ from the recorded one.
  private static let tolerance = 0.01
  private static let posts = 1000

  private var counts: [CountedWork: Int] = [:]

  /// Counts the instructions of this program and of recordspec, which run below valgrind.
  static func counted() throws -> InstructionCounts {
    guard let program = Bundle.main.executableURL else { throw BenchmarkFailure("this program has no path") }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var result = InstructionCounts()
    for work in CountedWork.allCases {
      // The difference of two runs contains neither the start of the process nor the preparation.
      let (few, many, units): (Int, Int, Int)
      if work == .scenario {
        let sizes = (20, 60)
        (few, many) = (
          try instructions(scenarios: sizes.0, folder), try instructions(scenarios: sizes.1, folder)
        )
        units = sizes.1 - sizes.0
      } else {
        let runs = try [1, 3].map { repetitions in
          try instructions(of: [
            program.path, "--count-work", work.rawValue, "--rounds", "\(repetitions)", "--posts", "\(posts)",
          ])
        }
        (few, many) = (runs[0], runs[1])
        units = 2 * work.units(FeedShape(posts: posts))
      }
      result.counts[work] = (many - few) / units
    }
    return result
  }

  private static func instructions(scenarios count: Int, _ folder: TemporaryFolder) throws -> Int {
    let program = try RecordSpecProgram()
    let suite = try ScenarioSuite(count, .own, in: folder, program)
    return try instructions(of: [program.path, "run", "--jobs", "1"], in: suite.folder)
  }

  /// Returns the number of instructions of a command.
  private static func instructions(of command: [String], in folder: String? = nil) throws -> Int {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    environment["CI"] = "true"
    let log = FileManager.default.temporaryDirectory.appendingPathComponent(
      "recordspec-callgrind-\(getpid())")
    defer { try? FileManager.default.removeItem(at: log) }
    let outcome = try ChildProcess(
      program: URL(fileURLWithPath: "/usr/bin/env"), folder: folder, environment: environment
    ).run(
      ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log.path)"] + command)
    // If valgrind is missing, there is no log, and the exit code is not 0.
    let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
    let collected = lines.last { $0.contains("Collected : ") }?.split(separator: " ").last
    guard outcome.status == 0, let count = collected.flatMap({ Int($0) }) else {
      throw BenchmarkFailure(
        "valgrind \(command.joined(separator: " ")): exit code \(outcome.status)\n"
          + lines.suffix(5).joined(separator: "\n"))
    }
    return count
  }
}

// MARK: - The recorded counts

extension InstructionCounts {
  /// Reads the form of ``text``.
  init(text: String) throws {
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ")
      guard words.count >= 2, let work = CountedWork(rawValue: String(words[0])), let count = Int(words[1])
      else {
        throw BenchmarkFailure("'\(line)' is not a work and its instructions")
      }
      counts[work] = count
    }
  }

  /// The counts in the form of the file.
  var text: String {
    let lines = CountedWork.allCases.compactMap { work in
      counts[work].map { "\(work.rawValue) \($0)" }
    }
    return """
      # The instructions of the engine and of recordspec on x86-64 Linux, counted by 'scripts/bench --instructions'.
      # To accept other counts: scripts/bench --instructions --accept
      \(lines.joined(separator: "\n"))

      """
  }

  /// Returns a table of these counts beside the recorded ones, and whether no count has risen too far.
  func compared(with recorded: InstructionCounts) -> (table: String, isWithin: Bool) {
    var (lines, isWithin): ([String], Bool) = ([], true)
    for work in CountedWork.allCases {
      guard let count = counts[work] else { continue }
      var line = "\(count.grouped) for \(work.unit)"
      if let former = recorded.counts[work] {
        let change = Double(count - former) / Double(max(former, 1))
        line += ", recorded \(former.grouped) (\((change * 100).formatted(places: 1)) %)"
        if change > Self.tolerance {
          line += ": more than \((Self.tolerance * 100).formatted(places: 0)) % up"
          isWithin = false
        }
      }
      lines.append(line)
    }
    return (lines.joined(separator: "\n") + "\n", isWithin)
  }
}
