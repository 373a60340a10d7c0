public import Foundation
public import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
public import ScenarioRun

/// A scenario as a test, which is run and compared with the expectations of its author and with its golden file.
public struct ScenarioTest: Sendable, Identifiable, CustomStringConvertible {
  private let file: ScenarioFile
  /// The last component of the folder of scenarios. It replaces the module's name where tests show locations.
  private let folderName: String
  private let golden: GoldenFolder
  /// The folder of scenarios.
  private let root: String
  /// The folders outside the project whose files the scenario may name.
  private let allowedFolders: [String]
  /// The progress of all scenarios of the folder.
  private let progress: ScenarioProgress

  init(
    file: ScenarioFile, root: String, allowedFolders: [String], golden: GoldenFolder,
    progress: ScenarioProgress
  ) {
    self.progress = progress
    self.file = file
    self.golden = golden
    self.root = root
    self.allowedFolders = allowedFolders
    folderName = URL(fileURLWithPath: root).lastPathComponent
  }

  /// The path below the folder of scenarios without extension, such as `identity/attribute-key`.
  public var name: String { file.name }
  /// The name of the scenario.
  public var id: String { name }
  /// The name of the scenario.
  public var description: String { name }

  /// The outcome of a scenario that did not fail.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// A scenario that was not run, for the reason that its author states.
    case skipped(reason: String)
    /// A failure that the author has marked.
    case expectedFailure(reason: String)
    /// A golden file that was written, because `RECORDSPEC_BLESS` selects the scenario.
    case blessed
  }

  /// A failure of a scenario, described in the words of `recordspec run`, with explanations of the first three
  /// differences. Differences from the golden file are described, too, if expectations fail.
  public struct Failure: Error, CustomStringConvertible, LocalizedError {
    /// The kind of a failure.
    public enum Kind: Hashable, Sendable {
      /// The result differs from the expectations or from the golden file, or requests and responses do not match.
      case failed
      /// The expectations are met, but there is no golden file.
      case new
      /// The scenario, its model or a recording is invalid. The scenario was not run.
      case invalid
      /// The scenario passes although it is marked to fail.
      case unexpectedPass
      /// The engine, the temporary folder or a golden file failed, so that the result is unknown.
      case broken
    }

    /// An error of the scenario at its location.
    public struct Annotation: Hashable, Sendable {
      /// The message, in one or several lines.
      public let message: String
      /// The full path of the file that the error is about.
      public let filePath: String
      /// The path of that file below the folder of scenarios, with the name of the folder in front.
      public let fileID: String
      /// The line, from 1. It is 1 if the error is about the whole file.
      public let line: Int
      /// The column, from 1. It is 1 if the error is about the whole file.
      public let column: Int
    }

    /// The kind of the failure.
    public let kind: Kind
    /// The errors of the scenario, each at its location, in the order of the report: causes first. There is at least
    /// one.
    ///
    /// - Three or more equal differences from an expectation are one error, and so are several problems that follow from
    ///   a step without records.
    /// - The unexpected diagnostics of a step are one error.
    /// - If all expectations are met, the differences from the golden file are one error. Otherwise, equal changes of all
    ///   records of an entity are one error, and other differences from the golden file are not listed.
    public let annotations: [Annotation]
    /// The report on the scenario.
    public let description: String
    /// The full path of the file that the failure is about, which is usually the scenario's.
    public let filePath: String
    /// The path of that file below the folder of scenarios, with the name of the folder in front.
    public let fileID: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int

    public var errorDescription: String? { description }
  }

  /// Runs the scenario on a store in memory and compares the result. Writes no golden file unless `RECORDSPEC_BLESS` is
  /// set.
  ///
  /// The result of a scenario that fails is kept in the folder `.recordspec` beside the folder of scenarios, where
  /// `recordspec show`, `explain` and `graph` read it. Git ignores that folder. In CI, and if the folder cannot be
  /// written, nothing is kept.
  ///
  /// The environment variable `RECORDSPEC_BLESS` selects scenarios, folders or patterns in the same way as the
  /// arguments of `recordspec bless`. The golden file of a selected scenario is written if nothing else differs, and
  /// the changes are printed. If the variable matches no scenario of the folder, failures say so. In CI, the variable
  /// is ignored. A new golden file for a response without records, which the scenario does not expect, is written only
  /// if `RECORDSPEC_ALLOW_DIAGNOSTICS` is `1`.
  ///
  /// If the environment variable `RECORDSPEC_PROGRESS` is `1`, one line is written to standard error when the scenario
  /// ends. It has the number of scenarios of the folder that have ended, and the outcome.
  ///
  /// - Parameters:
  ///   - model: the model of the app, which replaces the scenario's `model:`. The other keys, such as `customize:`, still
  ///     apply. If nil, the scenario uses its own model.
  ///   - registrations: the Swift code that scenarios name.
  /// - Throws: ``Failure`` if the scenario is invalid, fails, has no golden file, or passes although it is marked to
  ///   fail, or if the engine or the temporary folder fails, so that the result is unknown.
  @discardableResult
  public func check(
    model: ManagedObjectModel? = nil,
    registering registrations: ScenarioRegistrations = ScenarioRegistrations()
  ) async throws(Failure) -> Outcome {
    try await check(
      model: model, registering: registrations,
      environment: RunEnvironment(variables: ProcessInfo.processInfo.environment),
      today: ScenarioJudge.day(of: Date()), output: { print($0, terminator: "") },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
  }

  /// Runs the scenario on an app, or on the engine if it has a model.
  ///
  /// - Parameters:
  ///   - name: the name of the adapter, by which scenarios can mark failures.
  ///   - makeApp: a function that returns the app, which is not started.
  package func check(
    registering registrations: ScenarioRegistrations = ScenarioRegistrations(), adapterNamed name: String,
    makingApp makeApp: @escaping @Sendable () -> any ScenarioApp
  ) async throws(Failure) -> Outcome {
    try await check(
      registering: registrations,
      environment: RunEnvironment(variables: ProcessInfo.processInfo.environment),
      today: ScenarioJudge.day(of: Date()), app: (name, makeApp), output: { print($0, terminator: "") },
      errors: { FileHandle.standardError.write(Data($0.utf8)) })
  }

  /// The app of a test, which each run creates.
  typealias App = (name: String, make: @Sendable () -> any ScenarioApp)

  func check(
    model: ManagedObjectModel? = nil, registering registrations: ScenarioRegistrations,
    environment: RunEnvironment, today: String, app: App? = nil,
    output: (String) -> Void, errors: (String) -> Void = { _ in }
  ) async throws(Failure) -> Outcome {
    let reportsProgress = environment.isSet("RECORDSPEC_PROGRESS")
    do {
      let outcome = try await self.outcome(
        model: model, registering: registrations, environment: environment, today: today, app: app,
        output: output)
      if reportsProgress {
        progress.report(name, outcome.progressText, hasFailed: false, output: errors)
      }
      return outcome
    } catch {
      if reportsProgress {
        progress.report(name, error.kind.progressText, hasFailed: true, output: errors)
      }
      throw error
    }
  }

  private func outcome(
    model: ManagedObjectModel?, registering registrations: ScenarioRegistrations,
    environment: RunEnvironment, today: String, app: App?,
    output: (String) -> Void
  ) async throws(Failure) -> Outcome {
    var judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1, registering: registrations) }, golden: golden,
      today: today)
    judge.explain = {
      await ScenarioExecution.execute($0, on: $1, registering: registrations, recordingProvenance: true)
    }
    judge.executeApp = { scenario, tables, _ in
      guard let app else {
        return ExecutedScenario(
          snapshot: ScenarioSnapshot(),
          breakage: Breakage(
            "the scenario runs an app, and the test has no adapter",
            advice: "write 'await scenario.test(adapter: …)' with the adapter of the app"))
      }
      return await AppExecution.execute(scenario, rules: tables, on: app.make())
    }
    judge.explanationLimit = 3
    (judge.registrations, judge.model) = (registrations, model)
    judge.root = environment.remembersFailures ? root : nil
    var entry = RunPlan.Entry(file: file)
    entry.adapter = app?.name
    let verdict = await judge.verdict(on: entry)
    let isKept = keep(verdict, environment)
    let blessing = BlessSelection(environment)
    if !verdict.outcome.hasGoneWrong, let warning = blessing?.warning(below: root, for: file) {
      output(warning)
    }
    let kind: Failure.Kind
    switch verdict.outcome {
    case .passed: return .passed
    case .skipped(let reason): return .skipped(reason: reason)
    case .expectedFailure(let reason): return .expectedFailure(reason: reason)
    case .new: kind = .new
    case .failed(let failure): kind = failure.golden.canBeBlessed ? .failed : .broken
    case .invalid: kind = .invalid
    case .unexpectedPass: kind = .unexpectedPass
    case .broken: kind = .broken
    }
    var renderer = ScenarioRenderer(isColored: false) {
      "RECORDSPEC_BLESS=\(ShellText.quoted($0)) swift test"
    }
    renderer.mentionsVerbose = false
    guard blessing?.includes(file) == true, blessing?.isRefused(verdict) == false,
      let text = renderer.blessing(of: verdict),
      let snapshot = verdict.snapshot
    else {
      // The report ends with an empty line.
      let report = renderer.text(of: verdict, isVerbose: true).trimmingCharacters(in: .newlines)
      let text = report + "\n" + (nextCommand(after: verdict, isKept || !judge.usesSwiftCode) ?? "")
      throw failure(kind, text + (blessing?.complaint(below: root) ?? ""), verdict.annotations)
    }
    do {
      try golden.write(snapshot, of: name)
    } catch {
      throw failure(.broken, "error: \(error.message)", [ScenarioAnnotation(error.message, at: file.path)])
    }
    output(text)
    try? KeptResults(besides: root).remove(name)
    return .blessed
  }

  /// Keeps the result of a scenario that failed, or removes the kept result of one that did not. Returns a Boolean value
  /// that indicates whether the result is kept. A folder that cannot be written is no reason for a test to fail.
  private func keep(_ verdict: ScenarioVerdict, _ environment: RunEnvironment) -> Bool {
    guard environment.remembersFailures else { return false }
    let results = KeptResults(besides: root)
    if let kept = verdict.kept { return (try? results.keep(kept)) ?? false }
    if verdict.outdatesKeptResult { try? results.remove(name) }
    return false
  }

  /// Returns the command that shows what came out; nil if there is no result.
  ///
  /// - Parameter canBeShown: a Boolean value that indicates whether the command line can show a result.
  private func nextCommand(after verdict: ScenarioVerdict, _ canBeShown: Bool) -> String? {
    guard verdict.hasResult, canBeShown else { return nil }
    var suite = SuiteOptions()
    suite.scenarios = root
    suite.allowedFolders = allowedFolders
    let name = (name.hasPrefix("-") ? "-- " : "") + ShellText.quoted(name)
    return "  see the result with: \(suite.command("show")) \(name)\n"
  }

  /// The selection in `RECORDSPEC_BLESS`.
  private struct BlessSelection {
    private let path: String
    private let allowsDiagnostics: Bool
    private var selection = ScenarioSelection()

    /// Creates a selection; nil if the variable is not set or is ignored.
    init?(_ environment: RunEnvironment) {
      guard !environment.isCI, let path = environment.variables["RECORDSPEC_BLESS"], !path.isEmpty else {
        return nil
      }
      self.path = path
      allowsDiagnostics = environment.isSet("RECORDSPEC_ALLOW_DIAGNOSTICS")
      selection.paths = [path]
    }

    /// Returns a Boolean value that indicates whether a new golden file needs `RECORDSPEC_ALLOW_DIAGNOSTICS`, which is
    /// not set.
    func isRefused(_ verdict: ScenarioVerdict) -> Bool {
      guard case .new(_, let overview) = verdict.outcome else { return false }
      return overview.objection != nil && !allowsDiagnostics
    }

    func includes(_ file: ScenarioFile) -> Bool { !selection.matches(among: [file]).files.isEmpty }

    /// Returns a message if the variable matches no scenario of the folder; nil if it matches one. Without the message,
    /// a misspelled name would have no visible effect.
    func complaint(below root: String) -> String? {
      complaint(below: root, ScenarioFiles(below: root).files).map { "  \($0)\n" }
    }

    /// Returns the complaint as a warning. Only the first scenario of the folder prints it, so that it appears once.
    func warning(below root: String, for file: ScenarioFile) -> String? {
      let files = ScenarioFiles(below: root).files
      guard files.first?.name == file.name else { return nil }
      return complaint(below: root, files).map { "warning: \($0)\n" }
    }

    private func complaint(below root: String, _ files: [ScenarioFile]) -> String? {
      guard !selection.matches(among: files).unmatchedPaths.isEmpty else { return nil }
      let near = ScenarioSelection.suggestion(for: path, among: files)
      return "RECORDSPEC_BLESS: no scenario below '\(root)' is named '\(path)'"
        + (near.map { "; did you mean '\($0)'?" } ?? "")
    }
  }

  private func failure(
    _ kind: Failure.Kind, _ text: String, _ annotations: [ScenarioAnnotation]
  ) -> Failure {
    // An error about a whole file is reported at the scenario's first line.
    let first = publicAnnotation(
      annotations.first { $0.region != nil } ?? ScenarioAnnotation(text, at: file.path))
    return Failure(
      kind: kind, annotations: annotations.map(publicAnnotation),
      description: text.trimmingCharacters(in: .newlines),
      filePath: first.filePath, fileID: first.fileID, line: first.line, column: first.column)
  }

  private func publicAnnotation(_ annotation: ScenarioAnnotation) -> Failure.Annotation {
    let isScenario = annotation.path == file.path
    let name = URL(fileURLWithPath: annotation.path).lastPathComponent
    let parent = isScenario ? self.name.split(separator: "/").dropLast().map { $0 + "/" }.joined() : ""
    return Failure.Annotation(
      message: annotation.message,
      filePath: URL(fileURLWithPath: annotation.path).standardizedFileURL.path,
      fileID: "\(folderName)/\(parent)\(name)", line: annotation.region?.line ?? 1,
      column: annotation.region?.column ?? 1)
  }
}
