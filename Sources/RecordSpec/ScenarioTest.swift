public import Foundation

/// One scenario as a test: to be run, and compared with what its author expects and with its golden file.
public struct ScenarioTest: Sendable, Identifiable, CustomStringConvertible {
  private let file: ScenarioFile
  /// The last part of the folder of scenarios, which stands for a module's name where tests show places.
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

  /// The path below the folder of scenarios without extension, `identity/attribute-key`.
  public var name: String { file.name }
  public var id: String { name }
  public var description: String { name }

  /// How a scenario that is as it should be has ended.
  public enum Outcome: Hashable, Sendable {
    case passed
    /// It was not run, for a reason that its author gives.
    case skipped(reason: String)
    /// It failed, as its author has marked it.
    case expectedFailure(reason: String)
    /// Its golden file has been written, because `RECORDSPEC_BLESS` asked for it.
    case blessed
  }

  /// Why a scenario is not as it should be, in the words of `recordspec run --verbose`.
  public struct Failure: Error, CustomStringConvertible, LocalizedError {
    public let description: String
    /// The file that the failure is about, mostly the scenario's: in full, and below the folder of scenarios.
    public let filePath: String
    public let fileID: String
    /// From 1.
    public let line: Int
    /// From 1.
    public let column: Int

    public var errorDescription: String? { description }
  }

  /// Runs the scenario, on a store in memory, and compares. Writes nothing, unless it is asked to.
  ///
  /// With the environment variable `RECORDSPEC_BLESS`, which names scenarios, folders or patterns as `recordspec bless`
  /// does, the golden files of those are written where nothing else speaks against it, and what changes is printed. Where
  /// it names none of the folder's, what fails says so. In CI it is as if it were not set.
  ///
  /// - Parameter registrations: Swift code that scenarios name.
  /// - Throws: ``Failure`` if the scenario is invalid, fails, has no golden file, or passes though it is marked to fail.
  @discardableResult
  public func check(
    registering registrations: ScenarioRegistrations = ScenarioRegistrations()
  ) async throws(Failure) -> Outcome {
    try await check(
      registering: registrations,
      environment: RunEnvironment(variables: ProcessInfo.processInfo.environment),
      today: CommandContext.day(of: Date())
    ) { print($0, terminator: "") }
  }

  func check(
    registering registrations: ScenarioRegistrations, environment: RunEnvironment, today: String,
    output: (String) -> Void
  ) async throws(Failure) -> Outcome {
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1, registering: registrations) },
      registrations: registrations, golden: golden, today: today)
    let verdict = await judge.verdict(on: RunPlan.Entry(file: file))
    switch verdict.result.outcome {
    case .passed: return .passed
    case .skipped(let reason): return .skipped(reason: reason)
    case .expectedFailure(let reason): return .expectedFailure(reason: reason)
    case .new, .failed, .invalid, .unexpectedPass, .broken: break
    }
    let renderer = ScenarioRenderer(isColored: false) {
      "RECORDSPEC_BLESS=\(ShellText.quoted($0)) swift test"
    }
    let blessing = BlessSelection(environment)
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

  /// What `RECORDSPEC_BLESS` says.
  private struct BlessSelection {
    private let path: String
    private var selection = ScenarioSelection()

    /// Nil if it says nothing.
    init?(_ environment: RunEnvironment) {
      guard !environment.isCI, let path = environment.variables["RECORDSPEC_BLESS"], !path.isEmpty else {
        return nil
      }
      self.path = path
      selection.paths = [path]
    }

    func includes(_ file: ScenarioFile) -> Bool { !selection.matches(among: [file]).files.isEmpty }

    /// A mistyped name would bless nothing, and nobody would know why. Nil if it names a scenario of the folder.
    func complaint(below root: String) -> String? {
      let files = ScenarioFiles(below: root).files
      guard !selection.matches(among: files).unmatchedPaths.isEmpty else { return nil }
      let near = ScenarioSelection.suggestion(for: path, among: files)
      return "  RECORDSPEC_BLESS: no scenario below '\(root)' is named '\(path)'"
        + (near.map { "; did you mean '\($0)'?" } ?? "") + "\n"
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
  /// The first place that the report names; nil if it is about a file as a whole, or another one than its author's.
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
