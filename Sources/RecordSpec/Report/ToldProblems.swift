/// What has been told in the course of one run of files that scenarios share, so that a mistake in a model is told once
/// however many scenarios use it.
struct ToldProblems {
  private var told: Set<AuthorDiagnostic.Position> = []

  /// A result without what has been told before, and the files that this was about, in order.
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
