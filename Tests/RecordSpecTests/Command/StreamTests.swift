import Foundation
import Testing

@testable import RecordSpec

/// Tests for the command as a separate process whose standard streams are closed, full or broken.
struct StreamTests {
  @Test(
    arguments: [
      (">/dev/full", 3, "error: the report could not be written: No space left on device\n"),
      (">&-", 3, "error: the report could not be written: Bad file descriptor\n"),
      ("| true", 141, ""), ("2>&-", 0, ""),
    ] as [(String, Int32, String)])
  func aReportThatCannotBeWrittenEndsTheRun(redirection: String, status: Int32, errors: String) throws {
    #if !os(Linux)
      // Only Linux has a device that is always full.
      if redirection.contains("/dev/full") { return }
    #endif
    let suite = try CommandSuite(["a": scenario()])
    // The output of 'rules' is longer than a pipe holds.
    let outcome = try suite.bash("\"$recordspec\" rules \(redirection); exit ${PIPESTATUS[0]}")
    #expect(outcome.status == status)
    #expect(outcome.errors == errors)
  }

  /// The reports in files do not depend on the reader of standard output.
  @Test(
    arguments: [
      (">/dev/full", "No space left on device"), (">&-", "Bad file descriptor"), ("| true", "Broken pipe"),
    ])
  func reportsInFilesAreCompleteWithoutStandardOutput(redirection: String, reason: String) throws {
    #if !os(Linux)
      if redirection.contains("/dev/full") { return }
    #endif
    let suite = try CommandSuite(["a": scenario(expected: "Bye"), "b": scenario()])
    // The reader of a pipe has ended before the run begins.
    let outcome = try suite.bash(
      """
      (sleep 0.3; exec "$recordspec" run --report junit=out.xml --report json=out.jsonl) \(redirection)
      exit ${PIPESTATUS[0]}
      """)
    #expect(outcome.status == 3)
    #expect(outcome.errors == "error: the report could not be written: \(reason)\n")
    #expect(try suite.folder.read("out.xml").contains(#"tests="2" failures="2""#))
    let end = try suite.folder.read("out.jsonl").split(separator: "\n").last ?? ""
    #expect(end.hasPrefix(#"{"type":"end""#))
  }

  /// A newly opened file gets the descriptor of a closed standard stream, unless that descriptor is in use.
  @Test func noFileIsWrittenInPlaceOfAClosedStream() throws {
    let suite = try CommandSuite(["a": scenario()])
    #expect(try suite.bash("\"$recordspec\" run --store sqlite >&-").status == 3)
    #expect(try suite.bash("\"$recordspec\" bless >&-").status == 3)
    #expect(suite.names(in: "Golden") == [])
    #expect(try suite.bash("\"$recordspec\" bless <&- 2>&-").status == 0)
    #expect(try suite.bash("\"$recordspec\" run 2>&-").output == "1 passed, 0 failed, 0 skipped\n")
  }

  #if os(Linux)
    @Test func nothingIsBlessedWithoutAReport() throws {
      let suite = try CommandSuite(["a": scenario()])
      #expect(try suite.bash("\"$recordspec\" bless >/dev/full").status == 3)
      #expect(suite.written == [])
    }
  #endif
}
