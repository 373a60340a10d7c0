package import Foundation
import RecordModel
package import ScenarioFormat
package import ScenarioReport
package import ScenarioRun

/// The environment in which a command runs. Tests can replace this access to the outside world.
package struct CommandContext {
  package var environment: RunEnvironment
  /// A function that writes to standard output. If that fails, it ends the process.
  package var output: (String) -> Void
  /// A function that writes to standard error. If that fails, it ends the process.
  package var errors: (String) -> Void
  /// A function that writes to standard output, and returns the reason if that fails.
  package var attemptOutput: (String) -> String?
  /// A function that writes to standard error, and returns the reason if that fails.
  package var attemptErrors: (String) -> String?
  /// A function that returns the next line of standard input without its line break; nil at the end.
  package var input: @Sendable () async -> String?
  package var execute: ScenarioExecutor
  /// The executor that records the provenance of records.
  package var explain: ScenarioExecutor = ScenarioExecution.executeWithProvenance
  /// The names of the commands, if the user named none: the first argument may be a misspelled command.
  package var commands: [String] = []
  /// The command, if the user wrote it after its options.
  package var command: MisplacedCommand?
  /// The current day in UTC, such as `2031-05-01`.
  package var today: String
  /// A function that returns the time since the command began.
  package var elapsed: () -> Duration
  /// A function that registers the work to do when a signal ends the command. The work is done where the command runs,
  /// between two of its steps. It returns the exit status, or nil for that of the signal.
  package var onSignal: (_ work: @escaping () -> ExitStatus?) -> Void
  /// A function that waits for a time. Returns false if the command is to end instead.
  package var pause: @Sendable (Duration) async -> Bool = { (try? await Task.sleep(for: $0)) != nil }

  package init(
    environment: RunEnvironment, execute: @escaping ScenarioExecutor, today: String,
    elapsed: @escaping () -> Duration = { .zero },
    onSignal: @escaping (_ work: @escaping () -> ExitStatus?) -> Void = { _ in },
    input: @escaping @Sendable () async -> String? = { nil },
    output: @escaping (String) -> Void,
    errors: @escaping (String) -> Void,
    attemptOutput: ((String) -> String?)? = nil,
    attemptErrors: ((String) -> String?)? = nil
  ) {
    self.environment = environment
    self.execute = execute
    self.today = today
    self.elapsed = elapsed
    self.onSignal = onSignal
    self.input = input
    self.output = output
    self.errors = errors
    func succeeding(_ write: @escaping (String) -> Void) -> (String) -> String? {
      { text in
        write(text)
        return nil
      }
    }
    self.attemptOutput = attemptOutput ?? succeeding(output)
    self.attemptErrors = attemptErrors ?? succeeding(errors)
  }
}

extension CommandContext {
  /// Returns the day of a date in UTC, such as `2031-05-01`.
  package static func day(of date: Date) -> String {
    Date.ISO8601FormatStyle().year().month().day().format(date)
  }

  /// Writes a message without color to standard error. Control characters become U+FFFD.
  package func report(_ message: String) { errors(Self.printable(message)) }

  /// Writes errors like ``report(_:)``, unless standard error fails.
  func attemptReport(_ problems: [String]) {
    for problem in problems where attemptErrors(Self.printable("error: \(problem)\n")) != nil { return }
  }

  /// Returns a message whose control characters, except line breaks, are U+FFFD.
  private static func printable(_ message: String) -> String {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { DisplayText.oneLine(String($0)) }.joined(separator: "\n")
  }

  /// Reports that `recordspec help` names no command, and returns its exit status.
  package func refuseHelp(about name: String, among commands: [String]) -> ExitStatus {
    let advice =
      (name == "version" ? "did you mean 'recordspec --version'?" : nil)
      ?? nearestName(to: name, among: commands).map { "did you mean 'recordspec help \($0)'?" }
      ?? "the commands are \(commands.joined(separator: ", "))"
    report("error: there is no command '\(name)'; \(advice)\n")
    return .usage
  }

  /// Reports that a command would write files although the run is read-only, and returns its exit status.
  package func refuseToWrite() -> ExitStatus {
    report(
      "error: this command writes files, but 'RECORDSPEC_READ_ONLY' is set; in a Swift package, use 'swift package recordspec-write'\n"
    )
    return .usage
  }

  /// Reports why a command cannot do anything, and returns its exit status.
  func refuse(_ problem: AuthorDiagnostic, _ suite: SuiteOptions) -> ExitStatus {
    report([problem], suite)
    return .invalid
  }

  /// Reports errors that stop a command, on GitHub also as annotations.
  func report(_ problems: [AuthorDiagnostic], _ suite: SuiteOptions) {
    errors(DiagnosticRenderer(isColored: environment.isColored(suite.color)).text(of: problems))
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

extension RunSettings {
  /// Removes the files that a run would write, because it must not write any. Reports the settings that are ignored.
  package mutating func omitFiles(_ context: CommandContext) {
    let ignored = [reports.isEmpty ? nil : "'reports'", keptResults == nil ? nil : "'keep'"].compactMap(
      \.self)
    guard !ignored.isEmpty else { return }
    context.report(
      "warning: \(ignored.joined(separator: " and ")) of the project's settings \(ignored.count == 1 ? "is" : "are") ignored, because 'RECORDSPEC_READ_ONLY' is set\n"
    )
    (reports, keptResults) = ([], nil)
  }

  /// Removes the options that make sense for a single run only. Reports the settings that are ignored.
  package mutating func omitOptionsForOneRun(_ context: CommandContext) {
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

/// The location of a suite of scenarios, and how to run and report it.
package struct SuiteOptions: Sendable {
  /// The folder of scenarios. Default `Scenarios`.
  package var scenarios = "Scenarios"
  /// The folder of golden files. Default: that of the settings, or `Golden` beside the folder of scenarios.
  package var golden: String {
    get { namedGolden ?? standardGolden }
    set { namedGolden = newValue }
  }
  private var namedGolden: String?
  /// The folder of golden files. Each access resolves symbolic links, so a command keeps the value.
  package var goldenFolder: GoldenFolder { GoldenFolder(path: golden, isNamed: namedGolden != nil) }
  /// The folders outside the project whose files scenarios may name.
  package var allowedFolders: [String] = []
  package var color = ColorChoice.auto
  package var isVerbose = false
  /// The options that the project sets. Those of the command line replace them.
  package var settings = RunSettings()
  /// A Boolean value that indicates whether a run explains the differences of failing scenarios.
  package var explains = false
  package var store = StoreKind.memory
  /// The number of scenarios that run concurrently. Default: the number of processors.
  package var jobs = ProcessInfo.processInfo.activeProcessorCount

  package init() {}

  /// Returns a command for this suite as the user would type it, such as `recordspec bless`. Names of scenarios can be
  /// appended.
  package func command(_ name: String) -> String {
    var command = "recordspec \(name)"
    if scenarios != "Scenarios" { command += " --scenarios \(ShellText.quoted(scenarios))" }
    let isOfGoldenFiles = !["check", "show", "graph", "serve", "generate"].contains(name)
    if isOfGoldenFiles, golden != standardGolden || (namedGolden != nil && goldenFolder.leadsOutside) {
      command += " --golden \(ShellText.quoted(golden))"
    }
    for folder in allowedFolders { command += " --allow-outside \(ShellText.quoted(folder))" }
    return command
  }

  /// The error that the folder of golden files, which the user or the project's settings name, does not exist; nil if it
  /// exists or is the default.
  var missingGoldenFolder: AuthorDiagnostic? {
    let standard = GoldenFolder.standardPath(besides: scenarios)
    guard golden != standard, FileAccess.kind(of: golden) == .missing else { return nil }
    let folder = FilePath.folder(of: golden)
    let others = ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
      .filter { !$0.hasPrefix(".") && FileAccess.kind(of: FilePath.child($0, of: folder)) == .folder }
    let nearest = nearestName(to: FilePath.name(of: golden), among: others.sorted())
    let creation = "'\(command("bless"))' creates this one"
    if golden == settings.golden,
      let written = ReadableFolders.settings(around: scenarios).goldenAsWritten
    {
      let meant = nearest.map { FilePath.child($0, of: FilePath.folder(of: written.value)) }
      return AuthorDiagnostic(
        .unreadableFile, at: written.span, "there is no folder of golden files '\(written.value)'",
        advice: (meant.map { "did you mean '\($0)'? otherwise, " } ?? "") + creation)
    }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(golden), "there is no folder of golden files here",
      advice: nearest.map { "did you mean '\(FilePath.child($0, of: folder))'?" }
        ?? "the default is '\(standardGolden)'; \(creation)")
  }

  private var standardGolden: String { settings.golden ?? GoldenFolder.standardPath(besides: scenarios) }
}

/// The selection of scenarios that the user asked for on the command line.
package struct SelectionOptions: Sendable {
  package var selection = ScenarioSelection()
  /// A Boolean value that indicates whether only scenarios that failed in their last run are selected.
  package var isLastFailed = false
  /// The revision of Git since which a scenario, or a file that it names, must have changed to be selected; nil to select
  /// unchanged scenarios, too.
  package var changedSince: String?
  /// A Boolean value that indicates whether the selection may be empty.
  package var allowsEmpty = false

  package init() {}
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
