package import ScenarioComparison

extension GoldenComparison {
  /// A Boolean value that indicates whether there is a golden file that could be compared.
  package var isComparable: Bool {
    switch self {
    case .same, .notCanonical, .different: true
    case .new, .unreadable: false
    }
  }

  /// Returns the diagnostics of each step that the golden file does not contain.
  ///
  /// - Complexity: linear in the number of diagnostics and of differences that are kept.
  package func unexpected(_ diagnostics: [[DiagnosticSnapshot]]) -> [[DiagnosticSnapshot]] {
    switch self {
    case .same, .notCanonical: return diagnostics.map { _ in [] }
    case .new, .unreadable: return diagnostics
    case .different(let differences):
      var newSteps: Set<Int> = []
      var texts: [Int: Set<String>] = [:]
      for difference in differences.first {
        guard let step = difference.step, difference.record == nil else { continue }
        if difference.kind == .extra, difference.property == nil { newSteps.insert(step) }
        if difference.property == "diagnostics" { texts[step, default: []].formUnion(difference.extra) }
      }
      return diagnostics.enumerated().map { index, diagnostics in
        if newSteps.contains(index + 1) { return diagnostics }
        guard let texts = texts[index + 1] else { return [] }
        // Diagnostics of the same form are the same in a golden file. A difference has the message of the first of them.
        let forms = Set(diagnostics.filter { texts.contains(ValueText.of($0)) }.map(\.goldenForm))
        return diagnostics.filter { forms.contains($0.goldenForm) }
      }
    }
  }
}
