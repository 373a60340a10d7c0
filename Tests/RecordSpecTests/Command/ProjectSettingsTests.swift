import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat

/// Tests for the options of commands in `.recordspec.yaml`.
struct ProjectSettingsTests {
  private func suite(_ settings: String) async throws -> CommandSuite {
    let suite = try CommandSuite(["a": scenario(title: "a"), "b": scenario(title: "b")])
    #expect(await suite.recordspec("bless").status == 0)
    try suite.folder.write(settings, to: ".recordspec.yaml")
    return suite
  }

  private func settings(_ text: String) throws -> RunSettings {
    let folder = try TemporaryFolder()
    try folder.write(text, to: ".recordspec.yaml")
    try folder.write("", to: "Scenarios/a.yaml")
    var settings = RunSettings(around: folder.path + "/Scenarios")
    func plain(_ path: String?) -> String? { path?.replacing(folder.path + "/", with: "") }
    settings.golden = plain(settings.golden)
    settings.keptResults = plain(settings.keptResults)
    settings.timings = settings.timings.compactMap(plain)
    settings.reports = settings.reports.map { ReportRequest($0.format, path: plain($0.path)) }
    for index in settings.adapters.indices where settings.adapters[index].folder == folder.path {
      settings.adapters[index].folder = "."
    }
    return settings
  }

  @Test func everyKeyIsRead() throws {
    var expected = RunSettings()
    expected.golden = "Expected"
    expected.store = .sqlite
    expected.jobs = 3
    expected.color = .never
    expected.isVerbose = true
    expected.explains = true
    expected.keptResults = "out/kept"
    expected.maximumFailures = 4
    expected.repetitions = 2
    expected.shuffleSeed = 7
    expected.timeLimit = .milliseconds(1500)
    expected.slowest = 5
    expected.timings = ["out/last.jsonl"]
    expected.reports = [
      ReportRequest(.json, path: "out/report.jsonl"), ReportRequest(.text, path: "out/report.txt"),
    ]
    expected.includesDetails = true
    expected.isStrict = true
    var web = AdapterSettings("web", command: ["node", "--test", "a.mjs"], folder: ".")
    web.timeout = .seconds(60)
    expected.adapters = [web, AdapterSettings("python", command: ["python3", "a.py"], folder: ".")]
    let text = """
      golden: Expected
      store: sqlite
      jobs: 3
      color: never
      verbose: true
      explain: true
      keep: out/kept
      maxFailures: 4
      repeat: 2
      shuffle: 7
      timeout: 1.5s
      durations: 5
      details: true
      timings: [out/last.jsonl]
      reports: {json: out/report.jsonl, text: out/report.txt}
      strict: true
      adapters: {web: {command: [node, --test, a.mjs], timeout: 60s}, python: {command: [python3, a.py]}}
      allowOutside: []

      """
    #expect(try settings(text) == expected)
    // A key that this test does not know is missing above.
    let keys = Set(text.split(separator: "\n").compactMap { $0.split(separator: ":").first.map(String.init) })
    #expect(keys == Set(FormatMapping.settings.keyNames))
    #expect(try settings("") == RunSettings())
  }

  @Test func theCommandLineHasPrecedence() async throws {
    let suite = try await suite("verbose: true\nshuffle: 2\nmaxFailures: 1\nstore: sqlite\njobs: 1\n")
    #expect(
      await suite.recordspec("run", "--dry-run").output.hasSuffix(
        "2 scenarios, store sqlite, 1 job, shuffled with seed 2, until 1 failure\n"))
    #expect(
      await suite.recordspec(
        "run", "--dry-run", "--store", "memory", "--jobs", "2", "--shuffle", "3", "--max-failures", "5"
      ).output.hasSuffix("2 scenarios, store memory, 2 jobs, shuffled with seed 3, until 5 failures\n"))
    #expect(await suite.recordspec("run").output.contains("pass  a: a\n"))
  }

  @Test func testTargetsUseTheSameGoldenFiles() async throws {
    let suite = try await suite("golden: Expected\n")
    try suite.folder.write("{}", to: "Expected/gone.json")
    let scenarios = try Scenarios(in: URL(filePath: suite.folder.path + "/Scenarios"))
    #expect(scenarios.obsoleteGoldenFiles.map { $0.hasSuffix("/Expected/gone.json") } == [true])
  }

  /// A misspelled folder is not mistaken for one without golden files; `bless` still creates a new one.
  @Test(arguments: [
    ("Goldn", "did you mean 'Golden'? otherwise, 'recordspec bless"), ("Other", "'recordspec bless"),
  ])
  func aFolderOfGoldenFilesThatDoesNotExistIsAnError(name: String, advice: String) async throws {
    let suite = try CommandSuite(["a": scenario()])
    func recordspec(_ command: String) throws -> CommandSuite.Outcome {
      try suite.bash("\"$recordspec\" \(command)")
    }
    #expect(try recordspec("bless").status == 0)
    try suite.folder.write("golden: \(name)\n", to: ".recordspec.yaml")
    let refused = try recordspec("run")
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.errors.hasPrefix(
        ".recordspec.yaml:1:9: error: there is no folder of golden files '\(name)' [unreadable-file]\n"),
      "\(refused.errors)")
    #expect(refused.errors.contains("= help: \(advice)' creates this one\n"), "\(refused.errors)")
    #expect(try recordspec("bless").status == 0)
    #expect(try recordspec("run").status == 0)
    #expect(suite.written.contains("\(name)/a.json"))
  }

  @Test func aRunThatWatchesIgnoresOptionsForOneRun() async throws {
    let suite = try await suite("reports: {json: out.jsonl}\nmaxFailures: 1\nrepeat: 2\n")
    let outcome = await suite.recordspec("run", "--watch")
    #expect(
      outcome.errors
        == "warning: '--watch' ignores 'reports', 'maxFailures', 'repeat' of the project's settings\n")
    #expect(suite.folder.tree["out.jsonl"] == nil)
  }

  @Test func warningsAreErrorsIfTheProjectIsStrict() async throws {
    let suite = try CommandSuite(["a": doubtfulScenario()])
    #expect(await suite.recordspec("check").status == 0)
    try suite.folder.write("strict: true", to: ".recordspec.yaml")
    #expect(await suite.recordspec("check").status == 2)
  }

  @Test func reportsAreWrittenBesideTheSettings() async throws {
    let suite = try await suite("reports: {json: out/report.jsonl}\n")
    #expect(await suite.recordspec("run").output == "2 passed, 0 failed, 0 skipped\n")
    #expect(suite.folder.tree["out/report.jsonl"]?.contains(#""type":"end""#) == true)
  }

  /// An untrusted checkout must not decide which files outside of it are written.
  @Test(
    arguments: sampled([
      ("golden: ../Golden", "1:9: error: the path '../Golden' leads outside of the project [outside-file]"),
      ("keep: /tmp/kept", "1:7: error: the path '/tmp/kept' leads outside of the project [outside-file]"),
      (
        "reports: {json: a/../../b}",
        "1:17: error: the path 'a/../../b' leads outside of the project [outside-file]"
      ),
      ("keep: linked/kept", "1:7: error: the path 'linked/kept' leads outside of the project [outside-file]"),
      (
        "reports: {text: link.txt}",
        "1:17: error: the path 'link.txt' leads outside of the project [outside-file]"
      ),
      ("golden: .git/hooks", "1:9: error: the path '.git/hooks' belongs to Git [outside-file]"),
      (
        "reports: {json: a, text: ./a}",
        "1:10: error: two reports cannot be written to the same file"
      ),
      ("reports: {jsn: a}", "1:11: error: unknown key 'jsn' [unknown-key]"),
      ("store: disk", "1:8: error:"),
      ("timeout: 10", "1:10: error:"),
      ("timeout: 0s", "1:10: error: 'timeout' must be from 1ms to 1d [out-of-range]"),
      (
        "adapters: {a: {command: [b], timeout: 0s}}",
        "1:38: error: 'timeout' must be from 1ms to 1d [out-of-range]"
      ),
      ("timeout: 2d", "1:10: error: 'timeout' must be from 1ms to 1d [out-of-range]"),
      ("jobs: 0", "1:7: error:"),
      ("verbose: yes", "1:10: error:"),
      ("shard: 1/2", "1:1: error: unknown key 'shard' [unknown-key]"),
      ("tags: [slow]", "1:1: error: unknown key 'tags' [unknown-key]"),
    ]))
  func mistakesStopTheRun(text: String, message: String) async throws {
    let suite = try await suite(text)
    try suite.folder.link("linked", to: "/tmp")
    try suite.folder.link("link.txt", to: "/tmp/recordspec-absent.txt")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains(".recordspec.yaml:\(message)"), "\(outcome.errors)")
  }

  /// A setting that is refused for what the project contains is an error of the settings.
  @Test(arguments: [
    (
      "reports: {html: Golden/x.html}",
      "the report 'Golden/x.html' would be in the folder of golden files; write it to another folder"
    ),
    (
      "reports: {json: r.yaml}",
      "the report 'r.yaml' has the name of a scenario, a model or settings; write it to another file"
    ),
    ("keep: Golden/kept", "results cannot be kept in the folder of golden files"),
  ])
  func settingsThatCannotBeUsedAreNamed(text: String, message: String) async throws {
    let outcome = await (try await suite(text)).recordspec("run")
    #expect(outcome.status == 2)
    #expect(outcome.errors.hasPrefix(".recordspec.yaml: error: \(message) ["), "\(outcome.errors)")
  }

  @Test func aMisspelledFileNameIsAnErrorWithoutOtherMarks() throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write("golden: Nope\n", to: ".recordspec.yml")
    let outcome = try suite.bash("\"$recordspec\" run")
    #expect(outcome.status == 2)
    #expect(
      outcome.errors.hasPrefix(".recordspec.yml: error: settings are read from '.recordspec.yaml' only"),
      "\(outcome)")
  }

  @Test(
    arguments: sampled([
      ("keep: true", "write the folder for the results of failed scenarios, such as 'build/results'"),
      ("keep: false", "remove 'keep'; results are then not kept"),
      ("reports: [junit=out.xml, json=a/b.jsonl]", "write 'reports: {junit: out.xml, json: a/b.jsonl}'"),
      ("reports: [junit=a.xml, junit=b.xml]", "write 'reports: {junit: build/report.xml}'"),
      ("reports: [junit=a.xml, 'json=a: b']", "write 'reports: {junit: build/report.xml}'"),
      ("reports: [out.xml]", "write 'reports: {junit: build/report.xml}'"),
      ("fail-fast: true", "write 'maxFailures: 1'"), ("parallel: 4", "did you mean 'jobs'?"),
      ("shard: 1/2", "each job has its own shard: 'recordspec run --shard 1/3'"),
      ("tags: [slow]", "select by tag on the command line, as in 'recordspec run --tag slow'"),
    ]))
  func mistakesLeadToTheFix(text: String, advice: String) async throws {
    let outcome = await (try await suite(text)).recordspec("run")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains(" = help: \(advice)\n"), "\(outcome.errors)")
  }
}
