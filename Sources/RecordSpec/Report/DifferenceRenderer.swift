/// A renderer of differences as text: the kind of difference, its location, and both values with their types.
package struct DifferenceRenderer: Sendable {
  private let diagnostics: DiagnosticRenderer

  package init(isColored: Bool = false) { diagnostics = DiagnosticRenderer(isColored: isColored) }

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
    guard case .expectation(let span) = difference.location else {
      return Self.headline(of: difference) + "\n"
        + Self.remarks(of: difference).map { "  " + $0 + "\n" }.joined()
    }
    return diagnostics.text(
      at: span, Self.headline(of: difference), code: difference.kind.rawValue,
      remarks: Self.remarks(of: difference))
  }

  /// Returns the text of all differences that were kept, and the number of the others.
  package func text(of differences: Differences) -> String {
    let rest = differences.count - differences.first.count
    let more = rest > 0 ? ["and \(rest) more\n"] : []
    // Texts with several lines are separated by empty lines.
    return (differences.first.map { text(of: $0) } + more).joined(separator: "\n")
  }

  /// Returns the headline in one line, without the location.
  package static func headline(of difference: Difference) -> String {
    DisplayText.oneLine(plainHeadline(of: difference))
  }

  private static func plainHeadline(of difference: Difference) -> String {
    if let sentence = stepSentence(for: difference) { return sentence }
    var subject: [String] = []
    if let step = difference.step { subject.append("step \(step)") }
    if let request = difference.request { subject.append("request \(request) of the batch") }
    if let record = difference.record { subject.append(record.rawValue) }
    let prefix = subject.isEmpty ? "" : subject.joined(separator: ", ") + ": "
    return prefix + sentence(for: difference)
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
    if difference.property == "failure", difference.step != nil || difference.record == nil {
      return failureSentence(for: difference.kind)
    }
    if difference.property == "diagnostics", case .expectation = difference.location {
      return difference.kind == .missing
        ? "no diagnostic matches" : "unexpected diagnostic"
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
    }
  }

  /// Returns a line for each of the first 20 entries, and the number of the others.
  private static func entries(_ entries: [String], _ word: String) -> [String] {
    let limit = 20
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
  package static func remarks(of difference: Difference) -> [String] {
    var remarks: [String] = []
    if let expected = difference.expected { remarks.append("expected: \(expected)") }
    if let actual = difference.actual { remarks.append("actual:   \(actual)") }
    remarks += entries(difference.missing, "missing:  ") + entries(difference.extra, "extra:    ")
    if let note = difference.note { remarks.append("note:     \(note)") }
    remarks += entries(difference.also, "also:     ")
    if let nearest = difference.nearest {
      let points = nearest.differences.map(RecordMatcher.summary).joined(separator: "; ")
      remarks.append("nearest:  \(nearest.record), where \(ValueText.clipped(points))")
    }
    return remarks.map(DisplayText.oneLine)
  }
}
