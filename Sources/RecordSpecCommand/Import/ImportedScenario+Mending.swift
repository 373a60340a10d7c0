import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The expectations of an imported scenario after a trial.
extension ImportedScenario {
  /// Replaces the expectations of steps that a run does not meet by the failures that have occurred. Their messages become
  /// comments.
  ///
  /// - Returns: a line for each step that now expects a failure.
  mutating func mend(_ executed: ExecutedScenario) -> [String] {
    var lines: [String] = []
    for (index, outcome) in zip(draft.steps.indices, executed.snapshot.steps) {
      let expectation = draft.steps[index].members["expect"]
      let expected = expectation?["failure"]
      guard let failure = outcome.failure else {
        let isMet = expected == nil && (expectation == nil || outcome.records.isEmpty)
        if !isMet { draft.steps[index].members["expect"] = nil }
        continue
      }
      // A missing response is a defect of the scenario.
      guard failure.code != AuthorDiagnostic.Code.unansweredRequest.rawValue,
        expected != .string(failure.code)
      else { continue }
      let told = failure.message ?? failure.code
      let message = told.hasPrefix(failure.code + ": ") ? String(told.dropFirst(failure.code.count + 2)) : told
      draft.steps[index].members["expect"] = ["failure": .string(failure.code)]
      draft.steps[index].comments.append("RecordEngine refuses this: \(message)")
      lines.append("step \(index + 1) expects the failure '\(failure.code)': \(message)")
    }
    if !lines.isEmpty { makeOptional(besides: Set(executed.answers.joined().compactMap(\.self))) }
    return lines
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
