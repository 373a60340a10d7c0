public import Foundation
public import RecordModel

/// A scenario as a test, which is run and compared with the expectations of its author and with its golden file.
public struct ScenarioTest: Sendable, Identifiable, CustomStringConvertible {
  private let file: ScenarioFile
  /// The last component of the folder of scenarios. It replaces the module's name where tests show locations.
  private let folderName: String
  private let golden: GoldenFolder
  /// The folder of scenarios.
  private let root: String

  init(file: ScenarioFile, root: String, golden: GoldenFolder) {
    self.file = file
    self.golden = golden
    self.root = root
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

  /// A failure of a scenario, described in the words of `recordspec run --verbose`.
  public struct Failure: Error, CustomStringConvertible, LocalizedError {
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

  /// Runs the scenario on a store in memory and compares the result. Writes nothing unless `RECORDSPEC_BLESS` is set.
  ///
  /// The environment variable `RECORDSPEC_BLESS` selects scenarios, folders or patterns in the same way as the
  /// arguments of `recordspec bless`. The golden file of a selected scenario is written if nothing else differs, and
  /// the changes are printed. If the variable matches no scenario of the folder, failures say so. In CI, the variable
  /// is ignored.
  ///
  /// - Parameters:
  ///   - model: the model of the app, which replaces the scenario's `model:`. The other keys, such as `customise:`, still
  ///     apply. If nil, the scenario uses its own model.
  ///   - registrations: the Swift code that scenarios name.
  /// - Throws: ``Failure`` if the scenario is invalid, fails, has no golden file, or passes although it is marked to
  ///   fail. Also if the engine or the temporary folder fails, so that the result is unknown.
  @discardableResult
  public func check(
    model: ManagedObjectModel? = nil,
    registering registrations: ScenarioRegistrations = ScenarioRegistrations()
  ) async throws(Failure) -> Outcome {
    try await check(
      model: model, registering: registrations,
      environment: RunEnvironment(variables: ProcessInfo.processInfo.environment),
      today: CommandContext.day(of: Date())
    ) { print($0, terminator: "") }
  }

  func check(
    model: ManagedObjectModel? = nil, registering registrations: ScenarioRegistrations,
    environment: RunEnvironment, today: String,
    output: (String) -> Void
  ) async throws(Failure) -> Outcome {
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1, registering: registrations) },
      registrations: registrations, model: model, golden: golden, today: today)
    let verdict = await judge.verdict(on: RunPlan.Entry(file: file))
    let blessing = BlessSelection(environment)
    if !verdict.result.outcome.hasGoneWrong, let warning = blessing?.warning(below: root, for: file) {
      output(warning)
    }
    switch verdict.result.outcome {
    case .passed: return .passed
    case .skipped(let reason): return .skipped(reason: reason)
    case .expectedFailure(let reason): return .expectedFailure(reason: reason)
    case .new, .failed, .invalid, .unexpectedPass, .broken: break
    }
    let renderer = ScenarioRenderer(isColored: false) {
      "RECORDSPEC_BLESS=\(ShellText.quoted($0)) swift test"
    }
    guard blessing?.includes(file) == true, let text = renderer.blessing(of: verdict.result),
      let snapshot = verdict.snapshot
    else {
      let text = renderer.text(of: verdict.result, isVerbose: true)
      throw failure(
        text + (blessing?.complaint(below: root) ?? ""), at: verdict.result.outcome.firstSpan)
    }
    do {
      try golden.write(snapshot, of: name)
    } catch {
      throw failure("error: \(error.message)", at: nil)
    }
    output(text)
    return .blessed
  }

  /// The selection in `RECORDSPEC_BLESS`.
  private struct BlessSelection {
    private let path: String
    private var selection = ScenarioSelection()

    /// Creates a selection; nil if the variable is not set or is ignored.
    init?(_ environment: RunEnvironment) {
      guard !environment.isCI, let path = environment.variables["RECORDSPEC_BLESS"], !path.isEmpty else {
        return nil
      }
      self.path = path
      selection.paths = [path]
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

  private func failure(_ text: String, at span: SourceSpan?) -> Failure {
    let path = span?.file.path ?? file.path
    let isScenario = path == file.path
    let name = URL(fileURLWithPath: path).lastPathComponent
    let parent = isScenario ? self.name.split(separator: "/").dropLast().map { $0 + "/" }.joined() : ""
    return Failure(
      description: text.trimmingCharacters(in: .newlines),
      filePath: URL(fileURLWithPath: path).standardizedFileURL.path,
      fileID: "\(folderName)/\(parent)\(name)", line: span?.start.line ?? 1, column: span?.start.column ?? 1)
  }
}

extension ScenarioOutcome {
  /// The first source location that the report names; nil if the report is about a whole file, or about a file that is
  /// not the author's.
  fileprivate var firstSpan: SourceSpan? {
    switch self {
    case .invalid(let problems): return problems.lazy.compactMap(\.span).first
    case .unexpectedPass(let mark): return mark.span
    case .failed(let failure):
      if let finding = failure.causes.first { return finding.span }
      for difference in failure.expectations.first {
        if case .expectation(let span) = difference.location { return span }
      }
      return failure.consequences.first?.span
    case .passed, .new, .skipped, .expectedFailure, .broken: return nil
    }
  }
}
