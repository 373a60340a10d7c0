import Foundation

/// One scenario on one store.
struct ScenarioRun: Hashable, Sendable {
  var store: String
  var name: String

  var arguments: [String] { [store, name] }
}

/// The runs of all scenarios without a mutant: which mutants each would notice, and how long it takes.
struct ScenarioRuns {
  private(set) var runs: [ScenarioRun] = []
  /// In seconds, by index of the run.
  private(set) var durations: [Double] = []
  /// The numbers of the mutants that would have changed a value, by index of the run.
  private(set) var reached: [[Int]] = []

  static let stores = ["memory", "sqlite"]

  /// Runs every scenario once on each store, in a process of its own: what is computed once in a process is reached by all
  /// that need it.
  static func record(_ copy: PlantedCopy, jobs: Int) throws -> ScenarioRuns {
    let folder = copy.root.appendingPathComponent("Scenarios")
    let found = FileManager.default.enumerator(atPath: folder.path)
    let names = (found?.compactMap { $0 as? String } ?? [])
      .filter { path in
        path.hasSuffix(".yaml") && !path.hasSuffix(".model.yaml")
          && !path.split(separator: "/").contains { $0.hasPrefix("_") || $0.hasPrefix(".") }
      }
      .map { String($0.dropLast(".yaml".count)) }.sorted()
    guard !names.isEmpty else { throw MutantsError("there is no scenario below \(folder.path)") }

    var result = ScenarioRuns()
    result.runs = stores.flatMap { store in names.map { ScenarioRun(store: store, name: $0) } }
    let runs = result.runs
    let records = try Parallel.map(count: runs.count, jobs: jobs) { index, worker in
      try record(runs[index], copy, worker: worker)
    }
    result.durations = records.map(\.seconds)
    result.reached = records.map(\.reached)
    return result
  }

  private static func record(
    _ run: ScenarioRun, _ copy: PlantedCopy, worker: Int
  ) throws -> (seconds: Double, reached: [Int]) {
    let file = copy.work.appendingPathComponent("reached-\(worker)")
    try Data(count: copy.plants.count).write(to: file)
    let start = ContinuousClock.now
    let process = try MutantRunner.run(copy, [run], ["RECORDSPEC_REACHED": file.path])
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard process.end == .exited(0) else {
      throw MutantsError("\(run.name) fails on the store '\(run.store)' without a mutant: \(process.end)")
    }
    let bytes = [UInt8](try Data(contentsOf: file))
    return (seconds, bytes.indices.filter { bytes[$0] != 0 })
  }
}

enum MutantRunner {
  /// Runs scenarios on the copy until one does not pass.
  static func run(
    _ copy: PlantedCopy, _ runs: [ScenarioRun], _ variables: [String: String]
  ) throws(MutantsError) -> ChildProcess {
    var environment = ["CI": "true", "SWIFT_BACKTRACE": "enable=no", "TZ": "UTC"]
    for name in ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
      environment[name] = ProcessInfo.processInfo.environment[name]
    }
    environment.merge(variables) { $1 }
    return try ChildProcess.run(
      copy.runner.path, ["Scenarios", "Golden"] + runs.flatMap(\.arguments), environment: environment,
      timeout: 60)
  }
}

/// Work that is shared by some threads.
enum Parallel {
  private final class Shared<Result: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var next = 0
    private var results: [Result?]
    private var failure: (any Error)?

    init(count: Int) { results = Array(repeating: nil, count: count) }

    func take() -> Int? {
      lock.withLock {
        guard next < results.count, failure == nil else { return nil }
        next += 1
        return next - 1
      }
    }

    func put(_ result: Swift.Result<Result, any Error>, at index: Int) {
      lock.withLock {
        switch result {
        case .success(let value): results[index] = value
        case .failure(let error): failure = failure ?? error
        }
      }
    }

    func all() throws -> [Result] {
      if let failure { throw failure }
      return results.compactMap(\.self)
    }
  }

  /// Returns the results in the order of the indices.
  static func map<Result: Sendable>(
    count: Int, jobs: Int, _ work: @escaping @Sendable (_ index: Int, _ worker: Int) throws -> Result
  ) throws -> [Result] {
    let shared = Shared<Result>(count: count)
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { worker in
      while let index = shared.take() {
        shared.put(Swift.Result { try work(index, worker) }, at: index)
      }
    }
    return try shared.all()
  }
}
