/// The reporters of one run, with the files that they write.
struct Reporters {
  private var reporters: [any RunReporter] = []
  private var files: [ReportFile] = []
  private let standardOutput: StandardOutput
  /// A Boolean value that indicates whether one of them is a text for a terminal, with a progress line.
  private(set) var showsProgress = false
  private let isBroken = Flag()
  private let context: CommandContext

  private final class Flag { var isSet = false }

  /// Standard output. After the first failure nothing more is written to it, and the reports in files are completed.
  private final class StandardOutput {
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
  ///   - isRerun: a Boolean value that indicates whether the command has run before.
  init(
    _ requests: [ReportRequest], suite: SuiteOptions, slowest: Int = 0, includesDetails: Bool = false,
    context: CommandContext, isRerun: Bool = false
  ) throws(FileProblem) {
    self.context = context
    let standardOutput = StandardOutput(context.attemptOutput)
    self.standardOutput = standardOutput
    let environment = context.environment
    let start = isRerun ? context.elapsed() : .zero
    func textReporter(isTerminal: Bool, _ output: @escaping (String) -> Void) -> TextReporter {
      TextReporter(
        isVerbose: suite.isVerbose, slowest: slowest, isTerminal: isTerminal,
        checkCommand: suite.command("check"), pruneCommand: suite.command("bless") + " --prune",
        elapsed: { context.elapsed() - start }, output: output)
    }
    if !requests.contains(where: { $0.path == nil }) {
      let isTerminal = environment.isTerminal && environment.variables["TERM"] != "dumb"
      showsProgress = isTerminal
      reporters.append(textReporter(isTerminal: isTerminal, standardOutput.write))
    }
    for request in requests {
      var output = standardOutput.write
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
    let (context, isBroken, standardOutput) = (context, isBroken, standardOutput)
    return GitHubReporter(
      output: isOutputFree ? standardOutput.write : context.errors,
      located: { path in
        // The command may run in a folder inside the repository. The variable names the folder of the repository.
        guard let workspace = context.environment.variables["GITHUB_WORKSPACE"], !workspace.isEmpty,
          FilePath.isBelow(FileAccess.resolved(workspace), FileAccess.location(of: path))
        else { return path }
        return FileAccess.relative(path, to: workspace)
      },
      appendToSummary: { text in
        guard let path = context.environment.variables["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        do throws(FileProblem) {
          // The file may be a link, which is followed, because it belongs to the runner and not to the checkout.
          try FileBytes.write(
            (FileBytes.read(path) ?? []) + Array(text.utf8), to: FileAccess.resolved(path))
        } catch {
          context.report("error: the GitHub step summary could not be written: \(error.message)\n")
          isBroken.isSet = true
        }
      })
  }

  mutating func report(_ event: RunEvent) {
    for index in reporters.indices { reporters[index].report(event) }
  }

  /// Reports the reports that could not be written. Returns a Boolean value that indicates whether all of them are complete.
  func finish() -> Bool {
    let problems =
      (standardOutput.problem.map { ["could not be written: \($0)"] } ?? [])
      + files.compactMap(\.problem?.message)
    for problem in problems { context.report("error: the report \(problem)\n") }
    return problems.isEmpty && !isBroken.isSet
  }
}
