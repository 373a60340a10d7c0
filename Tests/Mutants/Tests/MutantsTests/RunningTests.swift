import Foundation
import Testing

@testable import Mutants

@Suite struct ChildProcessTests {
  private func run(_ script: String, timeout: Double = 20) throws -> ChildProcess {
    try ChildProcess.run("/bin/sh", ["-c", script], environment: ["WORD": "yes"], timeout: timeout)
  }

  @Test func theEndIsTold() throws {
    #expect(try run("echo $WORD; exit 3").end == .exited(3))
    #expect(try run("echo $WORD; exit 3").output == "yes\n")
    #expect(try run("kill -ILL $$").end == .signaled(SIGILL))
    #expect(try run("kill -\(SIGXCPU) $$").end == .timedOut)
    #expect(try run("exec sleep 60", timeout: 0.2).end == .timedOut)
  }

  @Test func whatComputesForeverIsStopped() throws {
    ChildProcess.limit(seconds: 1, gigabytes: 8)
    #expect(try run("while :; do :; done", timeout: 60).end == .timedOut)
  }

  @Test func whatCannotBeStartedIsAnError() {
    #expect(throws: MutantsError.self) { try ChildProcess.run("/nowhere", [], environment: [:], timeout: 1) }
  }
}

@Suite struct LimitTests {
  @Test func lawsHaveAnyTime() throws {
    #expect(try MutantsCommand.parse([]).most == (100, 5))
    #expect(try MutantsCommand.parse(["--laws", "400"]).most == (200, .infinity))
  }
}

@Suite struct TestRunTests {
  @Test func theScriptOfTheLawsListsThem() throws {
    let script = """
      laws=(
        "0 memory ReferenceTests/anyResponses"
        "1 sqlite UnsavedResponseLawsTests/theTimeOfSavingDoesNotMatter"
        "5+6 pair ModelLawsTests/noSaveBreaksTheModel"
      )
      say "Testing the laws"
      """
    #expect(
      try TestRun.laws(listedIn: script, seeds: 2) == [
        .law("RecordEngineTests.ReferenceTests/anyResponses", seed: 1),
        .law("RecordEngineTests.ModelLawsTests/noSaveBreaksTheModel", seed: 1),
        .law("RecordEngineTests.ReferenceTests/anyResponses", seed: 2),
        .law("RecordEngineTests.ModelLawsTests/noSaveBreaksTheModel", seed: 2),
      ])
    #expect(throws: MutantsError.self) { try TestRun.laws(listedIn: "laws=()", seeds: 2) }
  }
}

@Suite struct ParallelTests {
  @Test func resultsAreInOrder() throws {
    #expect(try Parallel.map(count: 100, jobs: 4) { index, _ in index * 2 } == (0..<100).map { $0 * 2 })
  }

  @Test func aFailureEndsAll() {
    #expect(throws: MutantsError.self) {
      try Parallel.map(count: 100, jobs: 4) { index, _ in
        if index == 50 { throw MutantsError("no") }
        return index
      }
    }
  }
}

@Suite struct EarlierVerdictsTests {
  @Test(arguments: [.caught, .crashed, .timedOut, .survived(runs: 12), .notReached] as [MutantVerdict])
  func everyVerdictOfARunIsReadBack(verdict: MutantVerdict) {
    // A new case does not compile here, so that it is also added to the arguments.
    switch verdict {
    case .caught, .crashed, .timedOut, .survived, .notReached: break
    case .doesNotCompile: Issue.record("the build decides this, not a run")
    }
    let earlier = EarlierVerdicts(
      "==> Running 1 mutants against laws\n==> Sources/A.swift:3:4:true \(verdict)\n")
    #expect(earlier.verdict(on: "Sources/A.swift:3:4:true", by: "laws") == verdict)
  }

  @Test func theVerdictsOfAnInterruptedRunAreKept() {
    let earlier = EarlierVerdicts(
      """
      ==> Building with mutants
      ==> does not compile: Sources/A.swift:1:2:true
      ==> Running 4 mutants against scenarios
      ==> Sources/A.swift:3:4:true caught
      ==> Sources/A.swift:5:6:false survived(runs: 12)
      ==> Running 1 mutants against unit tests, after 3 seconds
      ==> Sources/A.swift:5:6:false notReached
      ==> Sources/A.swift:7:8:ni
      """)
    #expect(earlier.verdict(on: "Sources/A.swift:3:4:true", by: "scenarios") == .caught)
    #expect(earlier.verdict(on: "Sources/A.swift:5:6:false", by: "scenarios") == .survived(runs: 12))
    #expect(earlier.verdict(on: "Sources/A.swift:5:6:false", by: "unit tests") == .notReached)
    #expect(earlier.verdict(on: "Sources/A.swift:7:8:ni", by: "unit tests") == nil)
    #expect(earlier.verdict(on: "Sources/A.swift:1:2:true", by: "scenarios") == nil)
  }
}
