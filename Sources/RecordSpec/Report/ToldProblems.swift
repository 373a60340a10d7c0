/// The problems of files that scenarios share, as far as the run has reported them. An error in a model is reported
/// once, even if several scenarios use the model.
struct ToldProblems {
  private var told: Set<AuthorDiagnostic.Position> = []

  /// Returns a result without the problems that have already been reported, and the files of these problems, in order.
  mutating func taking(_ result: ScenarioResult) -> (result: ScenarioResult, toldFiles: [String]) {
    guard result.outcome.hasGoneWrong else { return (result, []) }
    var result = result
    var files: [String] = []
    if case .invalid(let problems) = result.outcome {
      let (new, old) = divided(problems, of: result)
      result.outcome = .invalid(new)
      for problem in old where !files.contains(problem.path) { files.append(problem.path) }
    }
    result.warnings = divided(result.warnings, of: result).new
    return (result, files)
  }

  private mutating func divided(
    _ problems: [AuthorDiagnostic], of result: ScenarioResult
  ) -> (new: [AuthorDiagnostic], old: [AuthorDiagnostic]) {
    var (new, old): ([AuthorDiagnostic], [AuthorDiagnostic]) = ([], [])
    for problem in problems {
      if problem.path == result.path || told.insert(problem.position).inserted {
        new.append(problem)
      } else {
        old.append(problem)
      }
    }
    return (new, old)
  }
}
