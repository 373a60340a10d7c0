import Foundation
import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport

/// The validator of `scripts/schema-validator`, which is not part of this project.
struct SchemaValidator {
  private static let script = RepositoryFiles.root + "/scripts/schema-validator"

  /// A Boolean value that indicates whether the validator can run. In CI it must.
  static let isAvailable =
    RunEnvironment(variables: ProcessInfo.processInfo.environment).isCI
    || (try? run(["--check"]).status) == 0

  static let advice: Comment = "'scripts/schema-validator' installs the validator"

  /// Returns the first error of each value of a file; nil if the schema of such files accepts it.
  static func errors(of values: [(file: FormatSchema.File, value: JSONValue)]) throws -> [String?] {
    let files = FormatSchema.File.allCases
    return try errors(
      of: values.map { (files.firstIndex(of: $0.file) ?? 0, $0.value) },
      schemas: files.map { FormatSchema(of: $0).value })
  }

  /// Returns the first error of each value; nil if the schema with the index accepts it. Throws an error if a schema is not
  /// valid by the meta-schema of draft-07.
  static func errors(
    of values: [(schema: Int, value: JSONValue)], schemas: [JSONValue]
  ) throws -> [String?] {
    let lines = values.map {
      JSONValue.array([.number(JSONNumber(Int64($0.schema))), $0.value]).compactText()
    }
    let folder = try TemporaryFolder()
    try folder.write(
      ([JSONValue.array(schemas).compactText()] + lines).joined(separator: "\n") + "\n", to: "values")
    let outcome = try run([folder.path + "/values"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let answers = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    try #require(answers.count == values.count)
    return answers.map { $0 == "true" ? nil : String($0) }
  }

  private static func run(_ arguments: [String]) throws -> CommandSuite.Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: script)
    process.arguments = arguments
    return try RunningCommand(process).end()
  }
}
