import RecordEngine
import RecordModel

extension LoadedScenario {
  /// The scenario after its codes were looked up: one that the engine never gives makes the file invalid, since an
  /// expectation of it could only fail, or pass for the wrong reason.
  package func checkedForCodes() -> LoadedScenario {
    refused(for: names.compactMap(Self.problem))
  }

  private static func problem(of code: ForeignName) -> AuthorDiagnostic? {
    let engine = DiagnosticCode.all.map(\.rawValue)
    switch code.kind {
    case .failure:
      // A request also fails by what its server throws.
      return problem(of: code, among: engine + ServerFailure.allCases.map(\.rawValue))
    case .diagnostic: return problem(of: code, among: engine)
    case .ignoredDiagnostic:
      // What fails a request whatever is said cannot be ignored.
      if DiagnosticCode(text: code.name).severity == .failure {
        return AuthorDiagnostic(
          .unknownValue, at: code.location, "'\(code.name)' fails a request always", advice: "leave it out")
      }
      return problem(of: code, among: engine)
    case .rule, .hook, .recordType, .transformer: return nil
    }
  }

  private static func problem(of code: ForeignName, among names: [String]) -> AuthorDiagnostic? {
    if isCode(code.name, among: names) { return nil }
    let numbers = DiagnosticCode.all.compactMap(\.referenceNumber).map(String.init)
    // No number is near another one.
    let isNumber = Int(code.name) != nil
    let nearest = isNumber ? nil : nearestName(to: code.name, among: names)
    let expected = nearest == nil ? (isNumber ? numbers : names).joined(separator: ", ") : nil
    return AuthorDiagnostic(
      .unknownDiagnostic, at: code.location, "the engine has no code '\(code.name)'", expected: expected,
      advice: nearest.map { "did you mean '\($0)'?" })
  }

  /// By name, or by the number that the code has in the reference.
  private static func isCode(_ text: String, among names: [String]) -> Bool {
    names.contains(text) || DiagnosticCode.all.contains { $0.referenceNumber.map(String.init) == text }
  }
}

extension DiagnosticCode {
  /// A code by its name, or by the number that it has in the reference.
  init(text: String) {
    self = Self.all.first { $0.referenceNumber.map(String.init) == text } ?? DiagnosticCode(rawValue: text)
  }
}
