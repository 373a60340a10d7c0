import RecordEngine
import RecordModel

extension LoadedScenario {
  /// The scenario after its expected codes were looked up: one that the engine never gives makes the file invalid,
  /// since an expectation of it could only fail, or pass for the wrong reason.
  package func checkedForCodes() -> LoadedScenario {
    guard let scenario else { return self }
    let unknown = scenario.unknownCodes()
    guard !unknown.isEmpty else { return self }
    var checked = self
    checked.scenario = nil
    checked.diagnostics = (diagnostics + unknown).sortedByPlace()
    return checked
  }
}

extension Scenario {
  /// The codes in `expect:` that are none, with the nearest that is one.
  fileprivate func unknownCodes() -> [AuthorDiagnostic] {
    let engine = DiagnosticCode.all.map(\.rawValue)
    // A request also fails by what its server throws.
    let failures = engine + ServerFailure.allCases.map(\.rawValue)
    var codes: [(text: String, span: SourceSpan, names: [String])] = []
    for expectation in steps.compactMap(\.expectation) + [expectation] {
      if let failure = expectation.failure, let code = failure.code {
        codes.append((code, failure.span, failures))
      }
      codes += (expectation.diagnostics?.value ?? []).map { ($0.code, $0.span, engine) }
    }
    codes += allOptions.flatMap { $0.failingCodes + $0.ignoredCodes }.map { ($0.value, $0.span, engine) }
    // Options at the top are those of every step.
    var seen: Set<Int> = []
    codes.removeAll { !seen.insert($0.span.start.offset).inserted }
    return ignoredFailures()
      + codes.filter { !Self.isCode($0.text, among: $0.names) }.map { code, span, names in
        let numbers = DiagnosticCode.all.compactMap(\.referenceNumber).map(String.init)
        // No number is near another one.
        let isNumber = Int(code) != nil
        let nearest = isNumber ? nil : nearestName(to: code, among: names)
        let expected = nearest == nil ? (isNumber ? numbers : names).joined(separator: ", ") : nil
        return AuthorDiagnostic(
          .unknownDiagnostic, at: span, "the engine has no code '\(code)'", expected: expected,
          advice: nearest.map { "did you mean '\($0)'?" })
      }
  }

  private var allOptions: [StepOptions] {
    steps.flatMap(\.options) + defaults.sorted { $0.key < $1.key }.map(\.value)
  }

  /// What fails a request whatever is said cannot be ignored.
  private func ignoredFailures() -> [AuthorDiagnostic] {
    var seen: Set<Int> = []
    return allOptions.flatMap(\.ignoredCodes)
      .filter {
        DiagnosticCode(text: $0.value).severity == .failure && seen.insert($0.span.start.offset).inserted
      }
      .map {
        AuthorDiagnostic(
          .unknownValue, at: $0.span, "'\($0.value)' fails a request always", advice: "leave it out")
      }
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
