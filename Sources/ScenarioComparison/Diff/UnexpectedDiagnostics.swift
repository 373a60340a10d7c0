import OrderedCollections
import RecordModel
package import ScenarioFormat

/// The diagnostics of a step that neither its author nor the golden file expects. They usually are the cause of a
/// failure.
package struct UnexpectedDiagnostics: Sendable {
  /// The step, from 1.
  package let step: Int
  /// The location of the step.
  package let span: SourceSpan
  /// The diagnostics, in the order in which they occurred; at least one.
  package let diagnostics: [DiagnosticSnapshot]

  /// Creates the diagnostics of a step; nil if there are none.
  package init?(step: Int, at span: SourceSpan, _ diagnostics: [DiagnosticSnapshot]) {
    guard !diagnostics.isEmpty else { return nil }
    self.step = step
    self.span = span
    self.diagnostics = diagnostics
  }

  /// A line for each kind of diagnostic and property.
  package var lines: [String] { ValueText.lines(of: diagnostics) }

  /// The diagnostics that the lines describe. The others are only counted.
  package var shown: [DiagnosticSnapshot] { ValueText.kinds(of: diagnostics).compactMap(\.first) }
}

extension ValueText {
  /// Returns a line for each code, entity and property. It describes the first diagnostic and counts the others.
  package static func lines(of diagnostics: [DiagnosticSnapshot]) -> [String] {
    kinds(of: diagnostics).map { equal in
      let rest = equal.count > 1 ? " (and \(grouped(equal.count - 1)) more)" : ""
      return (equal.first.map { of($0) } ?? "") + rest
    }
  }

  fileprivate static func kinds(of diagnostics: [DiagnosticSnapshot]) -> [[DiagnosticSnapshot]] {
    let kinds = OrderedDictionary(grouping: diagnostics) {
      [$0.code, $0.entity?.rawValue, $0.property?.rawValue]
    }
    return Array(kinds.values)
  }
}
