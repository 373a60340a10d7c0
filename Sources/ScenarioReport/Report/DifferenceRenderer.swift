import RecordModel
package import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// A renderer of differences as text: the kind of difference, its location, and both values with their types.
package struct DifferenceRenderer: Sendable {
  private let diagnostics: DiagnosticRenderer
  /// A Boolean value that indicates whether equal differences of many records are shown one by one.
  private let isUnfolded: Bool
  /// The words after the number of differences that are not shown, such as `, shown by '--verbose'`.
  private let hint: String

  /// The maximum number of blocks that are shown of folded differences.
  package static let limit = 50

  package init(isColored: Bool = false, isUnfolded: Bool = false, hint: String = "") {
    diagnostics = DiagnosticRenderer(isColored: isColored)
    self.isUnfolded = isUnfolded
    self.hint = hint
  }

  /// Returns the text of a difference:
  ///
  /// ```
  /// Scenarios/feed.yaml:31:23: error: User/7: 'name' has a different value [changed]
  ///    31 |       - {id: "7", name: Ada}
  ///       |                   ^^^^^^^^^
  ///       = expected: string "Ada"
  ///       = actual:   string "Eva"
  /// ```
  package func text(of difference: Difference) -> String {
    text(
      at: difference.location, Self.headline(of: difference), kind: difference.kind,
      remarks: Self.remarks(of: difference, entryLimit: isUnfolded ? .max : Self.entryLimit))
  }

  /// Returns the text of the differences. Unless they are shown one by one, three or more equal differences become
  /// one text:
  ///
  /// ```
  /// 'text' has a different value in 10,000 of 20,000 Post records
  ///   Post/1: expected string "a", actual string "b"
  ///   Post/2: expected string "a", actual string "b"
  ///   Post/3: expected string "a", actual string "b"
  ///   and 9,997 more
  /// ```
  package func text(of differences: Differences) -> String {
    var texts: [String] = []
    var rest = 0
    if isUnfolded {
      texts = differences.first.map { text(of: $0) }
      rest = differences.count - texts.count
    } else {
      for group in differences.groups {
        // A group that is not folded contains at most two differences.
        let parts = group.isFolded ? [text(of: group)] : group.first.map { text(of: $0) }
        if texts.count < Self.limit { texts += parts } else { rest += group.count }
      }
    }
    // Texts with several lines are separated by empty lines.
    return (texts + (rest > 0 ? ["and \(ValueText.grouped(rest)) more\(hint)\n"] : [])).joined(
      separator: "\n")
  }

  /// Returns the text of equal differences.
  package func text(of group: DifferenceGroup) -> String {
    guard let first = group.first.first else { return "" }
    return text(
      at: first.location, Self.headline(of: group), kind: group.shape.kind,
      remarks: Self.remarks(of: group, hint: hint))
  }

  private func text(
    at location: Difference.Location, _ headline: String, kind: Difference.Kind, remarks: [String]
  ) -> String {
    let remarks = remarks.map(diagnostics.colored)
    guard let span = location.span else {
      return headline + "\n" + remarks.map { "  " + $0 + "\n" }.joined()
    }
    return diagnostics.text(at: span, headline, code: kind.rawValue, remarks: remarks)
  }

  /// Returns the headline in one line, without the location.
  package static func headline(of difference: Difference) -> String {
    DisplayText.oneLine(plainHeadline(of: difference))
  }

  private static func plainHeadline(of difference: Difference) -> String {
    if let sentence = stepSentence(for: difference) { return sentence }
    let subject = subject(of: difference)
    let cause = isCauseInHeadline(difference) ? difference.note.map { ": " + $0 } ?? "" : ""
    return (subject.isEmpty ? "" : subject + ": ") + sentence(for: difference) + cause
  }

  /// Returns the step, the request and the record that differ; empty if there are none.
  static func subject(of difference: Difference) -> String {
    var subject: [String] = []
    if let step = difference.step { subject.append("step \(step)") }
    if let request = difference.request { subject.append("request \(request) of the batch") }
    if let name = difference.record?.rawValue ?? difference.entity?.rawValue { subject.append(name) }
    return subject.joined(separator: ", ")
  }

  /// Returns a Boolean value that indicates whether the note is the cause of the difference.
  private static func isCauseInHeadline(_ difference: Difference) -> Bool {
    difference.kind == .relabeled || difference.isAboutFailure
  }

  /// Returns the sentence for a step that only the golden file or only the run contains; nil for any other difference.
  private static func stepSentence(for difference: Difference) -> String? {
    guard case .golden = difference.location, let step = difference.step, difference.record == nil,
      difference.property == nil
    else { return nil }
    switch difference.kind {
    case .missing: return "step \(step) is only in the golden file"
    case .extra: return "step \(step) is not in the golden file"
    default: return nil
    }
  }

  private static func sentence(for difference: Difference) -> String {
    if difference.isAboutFailure { return failureSentence(for: difference.kind) }
    if difference.property == "diagnostics", case .expectation = difference.location {
      return difference.kind == .missing
        ? "no diagnostic matches" : "unexpected diagnostic: \(difference.actual ?? "")"
    }
    if difference.isAboutDrift, let drift = difference.property {
      switch difference.kind {
      case .missing: return "the \(drift) is missing"
      case .extra: return "unexpected \(drift)"
      default: return "the \(drift) is different"
      }
    }
    let property = difference.property.map { "'\($0)'" }
    switch difference.kind {
    case .missing:
      if let property { return "an entry of \(property) is missing" }
      return difference.record == nil ? "no record matches" : "missing"
    case .extra: return property.map { "unexpected entry in \($0)" } ?? "unexpected record"
    case .changed where !difference.missing.isEmpty || !difference.extra.isEmpty:
      return "\(property ?? "the list") has different entries"
    case .changed: return property.map { "\($0) has a different value" } ?? "the value differs"
    case .count:
      return property.map { "\($0) has a different number of entries" } ?? "the number of records differs"
    case .duplicated: return "several records have the same key"
    case .dangling:
      return property.map { "\($0) names a record that does not exist" } ?? "the record does not exist"
    case .order: return "\(property ?? "the list") is in a different order"
    case .inverse: return "\(property ?? "the relationship") and its inverse disagree"
    case .relabeled: return "all labels have changed"
    }
  }

  /// The maximum number of entries of a list that are shown of folded differences.
  package static let entryLimit = 20

  /// Returns a line for each of the first entries, and the number of the others.
  private static func entries(_ entries: [String], _ word: String, limit: Int) -> [String] {
    let rest = entries.count - limit
    return entries.prefix(limit).map { word + $0 } + (rest > 0 ? ["\(word)and \(rest) more"] : [])
  }

  private static func failureSentence(for kind: Difference.Kind) -> String {
    switch kind {
    case .missing: "the step did not fail"
    case .extra: "the step failed"
    default: "the step failed with a different error"
    }
  }

  /// Returns both values and further remarks, one line each.
  package static func remarks(of difference: Difference, entryLimit: Int = entryLimit) -> [String] {
    var remarks: [String] = []
    let isInHeadline = difference.property == "diagnostics" && difference.kind == .extra
    if let expected = difference.expected { remarks.append("expected: \(expected)") }
    if let actual = difference.actual, !isInHeadline { remarks.append("actual:   \(actual)") }
    // The entries of drift are sentences, which may state that something is missing.
    let words = difference.isAboutDrift ? ("expected: ", "actual:   ") : ("missing:  ", "extra:    ")
    remarks += entries(difference.missing, words.0, limit: entryLimit)
    remarks += entries(difference.extra, words.1, limit: entryLimit)
    let reason = difference.explanation.isEmpty ? difference.reason?.text : nil
    if let note = difference.note ?? reason, !isCauseInHeadline(difference) {
      remarks.append("note:     \(note)")
    }
    remarks += entries(difference.also, "also:     ", limit: entryLimit)
    if let nearest = difference.nearest {
      let points = nearest.differences.map(RecordMatcher.summary).joined(separator: "; ")
      remarks.append("nearest:  \(nearest.record), where \(ValueText.clipped(points))")
    }
    return (remarks + difference.explanation).map(DisplayText.oneLine)
  }
}

// Groups
extension DifferenceRenderer {
  /// Returns the headline of equal differences in one line, without the location.
  package static func headline(of group: DifferenceGroup) -> String {
    let count = ValueText.grouped(group.count)
    let amount = group.total.map {
      $0 == group.count ? "all \(count)" : "\(count) of \(ValueText.grouped($0))"
    }
    let all = amount ?? count
    let shape = group.shape
    let text =
      if let property = shape.property.map({ "'\($0)'" }) {
        "\(property) \(predicate(of: shape)) in "
          + (shape.isInSteps
            ? "\(count) \(shape.entity == nil ? "steps" : "results of steps")"
            : "\(all) \(shape.entity.map { "\($0) " } ?? "")records")
      } else if shape.isInSteps, shape.entity == nil {
        shape.kind == .missing
          ? "\(count) steps are only in the golden file" : "\(count) steps are not in the golden file"
      } else if shape.kind == .relabeled {
        // Each difference is about all records of the entity in a golden file.
        "all \(shape.entity.map { "\($0) " } ?? "")records \(predicate(of: shape))"
      } else {
        "\(all) \(shape.entity.map { "\($0) " } ?? "")records \(predicate(of: shape))"
      }
    return DisplayText.oneLine(text)
  }

  private static func predicate(of shape: DifferenceShape) -> String {
    switch (shape.kind, shape.property != nil) {
    case (.missing, true): "has missing entries"
    case (.missing, false): "are missing"
    case (.extra, true): "has unexpected entries"
    case (.extra, false): "are unexpected"
    case (.changed, true):
      switch shape.change {
      case .added: "has a value instead of none"
      case .removed: "has no value"
      case .type(let types): "has another type (\(types.actual) instead of \(types.expected))"
      case .other: "has a different value"
      }
    case (.changed, false): "have another entity"
    case (.count, _): shape.property == nil ? "are too many or too few" : "has a different number of entries"
    case (.duplicated, _): "share their key with others"
    case (.dangling, true): "names records that do not exist"
    case (.dangling, false): "do not exist"
    case (.order, _): "is in a different order"
    case (.inverse, _): "disagrees with its inverse"
    case (.relabeled, _): "have other labels"
    }
  }

  /// Returns a line for each of the first differences, and the number of the others.
  package static func remarks(
    of group: DifferenceGroup, hint: String = "", showsExamples: Bool = true
  ) -> [String] {
    let examples = group.first.prefix(DifferenceGroup.examples)
    let rest = group.count - examples.count
    let more = rest > 0 ? ["and \(ValueText.grouped(rest)) more\(hint)"] : []
    let explained = examples.first { !$0.explanation.isEmpty }
    let hasReason = explained == nil && !examples.contains { $0.reason == .reported }
    func note(on example: Difference) -> String? { example.note ?? (hasReason ? example.reason?.text : nil) }
    let notes = Set(examples.map(note))
    let note =
      if notes.count == 1 { notes.first.flatMap(\.self).map { "note: \($0)" } } else {
        examples.lazy.compactMap { example in
          note(on: example).map { "note: \(subject(of: example)): \($0)" }
        }.first
      }
    let explanation = explained.map { ["explanation of \(subject(of: $0)):"] + $0.explanation } ?? []
    let shown = showsExamples ? examples.map(example) : []
    return ([note].compactMap(\.self) + shown + more + explanation).map(DisplayText.oneLine)
  }

  /// Returns the subject and the values of a difference in one line.
  package static func example(_ difference: Difference) -> String {
    let subject = subject(of: difference)
    var parts: [String] = []
    switch (difference.kind, difference.property) {
    case (.missing, nil): parts = [difference.expected].compactMap(\.self)
    case (.extra, nil): parts = [difference.actual].compactMap(\.self)
    default:
      parts = [difference.expected.map { "expected \($0)" }, difference.actual.map { "actual \($0)" }]
        .compactMap(\.self)
      let words = difference.isAboutDrift ? ("expected", "actual", "; ") : ("missing", "extra", ", ")
      if !difference.missing.isEmpty {
        parts.append("\(words.0) \(difference.missing.joined(separator: words.2))")
      }
      if !difference.extra.isEmpty {
        parts.append("\(words.1) \(difference.extra.joined(separator: words.2))")
      }
    }
    let text = ValueText.clipped(parts.joined(separator: ", "))
    return subject.isEmpty ? text : "\(subject): \(text)"
  }
}

extension Difference {
  /// A Boolean value that indicates whether the difference is about the failure of a step.
  package var isAboutFailure: Bool { location.span != nil && property == "failure" && record == nil }
}
