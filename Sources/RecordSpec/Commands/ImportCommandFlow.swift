import Foundation
import RecordModel
import ScenarioComparison
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec import` command. It writes a scenario of a recorded session.
package struct ImportCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The recordings, in the order of their requests.
    package var recordings: [String]
    /// The model file, Xcode model or scenario whose model the scenario uses; nil to infer one.
    package var model: String?
    /// The name of the scenario, with the folders below the folder of scenarios; nil for the name of the first recording.
    package var output: String?
    /// The URL of the requests of a recording that contains none.
    package var url: String?
    /// A Boolean value that indicates whether secrets and personal values are kept.
    package var keepsValues = false
    /// A Boolean value that indicates whether existing files are replaced.
    package var replacesFiles = false

    package init(recordings: [String]) { self.recordings = recordings }
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
    let name: NewScenarioName
    do throws(NewScenarioName.Problem) {
      name = try NewScenarioName(options.output ?? defaultName, in: suite.scenarios)
    } catch {
      var problem = error
      if options.output == nil { problem.advice = "name the scenario with '--output NAME'" }
      return context.refuse(problem)
    }
    if let status = context.refusalOfNewFolder(suite) ?? context.refusalOfSameGoldenFile(name, suite) {
      return status
    }
    let target = name.folder.isEmpty ? suite.scenarios : FilePath.child(name.folder, of: suite.scenarios)
    let recorded: Recorded
    switch read() {
    case .success(let found): recorded = found
    case .failure(let refusal): return refusal.status
    }
    var session = RecordedSession(recorded.exchanges)
    var replaced: Pseudonyms?
    if !options.keepsValues {
      var pseudonyms = Pseudonyms(for: PersonalValues(of: session))
      session = pseudonyms.replaced(session)
      replaced = pseudonyms
    }
    var scenario: ImportedScenario
    switch make(session, name, in: target) {
    case .success(let made): scenario = made
    case .failure(let refusal): return refusal.status
    }
    scenario.addComments(
      scenario: schemaComments(of: .scenario, in: target), model: schemaComments(of: .model, in: target))
    var files = Self.files(of: scenario, in: target)
    if let status = context.refusal(of: files, replacing: options.replacesFiles) { return status }
    switch await reportsDrift(scenario, in: target, as: FilePath.child(name.file, of: suite.scenarios)) {
    case .success(let reportsDrift): scenario.draft.reportsDrift = reportsDrift
    case .failure(let refusal): return refusal.status
    }
    files = Self.files(of: scenario, in: target)
    if let status = context.write(files) { return status }
    report(scenario, session, files, replaced)
    warnAboutMadeUpURLs(recorded)
    for warning in scenario.warnings {
      context.report(
        "warning: \(warning)\nhelp: name another entity in the step, or change the model\n")
    }
    reportFormerBodies(of: scenario, in: target)
    let weak = WeakGuess.lines(of: scenario.weakGuesses, in: files.path(of: scenario.draft.model))
    context.output(weak.map { DisplayText.oneLine($0) + "\n" }.joined())
    if scenario.inferred != nil {
      context.output(
        "next: check the guesses, which are the comments in \(files.path(of: scenario.draft.model))\n")
    }
    for command in ["run", "bless"] {
      context.output("next: \(suite.command(command)) \(ShellText.quoted(name.text))\n")
    }
    return .success
  }

  private static func files(of scenario: ImportedScenario, in folder: String) -> NewFiles {
    var files = NewFiles(in: folder)
    for file in scenario.files { files.add(file.name, file.bytes) }
    return files
  }

  /// Returns the comments that name the schema of a file, if the suite contains the schema.
  private func schemaComments(of file: FormatSchema.File, in folder: String) -> [String] {
    let schema = EditorSchema(of: file, in: suite.scenarios)
    return schema.exists ? schema.comments(in: folder) : []
  }

  /// The name of the first recording without its extensions.
  private var defaultName: String {
    var name = FilePath.name(of: options.recordings.first ?? "")
    for suffix in [".har", ".json", ".txt", ".recorded"] where name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    return name.isEmpty ? "session" : name
  }

  // MARK: Reading

  private struct Recorded {
    var exchanges: [RecordedExchange] = []
    /// The paths of the recordings that contain no URL.
    var pathsWithoutURL: [String] = []
  }

  /// Returns the exchanges of all recordings. Reports all errors.
  private func read() -> Result<Recorded, Refusal> {
    var diagnostics: [AuthorDiagnostic] = []
    var recorded = Recorded()
    for path in options.recordings {
      switch FileBytes.named(path) {
      case .success(let bytes):
        let found = RecordingReader(url: options.url).read(path: path, bytes: bytes)
        recorded.exchanges += found.exchanges
        if found.lacksURL { recorded.pathsWithoutURL.append(path) }
        diagnostics += found.diagnostics
      case .failure(var diagnostic):
        if FileBytes.isURL(path) {
          diagnostic.advice = "save the session first: curl -i \(ShellText.quoted(path)) > session.txt"
        }
        if FileAccess.kind(of: path) == .folder {
          diagnostic.message = "this is a folder, not a recording"
          diagnostic.advice = "name the scenario to write with '--output NAME'"
        }
        diagnostics.append(diagnostic)
      }
    }
    guard diagnostics.isEmpty else {
      report(diagnostics)
      return .failure(Refusal(status: .invalid))
    }
    if options.url != nil, let reason = Self.misuseOfURL(recorded.pathsWithoutURL) {
      context.report("error: \(reason)\n")
      return .failure(Refusal(status: .usage))
    }
    return .success(recorded)
  }

  /// Returns the reason why `--url` cannot be used; nil if exactly one recording needs it.
  private static func misuseOfURL(_ pathsWithoutURL: [String]) -> String? {
    switch pathsWithoutURL.count {
    case 0: return "'--url' has no effect, because the recordings contain the URLs of their requests"
    case 1: return nil
    default:
      let list = pathsWithoutURL.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
      return "'--url' is the URL of one recording, but \(pathsWithoutURL.count) contain none: \(list)"
        + (pathsWithoutURL.count > 5 ? " and others" : "")
        + "\nhelp: import them one by one; without '--url', the name of each file becomes its path"
    }
  }

  /// Warns about addresses that are made up.
  private func warnAboutMadeUpURLs(_ recorded: Recorded) {
    guard options.url == nil else { return }
    for path in recorded.pathsWithoutURL {
      context.report(
        "warning: '\(path)' does not contain the URL of its request; '\(CurlOutputReader.url(fromName: path))' is made up\n"
          + "help: import it again with '--url URL --force' to name the URL\n")
    }
  }

  private func report(_ diagnostics: [AuthorDiagnostic]) {
    context.errors(
      DiagnosticRenderer(isColored: context.environment.isColored(suite.color)).text(of: diagnostics))
  }

  private struct Refusal: Error { let status: ExitStatus }

  private func make(
    _ session: RecordedSession, _ name: NewScenarioName, in folder: String
  ) -> Result<ImportedScenario, Refusal> {
    var model = ImportedScenario.Model.inferred
    if let path = options.model {
      let source = ModelSource(path, allowingOutside: suite.allowedFolders)
      guard let found = source.model else {
        report(source.diagnostics(suggestingFilesBelow: suite.scenarios))
        return .failure(Refusal(status: .invalid))
      }
      model = .user(found, path: FileAccess.relative(path, to: folder))
    }
    do throws(ImportedScenario.Problem) {
      return .success(try ImportedScenario(session, name: name.last, ending: name.ending, model: model))
    } catch {
      let others = leftOut(session)
      let rest = (others.isEmpty ? "" : "; left out: \(others)") + "\n"
      switch error {
      case .noExchanges:
        context.report("error: the recording contains nothing to import" + rest)
        return .failure(Refusal(status: .invalid))
      case .noItems:
        context.report(
          "error: no model can be inferred, because no response of the recording contains a JSON object"
            + rest
            + "help: name a model with '--model'\n")
        return .failure(Refusal(status: .invalid))
      case .noEntities:
        context.report("error: the model '\(options.model ?? "")' has no entities\n")
        return .failure(Refusal(status: .invalid))
      case .model(let error):
        for problem in error.problems {
          context.report("error: the inferred model is invalid: \(problem.message)\n")
        }
        context.report("error: no file was written; name a model with '--model'\n")
        return .failure(Refusal(status: .invalid))
      }
    }
  }

  // MARK: Checking

  /// Runs the scenario before it is written. Reports its errors.
  ///
  /// - Returns: a Boolean value that indicates whether the steps should report drift: the recorded responses have none, so
  ///   that later ones show what has changed.
  private func reportsDrift(
    _ scenario: ImportedScenario, in folder: String, as path: String,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Bool, Refusal> {
    var draft = scenario.draft
    draft.reportsDrift = true
    let trial = ScenarioTrial(
      draft: draft, path: path, root: folder, files: Array(scenario.files.dropFirst()),
      allowedFolders: suite.allowedFolders)
    switch await trial.run(context.execute) {
    case .executed(let executed):
      return .success(executed.snapshot.steps.allSatisfy { $0.drift?.entities.isEmpty ?? true })
    case .invalid(let diagnostics):
      report(diagnostics)
      return .failure(Refusal(status: .invalid))
    case .broken(let reason):
      context.report("error: \(reason)\n")
      return .failure(Refusal(status: .broken))
    }
  }

  // MARK: Reporting

  private func report(
    _ scenario: ImportedScenario, _ session: RecordedSession, _ files: NewFiles, _ replaced: Pseudonyms?
  ) {
    var lines: [String] = []
    let entities = scenario.inferred?.count ?? 0
    let bodies = scenario.files.count { $0.name.hasPrefix("_recordings/") }
    for file in scenario.files where !file.name.hasPrefix("_recordings/") {
      let isModel = file.name.hasSuffix(".model.yaml")
      let contents =
        isModel
        ? "\(entities) guessed \(entities == 1 ? "entity" : "entities")"
        : "\(counted(session.exchanges.count, "response")), \(counted(scenario.draft.steps.count, "step"))"
      lines.append("wrote \(files.path(of: file.name)): \(contents)")
    }
    if let body = scenario.files.first(where: { $0.name.hasPrefix("_recordings/") }) {
      let folder = FilePath.folder(of: files.path(of: body.name))
      lines.append("wrote \(folder): \(bodies) \(bodies == 1 ? "body" : "bodies")")
    }
    let others = leftOut(session)
    if !others.isEmpty { lines.append("left out: \(others)") }
    lines.append(scenario.draft.lineAboutDrift(reason: "the responses differ from the model"))
    if let replaced {
      let (tokens, emails, names) = (
        replaced.counts[.token, default: 0], replaced.counts[.email, default: 0],
        replaced.counts[.name, default: 0]
      )
      lines.append(
        "replaced: \(counted(tokens, "token")), \(emails) e-mail address\(emails == 1 ? "" : "es"), \(counted(names, "name"))"
      )
      lines.append(
        "not recognized: secrets under other keys, identifiers, host names, phone numbers, postal addresses, and names "
          + "in other texts; review the files before you share them")
    } else {
      lines.append("replaced: nothing; the files contain all recorded values")
    }
    context.output(lines.map { DisplayText.oneLine($0) + "\n" }.joined())
  }

  /// Names the bodies of an earlier import that the new scenario does not use. They may contain values that are replaced
  /// now.
  private func reportFormerBodies(of scenario: ImportedScenario, in folder: String) {
    guard options.replacesFiles,
      let body = scenario.files.first(where: { $0.name.hasPrefix("_recordings/") })
    else { return }
    let bodies = FilePath.folder(of: FilePath.child(body.name, of: folder))
    let used = Set(scenario.files.map { FilePath.name(of: $0.name) })
    for name in FileBytes.files(below: bodies) where !used.contains(name) {
      context.report(
        "warning: '\(FilePath.child(name, of: bodies))' is not used; remove it if it is from an earlier import\n"
      )
    }
  }

  private func leftOut(_ session: RecordedSession) -> String {
    LeftOut.allCases.compactMap { reason in session.leftOut[reason].map { reason.text($0) } }
      .joined(separator: ", ")
  }
}
