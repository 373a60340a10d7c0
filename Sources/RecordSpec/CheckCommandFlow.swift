/// The `recordspec check` command. It reads scenarios, their models and recordings, and reports all errors. It runs
/// nothing.
package struct CheckCommandFlow {
  private let suite: SuiteOptions
  private let options: SelectionOptions
  private let context: CommandContext

  package init(suite: SuiteOptions, options: SelectionOptions, context: CommandContext) {
    self.suite = suite
    self.options = options
    self.context = context
  }

  package func run() -> ExitStatus {
    let selection: SuiteSelection
    switch SuiteSelection.find(suite: suite, options: options, context: context) {
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
    let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
    let sorted = diagnostics.sortedByLocation()
    if !sorted.isEmpty { context.output(renderer.text(of: sorted) + "\n") }
    context.output("\(valid) valid, \(invalid) invalid\n")
    return invalid > 0 || problems > 0 ? .invalid : .success
  }
}
