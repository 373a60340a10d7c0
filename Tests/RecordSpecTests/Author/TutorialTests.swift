import Foundation
import Testing

@testable import ScenarioReport

/// Tests that follow the tutorial in an empty folder, and compare every listing and output with the article.
@Suite struct TutorialTests {
  private let article: Article

  init() throws { article = try Article("RecordSpec/TestARealAPI") }

  @Test func everyStepDoesWhatTheArticleShows() throws {
    let suite = try finishedProject()
    let files = suite.folder.tree.keys.filter { !$0.hasPrefix(".recordspec/") }
    #expect(article.tables(under: "| file | contents |").map { $0.firstColumn.sorted() } == [files.sorted()])
  }

  /// The last command of the job runs in the finished project, with the command that the one before it installs.
  @Test func theContinuousIntegrationJobPasses() throws {
    let workflow = try #require(article.blocks.first { $0.fileName?.hasPrefix(".github/workflows/") == true })
    let commands = workflow.text.matches(of: /\srun: (.*)/).map { String($0.1) }
    try #require(
      commands == [
        "RecordSpec/scripts/setup", "RecordSpec/scripts/install --prefix /opt/recordspec",
        "echo /opt/recordspec/bin >> \"$GITHUB_PATH\"", "recordspec",
      ])
    let outcome = try finishedProject().bash(
      "export CI=true GITHUB_ACTIONS=true; unset GITHUB_STEP_SUMMARY; \"$recordspec\"")
    #expect(outcome == .init(status: 0, output: "1 passed, 0 failed, 0 skipped\n", errors: ""))
  }

  /// The jobs that build RecordSpec check it out, and install its libraries.
  @Test(arguments: ["TestARealAPI", "TestTargets"])
  func jobsAreSetUpInTheSameWay(name: String) throws {
    let jobs = try Article("RecordSpec/\(name)").blocks(in: "yaml").map(\.text)
      .filter { $0.contains("actions/checkout") }
    #expect(jobs.count == 1)
    let setup = """
            - uses: actions/checkout@v4
              with: {repository: your-account/RecordSpec, path: RecordSpec}
            - run: RecordSpec/scripts/setup

      """
    for job in jobs {
      #expect(job.hasPrefix("on: [push, pull_request]\njobs:\n") && job.contains(setup.dropLast()), "\(job)")
      #expect(job.contains("    container: swift:6.2-noble\n"))
    }
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
      case (_, let file?) where suite.folder.exists(file):
        #expect(
          try suite.folder.read(file) == block.text, "line \(block.line) shows different contents of \(file)")
      case (_, let file?): try suite.folder.write(block.text, to: file)
      case (_, nil): Issue.record("line \(block.line) shows neither a file nor a command")
      }
    }
    return suite
  }

  /// Returns the file with the changes of a diff. Each part of the diff consists of unchanged and removed lines, and of the
  /// added lines after them.
  private func changed(_ text: String, by diff: Article.Block) throws -> String {
    var text = text
    var old = "\n"
    var new = "\n"
    var isAdding = false
    func change() throws {
      try #require(text.ranges(of: old).count == 1, "\(old) is not in exactly one place of the file")
      text = text.replacing(old, with: new)
    }
    for line in diff.text.split(separator: "\n") {
      if isAdding, !line.hasPrefix("+") {
        try change()
        (old, new) = ("\n", "\n")
      }
      isAdding = line.hasPrefix("+")
      try #require(" -+".contains(line.prefix(1)), "\(line) is not a line of a diff")
      if !isAdding { old += line.dropFirst() + "\n" }
      if !line.hasPrefix("-") { new += line.dropFirst() + "\n" }
    }
    try change()
    return text
  }
}
