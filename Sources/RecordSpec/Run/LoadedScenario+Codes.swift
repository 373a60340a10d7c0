import RecordEngine
import RecordModel

extension LoadedScenario {
  /// Returns the scenario after verifying its codes. A code that the engine never produces makes the file invalid: an
  /// expectation of it would fail, or pass for the wrong reason.
  package func checkedForCodes() -> LoadedScenario {
    refused(for: names.compactMap(Self.problem))
  }

  private static func problem(of code: ForeignName) -> AuthorDiagnostic? {
    let engine = DiagnosticCode.all.map(\.rawValue)
    switch code.kind {
    case .failure:
      // A request can also fail with an error of its server.
      let server = ServerFailure.allCases.map(\.rawValue) + RedirectFailure.allCases.map(\.rawValue)
      return problem(of: code, among: engine + server)
    case .diagnostic: return problem(of: code, among: engine)
    case .ignoredDiagnostic:
      // A diagnostic that always fails a request cannot be ignored.
      if DiagnosticCode(text: code.name).severity == .failure {
        return AuthorDiagnostic(
          .unknownValue, at: code.location,
          "'\(code.name)' always fails the request, so it is never a diagnostic", advice: "remove it")
      }
      return problem(of: code, among: engine)
    case .rule, .hook, .recordType, .transformer: return nil
    }
  }

  private static func problem(of code: ForeignName, among names: [String]) -> AuthorDiagnostic? {
    if isCode(code.name, among: names) { return nil }
    let numbers = DiagnosticCode.all.compactMap(\.referenceNumber).map(String.init)
    // Numbers have no near matches.
    let isNumber = Int(code.name) != nil
    let nearest = isNumber ? nil : nearestName(to: code.name, among: names)
    let expected = nearest == nil ? (isNumber ? numbers : names).joined(separator: ", ") : nil
    return AuthorDiagnostic(
      .unknownDiagnostic, at: code.location, "unknown code '\(code.name)'", expected: expected,
      advice: nearest.map { "did you mean '\($0)'?" })
  }

  /// Returns a Boolean value that indicates whether a text is the name of a code or its number in MMRecord.
  private static func isCode(_ text: String, among names: [String]) -> Bool {
    names.contains(text) || DiagnosticCode.all.contains { $0.referenceNumber.map(String.init) == text }
  }
}

extension DiagnosticCode {
  /// Creates a code from its name or its number in MMRecord.
  init(text: String) {
    self = Self.all.first { $0.referenceNumber.map(String.init) == text } ?? DiagnosticCode(rawValue: text)
  }
}
