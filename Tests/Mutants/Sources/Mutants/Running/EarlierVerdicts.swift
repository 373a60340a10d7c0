import Foundation

/// The verdicts of an interrupted run with the option `--verbose`, read from its output.
struct EarlierVerdicts {
  /// The verdicts by the name of the runs, such as `scenarios`, and by the identifier of the mutant.
  private var verdicts: [String: [String: MutantVerdict]] = [:]

  init(_ output: String = "") {
    var runs: String?
    for line in output.split(whereSeparator: \.isNewline) {
      if let match = line.firstMatch(of: /^==> Running [0-9]+ mutants against ([a-z ]+)/) {
        runs = String(match.1)
      } else if let runs, let match = line.firstMatch(of: /^==> (\S+:[0-9]+:[0-9]+:\S+) (\S.*)$/),
        let verdict = MutantVerdict(match.2.trimmingCharacters(in: .whitespaces))
      {
        verdicts[runs, default: [:]][String(match.1)] = verdict
      }
    }
  }

  /// Returns the verdict of the earlier run on a mutant, or nil if the run ended before it.
  func verdict(on id: String, by runs: String) -> MutantVerdict? { verdicts[runs]?[id] }
}

extension MutantVerdict {
  /// Creates a verdict from its description.
  fileprivate init?(_ text: String) {
    switch text {
    case "caught": self = .caught
    case "crashed": self = .crashed
    case "timedOut": self = .timedOut
    case "notReached": self = .notReached
    default:
      guard let match = text.wholeMatch(of: /survived\(runs: ([0-9]+)\)/), let runs = Int(match.1) else {
        return nil
      }
      self = .survived(runs: runs)
    }
  }
}
