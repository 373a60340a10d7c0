package import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// A renderer of the questions of a review as text and as JSON.
package struct ReviewRenderer: Sendable {
  private let isColored: Bool

  /// The maximum number of files that are listed for a question.
  private static let shownFiles = 3

  package init(isColored: Bool = false) { self.isColored = isColored }

  /// Returns what has changed, with examples:
  ///
  /// ```
  /// 40 golden files:
  ///   'text' has a different value in 40 Post records
  ///     feed/first   Post/1: expected string "Hello", actual string "Hi"
  ///     feed/second  Post/1: expected string "Hello", actual string "Hi"
  ///     feed/third   Post/1: expected string "Hello", actual string "Hi"
  ///     and 37 more
  /// ```
  package func text(of question: ReviewQuestion) -> String {
    let files = question.files
    guard files.count > 1 else { return files.map { text(of: question, in: $0) }.joined() }
    var lines = ["\(ValueText.grouped(files.count)) golden files:"]
    for change in question.changes {
      switch change {
      case .new, .invalid: continue
      case .notCanonical:
        lines.append("  have the right content, but not the canonical form")
        lines += examples(files.prefix(Self.shownFiles).map { ($0.name, "") }, of: files.count)
      case .differences(let group):
        lines.append("  " + DifferenceRenderer.headline(of: group))
        let first = files.prefix(Self.shownFiles).map { file in
          let example = file.groups[group.shape]?.first.first
          return (file.name, example.map(DifferenceRenderer.example) ?? "")
        }
        lines += examples(first, of: files.count)
      }
    }
    return lines.map { DisplayText.oneLine($0) + "\n" }.joined()
  }

  private func examples(_ examples: [(name: String, text: String)], of count: Int) -> [String] {
    let shown = examples.prefix(Self.shownFiles)
    let width = shown.map(\.name.count).max() ?? 0
    let rest = count - shown.count
    return shown.map { name, text in
      "    " + (text.isEmpty ? name : name.padded(to: width) + "  " + text)
    } + (rest > 0 ? ["    and \(ValueText.grouped(rest)) more files"] : [])
  }

  /// Returns what has changed in one file of a question.
  ///
  /// - Parameter isExplained: a Boolean value that indicates whether every difference is shown, with the explanations of
  ///   the first ones.
  package func text(of question: ReviewQuestion, in file: PendingFile, isExplained: Bool = false) -> String {
    var text = DisplayText.oneLine(file.path) + "\n"
    switch file.content {
    case .new(let overview):
      text = "new \(text)"
      text += overview.lines.map { "  \($0)\n" }.joined()
      if let objection = overview.objection { text += "  \(objection)\n" }
    case .notCanonical: text += "  has the right content, but not the canonical form\n"
    case .invalid(let problems):
      text += "  was not a valid golden file and cannot be compared\n"
      text += DiagnosticRenderer(isColored: isColored).text(of: problems).indented()
    case .differences:
      let renderer = DifferenceRenderer(isColored: isColored, isUnfolded: isExplained)
      let differences = question.differences(of: file)
      text += renderer.text(of: isExplained ? differences : differences.unexplained).indented()
    }
    return text
  }

  /// Returns the questions, the scenarios that fail for another reason than their golden file, and those that are not
  /// reviewed.
  package static func json(
    _ questions: [ReviewQuestion], failing: [String], notReviewed: [ReviewObjection]
  ) -> JSONValue {
    [
      "failing": .array(failing.map { .string($0) }),
      "notReviewed": .array(
        notReviewed.sorted { scalarsPrecede($0.scenario, $1.scenario) }.map { objection in
          ["reason": .string(objection.reason), "scenario": .string(objection.scenario)]
        }),
      "questions": .array(questions.map(json)),
    ]
  }

  private static func json(_ question: ReviewQuestion) -> JSONValue {
    let changes = question.changes.map { change -> JSONValue in
      switch change {
      case .new: return ["kind": "new"]
      case .notCanonical: return ["kind": "notCanonical"]
      case .invalid: return ["kind": "invalid"]
      case .differences(let group):
        var members: JSONObject = [
          "kind": .string(group.shape.kind.rawValue), "count": .number(JSONNumber(Int64(group.count))),
          "summary": .string(summary(of: group)),
        ]
        if let entity = group.shape.entity { members["entity"] = .string(entity.rawValue) }
        if let property = group.shape.property { members["property"] = .string(property) }
        return .object(members)
      }
    }
    let files = question.files.map { file -> JSONValue in
      let differences = question.differences(of: file).first
      return [
        "scenario": .string(file.name), "goldenFile": .string(file.path),
        "differences": .array(differences.map(json)),
      ]
    }
    return ["id": .string(question.id), "changes": .array(changes), "files": .array(files)]
  }

  private static func summary(of group: DifferenceGroup) -> String {
    guard group.count == 1, let only = group.first.first else {
      return DifferenceRenderer.headline(of: group)
    }
    return DifferenceRenderer.headline(of: only)
  }

  private static func json(_ difference: Difference) -> JSONValue {
    var members: JSONObject = ["kind": .string(difference.kind.rawValue)]
    if let step = difference.step { members["step"] = .number(JSONNumber(Int64(step))) }
    if let request = difference.request { members["request"] = .number(JSONNumber(Int64(request))) }
    if let record = difference.record { members["record"] = .string(record.rawValue) }
    if let property = difference.property { members["property"] = .string(property) }
    if let expected = difference.expected { members["expected"] = .string(expected) }
    if let actual = difference.actual { members["actual"] = .string(actual) }
    if let note = difference.note ?? difference.reason?.text { members["note"] = .string(note) }
    if !difference.missing.isEmpty { members["missing"] = .array(difference.missing.map { .string($0) }) }
    if !difference.extra.isEmpty { members["extra"] = .array(difference.extra.map { .string($0) }) }
    return .object(members)
  }
}

extension Differences {
  fileprivate var unexplained: Differences {
    mapExamples { difference in
      var difference = difference
      difference.explanation = []
      return difference
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
