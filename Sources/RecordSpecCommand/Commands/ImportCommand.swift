import ArgumentParser
import JSONTree
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// Writes a scenario of a recorded session.
struct ImportCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Write a scenario and a model from a recorded session: a HAR file, recorded JSON or 'curl -i' output.",
    discussion: """
      For example, these commands turn a session that a browser has saved into a scenario with a golden file:
        recordspec import session.har --output books/session
        recordspec run books/session
        recordspec bless books/session

      To compare the API with the recorded one later, record the same requests again, and replace the responses:
        recordspec import again.har --update books/session

      Without '--model', a model is inferred, with a comment on each guess. Tokens, e-mail addresses and names of persons \
      are replaced by pseudonyms; review the files before you share them.
      """)

  @OptionGroup var suite: SuiteArguments

  @Argument(help: "Recordings. Their format is recognized from their content.", completion: .file())
  var recordings: [String]

  @Option(
    help: ArgumentHelp(
      "Model file, '.xcdatamodeld', '.xcdatamodel' or scenario with the model to use. (default: an inferred model)",
      valueName: "file"), completion: .models)
  var model: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Name of the scenario to write, with folders below the folder of scenarios. (default: the name of the first recording)",
      valueName: "folder/name"), completion: .scenarioFolders)
  var output: String?

  @Option(help: "URL of the first request in the output of 'curl -i', which does not contain it.")
  var url: String?

  @Option(
    help: ArgumentHelp(
      "Replace the responses of this recorded scenario, or of those in this folder, and report what has changed in the API.",
      valueName: "path"), completion: .scenarios)
  var update: String?

  @OptionGroup var calls: CallArguments

  @Flag(help: "Keep tokens, e-mail addresses and names.")
  var keepValues = false

  @Flag(help: "Replace existing files.")
  var force = false

  func validate() throws {
    if recordings.contains("") { throw ValidationError("a recording must not be empty") }
    if calls.areGiven, model != nil {
      throw ValidationError("'--call' cannot be combined with '--model', because an app has its own model")
    }
    if let model, model.isEmpty { throw ValidationError("'--model' must not be empty") }
    if let output, output.isEmpty || output.hasSuffix("/") {
      throw ValidationError("'--output' must end with the name of the scenario")
    }
    if let update {
      if update.isEmpty { throw ValidationError("'--update' must not be empty") }
      let others = [
        (output != nil, "--output"), (model != nil, "--model"), (calls.areGiven, "--call"),
        (force, "--force"),
      ]
      if let other = others.first(where: \.0) {
        throw ValidationError(
          "'\(other.1)' cannot be combined with '--update', which changes only the responses of a scenario")
      }
    }
    if let url, !url.hasPrefix("https://"), !url.hasPrefix("http://") {
      throw ValidationError("'--url' must be a URL like 'https://api.test/books'")
    }
  }

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions { suite.options() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    if let update { return try await self.update(update, in: context) }
    let suite = context.suite
    let name = try context.newScenarioName(
      output ?? defaultName, advice: output == nil ? "name the scenario with '--output NAME'" : nil)
    try context.check(name)
    let folder = name.path(in: suite)
    let recorded = try read(in: context)
    var session = RecordedSession(recorded.exchanges)
    var replaced: Pseudonyms?
    if !keepValues {
      var pseudonyms = Pseudonyms(for: PersonalValues(of: session))
      session = pseudonyms.replaced(session)
      replaced = pseudonyms
    }
    var scenario = try make(session, name, in: context)
    scenario.addComments(
      scenario: schemaComments(of: .scenario, in: folder, suite),
      model: schemaComments(of: .model, in: folder, suite))
    try context.check(Self.files(of: scenario, in: folder), replacing: force)
    if calls.areGiven {
      let app = try await AppScenario(
        scenario.draft, calls: calls.call, files: Array(scenario.files.dropFirst()),
        path: FilePath.child(name.file, of: suite.scenarios), root: folder, adapters: calls.adapters,
        in: context)
      app.reportWarnings(in: context) { $0.advice }
      scenario.draft = app.draft
      return try write(scenario, of: session, name, replaced, in: context)
    }
    let trial = try await tried(&scenario, name, in: context)
    let files = Self.files(of: scenario, in: folder)
    try context.write(files)
    context.output(
      text(of: lines(about: scenario, of: session, in: files, replaced: replaced, drift: trial.drift)))
    warnAboutMadeUpURLs(recorded, in: context)
    for warning in scenario.warnings {
      context.report(
        "warning: \(warning)\nhelp: name another entity in the step, or change the model\n")
    }
    reportFormerBodies(of: scenario, below: folder, in: context)
    let model = files.path(of: scenario.draft.model)
    context.output(text(of: WeakGuess.lines(of: scenario.weakGuesses, in: model)))
    if scenario.inferred != nil {
      context.output("next: check the guesses, which are the comments in \(model)\n")
    }
    for line in trial.mended {
      context.report("warning: \(DisplayText.oneLine(line))\n")
    }
    let run = "\(suite.command("run")) \(ShellText.quoted(name.text))"
    guard trial.problems.isEmpty else {
      report(trial.problems, run, in: context)
      return .failed
    }
    context.output("next: \(run)\nnext: \(suite.command("bless")) \(ShellText.quoted(name.text))\n")
    return .success
  }

  /// Writes a scenario that calls actions of an app.
  private func write(
    _ scenario: ImportedScenario, of session: RecordedSession, _ name: NewScenarioName,
    _ replaced: Pseudonyms?, in context: CommandContext
  ) throws(Refusal) -> ExitStatus {
    let files = Self.files(of: scenario, in: name.path(in: context.suite))
    try context.write(files)
    context.output(text(of: lines(about: scenario, of: session, in: files, replaced: replaced)))
    let adapter = calls.adapters.options
    for command in ["run", "bless"] {
      context.output("next: \(context.suite.command(command))\(adapter) \(ShellText.quoted(name.text))\n")
    }
    return .success
  }

  func text(of lines: [String]) -> String {
    lines.map { DisplayText.oneLine($0) + "\n" }.joined()
  }

  private static func files(of scenario: ImportedScenario, in folder: String) -> NewFiles {
    var files = NewFiles(in: folder)
    for file in scenario.files { files.add(file.name, file.bytes) }
    return files
  }

  /// Returns the comments that name the schema of a file, if the suite contains the schema.
  private func schemaComments(
    of file: FormatSchema.File, in folder: String, _ suite: SuiteOptions
  ) -> [String] {
    let schema = EditorSchema(of: file, in: suite.scenarios)
    return schema.exists ? schema.comments(in: folder) : []
  }

  /// The name of the first recording without its extensions.
  private var defaultName: String {
    var name = FilePath.name(of: recordings.first ?? "")
    for suffix in [".har", ".json", ".yaml", ".yml", ".txt", ".recorded"] where name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    return name.isEmpty ? "session" : name
  }
}

// Reading
extension ImportCommand {
  struct Recorded {
    var exchanges: [RecordedExchange] = []
    /// The paths of the recordings that contain no URL.
    var pathsWithoutURL: [String] = []
  }

  /// Returns the exchanges of all recordings. Reports all errors.
  func read(in context: CommandContext) throws(Refusal) -> Recorded {
    var diagnostics: [AuthorDiagnostic] = []
    var recorded = Recorded()
    for path in recordings {
      switch FileBytes.named(path) {
      case .success(let bytes):
        let found = RecordingReader(url: url).read(path: path, bytes: bytes)
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
    guard diagnostics.isEmpty else { throw context.refuse(diagnostics) }
    if url != nil { try checkURL(recorded.pathsWithoutURL, in: context) }
    return recorded
  }

  /// Refuses `--url` unless exactly one recording needs it.
  private func checkURL(_ pathsWithoutURL: [String], in context: CommandContext) throws(Refusal) {
    switch pathsWithoutURL.count {
    case 0:
      throw context.refuse(
        .usage, "'--url' has no effect, because the recordings contain the URLs of their requests")
    case 1: return
    default:
      let list = pathsWithoutURL.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
      throw context.refuse(
        .usage,
        "'--url' is the URL of one recording, but \(pathsWithoutURL.count) contain none: \(list)"
          + (pathsWithoutURL.count > 5 ? " and others" : ""),
        advice: "import them one by one; without '--url', the name of each file becomes its path")
    }
  }

  /// Warns about addresses that are made up.
  func warnAboutMadeUpURLs(_ recorded: Recorded, in context: CommandContext) {
    guard url == nil else { return }
    for path in recorded.pathsWithoutURL {
      context.report(
        "warning: '\(path)' does not contain the URL of its request; '\(CurlOutputReader.url(fromName: path))' is made up\n"
          + "help: import it again with '--url URL --force' to name the URL\n")
    }
  }

  private func make(
    _ session: RecordedSession, _ name: NewScenarioName, in context: CommandContext
  ) throws(Refusal) -> ImportedScenario {
    let suite = context.suite
    var model = calls.areGiven ? ImportedScenario.Model.ofApp : .inferred
    let modelPath = self.model?.trimmedFolder
    if let path = modelPath {
      let source = ModelSource(path, allowingOutside: suite.allowedFolders)
      guard let found = source.model else {
        throw context.refuse(source.diagnostics(suggestingFilesBelow: suite.scenarios))
      }
      model = .user(found, path: FileAccess.relative(path, to: name.path(in: suite)))
    }
    do throws(ImportedScenario.Problem) {
      return try ImportedScenario(session, name: name.last, ending: name.ending, model: model)
    } catch {
      let others = leftOut(session)
      let rest = others.isEmpty ? "" : "; left out: \(others)"
      switch error {
      case .noExchanges:
        throw context.refuse(.invalid, "the recording contains nothing to import" + rest)
      case .noItems:
        let failing = session.exchanges.filter {
          $0.status.map { $0 >= 300 } ?? false && $0.json?.kind == .object
        }
        let reason =
          if let first = failing.first, let status = first.status {
            "only failing responses contain JSON objects, such as the one to "
              + "'\(first.method) \(first.url)' with status \(status)"
          } else {
            "no response of the recording contains a JSON object"
          }
        throw context.refuse(
          .invalid, "no model can be inferred, because " + reason + rest,
          advice: failing.isEmpty
            ? "name a model with '--model'"
            : "record successful responses too, or name a model with '--model'")
      case .noEntities: throw context.refuse(.invalid, "the model '\(modelPath ?? "")' has no entities")
      case .model(let error):
        for problem in error.problems {
          context.report("error: the inferred model is invalid: \(problem.message)\n")
        }
        throw context.refuse(.invalid, "no file was written; name a model with '--model'")
      }
    }
  }

  /// The result of running a scenario before it is written.
  private struct Trial {
    /// The steps whose expectations were replaced, in words.
    var mended: [String] = []
    /// The reasons why the scenario fails nevertheless, in words.
    var problems: [String]
    /// The differences between the responses and the model.
    var drift: ImportedDrift
  }

  /// Runs the scenario before it is written, and mends its expectations. Reports the errors of its files.
  ///
  /// The steps report drift, so that later recordings show what has changed.
  private func tried(
    _ scenario: inout ImportedScenario, _ name: NewScenarioName, in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> Trial {
    scenario.draft.reportsDrift = true
    let first = try await trial(of: scenario, name, in: context).outcomes(in: context)
    let problems = scenario.problems(first)
    guard first.breakage == nil, !problems.isEmpty else {
      return Trial(problems: problems, drift: ImportedDrift(first.snapshot))
    }
    let mended = scenario.mend(first)
    let second = try await trial(of: scenario, name, in: context).outcomes(in: context)
    return Trial(
      mended: mended, problems: scenario.problems(second), drift: ImportedDrift(second.snapshot))
  }

  private func trial(
    of scenario: ImportedScenario, _ name: NewScenarioName, in context: CommandContext
  ) -> ScenarioTrial {
    ScenarioTrial(
      draft: scenario.draft, path: FilePath.child(name.file, of: context.suite.scenarios),
      root: name.path(in: context.suite), files: Array(scenario.files.dropFirst()),
      allowedFolders: context.suite.allowedFolders)
  }
}

// Reporting
extension ImportCommand {
  /// Returns the lines about the files that were written.
  private func lines(
    about scenario: ImportedScenario, of session: RecordedSession, in files: NewFiles, replaced: Pseudonyms?,
    drift: ImportedDrift? = nil
  ) -> [String] {
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
    if session.leftOut[.withoutBody] != nil {
      lines.append(
        "help: to import these responses, record them with their bodies; browsers save HAR 'with content'")
    }
    if let drift { lines += drift.lines }
    if let replaced {
      lines += replaced.summary
      lines.append(
        "not recognized: secrets under other keys, identifiers, host names, phone numbers, postal addresses, and names "
          + "in other texts; review the files before you share them")
    } else {
      lines.append("replaced: nothing; the files contain all recorded values")
    }
    return lines
  }

  /// Names the bodies of an earlier import that the new scenario does not use. They may contain values that are replaced
  /// now.
  private func reportFormerBodies(
    of scenario: ImportedScenario, below folder: String, in context: CommandContext
  ) {
    guard force,
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

  /// Names the first reasons why the written scenario fails, and the command that shows all of them.
  private func report(_ problems: [String], _ command: String, in context: CommandContext) {
    for problem in problems.prefix(Self.shownReasons) {
      context.report("warning: the scenario fails: \(DisplayText.oneLine(problem))\n")
    }
    if problems.count > Self.shownReasons {
      context.report("warning: it fails for \(problems.count - Self.shownReasons) more reasons\n")
    }
    context.report("help: '\(command)' shows the lines; correct the scenario or its model there\n")
  }

  private static let shownReasons = 5

  func leftOut(_ session: RecordedSession) -> String {
    LeftOut.allCases.compactMap { reason in session.leftOut[reason].map { reason.text($0) } }
      .joined(separator: ", ")
  }
}
