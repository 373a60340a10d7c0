package import RecordModel

/// The named requests that the steps read so far have sent and not awaited.
package struct PendingRequests {
  package let findings: Findings
  private var requests: [(name: String, entity: EntityName?, span: SourceSpan)] = []

  /// The page runs that have begun, by name. The request is nil if it could not be read.
  private var runs: [String: RequestStep?] = [:]

  package init(findings: Findings) { self.findings = findings }

  mutating func beginRun(_ name: String, _ request: RequestStep?) { runs[name] = .some(request) }

  /// Returns the request that began a run; nil if it could not be read.
  package func request(ofRun name: String) -> RequestStep? { runs[name] ?? nil }

  /// Returns a Boolean value that indicates whether a run has begun. Reports a run that has not.
  func hasRun(_ name: String, at span: SourceSpan) -> Bool {
    if runs.keys.contains(name) { return true }
    if name.isEmpty {
      let named = runs.keys.min()
      findings.report(
        .unknownValue, at: span, "no \(named == nil ? "" : "unnamed ")run of pages has started",
        advice: named.map { "write 'nextPage: \($0)'" } ?? "add a 'page: …' step before it")
    } else {
      let message = "no run '\(name)' has started"
      // The run may be named by its entity.
      if let run = runs.keys.sorted().first(where: { request(ofRun: $0)?.entity.rawValue == name }) {
        findings.report(
          .unknownValue, at: span, message, advice: "write 'nextPage: \(run.isEmpty ? "true" : run)'")
        return false
      }
      findings.unknownName(
        .unknownValue, message, name: name, at: span, among: runs.keys.filter { !$0.isEmpty }.sorted(),
        otherwise: runs.keys.contains("")
          ? "write 'nextPage: true' for the run without a name" : "begin the run with a 'page: …' step")
    }
    return false
  }

  /// Reads `as: first`. Returns nil if another in-flight request has the name, which is reported.
  package mutating func begin(_ pair: YAMLPair, _ entity: EntityName?) -> String? {
    guard let name = findings.nonEmptyString(pair.value, for: "'as'") else { return nil }
    if let other = requests.first(where: { $0.name == name }) {
      findings.report(
        .conflictingKeys, at: pair.value.span, "a request named '\(name)' is already in flight",
        advice: "await it first, or use another name", notes: [.init(other.span, "here")])
      return nil
    }
    requests.append((name, entity, pair.value.span))
    return name
  }

  /// Reads `await: first`. Returns nil if no in-flight request has the name, which is reported.
  package mutating func end(_ pair: YAMLPair) -> (name: String, entity: EntityName?)? {
    guard let name = findings.nonEmptyString(pair.value, for: "'await'") else { return nil }
    guard let index = requests.firstIndex(where: { $0.name == name }) else {
      findings.unknownName(
        .unknownValue, "no request named '\(name)' is in flight", name: name, at: pair.value.span,
        among: requests.map(\.name),
        otherwise: requests.isEmpty ? "write 'as: \(name)' in the awaited request" : nil)
      return nil
    }
    let request = requests.remove(at: index)
    return (name, request.entity)
  }

  /// Reports an in-flight request before the store is reopened: the store cannot be closed while a request uses it.
  func reportReopening(_ span: SourceSpan) {
    guard let request = requests.first else { return }
    findings.report(
      .conflictingKeys, at: span, "the request '\(request.name)' is in flight and needs the store",
      advice: "add the step 'await: \(request.name)' before it", notes: [.init(request.span, "sent here")])
  }

  /// Reports requests that are never awaited, because their results would not be recorded.
  func reportRest() {
    for request in requests {
      findings.report(
        .missingKey, at: request.span, "the request '\(request.name)' is never awaited",
        advice: "add the step 'await: \(request.name)'")
    }
  }
}
