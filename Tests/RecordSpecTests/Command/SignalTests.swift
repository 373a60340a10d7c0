import Foundation
import Testing

@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for signals that end the command as a separate process.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
  private static let count = 600

  /// Returns a suite whose report is longer than a pipe holds. The command cannot end by itself until the test reads
  /// the report.
  private static func suite() throws -> CommandSuite {
    var scenarios: [String: String] = [:]
    for number in 0..<count { scenarios[name(number)] = scenario() }
    let suite = try CommandSuite(scenarios)
    try suite.folder.makeFolder("temporary")
    return suite
  }

  /// Returns a name of 200 bytes.
  private static func name(_ number: Int) -> String {
    "\(number)-".padding(toLength: 200, withPad: "n", startingAt: 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalEndsARun(signal: Int32, status: Int32) throws {
    let suite = try Self.suite()
    let command = try suite.start("run --store sqlite --jobs 4")
    command.waitForOutput()
    command.send(signal)
    let outcome = command.end()
    #expect(outcome.status == status)
    #expect(outcome.errors == "")
    let summary = outcome.output.split(separator: "\n").last ?? ""
    let counts = try #require(
      summary.wholeMatch(of: /(\d+) new, 4 broken, (\d+) not finished: 0 passed, 600 failed, 0 skipped/),
      "\(summary)")
    let (new, unfinished) = (try #require(Int(counts.1)), try #require(Int(counts.2)))
    #expect(new > 0 && unfinished > 0 && new + 4 + unfinished == Self.count)
    #expect(outcome.output.ranges(of: "NEW ").count == new)
    // The scenarios that were running are named, with their titles.
    #expect(outcome.output.matches(of: /BROKEN .*: One post\n/).count == 4)
    #expect(outcome.output.ranges(of: "  the run was interrupted before the scenario ended\n").count == 4)
    #expect(suite.names(in: "temporary") == [])
    // Finished scenarios are recorded for '--last-failed'.
    let failed = try suite.folder.read(".recordspec/last-failed").split(separator: "\n")
    #expect(failed.count == new + 4)
  }

  @Test func aSignalEndsABlessing() throws {
    let suite = try Self.suite()
    let command = try suite.start("bless")
    command.waitForOutput()
    command.send(SIGTERM)
    let outcome = command.end()
    #expect(outcome.status == 143)
    let summary = outcome.output.split(separator: "\n").last ?? ""
    #expect(
      summary.wholeMatch(of: /\d+ blessed, 0 unchanged, 0 refused, \d+ not finished/) != nil, "\(summary)")
    // Every golden file is complete, and the folder contains no other files.
    let golden = suite.names(in: "Golden")
    #expect(outcome.output.hasPrefix("new     \(Self.name(0))\n"))
    #expect(!golden.isEmpty && golden.count < Self.count)
    for name in golden {
      #expect(name.hasSuffix(".json"))
      let text = try suite.folder.read("Golden/" + name)
      #expect(throws: Never.self) { try GoldenReader.read(Array(text.utf8), path: name) }
    }
  }

  @Test func aSecondSignalEndsACommandThatWaits() throws {
    let suite = try Self.suite()
    let command = try suite.start("run --store sqlite")
    command.waitForOutput()
    command.send(SIGTERM)
    command.send(SIGINT)
    #expect([130, 143].contains(command.endUnread()))
    #expect(suite.names(in: "temporary") == [])
  }

  @Test func aCommandThatWaitsEndsAfterTheGracePeriod() throws {
    let suite = try Self.suite()
    let command = try suite.start("run --store sqlite", grace: 100)
    command.waitForOutput()
    command.send(SIGTERM)
    #expect(command.endUnread() == 143)
    #expect(suite.names(in: "temporary") == [])
  }

  @Test func aSignalThatIsIgnoredStaysIgnored() throws {
    let suite = try Self.suite()
    let command = try suite.start("run --store sqlite", before: "trap '' HUP")
    command.waitForOutput()
    command.send(SIGHUP)
    let outcome = command.end()
    #expect(outcome.status == 1)
    #expect(outcome.output.hasSuffix("600 new: 0 passed, 600 failed, 0 skipped\n"))
  }

  #if os(Linux)
    /// With this limit the command can open one file besides the standard streams, but no pipe for signals.
    @Test func aSignalEndsACommandWithFewFiles() throws {
      let suite = try CommandSuite([:])
      let command = try suite.start("rules", before: "ulimit -n 4")
      command.waitForOutput()
      command.send(SIGTERM)
      let outcome = command.end()
      #expect(outcome.status == SIGTERM, "\(outcome)")
    }
  #endif

  // MARK: Leftovers

  @Test func whatAKilledRunLeavesIsRemovedByTheNext() throws {
    let suite = try Self.suite()
    let command = try suite.start("run --store sqlite --jobs 4")
    command.waitForOutput()
    command.send(SIGKILL)
    #expect(command.end().status == SIGKILL)
    try suite.folder.write("x", to: "temporary/recordspec-run-left/scenario.store")
    try suite.folder.write("x", to: "temporary/recordspec-run-held/scenario.store")
    try suite.folder.write("x", to: "temporary/recordspec-other/file")
    try suite.folder.write("x", to: ".recordspec/.recordspec-left.tmp")
    let held = try Held(suite.path("temporary/recordspec-run-held"))
    let outcome = try suite.start("run --store sqlite \(Self.name(0))").end()
    #expect(outcome.status == 1)
    #expect(suite.names(in: "temporary") == ["recordspec-other", "recordspec-run-held"])
    #expect(suite.folder.exists("temporary/recordspec-run-held/scenario.store"))
    #expect(suite.names(in: ".recordspec") == [".gitignore", "kept", "last-failed"])
    withExtendedLifetime(held) {}
  }

  @Test func whatAKilledBlessingLeavesIsRemovedByTheNext() async throws {
    let suite = try CommandSuite(["a": scenario(), "b/c": scenario()])
    for name in [".recordspec-left.tmp", "b/.recordspec-left.tmp", "b/.recordspec-held.tmp", "b/.own.tmp"] {
      try suite.folder.write("{", to: "Golden/" + name)
    }
    let held = try Held(suite.path("Golden/b/.recordspec-held.tmp"))
    #expect(await suite.recordspec("bless").status == 0)
    #expect(suite.names(in: "Golden") == ["a.json", "b"])
    #expect(suite.names(in: "Golden/b") == [".own.tmp", ".recordspec-held.tmp", "c.json"])
    withExtendedLifetime(held) {}
  }

  /// A file or folder that is in use by another process.
  private final class Held {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = open(path, O_RDONLY)
      try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    deinit { close(descriptor) }
  }
}
