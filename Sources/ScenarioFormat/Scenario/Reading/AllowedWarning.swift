import RecordModel

/// An entry of `allows`, which silences the warnings with a code in its file.
package struct AllowedWarning: Sendable {
  /// The code of the warnings.
  package let code: String
  /// The pattern of the names that the entry is limited to; nil for all warnings with the code.
  let pattern: KeyPattern?
  /// The location of the pattern, or of the code.
  package let span: SourceSpan

  /// Returns a Boolean value that indicates whether the entry is for a diagnostic, regardless of its file.
  package func matches(_ diagnostic: AuthorDiagnostic) -> Bool {
    guard diagnostic.severity == .warning, diagnostic.code.rawValue == code else { return false }
    guard let pattern else { return true }
    return diagnostic.subject.map(pattern.matches) ?? false
  }
}

/// The entries of `allows` in a scenario and in its model file.
package struct AllowedWarnings: Sendable {
  package var entries: [AllowedWarning] = []
  /// The files that can have entries of their own. The scenario is the first one.
  var paths: [String] = []

  /// Returns the entries that silence a diagnostic: those of its file. The scenario also has those for Xcode models and
  /// recordings.
  package func entries(for diagnostic: AuthorDiagnostic) -> [AllowedWarning] {
    guard diagnostic.severity == .warning, !entries.isEmpty else { return [] }
    let path = paths.contains(diagnostic.path) ? diagnostic.path : paths.first
    return entries.filter { $0.span.file.path == path && $0.matches(diagnostic) }
  }
}

extension Findings {
  /// Reads `allows`: a reason, or a mapping from names to reasons, by the code of a warning.
  func readAllowedWarnings(_ pair: YAMLPair?) {
    for pair in mapping(pair) ?? [] {
      let isCode = isAllowed(pair)
      if pair.value.pairs != nil {
        for name in mapping(pair) ?? [] where string(name) != nil && isCode {
          allowedWarnings.append(
            AllowedWarning(code: pair.key, pattern: KeyPattern(name.key), span: name.keySpan))
        }
      } else if string(pair) != nil, isCode {
        allowedWarnings.append(AllowedWarning(code: pair.key, pattern: nil, span: pair.keySpan))
      }
    }
  }

  /// Returns a Boolean value that indicates whether a key of `allows` is the code of a warning. Reports another one.
  private func isAllowed(_ pair: YAMLPair) -> Bool {
    if WarningCodes.allowed.contains(pair.key) { return true }
    let advice: String? =
      switch AuthorDiagnostic.Warning(rawValue: pair.key) {
      case .unreadKey: "list the keys in 'ignores' of the entity"
      case .unusedAllows: "remove the entry of 'allows' that silences nothing"
      default: nil
      }
    if let advice {
      report(.unknownValue, at: pair.keySpan, "'\(pair.key)' cannot be allowed", advice: advice)
    } else {
      unknownName(
        .unknownDiagnostic, "unknown warning '\(pair.key)'", name: pair.key, at: pair.keySpan,
        among: WarningCodes.allowed, otherwise: "write the code that 'recordspec check' prints in brackets")
    }
    return false
  }
}
