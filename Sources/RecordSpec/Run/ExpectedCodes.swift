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
    var codes: [(text: String, span: SourceSpan)] = []
    for expectation in steps.compactMap(\.expectation) + [expectation] {
      if let failure = expectation.failure, let code = failure.code { codes.append((code, failure.span)) }
      codes += (expectation.diagnostics ?? []).map { ($0.code, $0.span) }
    }
    let options = steps.compactMap(\.options)
    codes += options.flatMap { $0.failingCodes + $0.ignoredCodes }.map { ($0.value, $0.span) }
    // Options at the top are those of every step.
    var seen: Set<Int> = []
    codes.removeAll { !seen.insert($0.span.start.offset).inserted }
    return ignoredFailures()
      + codes.filter { !Self.isCode($0.text) }.map { code, span in
        let names = DiagnosticCode.all.map(\.rawValue)
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

  /// What fails a request whatever is said cannot be ignored.
  private func ignoredFailures() -> [AuthorDiagnostic] {
    var seen: Set<Int> = []
    return steps.compactMap(\.options).flatMap(\.ignoredCodes)
      .filter {
        DiagnosticCode(text: $0.value).severity == .failure && seen.insert($0.span.start.offset).inserted
      }
      .map {
        AuthorDiagnostic(
          .unknownValue, at: $0.span, "'\($0.value)' fails a request always", advice: "leave it out")
      }
  }

  /// By name, or by the number that the code has in the reference.
  private static func isCode(_ text: String) -> Bool {
    DiagnosticCode.all.contains(DiagnosticCode(text: text))
  }
}

extension DiagnosticCode {
  /// A code by its name, or by the number that it has in the reference.
  init(text: String) {
    self = Self.all.first { $0.referenceNumber.map(String.init) == text } ?? DiagnosticCode(rawValue: text)
  }
}

extension Step {
  /// The options of what it asks for.
  fileprivate var options: StepOptions? {
    switch action {
    case .request(let request): request.options
    case .serialize(let response): response.options
    case .await, .fetch, .change, .save, .rollback, .reopen, .tweak: nil
    }
  }
}
