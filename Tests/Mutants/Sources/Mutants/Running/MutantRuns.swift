/// Runs mutants against the scenarios, the unit tests, or the laws that reach them.
struct MutantRuns {
  private let copy: PlantedCopy
  private let baseline: Baseline
  /// The indices of the runs that reach a mutant, by its number, the likeliest to notice first.
  private let order: [Int: [Int]]

  /// - Parameter most: the number of runs that a mutant has at most.
  init(_ numbers: [Int], copy: PlantedCopy, baseline: Baseline, most: Int = .max) {
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
    // What does much of what a file is for, and little else, is likely to be about it. Slow runs wait until the end.
    var order: [Int: [Int]] = [:]
    for number in numbers {
      let file = copy.plants[number].mutant.file
      let scored = (reaching[number] ?? []).map { run in
        let share = Double(files[run][file] ?? 0) / Double(baseline.reached[run].count + 1)
        return (run: run, score: share / (0.02 + baseline.durations[run]))
      }
      order[number] = scored.sorted { ($1.score, $0.run) < ($0.score, $1.run) }.prefix(most).map(\.run)
    }
    self.order = order
  }

  /// Returns what becomes of a mutant; the first run that notices it decides.
  func verdict(on number: Int) throws(MutantsError) -> MutantVerdict {
    let runs = order[number] ?? []
    guard !runs.isEmpty else { return .notReached }
    var rest = runs[...]
    // A process of unit tests runs all that it is given, so that the first have one of their own.
    var limit = 0.0
    while !rest.isEmpty {
      var batch: [TestRun] = []
      var seconds = 0.0
      while let run = rest.first, batch.isEmpty || seconds + baseline.durations[run] <= limit {
        batch.append(baseline.runs[run])
        seconds += baseline.durations[run]
        rest = rest.dropFirst()
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
