import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The first failure of a scenario, without the parts that change when other parts of the scenario are removed.
///
/// Two scenarios have the same failure if these parts are equal:
///
/// - The kind of the failure: a finding with its code, or a difference from an expectation, a golden file or the graph.
/// - The kind of the difference, its entity, its property, the kind of its step, and the expected and actual values. Of
///   missing and additional list entries, only the first count. Whole records
///   are compared by entity and by whether they have a key.
/// - For an expectation without a matching record, the first difference of the nearest record.
/// - The reason why a value is missing, or the first diagnostic that states the reason.
///
/// Numbers in messages do not count, because they are mostly those of steps and items. Of an entry on drift, only the key or
/// property and the kind of its values count.
struct FailureIdentity: Hashable, Sendable {
  private var words: [String?]
  /// The difference from the golden file; nil if the author's expectations fail.
  let goldenDifference: Difference?

  static func == (left: FailureIdentity, right: FailureIdentity) -> Bool { left.words == right.words }
  func hash(into hasher: inout Hasher) { hasher.combine(words) }

  /// Creates the identity of the first failure; nil if only the form of the golden file differs, or if it cannot be read.
  init?(_ failure: ScenarioFailure, of scenario: Scenario, snapshot: ScenarioSnapshot) {
    let report = failure.report
    for entry in report.causes + report.others + report.consequences {
      switch entry {
      case .finding(let finding):
        goldenDifference = nil
        words = [
          "finding", finding.code.rawValue, Self.masked(finding.message), finding.advice.map(Self.masked),
          finding.span.flatMap { Self.address(of: $0, in: scenario) },
        ]
        return
      case .differences(let group):
        guard let first = group.first.first else { continue }
        if case .golden = first.location { continue }
        goldenDifference = nil
        words = Self.words(first, failure, snapshot)
        return
      case .diagnostics, .remark: continue
      }
    }
    guard failure.isGoldenFileOnly, case .different(let differences) = failure.golden,
      let first = differences.first.first
    else { return nil }
    words = Self.words(first, failure, snapshot)
    goldenDifference = first
  }

  private static func words(
    _ difference: Difference, _ failure: ScenarioFailure, _ snapshot: ScenarioSnapshot
  ) -> [String?] {
    let source =
      switch difference.location {
      case .expectation: "expectation"
      case .golden: "golden"
      case .graph: "graph"
      }
    var step: String?
    if let number = difference.step, snapshot.steps.indices.contains(number - 1),
      case .object(let members) = snapshot.steps[number - 1].goldenForm
    {
      step = members.first?.key
    }
    var words = [source, step, difference.request == nil ? nil : "batch"] + values(of: difference)
    words +=
      difference.nearest.map { [$0.record.entity.rawValue] + ($0.differences.first.map(values) ?? []) } ?? [
        nil
      ]
    switch difference.reason ?? difference.nearest?.differences.first?.reason {
    case .text(let text): words += ["reason", masked(text)]
    case .reported: words += ["diagnostic", failure.diagnostics.first?.diagnostics.first?.code]
    case nil: words.append(nil)
    }
    return words
  }

  private static func values(of difference: Difference) -> [String?] {
    // Of a whole record, only the entity and whether it has a key count.
    let isRecord = difference.property == nil && [.missing, .extra, .duplicated].contains(difference.kind)
    // The rest of a sentence on drift is about the number of values and the first of them.
    func entry(_ text: String?) -> String? {
      guard difference.isAboutDrift, let text else { return text }
      return text.firstRange(of: ": ").map { String(text[..<$0.lowerBound]) } ?? masked(text)
    }
    return [
      difference.kind.rawValue, difference.entity?.rawValue, difference.property,
      isRecord ? difference.record.map { $0.keyPart.isEmpty ? "keyless" : "keyed" } : nil,
      isRecord ? nil : difference.expected, isRecord ? nil : difference.actual,
      entry(difference.missing.first), entry(difference.extra.first), difference.note.map(masked),
    ]
  }

  /// Returns the address of an unused response.
  private static func address(of span: SourceSpan, in scenario: Scenario) -> String? {
    scenario.responses.first { address in
      address.responses.contains { $0.span.start.offset == span.start.offset }
    }?.text
  }

  /// Returns a text with `#` in place of each number.
  private static func masked(_ text: String) -> String {
    var masked = ""
    for character in text {
      if !("0"..."9").contains(character) {
        masked.append(character)
      } else if masked.last != "#" {
        masked.append("#")
      }
    }
    return masked
  }
}
