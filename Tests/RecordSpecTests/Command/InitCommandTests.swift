import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat

/// Tests for `recordspec init`.
struct InitCommandTests {
  private let suite: CommandSuite

  init() throws { suite = try CommandSuite() }

  private func recordspec(_ line: String) throws -> CommandSuite.Outcome {
    try suite.bash("unset GITHUB_ACTIONS; \"$recordspec\" \(line)")
  }

  @Test func theExamplePasses() throws {
    let first = try recordspec("init")
    #expect(
      first
        == .init(
          status: 0,
          output: """
            wrote Scenarios/example.yaml
            wrote Scenarios/example.model.yaml
            wrote Scenarios/scenario.schema.json
            wrote Scenarios/model.schema.json
            wrote .recordspec.yaml
            next: recordspec bless example

            """, errors: ""))
    let comment = "# yaml-language-server: $schema="
    #expect(try suite.folder.read("Scenarios/example.yaml").hasPrefix(comment + "scenario.schema.json\n"))
    #expect(try suite.folder.read("Scenarios/example.model.yaml").hasPrefix(comment + "model.schema.json\n"))
    #expect(try suite.folder.read("Scenarios/model.schema.json") == FormatSchema(of: .model).text)
    #expect(try recordspec("bless example").status == 0)
    #expect(try recordspec("run").output == "1 passed, 0 failed, 0 skipped\n")
    #expect(try recordspec("check --strict").status == 0)

    let before = suite.folder.tree
    let again = try recordspec("init")
    #expect(again.status == 0)
    #expect(again.output.hasPrefix("kept Scenarios/example.yaml\nkept Scenarios/example.model.yaml\nkept "))
    #expect(!again.output.contains("wrote"))
    #expect(suite.folder.tree == before)
  }

  @Test func theArticleShowsTheOutput() throws {
    let article = try Article("RecordSpec/StartingSuites")
    let listing = try #require(article.blocks.first { $0.text.contains("$ recordspec init\n") }).text
    var status: Int32 = 1
    #expect(try suite.transcript(of: listing, status: &status) == listing)
    #expect(status == 0)
    let table = try #require(
      article.tables(under: "| file | contents |").first { $0.heading == "Lay out a project" })
    let names = table.firstColumn
    let jobs = ContinuousIntegration.allCases.compactMap(\.file)
    let written = suite.folder.tree.keys.filter { !$0.hasPrefix("Golden/") && !$0.hasPrefix(".recordspec/") }
    #expect(names.sorted() == (written + jobs).sorted())
  }

  @Test func aSuiteWithScenariosIsKept() throws {
    try suite.folder.write(scenario(), to: "Scenarios/mine.yaml")
    try suite.folder.write("strict: true\n", to: ".recordspec.yaml")
    let outcome = try recordspec("init")
    #expect(
      outcome.output == """
        wrote Scenarios/scenario.schema.json
        wrote Scenarios/model.schema.json
        kept .recordspec.yaml
        next: recordspec import session.har, or recordspec new NAME

        """, "\(outcome.output)\(outcome.errors)")
    #expect(try suite.folder.read(".recordspec.yaml") == "strict: true\n")
  }

  @Test func aFolderIsCreated() throws {
    let outcome = try recordspec("init 'my api/tests' --no-example")
    #expect(
      outcome.output == """
        wrote my api/tests/Scenarios/scenario.schema.json
        wrote my api/tests/Scenarios/model.schema.json
        wrote my api/tests/.recordspec.yaml
        next: cd 'my api/tests'
        next: recordspec import session.har, or recordspec new NAME

        """, "\(outcome.output)\(outcome.errors)")
    try suite.folder.write("", to: "file")
    let refused = try recordspec("init file")
    #expect(refused == .init(status: 64, output: "", errors: "error: 'file' is a file, not a folder\n"))
  }

  /// A file below the project folder would hide the files of the project from scenarios.
  @Test func theProjectAboveRemainsTheProject() throws {
    try suite.folder.write("", to: "Package.swift")
    let outcome = try recordspec("init api --no-example")
    #expect(
      outcome.output.hasSuffix(
        """
        wrote api/Scenarios/model.schema.json
        the project folder is \(FileAccess.resolved(suite.folder.path)), which contains 'Package.swift'
        next: cd api
        next: recordspec import session.har, or recordspec new NAME

        """), "\(outcome.output)\(outcome.errors)")
    #expect(suite.folder.tree["api/.recordspec.yaml"] == nil)
  }

  /// Each option of the written settings is valid without its comment sign, and none is set with it.
  @Test func theSettingsAreATemplate() throws {
    func settings(_ text: String) throws -> (RunSettings, [AuthorDiagnostic]) {
      try suite.folder.write(text, to: ".recordspec.yaml")
      let findings = Findings()
      return (ProjectSettings(in: suite.folder.path, findings: findings).run, findings.diagnostics)
    }
    let (none, noProblems) = try settings(ProjectSettings.template)
    #expect(none == RunSettings() && noProblems.isEmpty)
    let lines = ProjectSettings.template.split(separator: "\n").map { $0.dropFirst(2) }
    let options = lines.filter { line in
      FormatMapping.settings.keyNames.contains { line.hasPrefix($0 + ":") }
    }
    let (all, problems) = try settings(options.joined(separator: "\n"))
    #expect(options.count == 5 && problems.isEmpty, "\(problems)")
    #expect(all.isStrict == true && all.timeLimit == .seconds(10) && all.reports.map(\.format) == [.junit])
  }

  /// GitHub and GitLab read jobs at the root of the repository only.
  @Test(arguments: [
    ("github", ".github/workflows/scenarios.yml", "      - run: recordspec"),
    ("gitlab", ".gitlab-ci.yml", "    - recordspec"),
  ])
  func theJobIsAtTheRootOfTheRepository(service: String, file: String, command: String) throws {
    try suite.folder.makeFolder(".git")
    let outcome = try recordspec("init 'my api' --ci \(service)")
    #expect(outcome.status == 0 && outcome.output.contains("\nwrote \(file)\n"), "\(outcome.output)")
    let job = try suite.folder.read(file)
    #expect(job.hasSuffix("\n\(command) --scenarios 'my api/Scenarios'\n"), "\(job)")
    let (root, diagnostics) = YAMLParser.parse(SourceFile(path: file, bytes: Array(job.utf8)))
    #expect(root != nil && diagnostics.isEmpty)
  }

  @Test func aJobIsNotAddedToAFileOfTheUser() throws {
    try suite.folder.write("test: {script: make}\n", to: ".gitlab-ci.yml")
    let outcome = try recordspec("init --ci gitlab")
    #expect(
      outcome.output.contains(
        "\nadd this job to .gitlab-ci.yml:\n\n  scenarios:\n    image: swift:6.2-noble\n"))
    #expect(outcome.output.contains("\n      - recordspec\n\nnext: "))
    #expect(try suite.folder.read(".gitlab-ci.yml") == "test: {script: make}\n")
  }

  /// A job that only mentions the tool does not run scenarios.
  @Test(
    arguments: sampled([
      ("    - recordspec", true), ("    - 'recordspec --scenarios \"my api\"'", true),
      ("      recordspec run", true),
      ("    - RecordSpec/scripts/run", true), ("    - make && .build/release/recordspec", true),
      ("      - run: swift run recordspec", true), ("  script: [make, recordspec run]", true),
      ("    - CI=1 recordspec", true), ("    - swift package recordspec", true),
      ("    # recordspec", false), ("    - make # then recordspec", false),
      ("    - RecordSpec/scripts/install", false),
      ("    - git clone https://gitlab.com/a/recordspec", false), ("    - recordspec-upload", false),
      ("        with: {repository: a/RecordSpec, path: recordspec}", false), ("    name: recordspec", false),
    ]))
  func aJobThatRunsScenariosIsRecognized(line: String, isRecognized: Bool) throws {
    try suite.folder.write("test:\n\(line)\n", to: ".gitlab-ci.yml")
    let outcome = try recordspec("init --ci gitlab")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.contains("\nadd this job to .gitlab-ci.yml:\n") != isRecognized, "\(outcome.output)")
  }

  @Test func nothingIsWrittenInPart() throws {
    try suite.folder.write("", to: "Scenarios")
    let outcome = try recordspec("init")
    #expect(
      outcome.status == 3 && outcome.errors.hasPrefix("error: no file was written: "), "\(outcome.errors)")
    #expect(suite.folder.tree.keys.sorted() == ["Scenarios"])
  }
}
