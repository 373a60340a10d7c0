import RecordSpec
import ScenarioFormat
import ScenarioReport

/// The reporters of one run, with the files that they write.
struct Reporters {
  private var reporters: [any RunReporter] = []
  private var files: [ReportFile] = []
  private let output: ReportStream
  private let errors: ReportStream
  /// A Boolean value that indicates whether one of them is a text for a terminal, with a progress line.
  private(set) var showsProgress = false
  private let summary: ReportStream
  private let context: CommandContext

  /// A standard stream, or the summary on GitHub. After the first failure, nothing more is written to it.
  private final class ReportStream {
    private let attempt: (String) -> String?
    private(set) var problem: String?

    init(_ attempt: @escaping (String) -> String?) { self.attempt = attempt }

    func write(_ text: String) { if problem == nil { problem = attempt(text) } }
  }

  /// Creates the reporters that the user asked for, and opens their files. Unless another report is written to standard
  /// output, this includes the text for the terminal.
  ///
  /// - Parameters:
  ///   - slowest: the number of slow scenarios that the text lists.
  ///   - includesDetails: a Boolean value that indicates whether JSON Lines reports have the details of scenarios.
  ///   - hasOtherFiles: a Boolean value that indicates whether the command writes files other than reports. A command that
  ///     writes files continues after standard output fails.
  ///   - isRerun: a Boolean value that indicates whether the command has run before.
  init(
    _ requests: [ReportRequest], slowest: Int, includesDetails: Bool, hasOtherFiles: Bool = false,
    context: CommandContext, isRerun: Bool = false
  ) throws(FileProblem) {
    self.context = context
    let (environment, suite) = (context.environment, context.suite)
    let hasFiles =
      hasOtherFiles || environment.gitHubSummary != nil || requests.contains { $0.path != nil }
    let stream = ReportStream { text in
      if hasFiles { return context.tryOutput(text) }
      context.output(text)
      return nil
    }
    output = stream
    errors = ReportStream(context.tryErrors)
    summary = ReportStream { text in
      guard let path = environment.gitHubSummary else { return nil }
      do throws(FileProblem) {
        let file = try ReportFile(path, appends: true)
        file.write(text)
        return file.problem?.message
      } catch {
        return error.message
      }
    }
    let start = isRerun ? context.elapsed() : .zero
    func textReporter(isTerminal: Bool, _ output: @escaping (String) -> Void) -> TextReporter {
      TextReporter(
        isVerbose: suite.isVerbose, slowest: slowest, isTerminal: isTerminal,
        checkCommand: suite.command("check"), pruneCommand: suite.command("bless") + " --prune",
        elapsed: { context.elapsed() - start }, output: output)
    }
    if !requests.contains(where: { $0.path == nil }) {
      showsProgress = context.canErase
      reporters.append(textReporter(isTerminal: showsProgress, stream.write))
    }
    for request in requests {
      var output = stream.write
      if let path = request.path {
        let file = try ReportFile(path)
        files.append(file)
        output = { file.write($0) }
      }
      switch request.format {
      case .text: reporters.append(textReporter(isTerminal: false) { output(DisplayText.uncolored($0)) })
      case .json: reporters.append(JSONLinesReporter(includesDetails: includesDetails, output: output))
      case .junit: reporters.append(JUnitReporter(output: output))
      case .tap: reporters.append(TAPReporter(output: output))
      case .markdown: reporters.append(MarkdownReporter(output: output))
      case .html:
        reporters.append(HTMLReporter(version: Version.current, rules: Rule.pageForm(), output: output))
      }
    }
    if environment.isGitHubActions {
      let isOutputFree = !requests.contains { $0.path == nil && $0.format != .text }
      reporters.append(gitHubReporter(isOutputFree: isOutputFree))
    }
  }

  /// Returns the reporter for GitHub.
  ///
  /// - Parameter isOutputFree: a Boolean value that indicates whether annotations can be written to standard output,
  ///   because no other program reads it. Otherwise they are written to standard error, where GitHub finds them, too.
  private func gitHubReporter(isOutputFree: Bool) -> GitHubReporter {
    GitHubReporter(
      output: isOutputFree ? output.write : errors.write, located: context.pathInRepository,
      usedSummaryBytes: context.environment.gitHubSummary.map(FileBytes.size) ?? 0,
      appendToSummary: summary.write)
  }

  mutating func report(_ event: RunEvent) {
    for index in reporters.indices { reporters[index].report(event) }
  }

  /// Messages about the reports that could not be written.
  var problems: [String] {
    let ofOutput = output.problem.map { "standard output cannot be written: \($0)" }
    let ofErrors = errors.problem.map { "standard error cannot be written: \($0)" }
    let ofSummary = summary.problem.map { "the GitHub step summary \($0)" }
    return [ofOutput, ofErrors, ofSummary].compactMap(\.self)
      + files.compactMap { $0.problem.map { "the report \($0.message)" } }
  }
}
