import TestSupport
import Testing

@testable import ScenarioReport

struct RunSummaryTests {
  @Test(arguments: [
    (
      RunSummary.with {
        $0[.passed] = 12
        $0[.skipped] = 1
      }, "12 passed, 0 failed, 1 skipped", 0
    ),
    (
      .with {
        $0[.passed] = 1
        $0[.failed] = 2
      }, "1 passed, 2 failed, 0 skipped", 1
    ),
    (.with { $0[.new] = 1 }, "1 new: 0 passed, 1 failed, 0 skipped", 1),
    (
      .with {
        $0[.new] = 128
        $0[.failed] = 6
      }, "128 new: 0 passed, 134 failed, 0 skipped", 1
    ),
    (.with { $0[.expectedFailure] = 2 }, "2 expected failures: 2 passed, 0 failed, 0 skipped", 0),
    (.with { $0[.unexpectedPass] = 1 }, "1 unexpected pass: 0 passed, 1 failed, 0 skipped", 1),
    (
      .with {
        $0[.invalid] = 1
        $0[.failed] = 1
        $0[.skipped] = 4
      }, "1 invalid: 0 passed, 2 failed, 4 skipped", 2
    ),
    (
      .with {
        $0[.broken] = 1
        $0[.invalid] = 1
      }, "1 invalid, 1 broken: 0 passed, 2 failed, 0 skipped", 3
    ),
    (
      .with {
        $0[.passed] = 1
        $0.problems = 1
      }, "1 error outside the scenarios: 1 passed, 1 failed, 0 skipped", 2
    ),
    (.with { $0.obsolete = ["a", "b"] }, "2 obsolete golden files: 0 passed, 0 failed, 0 skipped", 0),
    (
      .with {
        $0.obsolete = ["a"]
        $0.isCI = true
      }, "1 obsolete golden file: 0 passed, 1 failed, 0 skipped", 1
    ),
    (
      .with {
        $0[.passed] = 2
        $0.unfinished = 723
      }, "723 not finished: 2 passed, 723 failed, 0 skipped", 3
    ),
    (RunSummary(), "0 passed, 0 failed, 0 skipped", 0),
  ])
  func countsAndStatus(summary: RunSummary, text: String, status: Int32) {
    #expect(summary.text == text)
    #expect(summary.status.rawValue == status)
  }

  /// The article explains every special count, in the order of the line.
  @Test func theArticleExplainsTheCounts() throws {
    let summary = RunSummary.with {
      ($0[.new], $0[.invalid], $0[.unexpectedPass], $0[.broken]) = (2, 2, 2, 2)
      ($0.unfinished, $0.notRun, $0[.expectedFailure], $0.problems) = (2, 2, 2, 2)
      ($0.unreadableGoldenFiles, $0.obsolete) = (2, ["a", "b"])
    }
    let article = try Article("RecordSpec/RunningScenarios")
    let table = try #require(article.tables(under: "| special count |").first)
    #expect(
      summary.text.prefix { $0 != ":" }.split(separator: ", ") == table.firstColumn.map { "2 \($0)" })
  }

  /// The numbers are consistent with each other and with the exit status.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func theNumbersAgree(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func count() -> Int { max(0, Int.random(in: -4...3, using: &generator)) }
    let summary = RunSummary.with {
      $0[.passed] = count()
      $0[.failed] = count()
      $0[.new] = count()
      $0[.invalid] = count()
      $0[.skipped] = count()
      $0[.expectedFailure] = count()
      $0[.unexpectedPass] = count()
      $0[.broken] = count()
      $0.problems = count()
      $0.obsolete = Array(repeating: "Golden/gone.json", count: count())
      $0.isCI = Bool.random(using: &generator)
    }
    let match = try #require(
      summary.text.firstMatch(of: /(?:(.*): )?(\d+) passed, (\d+) failed, (\d+) skipped$/))
    let (green, red, skipped) = (Int(match.2) ?? -1, Int(match.3) ?? -1, Int(match.4) ?? -1)
    #expect((red == 0) == (summary.status == .success))
    let scenarios =
      summary[.passed] + summary[.failed] + summary[.new] + summary[.invalid] + summary[.skipped]
      + summary[.expectedFailure] + summary[.unexpectedPass] + summary[.broken]
    let beside = summary.problems + (summary.isCI ? summary.obsolete.count : 0)
    #expect(green + red + skipped == scenarios + beside)
    let special = (match.1 ?? "").matches(of: /(\d+) [a-z]/).reduce(0) { $0 + (Int($1.1) ?? 0) }
    #expect(
      special == scenarios - summary[.passed] - summary[.failed] - summary[.skipped] + summary.problems
        + summary.obsolete.count)
  }
}

extension RunSummary {
  static func with(_ change: (inout RunSummary) -> Void) -> RunSummary {
    var summary = RunSummary()
    change(&summary)
    return summary
  }
}
