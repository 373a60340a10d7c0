import Foundation

/// A command of `recordspec` with a generated suite, or pytest with the same cases.
struct SuiteWorkload: Workload {
  private static let (small, large) = (1000, 10_000)

  private let act: Act
  private let suite: ScenarioSuite
  private let program: RecordSpecProgram

  private enum Act: String, CaseIterable {
    case run, shared, check, pytest, peak

    var sizes: [Int] {
      switch self {
      case .run, .peak: [SuiteWorkload.small, SuiteWorkload.large]
      case .shared: [SuiteWorkload.large]
      case .check, .pytest: [SuiteWorkload.small]
      }
    }

    var title: String {
      switch self {
      case .run: "recordspec run"
      case .shared: "recordspec run, one model file for all"
      case .check: "recordspec check"
      case .pytest: "pytest, PyYAML and a dictionary of records"
      case .peak: "peak memory of recordspec run"
      }
    }
  }

  private static func line(_ act: Act, _ size: Int) -> Line { Line(.scenarios, "\(act.rawValue).\(size)") }

  static let lines = Act.allCases.flatMap { act in act.sizes.map { line(act, $0) } }
  static let (runLine, largeRunLine, checkLine) = (line(.run, small), line(.run, large), line(.check, small))
  static let (peakLine, largePeakLine) = (line(.peak, small), line(.peak, large))

  var lines: [Line] { [Self.line(act, suite.count)] }
  var maximumRounds: Int { suite.count == Self.large || act == .pytest ? 3 : .max }

  /// Returns the workloads for some lines, and generates their suites.
  static func workloads(_ chosen: Set<Line>, in folder: TemporaryFolder) throws -> [SuiteWorkload] {
    var suites: [String: ScenarioSuite] = [:]
    var workloads: [SuiteWorkload] = []
    for act in Act.allCases where act != .pytest || hasPytest {
      for size in act.sizes where chosen.contains(line(act, size)) {
        let program = try RecordSpecProgram()
        let model: ScenarioSuite.Model = act == .shared ? .shared : .own
        let suite = try suites["\(model) \(size)"] ?? ScenarioSuite(size, model, in: folder, program)
        suites["\(model) \(size)"] = suite
        workloads.append(SuiteWorkload(act: act, suite: suite, program: program))
      }
    }
    return workloads
  }

  /// A Boolean value that indicates whether Python has what the line of pytest needs.
  private static var hasPytest: Bool {
    (try? ChildProcess(program: environment).run(["python3", "-c", "import pytest, yaml"]).status) == 0
  }
  /// The program that finds `python3`.
  private static let environment = URL(fileURLWithPath: "/usr/bin/env")

  static func title(of line: Line) -> String? {
    parts(of: line).map { "\($0.size == large ? "10,000" : "1,000"): \($0.act.title)" }
  }

  /// Returns the line with which the ratio of a line compares: a run of the small suite.
  static func base(of line: Line) -> Line? {
    parts(of: line).map { $0.act == .peak ? peakLine : runLine }
  }

  private static func parts(of line: Line) -> (act: Act, size: Int)? {
    let parts = line.part.split(separator: ".").map(String.init)
    guard parts.count == 2, let act = Act(rawValue: parts[0]), let size = Int(parts[1]) else { return nil }
    return (act, size)
  }

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let line = Self.line(act, suite.count)
    switch act {
    case .run, .shared:
      let outcome = try program.run(["run"], in: suite.folder)
      try expect(outcome, "\(suite.count) passed, 0 failed, 0 skipped", line)
      record(line, outcome.time)
    case .check:
      let outcome = try program.run(["check"], in: suite.folder)
      try expect(outcome, "\(suite.count) valid, 0 invalid", line)
      record(line, outcome.time)
    case .pytest:
      let arguments = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_scenarios.py"]
      let outcome = try ChildProcess(program: Self.environment, folder: suite.folder).run(arguments)
      try expect(outcome, "\(suite.count) passed", line)
      record(line, outcome.time)
    case .peak: break
    }
  }

  /// Returns the peak memory of a run; nil if this workload measures the time.
  func peak() throws -> (line: Line, bytes: Int)? {
    guard act == .peak else { return nil }
    return (Self.line(act, suite.count), try program.peak(["run"], in: suite.folder))
  }

  private func expect(_ outcome: ChildProcess.Outcome, _ text: String, _ line: Line) throws {
    guard outcome.status == 0, outcome.output.contains(text) else {
      throw BenchmarkFailure("\(line.name): expected '\(text)', found: \(outcome.output.suffix(300))")
    }
  }
}

/// The suite of this repository on each store.
struct OwnSuiteWorkload: Workload {
  var lines: [Line] { Self.lines }
  let maximumRounds = 3

  static func line(_ storage: Storage) -> Line { Line(.suite, storage.rawValue) }
  static let lines = Storage.allCases.map(line)

  func run(chosen: Set<Line>, record: (Line, TimeTaken) -> Void) async throws {
    let program = try RecordSpecProgram()
    for storage in Storage.allCases where chosen.contains(Self.line(storage)) {
      let outcome = try program.run(
        ["run", "--store", storage.rawValue], in: FileManager.default.currentDirectoryPath)
      record(Self.line(storage), outcome.time)
    }
  }
}
