/// What became of a mutant.
enum MutantVerdict: Hashable, Sendable {
  /// A scenario did not pass.
  case caught(by: ScenarioRun)
  case crashed(in: String)
  case timedOut
  case survived(runs: Int)
  /// No scenario gives it a chance to change a value.
  case notReached
  case doesNotCompile

  var isDetected: Bool {
    switch self {
    case .caught, .crashed, .timedOut: true
    case .survived, .notReached, .doesNotCompile: false
    }
  }
}

/// Runs mutants against the scenarios that reach them.
struct MutantRuns {
  let copy: PlantedCopy
  let baseline: ScenarioRuns
  /// The indices of the runs that reach a mutant, by its number, the likeliest to notice first.
  private let order: [Int: [Int]]

  init(copy: PlantedCopy, baseline: ScenarioRuns, numbers: [Int]) {
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
    // A scenario that does much of what its file is for, and little else, is likely to be about it.
    var order: [Int: [Int]] = [:]
    for number in numbers {
      let file = copy.plants[number].mutant.file
      let scored = (reaching[number] ?? []).map { run in
        (run: run, score: Double(files[run][file] ?? 0) / Double(baseline.reached[run].count + 1))
      }
      order[number] = scored.sorted { left, right in
        let (one, other) = (baseline.runs[left.run].store, baseline.runs[right.run].store)
        return one == other ? (right.score, left.run) < (left.score, right.run) : one < other
      }.map(\.run)
    }
    self.order = order
  }

  /// The seconds of runs that one process does, so that its limit of time is far above what it needs.
  private static let batch = 3.0

  func verdict(on number: Int) throws(MutantsError) -> MutantVerdict {
    let runs = order[number] ?? []
    guard !runs.isEmpty else { return .notReached }
    var rest = runs[...]
    while !rest.isEmpty {
      var batch: [ScenarioRun] = []
      var seconds = 0.0
      while let run = rest.first, batch.isEmpty || seconds < Self.batch {
        batch.append(baseline.runs[run])
        seconds += baseline.durations[run]
        rest = rest.dropFirst()
      }
      let process = try MutantRunner.run(copy, batch, ["RECORDSPEC_MUTANT": String(number)])
      switch process.end {
      case .exited(0): continue
      case .exited(1):
        let words = process.output.split(whereSeparator: \.isWhitespace).map(String.init)
        return .caught(by: ScenarioRun(store: words.first ?? "", name: words.last ?? ""))
      case .exited(let status): throw MutantsError("the runner of \(copy.plants[number].mutant.id) ended with \(status)")
      case .signaled(let signal): return .crashed(in: "signal \(signal)")
      case .timedOut: return .timedOut
      }
    }
    return .survived(runs: runs.count)
  }
}
