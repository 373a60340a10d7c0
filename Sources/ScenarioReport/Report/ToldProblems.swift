/// The problems of files that scenarios share, as far as the run has reported them. An error in a model is reported
/// once, even if several scenarios use the model.
package struct ToldProblems {
  private var told: Set<ScenarioAnnotation> = []

  package init() {}

  /// Returns a result without the problems that have already been reported.
  package mutating func taking(_ scenario: ReportedScenario) -> ReportedScenario {
    guard scenario.outcome.hasGoneWrong else { return scenario }
    var scenario = scenario
    let (new, old) = divided(scenario.errors, of: scenario)
    scenario.errors = new
    for problem in old where !scenario.toldFiles.contains(problem.annotation.path) {
      scenario.toldFiles.append(problem.annotation.path)
    }
    scenario.warnings = divided(scenario.warnings, of: scenario).new
    return scenario
  }

  private mutating func divided(
    _ problems: [ReportedProblem], of scenario: ReportedScenario
  ) -> (new: [ReportedProblem], old: [ReportedProblem]) {
    var (new, old): ([ReportedProblem], [ReportedProblem]) = ([], [])
    for problem in problems {
      if problem.annotation.path == scenario.path || told.insert(problem.annotation).inserted {
        new.append(problem)
      } else {
        old.append(problem)
      }
    }
    return (new, old)
  }
}
