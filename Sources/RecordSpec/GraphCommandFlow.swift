/// The `recordspec graph` command. It draws the actual graph of a scenario after one of its steps.
package struct GraphCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The file, name or pattern of the scenario.
    package var scenario: String
    /// The number of the step; nil for the last one.
    package var step: Int?
    /// The format; nil for the format that the extension of the file indicates.
    package var format: PictureFormat?
    /// The file to write; nil for standard output.
    package var output: String?
    /// The folder of kept results; nil to run the scenario.
    package var keptResults: String?

    package init(scenario: String) { self.scenario = scenario }
  }

  private let suite: SuiteOptions
  private let options: Options
  private let context: CommandContext

  package init(suite: SuiteOptions, options: Options, context: CommandContext) {
    self.suite = suite
    self.options = options
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let finder = ActualResultFinder(suite: suite, context: context, folder: options.keptResults)
    let result: ActualResult
    switch await finder.find(options.scenario) {
    case .success(let found): result = found
    case .failure(let refusal): return refusal.status
    }
    guard let step = result.step(options.step, context: context) else { return .usage }
    let format = options.format ?? options.output.flatMap(PictureFormat.init(file:)) ?? .svg
    let text = format.text(of: GraphPicture(of: result, afterStep: step))
    if let file = options.output {
      do throws(FileProblem) {
        try FileBytes.write(Array(text.utf8), to: file)
      } catch {
        context.report("error: \(error.message)\n")
        return .broken
      }
    } else {
      context.output(text)
    }
    return result.status(context)
  }
}
