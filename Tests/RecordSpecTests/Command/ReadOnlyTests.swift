import ArgumentParser
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for commands in a read-only run, as the plugin for `swift package` starts them.
struct ReadOnlyTests {
  /// The arguments with which each command writes files.
  private static let writing: [[String]] = [
    ["bless"], ["bless", "posts"], ["bless", "--prune"], ["review", "--accept", "3f9a01c2"],
    ["import", "session.har"],
    ["reduce", "posts"], ["merge-golden", "base", "ours", "theirs"], ["run", "--keep", "kept"],
    ["--keep", "kept"],
    ["graph", "posts", "--output", "posts.svg"], ["schema", "--output", "schema.json"],
    ["generate", "posts", "--output", "Records.swift"], ["new", "posts"], ["init"],
    ["run", "--report", "json=report.jsonl"], ["rules", "--html", "rules.html"],
    ["merge", "a.jsonl", "--report", "text=report.txt"],
  ]

  /// The arguments with which each command that can write files writes none, and those of the other commands.
  private static let reading: [[String]] = [
    [], ["run"], ["check"], ["review"], ["review", "--json"], ["show", "posts"], ["explain", "posts"],
    ["graph", "posts"],
    ["graph", "posts", "--output", "-"], ["schema"], ["schema", "--output", "-"], ["serve", "posts"],
    ["generate", "posts"], ["generate", "posts", "--output", "Records.swift", "--check"], ["rules"],
    ["rules", "--html", "-"],
    ["model", "posts"], ["merge", "a.jsonl"], ["merge", "a.jsonl", "--report", "json"],
    ["run", "--report", "json"],
  ]

  @Test func everyCommandIsListed() throws {
    let listed = Set((Self.writing + Self.reading).compactMap(\.first).filter { !$0.hasPrefix("-") })
    #expect(listed == Set(HelpTests.subcommands.map(\.name)))
  }

  @Test(arguments: sampled(writing))
  func commandsThatWriteAreRefused(arguments: [String]) async throws {
    #expect(try writesFiles(arguments))
    var text = ""
    let context = CommandContext(
      environment: RunEnvironment(variables: ["RECORDSPEC_READ_ONLY": "1"]),
      execute: { await ScenarioExecution.execute($0, on: $1) }, today: "2030-01-01",
      output: { text += "on standard output: " + $0 }, errors: { text += $0 })
    #expect(await RootCommand.status(of: arguments, in: context) == 64)
    #expect(
      text
        == "error: this command writes files, but 'RECORDSPEC_READ_ONLY' is set; in a Swift package, use 'swift package recordspec-write'\n"
    )
  }

  @Test(arguments: sampled(reading))
  func otherCommandsAreNot(arguments: [String]) throws {
    #expect(try !writesFiles(arguments))
  }

  private func writesFiles(_ arguments: [String]) throws -> Bool {
    try #require(try RootCommand.parseAsRoot(arguments) as? any RunnableCommand).writesFiles
  }

  @Test func filesOfTheSettingsAreNotWritten() async throws {
    var suite = try CommandSuite(["posts": scenario()])
    #expect(await suite.recordspec("bless").status == 0)
    suite.variables["RECORDSPEC_READ_ONLY"] = "1"
    try suite.folder.write("reports: {json: report.jsonl}\nkeep: kept\n", to: ".recordspec.yaml")
    let before = suite.folder.tree
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "warning: 'reports' and 'keep' of the project's settings are ignored, because 'RECORDSPEC_READ_ONLY' is set\n"
    )
    #expect(suite.folder.tree == before)
  }

  @Test func nothingIsWritten() async throws {
    var suite = try CommandSuite(["posts": scenario()])
    suite.variables["RECORDSPEC_READ_ONLY"] = "1"
    let before = suite.folder.tree
    #expect(await suite.recordspec("run").status == 1)
    #expect(suite.folder.tree == before)
    suite.variables = [:]
    #expect(await suite.recordspec("run").status == 1)
    #expect(suite.written.contains { $0.hasPrefix(".recordspec/") })
  }
}
