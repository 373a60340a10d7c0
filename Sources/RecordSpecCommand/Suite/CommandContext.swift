import Foundation
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The environment in which a command runs, and the suite that it works on. Tests can replace this access to the outside
/// world.
struct CommandContext {
  var environment: RunEnvironment
  var execute: ScenarioExecutor
  /// The executor that records the provenance of records.
  var explain: ScenarioExecutor = ScenarioExecution.executeWithProvenance
  /// The executor that runs a new scenario before it is written.
  var tryOut: ScenarioExecutor = ScenarioExecution.executeWithoutGraphs
  /// The suite, as the arguments of the command and the project's settings describe it.
  var suite = SuiteOptions()
  /// The names of the commands, if the user named none: the first argument may be a misspelled command.
  var commands: [String] = []
  /// The command, if the user wrote it after its options.
  var command: MisplacedCommand?
  /// The current day in UTC, such as `2031-05-01`.
  var today: String
  /// A function that returns the time since the command began.
  var elapsed: () -> Duration = { .zero }
  /// A function that registers the work to do when a signal ends the command. The work is done where the command runs,
  /// between two of its steps. It returns the exit status, or nil for that of the signal.
  var onSignal: (_ work: @escaping () -> ExitStatus?) -> Void = { _ in }
  /// A function that waits for a time. Returns false if the command is to end instead.
  var pause: @Sendable (Duration) async -> Bool = { (try? await Task.sleep(for: $0)) != nil }
  /// A function that returns the next line of standard input without its line break; nil at the end.
  var input: @Sendable () async -> String? = { nil }
  /// A function that writes to standard output. If that fails, it ends the process.
  var output: (String) -> Void
  /// A function that writes to standard error. If that fails, it ends the process.
  var errors: (String) -> Void
  /// A function that writes to standard output, and returns the reason if that fails; nil to use ``output``.
  var attemptOutput: ((String) -> String?)?
  /// A function that writes to standard error, and returns the reason if that fails; nil to use ``errors``.
  var attemptErrors: ((String) -> String?)?
}

/// The end of a command that cannot do its work. The reason has been reported.
struct Refusal: Error {
  let status: ExitStatus

  init(_ status: ExitStatus) { self.status = status }
}

extension ExitStatus {
  /// Keeps the worse of two statuses: 3 before 2 before 1.
  mutating func raise(to status: ExitStatus) {
    if status.rawValue > rawValue { self = status }
  }
}

// Messages
extension CommandContext {
  /// A Boolean value that indicates whether the output has colors.
  var isColored: Bool { environment.isColored(suite.color) }

  /// The renderer of errors and warnings.
  var renderer: DiagnosticRenderer { DiagnosticRenderer(isColored: isColored) }

  /// A Boolean value that indicates whether standard output is a terminal whose text can be erased.
  var canErase: Bool { environment.isTerminal && environment.variables["TERM"] != "dumb" }

  /// Writes a message without color to standard error. Control characters become U+FFFD.
  func report(_ message: String) { errors(Self.printable(message)) }

  /// Writes a text to standard output, and returns the reason if that fails.
  func tryOutput(_ text: String) -> String? {
    if let attemptOutput { return attemptOutput(text) }
    output(text)
    return nil
  }

  /// Writes a text to standard error, and returns the reason if that fails.
  func tryErrors(_ text: String) -> String? {
    if let attemptErrors { return attemptErrors(text) }
    errors(text)
    return nil
  }

  /// Writes errors like ``report(_:)``, unless standard error fails.
  func attemptReport(_ problems: [String]) {
    for problem in problems where tryErrors(Self.printable("error: \(problem)\n")) != nil { return }
  }

  /// Returns a message whose control characters, except line breaks, are U+FFFD.
  private static func printable(_ message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { DisplayText.oneLine(String($0)) }.joined(separator: "\n")
  }

  /// Reports errors that stop a command, on GitHub also as annotations.
  func report(_ problems: [AuthorDiagnostic]) {
    errors(renderer.text(of: problems))
    if environment.isGitHubActions {
      errors(GitHubReporter.annotations(of: problems, located: pathInRepository))
    }
  }

  /// Returns the path of a file for annotations on GitHub. The command may run in a folder of the repository.
  func pathInRepository(_ path: String) -> String {
    guard let workspace = environment.variables["GITHUB_WORKSPACE"], !workspace.isEmpty,
      FilePath.isBelow(FileAccess.resolved(workspace), FileAccess.location(of: path))
    else { return path }
    return FileAccess.relative(path, to: workspace)
  }
}

// Refusals
extension CommandContext {
  /// Reports why a command cannot do its work.
  func refuse(_ status: ExitStatus, _ message: String, advice: String? = nil) -> Refusal {
    report("error: \(message)\n" + (advice.map { "help: \($0)\n" } ?? ""))
    return Refusal(status)
  }

  /// Reports a problem of the suite, on GitHub also as an annotation.
  func refuse(_ problem: AuthorDiagnostic) -> Refusal {
    report([problem])
    return Refusal(.invalid)
  }

  /// Reports the errors of an input.
  func refuse(_ diagnostics: [AuthorDiagnostic], _ status: ExitStatus = .invalid) -> Refusal {
    errors(renderer.text(of: diagnostics))
    return Refusal(status)
  }

  /// Returns the result of a work with files. If that fails, reports the reason.
  ///
  /// - Parameter subject: the words before the path of the file.
  func attempt<Value>(
    _ subject: String = "", _ work: () throws(FileProblem) -> Value
  ) throws(Refusal) -> Value {
    do throws(FileProblem) {
      return try work()
    } catch {
      throw refuse(.broken, subject + error.message)
    }
  }

  /// Reports that `recordspec help` names no command.
  func refuseHelp(about name: String, among commands: [String]) -> Refusal {
    let advice =
      (name == "version" ? "did you mean 'recordspec --version'?" : nil)
      ?? nearestName(to: name, among: commands).map { "did you mean 'recordspec help \($0)'?" }
      ?? "the commands are \(commands.joined(separator: ", "))"
    return refuse(.usage, "there is no command '\(name)'; \(advice)")
  }

  /// Reports that a command would write files although the run is read-only.
  func refuseToWrite() -> Refusal {
    refuse(
      .usage,
      "this command writes files, but 'RECORDSPEC_READ_ONLY' is set; in a Swift package, use 'swift package recordspec-write'"
    )
  }
}

extension RunSettings {
  /// Removes the files that a run would write, because it must not write any. Reports the settings that are ignored.
  mutating func omitFiles(_ context: CommandContext) {
    let ignored = [reports.isEmpty ? nil : "'reports'", keptResults == nil ? nil : "'keep'"].compactMap(
      \.self)
    guard !ignored.isEmpty else { return }
    context.report(
      "warning: \(ignored.joined(separator: " and ")) of the project's settings \(ignored.count == 1 ? "is" : "are") ignored, because 'RECORDSPEC_READ_ONLY' is set\n"
    )
    (reports, keptResults) = ([], nil)
  }

  /// Removes the options that make sense for a single run only. Reports the settings that are ignored.
  mutating func omitOptionsForOneRun(_ context: CommandContext) {
    let ignored = [
      reports.isEmpty ? nil : "'reports'", maximumFailures == nil ? nil : "'maxFailures'",
      repetitions == nil ? nil : "'repeat'",
    ].compactMap(\.self)
    guard !ignored.isEmpty else { return }
    context.report(
      "warning: '--watch' ignores \(ignored.joined(separator: ", ")) of the project's settings\n")
    (reports, maximumFailures, repetitions) = ([], nil, nil)
  }
}

/// The selection of scenarios that the user asked for on the command line.
struct SelectionOptions {
  var selection = ScenarioSelection()
  /// A Boolean value that indicates whether only scenarios that failed in their last run are selected.
  var isLastFailed = false
  /// The revision of Git since which a scenario, or a file that it names, must have changed to be selected; nil to select
  /// unchanged scenarios, too.
  var changedSince: String?
  /// A Boolean value that indicates whether the selection may be empty.
  var allowsEmpty = false
}

extension SelectionOptions {
  /// The selection as the user would type it, with a space in front; empty for all scenarios.
  var text: String {
    var words: [String] = []
    for tag in selection.tags { words += ["--tag", tag] }
    for rule in selection.rules { words += ["--rule", rule] }
    if let title = selection.title { words += ["--title", title] }
    if isLastFailed { words.append("--last-failed") }
    // Without a value at its end, the option would take the first path as its revision.
    if let changedSince { words.append("--changed=\(changedSince)") }
    if selection.paths.contains(where: { $0.hasPrefix("-") }) { words.append("--") }
    return (words + selection.paths).map { " " + ShellText.quoted($0) }.joined()
  }
}
