import ScenarioFormat
package import ScenarioReport

/// The `recordspec model` command. It prints a model of any source as the text of a model file.
package struct ModelCommandFlow {
  private let path: String
  private let isLossy: Bool
  private let suite: SuiteOptions
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - path: the model file, Xcode model or scenario.
  ///   - isLossy: a Boolean value that indicates whether to omit what a model file cannot express.
  package init(path: String, isLossy: Bool, suite: SuiteOptions, context: CommandContext) {
    self.path = path
    self.isLossy = isLossy
    self.suite = suite
    self.context = context
  }

  package func run() -> ExitStatus {
    let source = ModelSource(path, allowingOutside: suite.allowedFolders)
    var diagnostics = source.diagnostics(suggestingFilesBelow: suite.scenarios)
    for var loss in source.losses {
      if isLossy { loss.severity = .warning }
      diagnostics.append(loss)
    }
    // The model is the only output, so that it can be redirected to a file.
    if !diagnostics.isEmpty {
      let renderer = DiagnosticRenderer(isColored: context.environment.isColored(suite.color))
      context.errors(renderer.text(of: diagnostics.sortedByLocation()))
    }
    guard let yaml = source.yaml else { return .invalid }
    guard isLossy || source.losses.isEmpty else {
      context.report("error: the model was not printed; '--lossy' prints it without the parts above\n")
      return .invalid
    }
    context.output(yaml)
    return .success
  }
}
