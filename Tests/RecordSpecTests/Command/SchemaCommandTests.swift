import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec schema`.
struct SchemaCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func schema(_ arguments: String...) async -> CommandSuite.Outcome {
    var output = ""
    var errors = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01", output: { output += $0 }, errors: { errors += $0 })
    let status = await RootCommand.status(of: ["schema"] + arguments, in: context)
    return CommandSuite.Outcome(
      status: status, output: output.replacing(folder.path + "/", with: ""),
      errors: errors.replacing(folder.path + "/", with: ""))
  }

  @Test func printsTheSchemaOfScenariosByDefault() async {
    let scenario = CommandSuite.Outcome(status: 0, output: FormatSchema(of: .scenario).text, errors: "")
    #expect(await schema() == scenario)
    #expect(await schema("scenario") == scenario)
    #expect(await schema("scenario", "--output", "-") == scenario)
  }

  @Test func printsTheSchemaOfModels() async {
    let model = CommandSuite.Outcome(status: 0, output: FormatSchema(of: .model).text, errors: "")
    #expect(await schema("model") == model)
  }

  @Test(arguments: ["scenaro", "models"])
  func otherFilesHaveNoSchema(name: String) async {
    let outcome = await schema(name)
    #expect(outcome.status == 64)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: unknown value '\(name)' for '<file>'; did you mean '"))
  }

  @Test func writesAFileThatDoesNotExist() async throws {
    let path = folder.path + "/schemas/model.schema.json"
    let outcome = await schema("model", "--output", path)
    #expect(outcome == .init(status: 0, output: "wrote schemas/model.schema.json\n", errors: ""))
    #expect(try folder.read("schemas/model.schema.json") == FormatSchema(of: .model).text)
    #expect(
      await schema("model", "-o", path)
        == .init(status: 0, output: "unchanged: schemas/model.schema.json\n", errors: ""))
  }

  @Test func replacesAFileOnlyIfForced() async throws {
    try folder.write("mine", to: "a.json")
    let path = folder.path + "/a.json"
    let refusal = """
      a.json: error: the file exists [existing-file]
            = help: add '--force' to replace it

      """
    #expect(await schema("--output", path) == .init(status: 64, output: "", errors: refusal))
    let colored = await schema("--output", path, "--color", "always").errors
    #expect(colored.contains("\u{1B}["))
    #expect(try folder.read("a.json") == "mine")
    #expect(
      await schema("--output", path, "--force") == .init(status: 0, output: "wrote a.json\n", errors: ""))
    #expect(try folder.read("a.json") == FormatSchema(of: .scenario).text)
  }

  /// A link in a checkout must not decide which file is written.
  @Test func replacesALinkAndNotItsTarget() async throws {
    try folder.write("mine", to: "target")
    let path = folder.path + "/link"
    try folder.link("link", to: folder.path + "/target")
    #expect(await schema("--output", path).status == 64)
    #expect(await schema("--output", path, "--force").status == 0)
    #expect(try folder.read("target") == "mine")
    #expect(try folder.read("link") == FormatSchema(of: .scenario).text)
  }

  @Test func theArticleShowsTheCommands() throws {
    let article = try Article("RecordSpec/EditorsAndShells")
    let listing = try #require(article.blocks.first { $0.text.contains("schema model") }).text
    let suite = try CommandSuite()
    var status: Int32 = 1
    #expect(try suite.transcript(of: listing, status: &status) == listing)
    #expect(status == 0)
    let comments = try #require(article.blocks.first { $0.fileName == "Scenarios/books/list.yaml" }).text
    let paths = comments.matches(of: /schema[=:] *(\S+)/).map { "Scenarios/books/\($0.1)" }
    #expect(paths.count == 2)
    try suite.folder.write(comments, to: "Scenarios/books/list.yaml")
    for path in paths { #expect(suite.folder.exists(path), "\(path)") }
  }

  @Test func aFileThatCannotBeWrittenIsAnError() async throws {
    try folder.write("", to: "file")
    let outcome = await schema("--output", folder.path + "/file/a.json")
    #expect(outcome.status == 3)
    #expect(outcome.errors.hasPrefix("error: 'file/a.json' cannot be "))
    #expect(await schema("--output", "").status == 64)
  }
}
