import Foundation
import RecordEngine
import RecordModel
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the record types of `recordspec generate`, which are compiled with the tests.
///
/// `RECORD_GENERATED=1 swift test --filter GeneratedRecordTypeTests` writes the files for review, except in CI. Build
/// again to test them.
struct GeneratedRecordTypeTests {
  @Test(arguments: GeneratedModel.allCases)
  func theFilesAreCurrent(_ model: GeneratedModel) async throws {
    let (file, access) = model.file
    let (status, output) = await generate(model.model.path, "--access", access)
    #expect(status == 0)
    if try String(contentsOf: file, encoding: .utf8) == output { return }
    let environment = RunEnvironment(variables: ProcessInfo.processInfo.environment)
    if environment.variables["RECORD_GENERATED"] == "1", !environment.isCI {
      try output.write(to: file, atomically: true, encoding: .utf8)
    } else {
      Testing.Issue.record("\(file.lastPathComponent) differs; RECORD_GENERATED=1 writes it:\n\(output)")
    }
  }

  @Test(arguments: GeneratedModel.allCases)
  func theRecordTypesAreTheModel(_ model: GeneratedModel) throws {
    let source = try #require(ModelSource(model.model.path).model)
    let generated = try ManagedObjectModel(recordTypes: model.recordTypes)
    let (expected, actual) = (ModelMeaning(source), ModelMeaning(generated))
    for (expected, actual) in zip(expected.entities, actual.entities) { #expect(actual == expected) }
    #expect(actual == expected)
  }

  /// A new key of the format must be generated, too.
  @Test func theModelUsesEveryKey() throws {
    let path = GeneratedModel.library.model.path
    let bytes = try #require(try FileBytes.read(path))
    let root = try #require(YAMLParser.parse(SourceFile(path: path, bytes: bytes)).root)
    func members(_ nodes: [YAMLNode], _ key: String) -> [YAMLNode] {
      nodes.flatMap {
        ($0.pairs ?? []).filter { $0.key == key }.flatMap { $0.value.pairs ?? [] }.map(\.value)
      }
    }
    let entities = members([root], "entities")
    let used: [(FormatMapping, [YAMLNode])] = [
      (.entity, entities), (.attribute, members(entities, "attributes")),
      (.relationship, members(entities, "relationships")),
    ]
    for (mapping, nodes) in used {
      let keys = Set(nodes.flatMap { $0.pairs ?? [] }.map(\.key))
      // The model of names has classes.
      #expect(mapping.keys.map(\.name).filter { !keys.contains($0) && $0 != "class" } == [], "\(mapping)")
    }
  }

  /// A warning would be about a property that can stop the program.
  @Test(arguments: GeneratedModel.allCases)
  func theRecordTypesHaveNoWarningsOfTheirOwn(_ model: GeneratedModel) throws {
    let container = try PersistentContainer(recordTypes: model.recordTypes)
    #expect(container.model.warnings.map(\.description).filter { $0.hasPrefix("/recordTypes") } == [])
  }

  /// The golden file is the same for the model file and for the model of the record types.
  @Test(arguments: try Scenarios(in: GeneratedModel.scenarios))
  func aScenarioPassesWithTheRecordTypes(_ scenario: ScenarioTest) async throws {
    let model = try #require(GeneratedModel(rawValue: "\(scenario)"))
    let registrations = ScenarioRegistrations(recordTypes: model.recordTypes)
    try await scenario.check(registering: registrations)
    try await scenario.check(
      model: try ManagedObjectModel(recordTypes: model.recordTypes), registering: registrations)
  }

  /// Generated files are ignored by `swift format`, so that its settings have no effect on them. They have its default
  /// format.
  @Test(arguments: GeneratedModel.allCases)
  func theFilesAreFormatted(_ model: GeneratedModel) throws {
    let text = try String(contentsOf: model.file.url, encoding: .utf8)
    let ignored = "// swift-format-ignore-file\n"
    #expect(text.contains(ignored))
    let source = text.replacing(ignored, with: "")
    #expect(try formatted(source) == source)
  }

  // MARK: Running

  private func generate(_ arguments: String...) async -> (status: Int32, output: String) {
    var output = ""
    let context = CommandContext(
      environment: RunEnvironment(), execute: { await ScenarioExecution.execute($0, on: $1) },
      today: "2030-01-01", output: { output += $0 }, errors: { output += $0 })
    return (await RootCommand.status(of: ["generate"] + arguments, in: context), output)
  }

  private func formatted(_ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "format", "--configuration", #"{"version": 1}"#, "-"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }
}
