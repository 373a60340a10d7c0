import RecordModel
package import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// A renderer of a scenario's result as text.
///
/// ```
/// FAIL  identity/attribute-key: Two posts by one author share one User
///
///   Golden/identity/attribute-key.json
///     User/7: 'name' has a different value
///       expected: string "Ada"
///       actual:   string "Eva"
///   accept it with: recordspec bless identity/attribute-key
/// ```
package struct ScenarioRenderer: Sendable {
  package var isColored: Bool
  /// A Boolean value that indicates whether texts mention the option `--verbose`, which tests do not have.
  package var mentionsVerbose = true
  /// A function that returns the command for blessing a scenario, by its name.
  package var blessCommand: @Sendable (String) -> String

  /// Creates a renderer.
  ///
  /// - Parameter blessCommand: the command to which the name of a scenario is appended.
  package init(isColored: Bool = false, blessCommand: String = "recordspec bless") {
    self.init(isColored: isColored) {
      "\(blessCommand) \($0.hasPrefix("-") ? "-- " : "")\(ShellText.quoted($0))"
    }
  }

  /// The words about blessing a result without records.
  private var allowance: String {
    mentionsVerbose
      ? "state it in 'expect:', or bless it with '--allow-diagnostics'"
      : "state it in 'expect:', or set RECORDSPEC_ALLOW_DIAGNOSTICS=1 to bless it"
  }

  package init(isColored: Bool, blessCommand: @escaping @Sendable (String) -> String) {
    self.isColored = isColored
    self.blessCommand = blessCommand
  }

  private var diagnostics: DiagnosticRenderer { DiagnosticRenderer(isColored: isColored) }
  /// The words after the number of differences that are not shown.
  private var hint: String { mentionsVerbose ? ", shown by '--verbose'" : "" }

  private func differences(isUnfolded: Bool) -> DifferenceRenderer {
    DifferenceRenderer(isColored: isColored, isUnfolded: isUnfolded, hint: hint)
  }

  /// Returns one line, or a block followed by an empty line. Unless `isVerbose` is true, the text is empty for a pass
  /// and for an expected failure.
  package func text(of verdict: ScenarioVerdict, isVerbose: Bool = false) -> String {
    reported(verdict, isVerbose: isVerbose).text(isVerbose: isVerbose)
  }

  /// Returns a verdict as reports present it.
  ///
  /// - Parameter isVerbose: a Boolean value that indicates whether all differences of a failure are listed.
  package func reported(_ verdict: ScenarioVerdict, isVerbose: Bool = false) -> ReportedScenario {
    var reported = ReportedScenario(
      name: verdict.shownName, path: verdict.path, title: verdict.heading.title,
      outcome: verdict.outcome.kind,
      headline: "")
    (reported.tags, reported.rules) = (verdict.heading.tags, verdict.heading.rules)
    (reported.duration, reported.index) = (verdict.duration, verdict.index)
    reported.warnings = verdict.warnings.map { ReportedProblem($0, diagnostics) }
    if case .invalid(let problems) = verdict.outcome {
      reported.errors = problems.map { ReportedProblem($0, diagnostics) }
    } else {
      reported.otherAnnotations = verdict.annotations
    }
    switch verdict.outcome {
    case .passed: reported.headline = line("pass", .good, of: verdict)
    case .skipped(let reason):
      reported.headline = line("skip", .quiet, of: verdict, reason: reason)
      reported.reason = reason
    case .expectedFailure(let reason):
      reported.headline = line("xfail", .quiet, of: verdict, reason: reason)
      reported.reason = reason
    case .new(let file, let overview):
      reported.headline = line("NEW", .bad, of: verdict)
      reported.failureText = "  no golden file: \(file)\n" + text(of: overview, of: verdict.name)
    case .invalid: reported.headline = line("INVALID", .bad, of: verdict)
    case .unexpectedPass(let mark):
      reported.headline = line("XPASS", .bad, of: verdict)
      reported.failureText = indented(
        diagnostics.text(
          at: mark.span, "the scenario passes, but is marked as an expected failure", code: "xfail",
          remarks: ["help: remove 'xfail' (its reason is: \(mark.reason))"]))
    case .broken(let breakage):
      reported.headline = line("BROKEN", .bad, of: verdict)
      reported.failureText = text(of: breakage)
    case .failed(let failure):
      reported.headline = line("FAIL", .bad, of: verdict)
      reported.failureText = text(of: failure, of: verdict.name, isVerbose: isVerbose)
      reported.hasUnreadableGoldenFile = !failure.golden.canBeBlessed
    }
    return reported
  }

  /// Returns the message with its line of the scenario. The log of an adapter, which can follow the first line, comes after it.
  private func text(of breakage: Breakage) -> String {
    let lines = breakage.message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let place = breakage.span.map { "\($0.file.path):\($0.start.line):\($0.start.column): " } ?? ""
    let excerpt = breakage.span.map { indented(diagnostics.excerpt(of: $0)) } ?? ""
    let rest = lines.dropFirst().map { $0 + "\n" }.joined()
    return "  \(place)\(lines.first ?? "")\n\(excerpt)\(rest)  \(breakage.advice)\n"
  }

  /// Returns what came out of a scenario without a golden file, and the command that creates the file.
  private func text(of overview: ResultOverview, of name: String) -> String {
    let result = overview.lines.map { "  \($0)\n" }.joined()
    guard let objection = overview.objection else { return result + acceptance("create it with", name) }
    return result + "  \(objection)\n  if this is correct, \(allowance)\n"
  }

  /// Returns the text that blessing shows for a scenario whose golden file is new or the only cause of failure; nil for
  /// any other scenario.
  package func blessing(of verdict: ScenarioVerdict, isVerbose: Bool = false) -> String? {
    switch verdict.outcome {
    case .new(let file, let overview):
      return "new     \(verdict.name)\n        \(file)\n" + overview.lines.map { "        \($0)\n" }.joined()
    case .failed(let failure) where failure.isGoldenFileOnly && failure.golden.canBeBlessed:
      if case .unreadable = failure.golden {
        return
          "changed \(verdict.name)\n        \(failure.goldenFile) was not a valid golden file and cannot be compared\n"
      }
      let difference = text(of: failure.golden, file: failure.goldenFile, isUnfolded: isVerbose)
      return "changed \(verdict.name)\n\n\(difference)\n"
    case .passed, .failed, .invalid, .skipped, .expectedFailure, .unexpectedPass, .broken: return nil
    }
  }

  /// Returns the line that states the number of hidden warnings and the command that shows them; nil if there are none.
  package static func remark(hiddenWarnings count: Int, checkCommand: String) -> String? {
    switch count {
    case 0: nil
    case 1: "1 warning; '\(checkCommand)' prints it\n"
    default: "\(count) warnings; '\(checkCommand)' prints them\n"
    }
  }

  private func text(of failure: ScenarioFailure, of name: String, isVerbose: Bool) -> String {
    let isUnfolded = isVerbose && mentionsVerbose
    let report = failure.report
    var parts = (report.causes + report.others).map { indented(text(of: $0, isUnfolded: isUnfolded)) }
    if isUnfolded {
      parts += report.consequences.map { indented(text(of: $0, isUnfolded: true)) }
    } else if !report.consequences.isEmpty {
      let lines = Self.consequenceLines(report.consequences, hint: hint)
      parts.append(indented(lines.map { $0 + "\n" }.joined()))
    }
    if failure.isGoldenFileOnly {
      let acceptance = failure.golden.canBeBlessed ? acceptance(failure.golden.remedy, name) : ""
      parts.append(goldenText(of: failure, isUnfolded: isUnfolded) + acceptance)
    } else if isVerbose || !failure.golden.canBeBlessed {
      let golden = text(of: failure.golden, file: failure.goldenFile, isUnfolded: isUnfolded)
      if !golden.isEmpty { parts.append(golden) }
    } else if case .different(let differences) = failure.golden {
      // The author's expectations come first. Differences from the golden file mostly follow from them.
      let count =
        differences.count == 1 ? "1 difference" : "\(ValueText.grouped(differences.count)) differences"
      parts.append(
        "  \(styled(failure.goldenFile, .strong)): \(count)\(hint)\n" + foldedHeadlines(of: differences))
    }
    return parts.joined(separator: "\n")
  }

  /// Returns the headlines of the equal differences of many records, which may explain the others.
  private func foldedHeadlines(of differences: Differences) -> String {
    differences.groups.filter { $0.isFolded && !$0.shape.isInSteps && !$0.isAboutWholeEntity }.prefix(3)
      .map { "    \(DifferenceRenderer.headline(of: $0))\n" }.joined()
  }

  private func text(of entry: ScenarioFailure.Entry, isUnfolded: Bool) -> String {
    switch entry {
    case .finding(let finding): return diagnostics.text(of: finding)
    case .differences(let group):
      guard case .golden(let path)? = group.first.first?.location else {
        let renderer = differences(isUnfolded: isUnfolded)
        return group.isFolded && !isUnfolded
          ? renderer.text(of: group) : group.first.map { renderer.text(of: $0) }.joined(separator: "\n")
      }
      let renderer = differences(isUnfolded: false)
      return "\(styled(path, .strong)): "
        + (group.isFolded ? renderer.text(of: group) : group.first.map { renderer.text(of: $0) }.joined())
    case .diagnostics(let found):
      return diagnostics.text(
        at: found.span, DisplayText.oneLine(entry.headline), isNote: true,
        remarks: Self.remarks(of: found))
    case .remark(let remark):
      return diagnostics.text(
        at: remark.span, DisplayText.oneLine(entry.headline), isNote: true, remarks: [])
    }
  }

  /// Returns a line for each of the other kinds of diagnostics.
  package static func remarks(of diagnostics: UnexpectedDiagnostics) -> [String] {
    let others = diagnostics.lines.dropFirst()
    let shown = 9
    let rest = others.count > shown ? ["also:     and \(others.count - shown) more"] : []
    return (others.prefix(shown).map { "also:     \($0)" } + rest).map(DisplayText.oneLine)
  }

  /// Returns a line with the number of problems that follow from a cause, and one line for each of the first ones.
  static func consequenceLines(_ entries: [ScenarioFailure.Entry], hint: String = "") -> [String] {
    let lines = entries.flatMap(\.lines).map { "  \(DisplayText.oneLine($0))" }
    let count = entries.reduce(0) { $0 + $1.count }
    let shown = 5
    let rest = lines.count > shown ? ["  and \(lines.count - shown) more"] : []
    return ["\(ValueText.grouped(count)) problems follow from this\(hint):"] + lines.prefix(shown) + rest
  }

  /// Returns the text about the golden file of a scenario whose expectations are met. It omits what has been reported
  /// before.
  private func goldenText(of failure: ScenarioFailure, isUnfolded: Bool) -> String {
    guard case .different(let differences) = failure.golden, !isUnfolded else {
      return text(of: failure.golden, file: failure.goldenFile, isUnfolded: isUnfolded)
    }
    let (told, lost) = (!failure.diagnostics.isEmpty, failure.emptyStep != nil)
    let new = differences.filter { group in
      !(told && group.shape.isExtraDiagnostic) && !(lost && group.isAbsence)
    }
    var text = "  \(styled(failure.goldenFile, .strong))\n"
    if lost, let summary = differences.absenceSummary { text += "    \(summary)\(hint)\n" }
    if !new.isEmpty {
      if lost { text += "\n" }
      text += indented(self.differences(isUnfolded: false).text(of: new), by: 4)
    } else if !lost {
      text += "    does not contain the diagnostics above\n"
    }
    return text
  }

  /// Returns the text about a golden file; empty if the file is the same.
  package func text(of comparison: GoldenComparison, file: String, isUnfolded: Bool = false) -> String {
    switch comparison {
    case .same: ""
    case .new: "  no golden file: \(file)\n"
    case .notCanonical(hasWindowsLineEnds: true): "  \(file)\n    has Windows line endings (CRLF)\n"
    case .notCanonical(hasWindowsLineEnds: false):
      "  \(file)\n    has the right content, but not the canonical form\n"
    case .unreadable(let problems): indented(diagnostics.text(of: problems))
    case .different(let differences):
      "  \(styled(file, .strong))\n"
        + indented(self.differences(isUnfolded: isUnfolded).text(of: differences), by: 4)
    }
  }

  private func acceptance(_ words: String, _ name: String) -> String {
    "  \(words): \(blessCommand(name))\n"
  }
}

// Lines
extension ScenarioRenderer {
  private enum Style: String {
    case good = "32"
    case bad = "1;31"
    case quiet = "2"
    case strong = "1"
  }

  private func line(
    _ word: String, _ style: Style, of verdict: ScenarioVerdict, reason: String? = nil
  ) -> String {
    let end = (reason ?? verdict.heading.title).map(DisplayText.oneLine)
    let repetition = verdict.repetition.map { " (run \($0))" } ?? ""
    return styled(padded(word), style) + verdict.shownName + repetition + (end.map { ": " + $0 } ?? "")
  }

  private func padded(_ word: String) -> String {
    word + String(repeating: " ", count: max(1, 6 - word.count))
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func indented(_ text: String, by columns: Int = 2) -> String { text.indented(by: columns) }
}

extension ScenarioFailure.Entry {
  /// The headline in one line, without the location.
  var headline: String {
    switch self {
    case .finding(let finding): finding.message
    case .differences(let group):
      group.isFolded
        ? DifferenceRenderer.headline(of: group)
        : group.first.first.map { DifferenceRenderer.headline(of: $0) } ?? ""
    case .diagnostics(let found): "step \(found.step): \(found.lines.first ?? "")"
    case .remark(let remark): "step \(remark.step): \(remark.text)"
    }
  }

  /// The number of problems.
  fileprivate var count: Int {
    if case .differences(let group) = self { group.count } else { 1 }
  }

  /// The location and the headline of each problem, or of all of them if they are equal.
  fileprivate var lines: [String] {
    let location = span.map { "\($0.file.path):\($0.start.line):\($0.start.column): " } ?? ""
    // Equal differences have the same location.
    guard case .differences(let group) = self, !group.isFolded else { return [location + headline] }
    return group.first.map { location + DifferenceRenderer.headline(of: $0) }
  }
}

extension DifferenceShape {
  /// A Boolean value that indicates whether the differences are diagnostics that the golden file does not contain.
  fileprivate var isExtraDiagnostic: Bool { kind == .extra && isInSteps && property == "diagnostics" }
}

extension Differences {
  /// The numbers of records that are missing, in one line; nil if none are missing.
  fileprivate var absenceSummary: String? {
    let records = groups.filter {
      $0.shape.kind == .missing && $0.shape.property == nil && !$0.shape.isInSteps
    }
    let all = groups.filter(\.isAbsence).reduce(0) { $0 + $1.count }
    guard all > 0 else { return nil }
    let counts = records.map { "\(ValueText.grouped($0.count)) \($0.shape.entity?.rawValue ?? "")" }
    guard !counts.isEmpty else {
      return "\(ValueText.grouped(all)) values and records that follow from this are missing"
    }
    return "the records that follow from this are missing: \(counts.joined(separator: ", "))"
  }
}

extension GoldenComparison {
  /// The words before the command that blesses the file.
  fileprivate var remedy: String {
    if case .notCanonical = self { "rewrite it with" } else { "accept it with" }
  }
}

extension String {
  /// Returns the text with spaces before each line that is not empty.
  func indented(by columns: Int = 2) -> String {
    let space = String(repeating: " ", count: columns)
    return split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : space + $0 }
      .joined(separator: "\n")
  }
}
