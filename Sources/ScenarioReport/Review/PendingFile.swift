package import ScenarioComparison
package import ScenarioFormat

/// A golden file that differs from the result of its scenario, although the author's expectations are met.
package struct PendingFile: Sendable {
  /// The kind of the change.
  package enum Content: Sendable {
    /// A golden file that does not exist yet.
    case new(ResultOverview)
    case differences(Differences)
    /// A golden file with the right content in another form.
    case notCanonical
    /// A golden file that is not valid.
    case invalid([AuthorDiagnostic])
  }

  /// The name of the scenario.
  package let name: String
  /// The golden file.
  package let path: String
  package let content: Content
  /// The result that the golden file gets if it is accepted.
  package let snapshot: ScenarioSnapshot
  /// The bytes of the golden file that was compared; nil if it did not exist.
  package let recorded: [UInt8]?
  /// The differences by their shape.
  package let groups: [DifferenceShape: DifferenceGroup]

  package init(
    name: String, path: String, content: Content, snapshot: ScenarioSnapshot, recorded: [UInt8]? = nil
  ) {
    self.name = name
    self.path = path
    self.content = content
    self.snapshot = snapshot
    self.recorded = recorded
    if case .differences(let differences) = content {
      groups = Dictionary(differences.groups.map { ($0.shape, $0) }, uniquingKeysWith: { first, _ in first })
    } else {
      groups = [:]
    }
  }

  /// Creates the pending file of a scenario; nil if there is nothing to accept or the scenario fails otherwise.
  package init?(_ verdict: ScenarioVerdict) throws(FileProblem) {
    guard let snapshot = verdict.snapshot else { return nil }
    let content: Content
    let path: String
    switch verdict.outcome {
    case .new(let file, let overview): (path, content) = (file, .new(overview))
    case .failed(let failure) where failure.isGoldenFileOnly && failure.golden.canBeBlessed:
      path = failure.goldenFile
      switch failure.golden {
      case .different(let differences): content = .differences(differences)
      case .notCanonical: content = .notCanonical
      case .unreadable(let problems): content = .invalid(problems)
      case .same, .new: return nil
      }
    default: return nil
    }
    self.init(
      name: verdict.name, path: path, content: content, snapshot: snapshot,
      recorded: try FileBytes.read(path))
  }

  /// The reason why the result is not accepted unless the user allows it; nil if there is none.
  package var objection: String? {
    if case .new(let overview) = content { overview.objection } else { nil }
  }
}
