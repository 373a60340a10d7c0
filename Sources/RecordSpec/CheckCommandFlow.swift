/// `recordspec check`: reads scenarios, their models and recordings, and says everything that is wrong. Runs nothing.
package struct CheckCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let surroundings: CommandSurroundings

  package init(suite: SuiteOptions, options: SelectionOptions, surroundings: CommandSurroundings) {
    self.suite = suite
    self.options = options
    self.surroundings = surroundings
  }

  package func run() -> ExitStatus {
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, surroundings: surroundings) {
    case .success(let found): selection = found
    case .failure(let refusal): return refusal.status
    }
    var diagnostics = selection.isWhole ? selection.plan.problems : []
    let problems = diagnostics.count
    var valid = 0
    var invalid = 0
    for entry in selection.plan.entries {
      let loaded = entry.read().checkedForRules().checkedForCodes()
      diagnostics += loaded.diagnostics
      if loaded.scenario == nil { invalid += 1 } else { valid += 1 }
    }
    let renderer = DiagnosticRenderer(isColored: surroundings.environment.isColored(suite.color))
    let sorted = diagnostics.sortedByPlace()
    if !sorted.isEmpty { surroundings.output(renderer.text(of: sorted) + "\n") }
    surroundings.output("\(valid) valid, \(invalid) invalid\n")
    return invalid > 0 || problems > 0 ? .invalid : .success
  }
}
