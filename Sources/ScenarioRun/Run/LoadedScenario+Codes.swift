import RecordEngine
import RecordModel
import ScenarioComparison
package import ScenarioFormat

extension LoadedScenario {
  /// Returns the scenario after verifying its codes. A code that the engine never produces makes the file invalid: an
  /// expectation of it would fail, or pass for the wrong reason.
  package func checkedForCodes() -> LoadedScenario {
    refused(for: names.compactMap(Self.problem))
  }

  private static func problem(of code: ForeignName) -> AuthorDiagnostic? {
    switch code.kind {
    case .failure: return problem(of: code, among: KnownCodes.failures)
    case .diagnostic: return problem(of: code, among: KnownCodes.diagnostics)
    case .ignoredDiagnostic:
      // A diagnostic that always fails a request cannot be ignored.
      if DiagnosticCode(text: code.name).severity == .failure {
        return AuthorDiagnostic(
          .unknownValue, at: code.location,
          "'\(code.name)' always fails the request, so it is never a diagnostic", advice: "remove it")
      }
      return problem(of: code, among: KnownCodes.diagnostics)
    case .rule, .hook, .recordType, .transformer: return nil
    }
  }

  private static func problem(of code: ForeignName, among names: [String]) -> AuthorDiagnostic? {
    if isCode(code.name, among: names) { return nil }
    let numbers = KnownCodes.numbers.map(String.init)
    // Numbers have no near matches.
    let isNumber = Int(code.name) != nil
    let nearest =
      ServerFailure(namedInFoundation: code.name).map(\.rawValue).flatMap { names.contains($0) ? $0 : nil }
      ?? (isNumber ? nil : nearestName(to: code.name, among: names))
    let expected = nearest == nil ? (isNumber ? numbers : names).joined(separator: ", ") : nil
    return AuthorDiagnostic(
      .unknownDiagnostic, at: code.location, "unknown code '\(code.name)'", expected: expected,
      advice: nearest.map { "did you mean '\($0)'?" })
  }

  /// Returns a Boolean value that indicates whether a text is the name of a code or its number in MMRecord.
  private static func isCode(_ text: String, among names: [String]) -> Bool {
    names.contains(text) || KnownCodes.numbers.contains { String($0) == text }
  }
}

/// The codes that a scenario may name.
package enum KnownCodes {
  /// The codes of the engine.
  package static let diagnostics = DiagnosticCode.all.map(\.rawValue)
  /// The codes of failed requests. A request can also fail with an error of its server.
  package static let failures =
    diagnostics + ServerFailure.allCases.map(\.rawValue) + RedirectFailure.allCases.map(\.rawValue)
  /// The numbers of the codes in MMRecord, which may be written instead.
  package static let numbers = DiagnosticCode.all.compactMap(\.referenceNumber)
}

extension DiagnosticCode {
  /// Creates a code from its name or its number in MMRecord.
  init(text: String) {
    self = Self.all.first { $0.referenceNumber.map(String.init) == text } ?? DiagnosticCode(rawValue: text)
  }
}
