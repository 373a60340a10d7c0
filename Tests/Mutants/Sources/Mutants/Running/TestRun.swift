import Foundation

/// A run that may detect a mutant.
enum TestRun: Hashable, Sendable {
  case scenario(name: String, store: String)
  /// A unit test, by its identifier in Swift Testing.
  case unitTest(String)
  /// A law of the graph with one seed, by the identifier of its test.
  case law(String, seed: Int)

  /// The maximum duration of the runs in one process, in seconds, so that the time limit is far above it. Each seed of
  /// a law has a separate process.
  var secondsOfProcess: Double {
    switch self {
    case .scenario, .unitTest: 1
    case .law: 0
    }
  }

  static let stores = ["memory", "sqlite"]

  /// Returns every scenario on each store, in order.
  static func scenarios(of copy: PlantedCopy) throws(MutantsError) -> [TestRun] {
    let folder = copy.root.appendingPathComponent("Scenarios")
    let found = FileManager.default.enumerator(atPath: folder.path)
    let names = (found?.compactMap { $0 as? String } ?? [])
      .filter { path in
        path.hasSuffix(".yaml") && !path.hasSuffix(".model.yaml")
          && !path.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") }
      }
      .map { String($0.dropLast(".yaml".count)) }.sorted()
    guard !names.isEmpty else { throw MutantsError("there is no scenario below \(folder.path)") }
    return stores.flatMap { store in names.map { .scenario(name: $0, store: store) } }
  }

  /// Returns the unit tests of the copy, in order.
  static func unitTests(of copy: PlantedCopy) throws(MutantsError) -> [TestRun] {
    let process = try ChildProcess.run(
      copy.testRunner, ["--testing-library", "swift-testing", "--list-tests"], environment: environment,
      timeout: 60)
    let names = process.output.split(separator: "\n").map(String.init).filter { $0.contains("/") }
    guard process.end == .exited(0), !names.isEmpty else {
      throw MutantsError("cannot list the unit tests: \(process.end)")
    }
    return names.filter { name in !leftOut.contains { name.hasPrefix($0 + "/") } }.sorted().map {
      .unitTest($0)
    }
  }

  /// Returns the laws that the script `scripts/laws` lists, with the seeds starting at 1. Laws on SQLite are excluded,
  /// because they repeat the laws in memory.
  static func laws(listedIn script: String, seeds: Int) throws(MutantsError) -> [TestRun] {
    let laws = script.matches(of: #/(?m)^ *"[0-9+]+ (memory|pair) ([A-Za-z]+/[A-Za-z]+)"$/#).map(\.2)
    guard !laws.isEmpty else { throw MutantsError("scripts/laws lists no law") }
    return (1...seeds).flatMap { seed in laws.map { .law("RecordEngineTests.\($0)", seed: seed) } }
  }

  /// The suites that take many seconds, because they start and kill processes.
  private static let leftOut = ["RecordEngineTests.CrashTests"]

  /// Runs scenarios until one does not pass, or all of the given unit tests, or one law.
  static func run(
    _ runs: [TestRun], _ copy: PlantedCopy, _ variables: [String: String]
  ) throws(MutantsError) -> ChildProcess {
    var scenarios: [String] = []
    var filters: [String] = []
    var variables = environment.merging(variables) { $1 }
    var testRunner = copy.testRunner
    for run in runs {
      switch run {
      case .scenario(let name, let store): scenarios += [store, name]
      case .unitTest(let name):
        // The identifier has a position after the name of a test, which the filter does not accept.
        filters += ["--filter", "^" + NSRegularExpression.escapedPattern(for: name)]
      case .law(let name, let seed):
        filters += ["--filter", "^" + NSRegularExpression.escapedPattern(for: name)]
        variables.merge(
          ["RANDOM_SEEDS": "\(seed)...\(seed)", "RANDOM_SHRINKING": "no", "TEST_STORE": "memory"]) { $1 }
        testRunner = copy.lawRunner
      }
    }
    guard scenarios.isEmpty else {
      return try ChildProcess.run(
        copy.runner, ["Scenarios", "Golden"] + scenarios, environment: variables, timeout: 60)
    }
    return try ChildProcess.run(
      testRunner, ["--testing-library", "swift-testing", "--no-parallel"] + filters,
      environment: variables, timeout: testRunner == copy.lawRunner ? 600 : 60)
  }

  /// The variables of a child. They are few, so that it behaves the same on every machine.
  private static var environment: [String: String] {
    var environment = ["CI": "true", "SWIFT_BACKTRACE": "enable=no"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    return environment
  }
}
