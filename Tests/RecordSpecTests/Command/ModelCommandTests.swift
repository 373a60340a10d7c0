import Foundation
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec model`.
struct ModelCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // The project's folder.
    try folder.write("", to: "app/.recordspec.yaml")
  }

  /// Runs the command on a file in the project. Paths in its output are relative to the project's folder.
  private func model(_ arguments: String...) async -> CommandSuite.Outcome {
    var output = ""
    var errors = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01", output: { output += $0 }, errors: { errors += $0 })
    let project = folder.path + "/app/"
    let status = await RootCommand.status(
      of: ["model"] + arguments.map { $0.hasPrefix("-") ? $0 : project + $0 }, in: context)
    return CommandSuite.Outcome(
      status: status, output: output, errors: errors.replacing(project, with: ""))
  }

  private static let post = """
    entities:
      Post:
        primaryKey: id
        attributes: {id: int64, text: string}

    """

  @Test(arguments: ["a.model.yaml", "a.model.yml", "more/a.model.yaml"])
  func aModelFileIsPrintedInItsShortForm(name: String) async throws {
    try folder.write(
      "schemaVersion: 1\nentities: {Post: {attributes: {id: {type: int64}, text: string}, primaryKey: [id]}}",
      to: "app/" + name)
    #expect(await model(name) == .init(status: 0, output: Self.post, errors: ""))
  }

  @Test(arguments: ["Blog.xcdatamodeld", "Blog.xcdatamodeld/", "Blog.xcdatamodeld/Blog.xcdatamodel"])
  func anXcodeModelIsPrintedWithItsWarnings(name: String) async throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Post">
          <attribute name="id" optional="YES" attributeType="Integer 64"/>
          <attribute name="text" optional="YES" attributeType="String"/>
          <attribute name="size" optional="YES" transient="YES" attributeType="Integer 16"/>
          <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
        </entity>
      </model>
      """, to: "app/Blog.xcdatamodeld/Blog.xcdatamodel/contents")
    let outcome = await model(name)
    #expect(outcome.status == 0 && outcome.output == Self.post)
    #expect(outcome.errors.contains("Blog.xcdatamodel/contents:6:") && outcome.errors.contains("[left-out]"))
  }

  @Test func theModelOfAScenarioHasWhatTheScenarioAdds() async throws {
    try folder.write(Self.post, to: "app/_models/a.model.yaml")
    try folder.write(
      """
      steps: not read
      model:
        file: _models/a.model.yaml
        nulls: keep
      customize: {Post: {keyPaths: {text: body}}}
      """, to: "app/a.yaml")
    let expected = """
      nulls: keep
      entities:
        Post:
          primaryKey: id
          attributes:
            id: int64
            text: {type: string, from: body, usesOwnName: false}

      """
    #expect(await model("a.yaml") == .init(status: 0, output: expected, errors: ""))
  }

  @Test func partsThatAreNotInAModelFileAreListed() async throws {
    try folder.write(
      """
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64, text: string}}}}
      customize:
        Post:
          keyFrom: [a, b]
          values: {text: {x: "y"}}
      """, to: "app/a.yaml")
    let lost = """
      a.yaml:3:3: error: 'customize' changes the population of 'Post', which a model file cannot express [not-in-model-file]
          3 |   Post:
            |   ^^^^

      a.yaml:4:5: error: the primary key of 'Post' is computed, which a model file cannot express [not-in-model-file]
          4 |     keyFrom: [a, b]
            |     ^^^^^^^

      """
    let end = "error: the model was not printed; '--lossy' prints it without the parts above\n"
    let outcome = await model("a.yaml")
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors == lost + end, "\(outcome.errors)")
    let lossy = await model("a.yaml", "--lossy")
    #expect(lossy.status == 0 && lossy.output == Self.post)
    #expect(lossy.errors == lost.replacing("error:", with: "warning:"))
  }

  @Test(arguments: [
    ("b.model.yaml", "b.model.yaml: error: the file 'b.model.yaml' does not exist [unreadable-file]"),
    ("a.json", "a.json: error: this is neither a model nor a scenario [unknown-value]"),
    ("wrong.model.yaml", "wrong.model.yaml:2:1: error: unknown key 'Post' [unknown-key]"),
    ("none.yaml", "none.yaml:1:1: error: missing key 'model' in a scenario [missing-key]"),
    ("list.yaml", "list.yaml:1:1: error: expected a mapping for a scenario, found a list [wrong-kind]"),
    (
      "registered.yaml",
      "registered.yaml:1:21: error: the model 'App' is Swift code, which 'recordspec' cannot run [unknown-model]"
    ),
    ("outside.yaml", "outside.yaml:1:8: error: '../other/a.model.yaml' is outside the project's folder"),
  ])
  func anInvalidSourceIsReported(name: String, message: String) async throws {
    try folder.write("{}", to: "app/a.json")
    try folder.write("entities: {}\nPost: {}", to: "app/wrong.model.yaml")
    try folder.write("title: A", to: "app/none.yaml")
    try folder.write("- a", to: "app/list.yaml")
    try folder.write("model: {registered: App}", to: "app/registered.yaml")
    try folder.write("model: ../other/a.model.yaml", to: "app/outside.yaml")
    try folder.write(Self.post, to: "other/a.model.yaml")
    let outcome = await model(name)
    #expect(outcome.status == 2 && outcome.output == "")
    let errors = outcome.errors.replacing(folder.path + "/", with: "../")
    #expect(errors.contains(message), "\(errors)")
  }

  @Test func anotherFolderCanBeAllowed() async throws {
    try folder.write("model: ../other/a.model.yaml", to: "app/outside.yaml")
    try folder.write(Self.post, to: "other/a.model.yaml")
    let outcome = await model("outside.yaml", "--allow-outside=\(folder.path)/other")
    #expect(outcome == .init(status: 0, output: Self.post, errors: ""))
  }

  @Test(arguments: [[], [""]])
  func theSourceIsRequired(arguments: [String]) async {
    var errors = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01", output: { _ in }, errors: { errors += $0 })
    #expect(await RootCommand.status(of: ["model"] + arguments, in: context) == 64)
    #expect(errors.contains("Usage: recordspec model "))
  }
}
