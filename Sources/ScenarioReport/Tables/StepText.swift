import JSONTree
import RecordModel
package import ScenarioComparison
import ScenarioFormat

/// The text of a step: its action, the number of its records, and its diagnostics.
///
/// ```
/// step 1  request Post, GET posts: 2 returned, 3 inserted
///           value-type Post.likes at /1/likes of posts: cannot convert "few" to int64
/// ```
package struct StepText {
  package let number: Int
  package let step: StepSnapshot

  package init(number: Int, step: StepSnapshot) {
    (self.number, self.step) = (number, step)
  }

  /// The number of labels of a kind that are listed.
  private static let maximumLabels = 20

  /// The step in one line, and a line for each diagnostic and each request of a batch.
  package var lines: [String] {
    let head = "step \(number)  "
    let indent = String(repeating: " ", count: head.count + 2)
    var lines = [head + Self.line(of: step)]
    lines += Self.remarks(on: step).map { indent + $0 }
    for request in step.batch {
      lines.append(indent + Self.line(of: request))
      lines += Self.remarks(on: request).map { indent + "  " + $0 }
    }
    return lines.map(DisplayText.oneLine)
  }

  /// The labels of the records that the step returned and changed, one line for each kind. The line of a kind without
  /// records is omitted.
  package var details: [String] {
    let updated = step.updated.keys.sortedForReading().map { label in
      let names = step.updated[label] ?? []
      return "\(label) (\(names.map(\.rawValue).sorted().joined(separator: ", ")))"
    }
    func sorted(_ labels: [RecordLabel]) -> [String] { labels.sortedForReading().map(\.rawValue) }
    let kinds: [(name: String, records: [String])] = [
      ("stored", step.stored.map(\.rawValue)), ("returned", step.records.map(\.rawValue)),
      ("inserted", sorted(step.inserted)), ("updated", updated), ("deleted", sorted(step.deleted)),
      ("unchanged", sorted(step.unchanged)),
    ]
    return kinds.filter { !$0.records.isEmpty }.map { kind in
      let name = kind.name + String(repeating: " ", count: 11 - kind.name.count)
      let rest = kind.records.count - Self.maximumLabels
      let labels = kind.records.prefix(Self.maximumLabels).joined(separator: ", ")
      return DisplayText.oneLine("  " + name + labels + (rest > 0 ? ", … \(rest) more" : ""))
    }
  }

  package static func line(of step: StepSnapshot) -> String {
    var effects: [String] = []
    if let failure = step.failure { effects.append("failed with \(failure.code)") }
    let counts = [
      (step.stored.count, "stored"), (step.records.count, "returned"), (step.inserted.count, "inserted"),
      (step.updated.count, "updated"), (step.deleted.count, "deleted"),
    ]
    effects += counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let sources = Set(step.served).subtracting([.network]).map(\.rawValue).sorted()
    if !sources.isEmpty { effects.append("served from \(sources.joined(separator: ", "))") }
    if effects.isEmpty, step.returnsRecords { effects = ["no records"] }
    return step.actionText + (effects.isEmpty ? "" : ": " + effects.joined(separator: ", "))
  }

  /// Returns a line for each remark on a response and each diagnostic, the failure first. A failure is usually one of
  /// the diagnostics.
  package static func remarks(on step: StepSnapshot) -> [String] {
    var told: Set<String> = []
    let texts =
      step.remarks + [step.failure?.message].compactMap(\.self) + step.diagnostics.map { ValueText.of($0) }
    return texts.filter { told.insert($0).inserted }
  }
}

extension StepSnapshot {
  /// A Boolean value that indicates whether a step of this kind returns or saves records. A request with a name is only
  /// sent.
  fileprivate var returnsRecords: Bool { action.kind.bringsRecords && action.members["as"] == nil }

  /// The action as text. For a next page, the text has the address that was requested, which only the response of the page
  /// before it states.
  var actionText: String {
    guard action.kind == .nextPage, let first = requests.first?.address else { return action.text }
    var path = first
    path.method = "GET"
    let rest = requests.count - 1
    return action.text + ", \(first.method) \(path.text)"
      + (rest > 0 ? " and \(counted(rest, "more request"))" : "")
  }
}
