import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec new` command. It writes a scenario of a model and responses, or of a template.
package struct NewCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The name of the scenario, with the folders below the folder of scenarios.
    package var name: String
    /// The model file, Xcode model or scenario whose model the scenario uses; nil to choose one.
    package var model: String?
    /// A Boolean value that indicates whether the model is inferred from the responses, even if a model file fits them.
    package var infersModel = false
    /// The files with the bodies of responses, in the order of their requests.
    package var responses: [String] = []
    /// The entity of the requests; nil to choose one for each response.
    package var entity: String?
    /// The title; nil for one that names the entities.
    package var title: String?
    /// A Boolean value that indicates whether existing files are replaced.
    package var replacesFiles = false

    package init(name: String) { self.name = name }
  }

  let suite: SuiteOptions
  let options: Options
  let context: CommandContext

  package init(suite: SuiteOptions, options: Options, context: CommandContext) {
    self.suite = suite
    self.options = options
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let name: NewScenarioName
    do throws(NewScenarioName.Problem) { name = try NewScenarioName(options.name, in: suite.scenarios) } catch
    {
      return context.refuse(error)
    }
    if let status = context.refusalOfNewFolder(suite) ?? context.refusalOfSameGoldenFile(name, suite) {
      return status
    }
    // Existing files are refused first, so that the user does not fix other errors without effect.
    var files = NewFiles(in: suite.scenarios)
    files.add(name.file, "")
    if let status = context.refusal(of: files, replacing: options.replacesFiles) { return status }
    switch await content(of: name) {
    case .failure(let refusal): return refusal.status
    case .success(let content): return write(content, name)
    }
  }

  // MARK: Content

  /// The files of a new scenario.
  struct Content {
    /// The text of the scenario.
    var scenario: String
    /// The numbers of its parts, in words.
    var summary: String
    /// The other files by their paths below the folder of scenarios, and the words about each of them.
    var others: [(name: String, bytes: [UInt8], summary: String)] = []
    /// A Boolean value that indicates whether one of the files is a model file.
    var hasModelFile = false
    /// The file of the model and the reason for choosing it; nil if there was nothing to choose.
    var model: String?
    /// The line about drift; nil for made-up responses, which have none.
    var drift: String?
    /// The guesses of an inferred model that little supports.
    var weakGuesses: [WeakGuess] = []
    var warnings: [String] = []
  }

  struct Refusal: Error { let status: ExitStatus }

  private func content(
    of name: NewScenarioName, isolation: isolated (any Actor)? = #isolation
  ) async -> Result<Content, Refusal> {
    // Responses are read first, because they decide which model fits.
    let responses: [Response]
    switch read(name) {
    case .success(let found): responses = found
    case .failure(let refusal): return .failure(refusal)
    }
    let choice: ModelChoice
    switch model(for: responses, name) {
    case .success(let found): choice = found
    case .failure(let refusal): return .failure(refusal)
    }
    var content: Result<Content, Refusal>
    switch choice {
    case .none:
      content = .success(template(name))
    case .inferred:
      content = await scenario(name, responses, model: .inferred)
    case .file(let path, let model, _):
      let relative = FileAccess.relative(path, to: folder(of: name))
      content =
        responses.isEmpty
        ? await sample(of: model, name, path: relative)
        : await scenario(name, responses, model: .user(model, path: relative))
    }
    return content.map {
      var content = $0
      content.model = text(of: choice, name)
      return content
    }
  }

  private func template(_ name: NewScenarioName) -> Content {
    var template = ScenarioTemplate()
    if let title = options.title { template.title = title }
    let comments = schemaComments(.scenario, name).map { YAMLComments.line($0) + "\n" }.joined()
    return Content(scenario: comments + "\n" + template.text, summary: "an example")
  }

  // MARK: Writing

  private func write(_ content: Content, _ name: NewScenarioName) -> ExitStatus {
    var files = NewFiles(in: suite.scenarios)
    files.add(name.file, content.scenario)
    for other in content.others { files.add(other.name, other.bytes) }
    if let status = context.refusal(of: files, replacing: options.replacesFiles) { return status }
    let schemas =
      [EditorSchema(of: .scenario, in: suite.scenarios)]
      + (content.hasModelFile ? [EditorSchema(of: .model, in: suite.scenarios)] : [])
    let missing = schemas.filter { !FileAccess.exists($0.path) && !FileAccess.isLink($0.path) }
    for schema in missing { files.add(schema.fileName, schema.text) }
    if let status = context.write(files) { return status }
    var lines = ["wrote \(files.path(of: name.file)): \(content.summary)"]
    for other in content.others { lines.append("wrote \(files.path(of: other.name)): \(other.summary)") }
    for schema in missing { lines.append("wrote \(files.path(of: schema.fileName)): the schema for editors") }
    if let model = content.model { lines.append("model: \(model)") }
    if let drift = content.drift { lines.append(drift) }
    lines += WeakGuess.lines(of: content.weakGuesses, in: files.path(of: name.text + ".model.yaml"))
    context.output(lines.map { DisplayText.oneLine($0) + "\n" }.joined())
    for warning in content.warnings {
      context.report("warning: \(warning)\nhelp: name another entity with '--entity', or change the model\n")
    }
    context.output("next: \(suite.command("run")) \(ShellText.quoted(name.text))\n")
    return .success
  }

  // MARK: Shared

  func folder(of name: NewScenarioName) -> String {
    name.folder.isEmpty ? suite.scenarios : FilePath.child(name.folder, of: suite.scenarios)
  }

  func schemaComments(_ file: FormatSchema.File, _ name: NewScenarioName) -> [String] {
    EditorSchema(of: file, in: suite.scenarios).comments(in: folder(of: name))
  }

  func report(_ diagnostics: [AuthorDiagnostic]) {
    context.errors(
      DiagnosticRenderer(isColored: context.environment.isColored(suite.color)).text(of: diagnostics))
  }

  func refuse<Value>(_ status: ExitStatus, _ message: String) -> Result<Value, Refusal> {
    context.report("error: \(message)\n")
    return .failure(Refusal(status: status))
  }
}
