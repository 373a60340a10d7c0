import Foundation
import Testing

@testable import RecordSpec

/// The command as a process of its own, whose streams may be closed or lead nowhere.
struct StreamTests {
  @Test(
    arguments: [
      (">/dev/full", 3, "error: the report cannot be written: No space left on device\n"),
      (">&-", 3, "error: the report cannot be written: Bad file descriptor\n"),
      ("| true", 141, ""), ("2>&-", 0, ""),
    ] as [(String, Int32, String)])
  func aReportThatNobodySeesEndsTheRun(redirection: String, status: Int32, errors: String) throws {
    #if !os(Linux)
      // What is always full is Linux's.
      if redirection.contains("/dev/full") { return }
    #endif
    let suite = try CommandSuite(["a": scenario()])
    // 'rules' says more than a pipe holds.
    let outcome = try suite.bash("\"$recordspec\" rules \(redirection); exit ${PIPESTATUS[0]}")
    #expect(outcome.status == status)
    #expect(outcome.errors == errors)
  }

  /// A file that is opened takes the number of a closed stream, unless something else has it.
  @Test func noFileIsWrittenInPlaceOfAClosedStream() throws {
    let suite = try CommandSuite(["a": scenario()])
    #expect(try suite.bash("\"$recordspec\" run --store sqlite >&-").status == 3)
    #expect(try suite.bash("\"$recordspec\" bless >&-").status == 3)
    #expect(suite.names(in: "Golden") == [])
    #expect(try suite.bash("\"$recordspec\" bless <&- 2>&-").status == 0)
    #expect(try suite.bash("\"$recordspec\" run 2>&-").output == "1 passed, 0 failed, 0 skipped\n")
  }

  #if os(Linux)
    @Test func nothingIsBlessedThatNobodyHasSeen() throws {
      let suite = try CommandSuite(["a": scenario()])
      #expect(try suite.bash("\"$recordspec\" bless >/dev/full").status == 3)
      #expect(suite.written == [])
    }
  #endif
}
