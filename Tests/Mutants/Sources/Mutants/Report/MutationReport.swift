/// The verdicts on mutants as text.
struct MutationReport {
  private let results: [(mutant: Mutant, verdict: MutantVerdict)]

  init(_ results: [(mutant: Mutant, verdict: MutantVerdict)]) { self.results = results }

  /// The number of mutants for each verdict.
  struct Tally {
    var caught = 0
    var crashed = 0
    var timedOut = 0
    var survived = 0
    var notReached = 0
    var doesNotCompile = 0

    /// The percentage of detected mutants among those that compile; nil if none compile.
    var score: Double? {
      let detected = caught + crashed + timedOut
      let all = detected + survived + notReached
      return all == 0 ? nil : 100 * Double(detected) / Double(all)
    }
  }

  func tally(where isIncluded: (Mutant) -> Bool = { _ in true }) -> Tally {
    var tally = Tally()
    for (mutant, verdict) in results where isIncluded(mutant) {
      switch verdict {
      case .caught: tally.caught += 1
      case .crashed: tally.crashed += 1
      case .timedOut: tally.timedOut += 1
      case .survived: tally.survived += 1
      case .notReached: tally.notReached += 1
      case .doesNotCompile: tally.doesNotCompile += 1
      }
    }
    return tally
  }

  /// The mutants that compile and that no run detects.
  var survivors: [(mutant: Mutant, verdict: MutantVerdict)] {
    results.filter { !$0.verdict.isDetected && $0.verdict != .doesNotCompile }
  }

  /// A table by folder and file, followed by the survivors.
  var text: String {
    var lines = ["score  caught crashed timeout survived unreached untyped  source"]
    for folder in Set(results.map(\.mutant.folder)).sorted() {
      lines.append(Self.row(tally { $0.folder == folder }, folder + "/"))
      for file in Set(results.map(\.mutant).filter { $0.folder == folder }.map(\.file)).sorted() {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        lines.append(Self.row(tally { $0.file == file }, "  " + name))
      }
    }
    lines.append(Self.row(tally(), "all"))
    let survivors = survivors
    if !survivors.isEmpty { lines.append("") }
    for (mutant, verdict) in survivors {
      let fate: String
      switch verdict {
      case .survived(let runs): fate = "survived \(runs) runs"
      default: fate = "not reached"
      }
      lines.append("\(mutant.id)  \(fate)")
      lines += Self.details(of: mutant)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns two indented lines: what a mutant changes, and its key, which `--listed` reads.
  static func details(of mutant: Mutant) -> [String] {
    ["    \(mutant.kind.change(of: mutant.text))", "    \(mutant.key.line)"]
  }

  private static func row(_ tally: Tally, _ name: String) -> String {
    func column(_ text: String, _ width: Int) -> String {
      String(repeating: " ", count: max(0, width - text.count)) + text
    }
    let score = tally.score.map { "\(Int($0.rounded(.down))) %" } ?? "-"
    let cells = [
      column(score, 5), column("\(tally.caught)", 8), column("\(tally.crashed)", 8),
      column("\(tally.timedOut)", 8), column("\(tally.survived)", 9), column("\(tally.notReached)", 10),
      column("\(tally.doesNotCompile)", 8),
    ]
    return cells.joined() + "  " + name
  }
}
