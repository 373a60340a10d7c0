import Foundation
import Testing

@testable import RecordSpec

/// Tests that follow the tutorial in an empty folder, and compare every listing and output with the article.
@Suite struct TutorialTests {
  private let article: Article

  init() throws { article = try Article("RecordSpec/TestARealAPI") }

  @Test func everyStepDoesWhatTheArticleShows() throws {
    let suite = try finishedProject()
    let files = suite.folder.tree.keys.filter { !$0.hasPrefix(".recordspec/") }
    #expect(article.tables(under: "| file | contents |").map { $0.firstColumn.sorted() } == [files.sorted()])
  }

  /// The commands of the job run in the finished project, with the command itself in place of the script that builds
  /// it.
  @Test func theContinuousIntegrationJobPasses() throws {
    let workflow = try #require(article.blocks.first { $0.fileName?.hasPrefix(".github/workflows/") == true })
    let commands = workflow.text.matches(of: /- run: (.*)/).map { String($0.1) }
    try #require(commands.count == 1)
    let script = URL(filePath: #filePath).appending(path: "../../../../scripts/run").standardizedFileURL
    #expect(try String(contentsOf: script, encoding: .utf8).hasSuffix("/recordspec\" run \"$@\"\n"))
    let run = commands[0].replacing("RecordSpec/scripts/run", with: "\"$recordspec\" run")
    let outcome = try finishedProject().bash(
      "export CI=true GITHUB_ACTIONS=true; unset GITHUB_STEP_SUMMARY; \(run)")
    #expect(outcome == .init(status: 0, output: "3 passed, 0 failed, 0 skipped\n", errors: ""))
  }

  /// Except for its command, the job is the one in the article on test targets.
  @Test func theContinuousIntegrationJobIsSetUpAsElsewhere() throws {
    let shown = try Article("RecordSpec/TestTargets").blocks(in: "yaml").map(\.text)
    let setup = """
          runs-on: ubuntu-latest
          container: swift:6.2
          steps:
            - uses: actions/checkout@v4

      """
    #expect(shown.contains { $0.hasPrefix("jobs:\n") && $0.contains(setup) })
    let workflow = try #require(article.blocks.first { $0.fileName?.hasPrefix(".github/workflows/") == true })
    let more =
      "\(setup)      - uses: actions/checkout@v4\n        with: {repository: your-account/RecordSpec, path: RecordSpec}\n"
    #expect(workflow.text.contains("\njobs:\n") && workflow.text.contains(more))
  }

  /// Scenarios do not read the requests and statuses of a recording, so only this test compares them.
  @Test func recordingsHaveTheRequestsOfTheScenarios() throws {
    struct Exchange: Decodable {
      var method: String
      var path: String
      var body: [String: String]?
      var status: Int
    }
    let scenarios = article.blocks(in: "yaml").map(\.text).joined()
    var methods: [String] = []
    for block in article.blocks(in: "json") where block.fileName?.contains("/_recordings/") == true {
      for exchange in try JSONDecoder().decode([Exchange].self, from: Data(block.text.utf8)) {
        methods.append(exchange.method)
        let method = exchange.method == "get" ? "" : exchange.method.uppercased() + " "
        #expect(scenarios.contains("\n  \(method)\(exchange.path.dropFirst()):\n"), "\(exchange.path)")
        #expect(exchange.status == 200)
        for (name, value) in exchange.body ?? [:] {
          #expect(scenarios.contains("\n    json: {\(name): \(value)}\n"))
        }
      }
    }
    #expect(methods == ["get", "get", "patch"])
  }

  /// The tables explain lines of the model and of the output, in the order of the listing.
  @Test(arguments: [
    ("| line of the model | effect |", "yaml", "dateFormat"), ("| output | meaning |", "console", "FAIL"),
  ])
  func tablesQuoteTheListing(header: String, language: String, start: String) throws {
    let listing = try #require(article.blocks(in: language).first { $0.text.contains(start) })
    var rest = listing.text[...]
    let rows = article.tables(under: header).flatMap(\.firstColumn)
    #expect(rows.count > 4)
    for row in rows {
      let range = try #require(rest.range(of: row), "\(row) is not in the listing, or not in this order")
      rest = rest[range.upperBound...]
    }
  }

  /// Writes the files, makes the changes and runs the commands of the article from start to end.
  private func finishedProject() throws -> CommandSuite {
    let suite = try CommandSuite()
    var status: Int32 = 0
    for block in article.blocks {
      switch (block.language, block.fileName) {
      case ("console", nil):
        let transcript = try suite.transcript(of: block.text, status: &status)
        #expect(transcript == block.text, "line \(block.line) shows a different output")
      case ("diff", let file?):
        try suite.folder.write(changed(suite.folder.read(file), by: block), to: file)
      case (_, let file?) where file.hasPrefix("Golden/"):
        #expect(
          try suite.folder.read(file) == block.text, "line \(block.line) shows different contents of \(file)")
      case (_, let file?):
        #expect(!suite.folder.exists(file), "line \(block.line) shows \(file) a second time")
        try suite.folder.write(block.text, to: file)
      case (_, nil): Issue.record("line \(block.line) shows neither a file nor a command")
      }
    }
    return suite
  }

  /// Returns the file with each removed line of a diff replaced by the added line after it.
  private func changed(_ text: String, by diff: Article.Block) throws -> String {
    let lines = diff.text.split(separator: "\n")
    try #require(!lines.isEmpty && lines.count.isMultiple(of: 2))
    var text = text
    for index in stride(from: 0, to: lines.count, by: 2) {
      try #require(lines[index].hasPrefix("-") && lines[index + 1].hasPrefix("+"))
      let old = "\n\(lines[index].dropFirst())\n"
      try #require(text.ranges(of: old).count == 1, "\(lines[index]) is not exactly one line of the file")
      text = text.replacing(old, with: "\n\(lines[index + 1].dropFirst())\n")
    }
    return text
  }
}
