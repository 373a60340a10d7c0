import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport

/// Tests that compare the verdicts of `recordspec check` and of the JSON Schema.
///
/// The schema must accept every file that `check` accepts. It must refuse the others, except for the reasons in
/// ``ReasonBeyondSchema``.
@Suite(.enabled(if: SchemaValidator.isAvailable, SchemaValidator.advice))
struct SchemaAgreementTests {
  private static let folders = [
    "Scenarios", "Tests/RecordSpecTests/Format/passing", "Tests/RecordSpecTests/Format/failing",
    "Tests/ExampleAppTests",
  ]

  // MARK: Accepted files

  /// The codes of errors about other files, which the examples of articles do not have.
  private static let codesOfOtherFiles = ["unreadable-file", "unknown-model", "xcode-model-file"]

  /// The files without errors. The others are examples of settings, of workflows and of errors.
  private static let accepted: [(file: FormatFile, value: JSONValue?)] = {
    let files = folders.flatMap(RepositoryFiles.files) + ((try? RepositoryFiles.examples) ?? [])
    return files.filter { file in
      file.errors.allSatisfy { codesOfOtherFiles.contains($0.code.rawValue) }
    }.map { ($0, $0.value) }
  }()

  @Test func acceptsTheFilesOfTheRepository() throws {
    let values = try sampled(Self.accepted).map { ($0.file.file, try #require($0.value, "\($0.file.path)")) }
    #expect(Self.accepted.count { $0.file.file == .scenario } > 800)
    #expect(Self.accepted.count { $0.file.file == .model } > 3)
    for (accepted, error) in zip(sampled(Self.accepted), try SchemaValidator.errors(of: values)) {
      #expect(error == nil, "\(accepted.file.path)")
    }
  }

  // MARK: Refused files

  /// `Format/beyond-schema.txt` lists the files in `Format/refused` that the schema accepts, with the reason of the refusal.
  ///
  /// `RECORD_BEYOND_SCHEMA=1 swift test --filter SchemaAgreementTests` updates the list for review, except in CI.
  @Test func refusesWhatIsWrongInItsForm() throws {
    let folder = "Tests/RecordSpecTests/Format"
    let files = RepositoryFiles.files(below: "\(folder)/refused").filter { !$0.path.contains("/_") }
    let readable = files.compactMap { file in file.value.map { (file, $0) } }
    #expect(readable.count > 250)
    var list = ""
    let answers = try SchemaValidator.errors(of: readable.map { ($0.file, $1) })
    for ((file, _), answer) in zip(readable, answers) where answer == nil {
      let name = FilePath.name(of: file.path)
      let errors = file.errors
      // An error of another file, such as a model, is not an error of this one.
      let reason = errors.isEmpty ? .otherFile : ReasonBeyondSchema(errors[0], in: file)
      #expect(errors.count <= 1, "\(name)")
      list += "\(name): \(try #require(reason, "\(name)").rawValue)\n"
    }
    let path = "\(RepositoryFiles.root)/\(folder)/beyond-schema.txt"
    let environment = RunEnvironment(variables: ProcessInfo.processInfo.environment)
    if environment.variables["RECORD_BEYOND_SCHEMA"] == "1", !environment.isCI {
      try list.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == list)
  }

  /// The other refused files are not JSON values, so that an editor reports them as invalid YAML.
  @Test func refusedFilesWithoutAValueAreNotYAML() {
    let codes = [
      "yaml-", "no-json", "encoding", "control-character", "duplicate-key", "unknown-property",
    ]
    for file in RepositoryFiles.files(below: "Tests/RecordSpecTests/Format/refused") where file.value == nil {
      let errors = file.errors.map(\.code.rawValue)
      #expect(!errors.isEmpty, "\(file.path)")
      #expect(errors.allSatisfy { code in codes.contains { code.hasPrefix($0) } }, "\(file.path)")
    }
  }

  // MARK: Random files

  private static let keys = Set(
    (FormatMapping.steps + [
      .scenario, .model, .entity, .attribute, .relationship, .customization, .response, .options,
      .pagingRule, .orphans, .expectation, .expectedEntity, .diagnostic, .drift, .changes,
    ]).flatMap(\.keyNames)
  ).sorted()

  /// `RANDOM_SEEDS=1...20000 swift test --filter agreeOnRandomFiles` tests other seeds.
  @Test func agreeOnRandomFiles() throws {
    // Examples of articles name files that do not exist.
    let files = Self.accepted.filter { $0.file.path.hasPrefix(RepositoryFiles.root) }
    var mutants: [(seed: UInt64, file: FormatFile, value: JSONValue)] = []
    for seed in Self.seeds {
      var mutator = FileMutator(seed: seed, keys: Self.keys)
      let element = mutator.element(of: files)
      let (file, value) = try #require(element)
      let mutant = mutator.mutant(of: try #require(value))
      mutants.append((seed, file.with(mutant), mutant))
    }
    let answers = try SchemaValidator.errors(of: mutants.map { ($0.file.file, $0.value) })
    var counts = (both: 0, refused: 0, beyond: 0)
    for (mutant, answer) in zip(mutants, answers) {
      let errors = mutant.file.errors
      switch (errors.isEmpty, answer) {
      case (true, nil): counts.both += 1
      case (false, .some): counts.refused += 1
      case (true, let error?):
        Issue.record("seed \(mutant.seed): only the schema refuses \(mutant.file.path): \(error)")
      case (false, nil):
        counts.beyond += 1
        for error in errors where ReasonBeyondSchema(error, in: mutant.file) == nil {
          Issue.record(
            "seed \(mutant.seed): only 'check' refuses \(mutant.file.path): \(error.code.rawValue): \(error.message)"
          )
        }
      }
    }
    #expect(min(counts.both, counts.refused, counts.beyond) > mutants.count / 50, "\(counts)")
  }

  private static var seeds: [UInt64] {
    let text = ProcessInfo.processInfo.environment["RANDOM_SEEDS"] ?? "1...1000"
    let bounds = text.split(separator: ".").compactMap { UInt64($0) }
    return bounds.count == 2 && bounds[0] <= bounds[1] ? Array(bounds[0]...bounds[1]) : []
  }

  // MARK: Examples

  @Test func examplesAreAccepted() throws {
    var schemas: [JSONValue] = []
    var examples: [(schema: Int, value: JSONValue)] = []
    func collect(_ value: JSONValue) {
      switch value {
      case .object(let members):
        if case .array(let values)? = members["examples"] {
          examples += values.map { (schemas.count, $0) }
          schemas.append(value)
        }
        members.values.forEach(collect)
      case .array(let elements): elements.forEach(collect)
      default: break
      }
    }
    for file in FormatSchema.File.allCases { collect(FormatSchema(of: file).value) }
    #expect(examples.count > 100)
    for (example, error) in zip(examples, try SchemaValidator.errors(of: examples, schemas: schemas)) {
      #expect(error == nil, "\(example.value)")
    }
  }
}
