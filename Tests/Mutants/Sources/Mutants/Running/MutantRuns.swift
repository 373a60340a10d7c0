/// Runs mutants against the scenarios, the unit tests, or the laws that reach them.
struct MutantRuns {
  private let copy: PlantedCopy
  private let baseline: Baseline
  /// The indices of the runs that reach a mutant, by its number. The runs that most likely detect it come first.
  private let order: [Int: [Int]]

  /// Creates the runs.
  ///
  /// - Parameters:
  ///   - most: the maximum number of runs for each mutant.
  ///   - seconds: the maximum duration of these runs without a mutant. The first run can take longer.
  init(
    _ numbers: [Int], copy: PlantedCopy, baseline: Baseline, most: Int = .max, seconds: Double = .infinity
  ) {
    self.copy = copy
    self.baseline = baseline
    var reaching: [Int: [Int]] = [:]
    var files: [[String: Int]] = []
    for (run, numbers) in baseline.reached.enumerated() {
      var counts: [String: Int] = [:]
      for number in numbers {
        reaching[number, default: []].append(run)
        counts[copy.plants[number].mutant.file, default: 0] += 1
      }
      files.append(counts)
    }
    // A run that reaches many mutants of a file, and few others, probably tests that file. Slow runs come last.
    var order: [Int: [Int]] = [:]
    for number in numbers {
      let file = copy.plants[number].mutant.file
      let scored = (reaching[number] ?? []).map { run in
        let share = Double(files[run][file] ?? 0) / Double(baseline.reached[run].count + 1)
        return (run: run, score: share / (0.02 + baseline.durations[run]))
      }
      var total = 0.0
      order[number] = scored.sorted { ($1.score, $0.run) < ($0.score, $1.run) }.prefix(most).map(\.run)
        .prefix { run in
          defer { total += baseline.durations[run] }
          return total == 0 || total + baseline.durations[run] <= seconds
        }
    }
    self.order = order
  }

  /// Returns the verdict on a mutant, which the first run that detects it determines.
  func verdict(on number: Int) throws(MutantsError) -> MutantVerdict {
    let runs = order[number] ?? []
    guard !runs.isEmpty else { return .notReached }
    var remaining = runs[...]
    // A process of unit tests runs all its tests, so the first run has a separate process.
    var limit = 0.0
    while !remaining.isEmpty {
      var batch: [TestRun] = []
      var seconds = 0.0
      while let run = remaining.first, batch.isEmpty || seconds + baseline.durations[run] <= limit {
        batch.append(baseline.runs[run])
        seconds += baseline.durations[run]
        remaining = remaining.dropFirst()
      }
      limit = batch[0].secondsOfProcess
      let process = try TestRun.run(batch, copy, ["RECORDSPEC_MUTANT": String(number)])
      switch process.end {
      case .exited(0): continue
      case .exited(1): return .caught
      case .exited(let status):
        throw MutantsError("the run of \(copy.plants[number].mutant.id) ended with status \(status)")
      case .signaled: return .crashed
      case .timedOut: return .timedOut
      }
    }
    return .survived(runs: runs.count)
  }
}
