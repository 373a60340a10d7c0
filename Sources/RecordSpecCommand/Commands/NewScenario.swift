import RecordSpec
import ScenarioFormat
import ScenarioReport

/// A scenario that `recordspec new` writes.
struct NewScenario {
  let arguments: NewCommand
  let name: NewScenarioName
  let context: CommandContext
  var suite: SuiteOptions { context.suite }
  /// The folder of the scenario as the user would type it.
  var folder: String { name.path(in: suite) }

  /// Writes the scenario and its other files.
  func write(isolation: isolated (any Actor)? = #isolation) async throws(Refusal) {
    // Existing files are refused first, so that the user does not fix other errors without effect.
    var files = NewFiles(in: suite.scenarios)
    files.add(name.file, "")
    try context.check(files, replacing: arguments.force)
    try write(try await content())
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

  private func content(isolation: isolated (any Actor)? = #isolation) async throws(Refusal) -> Content {
    // Responses are read first, because they decide which model fits.
    let responses = try readResponses()
    if arguments.calls.areGiven { return try await appScenario(of: responses) }
    let choice = try model(for: responses)
    var content: Content
    switch choice {
    case .none: content = self.template()
    case .inferred: content = try await scenario(of: responses, model: .inferred)
    case .file(let path, let model, _):
      let relative = FileAccess.relative(path, to: folder)
      content =
        responses.isEmpty
        ? try await sample(of: model, path: relative)
        : try await scenario(of: responses, model: .user(model, path: relative))
    }
    content.model = text(of: choice)
    return content
  }

  /// Returns a scenario that calls actions of an app.
  private func appScenario(
    of responses: [Response], isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> Content {
    var draft = ScenarioDraft(
      title: arguments.title ?? "The app stores what the server sends", model: "")
    draft.header = schemaComments(.scenario)
    do throws(ImportedScenario.Problem) {
      if !responses.isEmpty {
        let made = try ImportedScenario(
          RecordedSession(responses.map(\.exchange)), name: name.last, model: .ofApp)
        draft.addresses = made.draft.addresses
      }
    } catch {
      throw refuse(error)
    }
    var copies: [(name: String, bytes: [UInt8])] = []
    for copy in responses.compactMap(\.copy) where !copies.contains(where: { $0.name == copy.name }) {
      copies.append(copy)
    }
    let scenario = try await AppScenario(
      draft, calls: arguments.calls.call, files: copies,
      path: FilePath.child(name.file, of: suite.scenarios), root: suite.scenarios,
      adapters: arguments.calls.adapters, in: context)
    scenario.reportWarnings(in: context) { _ in "name its body with '--response ADDRESS=FILE'" }
    let prefix = name.folder.isEmpty ? "" : name.folder + "/"
    return Content(
      scenario: scenario.draft.text, summary: scenario.summary,
      others: copies.map { (prefix + $0.name, $0.bytes, "a copy of a response") })
  }

  private func template() -> Content {
    var template = ScenarioTemplate()
    if let title = arguments.title { template.title = title }
    let comments = schemaComments(.scenario).map { YAMLComments.line($0) + "\n" }.joined()
    return Content(scenario: comments + "\n" + template.text, summary: "an example")
  }

  // MARK: Writing

  private func write(_ content: Content) throws(Refusal) {
    var files = NewFiles(in: suite.scenarios)
    files.add(name.file, content.scenario)
    for other in content.others { files.add(other.name, other.bytes) }
    try context.check(files, replacing: arguments.force)
    let schemas =
      [EditorSchema(of: .scenario, in: suite.scenarios)]
      + (content.hasModelFile ? [EditorSchema(of: .model, in: suite.scenarios)] : [])
    let missing = schemas.filter { !FileAccess.exists($0.path) && !FileAccess.isLink($0.path) }
    for schema in missing { files.add(schema.fileName, schema.text) }
    try context.write(files)
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
    let adapter = arguments.calls.adapters.options
    context.output("next: \(suite.command("run"))\(adapter) \(ShellText.quoted(name.text))\n")
  }

  func schemaComments(_ file: FormatSchema.File) -> [String] {
    EditorSchema(of: file, in: suite.scenarios).comments(in: folder)
  }
}
