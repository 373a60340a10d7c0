import ArgumentParser
import JSONTree
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the article about CI.
struct ContinuousIntegrationArticleTests {
  private let article: Article

  init() throws { article = try Article("RecordSpec/ContinuousIntegration") }

  /// The article has commands in listings and in the files of two CI systems.
  @Test func theCommandsAreValid() throws {
    let commands = article.blocks.flatMap { block in
      block.text.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^\s*(?:(?:- |- run: )?recordspec |with: \{arguments: ")([^"]+)/)
          .map { String($0.1) }
      }
    }
    #expect(commands.count == 13)
    for command in commands {
      let words = command.replacing("${{ matrix.shard }}", with: "1")
        .replacing("$CI_NODE_INDEX", with: "2").replacing("$CI_NODE_TOTAL", with: "3")
        .split(separator: " ").map(String.init)
      #expect(throws: Never.self, "\(command)") { try RootCommand.parseAsRoot(words) }
    }
  }

  @Test func theSettingsAreValid() throws {
    let settings = try #require(article.blocks.first { $0.fileName == ".recordspec.yaml" })
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write(settings.text, to: ".recordspec.yaml")
    #expect(ReadableFolders.find(around: suite.folder.path + "/Scenarios").problems.isEmpty)
    let keys = article.text.matches(of: /\n\| `([a-zA-Z]+)` \| `--/).map { String($0.1) }
    #expect(keys.sorted() == FormatMapping.settings.keyNames.sorted())
  }

  @Test func theMembersOfTheReportAreComplete() throws {
    for (type, line) in Self.lines {
      let row = try #require(article.text.split(separator: "\n").first { $0.hasPrefix("| `\(type)` |") })
      let listed = Set(row.matches(of: /`([a-zA-Z]+)`/).map { String($0.1) })
      let text = try #require(line.form).compactText()
      let written = Set(try JSONDocument(parsing: Array(text.utf8)).root.members.map { String($0.key) })
      #expect(listed.subtracting([type]) == written.subtracting([type, "type"]), "\(type)")
    }
    for outcome in ScenarioOutcome.Kind.allCases { #expect(article.text.contains("`\(outcome.rawValue)`")) }
  }

  /// Lines with all members.
  private static var lines: [(String, RunEvent)] {
    let file = SourceFile(path: "a.yaml", bytes: Array("a: b".utf8))
    let problem = ReportedProblem(
      AuthorDiagnostic(.unknownKey, at: file.span(0..<1), "unknown"), DiagnosticRenderer())
    var scenario = ReportedScenario(
      name: "a", path: "a.yaml", title: "A", outcome: .skipped, headline: "skip a")
    (scenario.tags, scenario.rules, scenario.reason, scenario.failureText) = (["a"], ["a.b"], "later", "text")
    (scenario.errors, scenario.warnings, scenario.otherAnnotations) = (
      [problem], [problem], [problem.annotation]
    )
    scenario.hasUnreadableGoldenFile = true
    var summary = RunSummary()
    (summary.notRun, summary.unfinished, summary.problems, summary.obsolete) = (1, 1, 1, ["a"])
    summary.isCI = true
    return [
      ("run", .planned(PlannedRun(count: 1, digest: "a", shard: Shard("1/2")))),
      ("scenario", .ended(scenario)),
      ("details", .detailed(ScenarioDetails(index: 0, texts: [SharedText("a")], form: [:]))),
      ("problem", .problem(problem)), ("end", .runEnded(summary)),
    ]
  }
}
