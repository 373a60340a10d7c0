package import ScenarioComparison
package import ScenarioFormat

/// The verdict on one scenario in a run, with the snapshot for its golden file.
package struct ScenarioVerdict: Sendable {
  /// The name, such as `identity/attribute-key`.
  package let name: String
  /// The name in reports, which has the adapter if the scenario runs on several.
  package var shownName: String
  /// The file, as the user would type it.
  package let path: String
  package let heading: ScenarioHeading
  package let outcome: ScenarioOutcome
  /// The warnings about the file, for every outcome.
  package var warnings: [AuthorDiagnostic] = []
  package var duration = Duration.zero
  /// The position among the selected scenarios of all shards, from 0.
  package var index = 0
  /// The run that failed, from 1, if the scenario was run several times; nil for a single run.
  package var repetition: Int?
  /// The snapshot; nil if the scenario did not run to its end.
  package var snapshot: ScenarioSnapshot?
  /// The result to keep; nil if the scenario did not run or did not fail.
  package var kept: KeptResult?
  /// The details for reports; nil unless they were collected.
  package var details: ScenarioDetails?
  /// A function that collects the details; nil unless they were asked for.
  package var collectDetails: (@Sendable () async -> ScenarioDetails)?
  /// A Boolean value that indicates whether the steps were run, so that their results can be shown.
  package var hasResult = false
  /// A Boolean value that indicates whether the scenario did not run because it needs Swift code of a test target.
  package var needsSwiftCode = false
  /// A Boolean value that indicates whether the scenario did not run because it runs an app, and no adapter is named.
  package var lacksAdapter = false
  /// The scenario file, the files that it names and its golden file, whether or not they exist. Each has its stamp from
  /// before it was read.
  package var files: [StampedFile] = []

  package init(name: String, path: String, heading: ScenarioHeading, outcome: ScenarioOutcome) {
    (self.name, self.path, self.heading, self.outcome) = (name, path, heading, outcome)
    shownName = name
  }
}

extension ScenarioVerdict {
  /// A Boolean value that indicates whether an older kept result is outdated, because the scenario was run or skipped and
  /// there is nothing to keep. The result of a scenario that has become invalid remains.
  package var outdatesKeptResult: Bool { outcome.kind != .invalid && kept == nil }

  /// The verdict for a report without details.
  package var withoutDetails: ScenarioVerdict {
    var verdict = self
    (verdict.details, verdict.collectDetails) = (nil, nil)
    return verdict
  }

  /// Collects the details for reports, if they were asked for. That takes time, which is not part of the scenario's.
  package mutating func addDetails() async {
    details = await collectDetails?()
    // The function holds the whole result of the run.
    collectDetails = nil
  }
}
