import Foundation
import Testing

/// Tests that run the commands of the article on results, and compare their output with the article.
struct SeeingResultsArticleTests {
  private let article: Article
  private let suite: CommandSuite

  init() throws {
    article = try Article("RecordSpec/SeeingResults")
    suite = try CommandSuite(["books": try #require(article.blocks(in: "yaml").first).text])
  }

  @Test func commandsPrintWhatTheArticleShows() throws {
    var status: Int32 = 0
    for block in article.blocks(in: "console") {
      #expect(try suite.transcript(of: block.text, status: &status) == block.text, "line \(block.line)")
      #expect(status == 0)
    }
  }

  /// `scripts/pictures` updates the drawing.
  @Test func theDrawingIsThatOfTheScenario() async throws {
    let outcome = await suite.recordspec("graph", "books", "--step", "2")
    let file = URL(filePath: #filePath)
      .appending(path: "../../../../Sources/RecordSpec/RecordSpec.docc/Resources/books-graph.svg")
    #expect(try String(contentsOf: file.standardizedFileURL, encoding: .utf8) == outcome.output)
  }

  @Test func resultsAreKeptInAFolder() throws {
    let commands = article.text.matches(of: #/(?m)^    (recordspec .*)$/#).map { String($0.1) }
    try #require(commands.count == 3)
    var status: Int32 = 0
    let kept = try suite.transcript(of: "$ export CI=true; \(commands[0])", status: &status)
    #expect(status == 1 && kept.contains("1 new: 0 passed"), "\(kept)")
    let shown = try suite.transcript(of: "$ \(commands[1])", status: &status)
    #expect(status == 0 && shown.contains("\n  Book/a-2  a-2   Tides  340    Author/8\n"), "\(shown)")
    let explained = try suite.transcript(of: "$ \(commands[2])", status: &status)
    #expect(status == 0 && explained.contains("\nBook/a-2.title  \"Tides\"\n"), "\(explained)")
  }
}
