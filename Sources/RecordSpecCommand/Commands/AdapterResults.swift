import RecordSpec
import ScenarioComparison
import ScenarioReport

/// The results of one scenario on several adapters, which share one golden file. It is written only if they are equal.
struct AdapterResults {
  /// The number of adapters.
  let count: Int
  private var verdicts: [ScenarioVerdict] = []

  init(count: Int) { self.count = count }

  enum Comparison {
    /// The results of other adapters are missing.
    case incomplete
    /// The result of all adapters; the one that is refused if any is.
    case equal(ScenarioVerdict)
    case different(reason: String)
  }

  /// Adds a result in the order of the plan, and compares it with those of the other adapters if it is the last one.
  mutating func add(_ verdict: ScenarioVerdict) -> Comparison {
    guard count > 1, verdict.shownName != verdict.name else { return .equal(verdict) }
    verdicts.append(verdict)
    guard verdicts.count == count else { return .incomplete }
    defer { verdicts = [] }
    guard let first = verdicts.first, let expected = first.snapshot else {
      return .different(reason: "there is no result of '\(verdicts[0].shownName)'")
    }
    for other in verdicts.dropFirst() {
      guard let actual = other.snapshot else {
        return .different(reason: "there is no result of '\(other.shownName)'")
      }
      guard let place = Self.difference(expected, actual) else { continue }
      return .different(
        reason:
          "the adapters have different results: \(place) differs between '\(first.shownName)' and '\(other.shownName)'"
      )
    }
    return .equal(verdicts.first { $0.outcome.isRefused } ?? verdict)
  }

  /// The first part in which two results differ: a record or a step; nil if they are equal.
  private static func difference(_ left: ScenarioSnapshot, _ right: ScenarioSnapshot) -> String? {
    let labels = Set(left.graph.labels).union(right.graph.labels).sorted()
    if let label = labels.first(where: { left.graph[$0]?.goldenForm != right.graph[$0]?.goldenForm }) {
      return label.rawValue
    }
    let steps = zip(left.steps, right.steps).enumerated()
    return steps.first { $0.element.0.goldenForm != $0.element.1.goldenForm }.map { "step \($0.offset + 1)" }
  }
}

extension ScenarioOutcome {
  /// A Boolean value that indicates whether more than the golden file differs.
  fileprivate var isRefused: Bool {
    if case .failed(let failure) = self { !failure.isGoldenFileOnly } else { hasGoneWrong }
  }
}
