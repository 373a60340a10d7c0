import RecordModel

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

  package init(isColored: Bool, blessCommand: @escaping @Sendable (String) -> String) {
    self.isColored = isColored
    self.blessCommand = blessCommand
  }

  private var diagnostics: DiagnosticRenderer { DiagnosticRenderer(isColored: isColored) }
  private var differences: DifferenceRenderer { DifferenceRenderer(isColored: isColored) }

  /// Returns one line, or a block followed by an empty line. Unless `isVerbose` is true, the text is empty for a pass
  /// and for an expected failure.
  ///
  /// - Parameter toldFiles: the invalid files whose errors have already been reported.
  package func text(
    of result: ScenarioResult, isVerbose: Bool = false, toldFiles: [String] = []
  ) -> String {
    switch result.outcome {
    case .passed: isVerbose ? line("pass", .good, result) : ""
    case .skipped(let reason): line("skip", .quiet, result, reason)
    case .expectedFailure(let reason): isVerbose ? line("xfail", .quiet, result, reason) : ""
    case .new(let file):
      block(
        "NEW", result, "  no golden file: \(file)\n" + acceptance("create it with", result.name))
    case .invalid(let problems):
      block(
        "INVALID", result,
        indented(diagnostics.text(of: problems)) + (problems.isEmpty || toldFiles.isEmpty ? "" : "\n")
          + toldFiles.map { "  '\($0)' has errors, see above\n" }.joined())
    case .unexpectedPass(let mark):
      block(
        "XPASS", result,
        indented(
          diagnostics.text(
            at: mark.span, "the scenario passes, but is marked as an expected failure", code: "xfail",
            remarks: ["help: remove 'xfail' (its reason is: \(mark.reason))"])))
    case .broken(let breakage):
      block("BROKEN", result, "  \(breakage.message)\n  \(breakage.advice)\n")
    case .failed(let failure):
      block("FAIL", result, text(of: failure, of: result.name, isVerbose: isVerbose))
    }
  }

  /// Returns the text that blessing shows for a scenario whose golden file is new or the only cause of failure; nil for
  /// any other scenario.
  package func blessing(of result: ScenarioResult) -> String? {
    switch result.outcome {
    case .new(let file): return "new     \(result.name)\n        \(file)\n"
    case .failed(let failure) where failure.isGoldenFileOnly && failure.golden.canBeBlessed:
      if case .unreadable = failure.golden {
        return
          "changed \(result.name)\n        \(failure.goldenFile) was not a valid golden file and cannot be compared\n"
      }
      let difference = text(of: failure.golden, file: failure.goldenFile)
      return "changed \(result.name)\n\n\(difference)\n"
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
    var parts = failure.causes.map { indented(diagnostics.text(of: $0)) }
    if !failure.expectations.isEmpty { parts.append(indented(differences.text(of: failure.expectations))) }
    parts += failure.consequences.map { indented(diagnostics.text(of: $0)) }
    if failure.isGoldenFileOnly {
      let acceptance = failure.golden.canBeBlessed ? acceptance(failure.golden.remedy, name) : ""
      parts.append(text(of: failure.golden, file: failure.goldenFile) + acceptance)
    } else if isVerbose || !failure.golden.canBeBlessed {
      let golden = text(of: failure.golden, file: failure.goldenFile)
      if !golden.isEmpty { parts.append(golden) }
    } else if case .different(let differences) = failure.golden {
      // The author's expectations come first. Differences from the golden file mostly follow from them.
      let count = counted(differences.count, "difference")
      parts.append("  \(failure.goldenFile): \(count), shown by '--verbose'\n")
    }
    return parts.joined(separator: "\n")
  }

  /// Returns the text about a golden file; empty if the file is the same.
  package func text(of comparison: GoldenComparison, file: String) -> String {
    switch comparison {
    case .same: ""
    case .new: "  no golden file: \(file)\n"
    case .notCanonical(hasWindowsLineEnds: true): "  \(file)\n    has Windows line endings (CRLF)\n"
    case .notCanonical(hasWindowsLineEnds: false):
      "  \(file)\n    has the right content, but not the canonical form\n"
    case .unreadable(let problems): indented(diagnostics.text(of: problems))
    case .different(let differences): "  \(file)\n" + indented(self.differences.text(of: differences), by: 4)
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
  }

  private func line(_ word: String, _ style: Style, _ result: ScenarioResult, _ text: String? = nil) -> String
  {
    let end = (text ?? result.title).map(DisplayText.oneLine)
    return styled(padded(word), style) + result.name + (end.map { ": " + $0 } ?? "") + "\n"
  }

  /// Returns a block. The warnings of a failed scenario come last, because they may explain the failure.
  private func block(_ word: String, _ result: ScenarioResult, _ body: String) -> String {
    let warnings = result.outcome.hasGoneWrong ? result.warnings : []
    let remarks = warnings.map { "\n" + indented(diagnostics.text(of: $0)) }.joined()
    return line(word, .bad, result) + "\n" + body + remarks + "\n"
  }

  private func padded(_ word: String) -> String {
    word + String(repeating: " ", count: max(1, 6 - word.count))
  }

  private func styled(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func indented(_ text: String, by columns: Int = 2) -> String {
    let space = String(repeating: " ", count: columns)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : space + $0 }
      .joined(separator: "\n")
  }
}

extension GoldenComparison {
  /// The words before the command that blesses the file.
  fileprivate var remedy: String {
    if case .notCanonical = self { "rewrite it with" } else { "accept it with" }
  }
}
