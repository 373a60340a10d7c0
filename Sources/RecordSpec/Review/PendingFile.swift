/// A golden file that differs from the result of its scenario, although the author's expectations are met.
package struct PendingFile: Sendable {
  /// The kind of the change.
  package enum Content: Sendable {
    /// A golden file that does not exist yet.
    case new(ResultOverview)
    case differences(Differences)
    /// A golden file with the right content in another form.
    case form
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

  package init(name: String, path: String, content: Content, snapshot: ScenarioSnapshot) {
    self.name = name
    self.path = path
    self.content = content
    self.snapshot = snapshot
  }

  /// Creates the pending file of a scenario; nil if there is nothing to accept or the scenario fails otherwise.
  package init?(_ result: ScenarioResult, _ snapshot: ScenarioSnapshot?) {
    guard let snapshot else { return nil }
    switch result.outcome {
    case .new(let file, let overview):
      self.init(name: result.name, path: file, content: .new(overview), snapshot: snapshot)
    case .failed(let failure) where failure.isGoldenFileOnly && failure.golden.canBeBlessed:
      let content: Content
      switch failure.golden {
      case .different(let differences): content = .differences(differences)
      case .notCanonical: content = .form
      case .unreadable(let problems): content = .invalid(problems)
      case .same, .new: return nil
      }
      self.init(
        name: result.name, path: failure.goldenFile, content: content, snapshot: snapshot)
    default: return nil
    }
  }
}
