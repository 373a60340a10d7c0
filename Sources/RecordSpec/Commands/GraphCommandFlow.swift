import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec graph` command. It draws the actual graph of a scenario after one of its steps.
package struct GraphCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The number of the step; nil for the last one.
    package var step: Int?
    /// The format; nil for the format that the extension of the file indicates.
    package var format: DrawingFormat?
    /// The file to write; nil for standard output.
    package var output: String?

    package init() {}
  }

  private let finder: ResultFinder
  private let options: Options
  private var context: CommandContext { finder.context }

  package init(finder: ResultFinder, options: Options) {
    self.finder = finder
    self.options = options
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    switch await finder.actualResult() {
    case .success(let result): draw(result)
    case .failure(let refusal): refusal.status
    }
  }

  private func draw(_ result: ActualResult) -> ExitStatus {
    guard let step = result.step(options.step, context: context) else { return .usage }
    let format = options.format ?? options.output.flatMap(DrawingFormat.init(file:)) ?? .svg
    let text = format.text(of: GraphDrawing(of: result, afterStep: step))
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
    return finder.reportErrors(of: result)
  }
}
