import Foundation

/// Runs without a mutant. They record the mutants that each run reaches, and its duration.
struct Baseline {
  let runs: [TestRun]
  /// The processor time of each run in seconds, without the start of its process, by index of the run.
  private(set) var durations: [Double] = []
  /// The numbers of the mutants that would have changed a value, by index of the run.
  private(set) var reached: [[Int]] = []

  /// A limit of processor time in seconds, far above the time of every run without a mutant.
  var limit: UInt { UInt(4 + 4 * (durations.max() ?? 0)) }

  /// Runs each test in a separate process, because a value that is computed once in a process is reached by all runs
  /// that need it.
  init(_ runs: [TestRun], _ copy: PlantedCopy, jobs: Int) throws {
    self.runs = runs
    let records = try Parallel.map(count: runs.count, jobs: jobs) { index, worker in
      try Self.record(runs[index], copy, worker: worker)
    }
    let start = records.map(\.seconds).min() ?? 0
    durations = records.map { $0.seconds - start }
    reached = records.map(\.reached)
  }

  private static func record(
    _ run: TestRun, _ copy: PlantedCopy, worker: Int
  ) throws -> (seconds: Double, reached: [Int]) {
    let file = copy.work.appendingPathComponent("reached-\(worker)")
    try Data(count: copy.plants.count).write(to: file)
    // A run that fails rarely, for example under load, does not stop the program.
    var attempts = 0
    while true {
      attempts += 1
      let process = try TestRun.run([run], copy, ["RECORDSPEC_REACHED": file.path])
      let bytes = [UInt8](try Data(contentsOf: file))
      if process.end == .exited(0) { return (process.seconds, bytes.indices.filter { bytes[$0] != 0 }) }
      guard attempts < 3 else {
        throw MutantsError(
          "\(run) does not pass without a mutant: \(process.end)\n\(process.output.suffix(2000))")
      }
    }
  }
}
