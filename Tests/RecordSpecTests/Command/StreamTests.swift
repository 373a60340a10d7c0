import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the command as a separate process whose standard streams are closed, full or broken.
struct StreamTests {
  @Test(
    arguments: [
      (">/dev/full", 3, "error: standard output cannot be written: No space left on device\n"),
      (">&-", 3, "error: standard output cannot be written: Bad file descriptor\n"),
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
      (">/dev/full", "No space left on device"), (">&-", "Bad file descriptor"), (">&4", "Broken pipe"),
    ])
  func reportsInFilesAreCompleteWithoutStandardOutput(redirection: String, reason: String) throws {
    #if !os(Linux)
      if redirection.contains("/dev/full") { return }
    #endif
    let suite = try CommandSuite(["a": scenario(expected: "Bye"), "b": scenario()])
    // Descriptor 4 writes to a pipe whose only reader has left.
    let outcome = try suite.bash(
      """
      mkfifo pipe; exec 3<>pipe 4>pipe 3<&-
      "$recordspec" run --report junit=out.xml --report json=out.jsonl \(redirection)
      """)
    #expect(outcome.status == 3)
    #expect(outcome.errors == "error: standard output cannot be written: \(reason)\n")
    #expect(try suite.folder.read("out.xml").contains(#"tests="2" failures="2""#))
    let end = try suite.folder.read("out.jsonl").split(separator: "\n").last ?? ""
    #expect(end.hasPrefix(#"{"type":"end""#))
    #expect(try suite.bash("\"$recordspec\" run --last-failed --list").output == "a\nb\n")
  }

  /// GitHub reads annotations from standard error if a report for another program is on standard output.
  /// A closed standard error is replaced by a null device, which accepts all text.
  @Test(arguments: [("2>&-", 1), ("2>&4", 3), (">&4 2>&4", 3)] as [(String, Int32)])
  func reportsInFilesAreCompleteWithoutStandardError(redirection: String, status: Int32) throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye"), "b": scenario()])
    let outcome = try suite.bash(
      """
      mkfifo pipe; exec 3<>pipe 4>pipe 3<&-
      GITHUB_ACTIONS=true "$recordspec" run --report tap --report junit=out.xml \(redirection)
      """)
    #expect(outcome.status == status)
    #expect(try suite.folder.read("out.xml").contains(#"tests="2" failures="2""#))
    #expect(try suite.bash("\"$recordspec\" run --last-failed --list").output == "a\nb\n")
  }

  /// The streams of a job may be files that other commands write to, too.
  @Test(arguments: ["/dev/stderr", "/dev/fd/2", "link"]) func aReportIsAppendedToAnOpenStream(path: String)
    throws
  {
    let suite = try CommandSuite(["a": scenario()])
    #expect(try suite.bash("\"$recordspec\" bless; ln -s /dev/stderr link").status == 0)
    let outcome = try suite.bash(
      "(echo before; \"$recordspec\" run --report tap=\(path) > /dev/null; echo after) >> log 2>&1; cat log"
    )
    #expect(outcome.output == "before\nTAP version 14\nok 1 - a: One post\n1..1\nafter\n")
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1"]) func aReportReplacesTheTextOfAnOpenStream(path: String)
    throws
  {
    let suite = try CommandSuite(["a": scenario()])
    #expect(try suite.bash("\"$recordspec\" bless").status == 0)
    let outcome = try suite.bash(
      "(echo before; \"$recordspec\" run --report tap=\(path); echo after) > log; cat log")
    #expect(outcome.output == "before\nTAP version 14\nok 1 - a: One post\n1..1\nafter\n")
  }

  /// The process has descriptors of its own, such as that of its signals.
  @Test(arguments: sampled(Array(3...12))) func aReportNeedsAnInheritedStream(number: Int) throws {
    let suite = try CommandSuite(["a": scenario()])
    let outcome = try suite.bash(
      "for i in {3..12}; do eval \"exec $i>&-\"; done; \"$recordspec\" run --report tap=/dev/fd/\(number)")
    #expect(outcome.status == 3)
    #expect(
      outcome.errors == "error: the report '/dev/fd/\(number)' cannot be written: Bad file descriptor\n")
  }

  @Test func aRunWithoutFilesEndsWithItsReader() throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye"), "b": scenario()])
    let outcome = try suite.bash(
      "mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; CI=true \"$recordspec\" run >&4; echo $?")
    #expect(outcome.output == "141\n")
    #expect(outcome.errors == "")
  }

  /// After the first failure, nothing more is written, and the run continues.
  @Test func aFailedStreamIsNotWrittenAgain() async throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write(scenario(expected: "Bye"), to: "Scenarios/\(name).yaml") }
    var (attempts, errors) = (0, "")
    let context = CommandContext(
      environment: RunEnvironment(variables: ["CI": "true"]),
      execute: { await ScenarioExecution.execute($0, on: $1) }, today: "2030-01-01",
      output: { _ in Issue.record("the process would end") }, errors: { errors += $0 },
      attemptOutput: { _ in
        attempts += 1
        return "full"
      })
    let status = await RootCommand.status(
      of: ["run", "--scenarios", folder.path + "/Scenarios", "--report", "tap=\(folder.path)/out.tap"],
      in: context)
    #expect(status == 3)
    #expect(attempts == 1)
    #expect(errors == "error: standard output cannot be written: full\n")
    #expect(try folder.read("out.tap").hasSuffix("1..3\n"))
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
