import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The expectations of an imported scenario, compared with a trial.
extension ImportedScenario {
  /// Replaces the expectations of steps that a run does not meet by the failures that have occurred. Their messages become
  /// comments.
  ///
  /// - Returns: a line for each step that now expects a failure.
  mutating func mend(_ executed: ExecutedScenario) -> [String] {
    var lines: [String] = []
    for (index, outcome) in zip(draft.steps.indices, executed.snapshot.steps) where !isMet(index, outcome) {
      guard let failure = outcome.failure else {
        draft.steps[index].members["expect"] = nil
        continue
      }
      // A missing response is a defect of the scenario.
      if failure.code == AuthorDiagnostic.Code.unansweredRequest.rawValue { continue }
      let message = Self.message(of: failure)
      draft.steps[index].members["expect"] = ["failure": Self.expectation(of: failure)]
      draft.steps[index].comments.append("RecordEngine refuses this: \(message)")
      lines.append("step \(index + 1) expects the failure '\(failure.code)': \(message)")
    }
    if !lines.isEmpty { makeOptional(besides: Set(executed.answers.joined().compactMap(\.self))) }
    return lines
  }

  /// Returns the reasons why a run fails the scenario, in words.
  func problems(_ executed: ExecutedScenario) -> [String] {
    if let breakage = executed.breakage { return [breakage.message] }
    let steps = zip(draft.steps.indices, executed.snapshot.steps).compactMap { index, outcome -> String? in
      let isReported = outcome.failure?.code == AuthorDiagnostic.Code.unansweredRequest.rawValue
      if isReported || isMet(index, outcome) { return nil }
      return "step \(index + 1): \(outcome.failure.map(Self.message) ?? "it does not meet 'expect'")"
    }
    return executed.findings.map(\.message) + steps
  }

  private static func message(of failure: FailureSnapshot) -> String {
    let message = failure.message ?? failure.code
    let prefix = failure.code + ": "
    return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
  }

  /// Returns the value of `failure` that expects a failure: its status, or its code if it has none.
  private static func expectation(of failure: FailureSnapshot) -> JSONValue {
    failure.status.map { ["status": .number(JSONNumber(Int64($0)))] } ?? .string(failure.code)
  }

  /// Returns a Boolean value that indicates whether a step has the failure that it expects, or the records.
  private func isMet(_ index: Int, _ outcome: StepSnapshot) -> Bool {
    let expectation = draft.steps[index].members["expect"]
    let expected = expectation?["failure"]
    guard let failure = outcome.failure else {
      return expected == nil && (expectation == nil || outcome.records.isEmpty)
    }
    return expected == Self.expectation(of: failure)
  }

  /// Makes the responses of the addresses optional that were not requested, because requests before them have failed.
  private mutating func makeOptional(besides served: Set<Int>) {
    var first = 0
    for index in draft.addresses.indices {
      let count = draft.addresses[index].responses.count
      if !(first..<first + count).allSatisfy(served.contains) { draft.addresses[index].isOptional = true }
      first += count
    }
  }
}
