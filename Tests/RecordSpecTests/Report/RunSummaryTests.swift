import Testing

@testable import RecordSpec

struct RunSummaryTests {
  @Test(arguments: [
    (
      RunSummary.with {
        $0.passed = 12
        $0.skipped = 1
      }, "12 passed, 0 failed, 1 skipped", 0
    ),
    (
      .with {
        $0.passed = 1
        $0.failed = 2
      }, "1 passed, 2 failed, 0 skipped", 1
    ),
    (.with { $0.new = 1 }, "1 new golden file wanted: 0 passed, 1 failed, 0 skipped", 1),
    (.with { $0.expectedFailures = 2 }, "2 expected failures: 2 passed, 0 failed, 0 skipped", 0),
    (.with { $0.unexpectedPasses = 1 }, "1 unexpected pass: 0 passed, 1 failed, 0 skipped", 1),
    (
      .with {
        $0.invalid = 1
        $0.failed = 1
      }, "1 invalid file: 0 passed, 2 failed, 0 skipped", 2
    ),
    (
      .with {
        $0.broken = 1
        $0.invalid = 1
      }, "1 invalid file, 1 broken off: 0 passed, 2 failed, 0 skipped", 3
    ),
    (
      .with {
        $0.passed = 1
        $0.problems = 1
      }, "1 problem beside the scenarios: 1 passed, 0 failed, 0 skipped", 2
    ),
    (RunSummary(), "0 passed, 0 failed, 0 skipped", 0),
  ])
  func countsAndStatus(summary: RunSummary, text: String, status: Int32) {
    #expect(summary.text == text)
    #expect(summary.status(inCI: false).rawValue == status)
    #expect(summary.status(inCI: true).rawValue == status)
  }

  @Test func obsoleteGoldenFilesFailInCIAlone() {
    let summary = RunSummary.with { $0.obsolete = ["Golden/a.json", "Golden/b.json"] }
    #expect(summary.text == "2 obsolete golden files: 0 passed, 0 failed, 0 skipped")
    #expect(summary.status(inCI: false) == .success)
    #expect(summary.status(inCI: true) == .failed)
  }
}

extension RunSummary {
  static func with(_ change: (inout RunSummary) -> Void) -> RunSummary {
    var summary = RunSummary()
    change(&summary)
    return summary
  }
}
