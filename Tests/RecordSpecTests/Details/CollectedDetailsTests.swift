import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the collection of details during a run.
@Suite(.timeLimit(.minutes(20))) struct CollectedDetailsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries(_ count: Int) throws -> [RunPlan.Entry] {
    for index in 0..<count {
      try folder.write(
        """
        title: s\(index)
        model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
        store: {Post: [{id: 1}]}
        steps: [save]

        """, to: "Scenarios/s\(index).yaml")
    }
    return ScenarioFiles(below: folder.path + "/Scenarios").files.map { RunPlan.Entry(file: $0) }
  }

  private func judge(
    execute: @escaping ScenarioExecutor = { await ScenarioExecution.execute($0, on: $1) },
    explain: @escaping ScenarioExecutor = ScenarioExecution.executeWithProvenance
  ) -> ScenarioJudge {
    var judge = ScenarioJudge(
      execute: execute, golden: GoldenFolder(path: folder.path + "/Golden"), today: "2030-01-01")
    judge.explain = explain
    // The golden file is not what these tests are about.
    judge.compare = { _, _ in .same }
    judge.collectsDetails = true
    return judge
  }

  /// Returns an executor for explanations that counts its runs.
  private static func counting(_ runs: EventCounter) -> ScenarioExecutor {
    { scenario, store in
      runs.note()
      return await ScenarioExecution.executeWithProvenance(scenario, on: store)
    }
  }

  /// A scenario that takes longer with its details than its time limit passes.
  @Test func detailsDoNotCountAgainstTheTimeLimit() async throws {
    var limits = RunLimits()
    limits.timeLimit = .seconds(2)
    let judge = judge(explain: { scenario, store in
      try? await Task.sleep(for: .seconds(3))
      return await ScenarioExecution.executeWithProvenance(scenario, on: store)
    })
    var verdicts: [ScenarioVerdict] = []
    await ScenarioRunner(judge: judge, jobs: 1, limits: limits).run(try entries(1)) { verdicts.append($0) }
    #expect(verdicts.map(\.outcome.kind) == [.passed])
    #expect(verdicts.first?.details != nil)
  }

  /// Details that take too long are left out, and the run continues.
  @Test func endlessDetailsAreLeftOut() async throws {
    var limits = RunLimits()
    limits.timeLimit = .seconds(2)
    limits.detailsFactor = 1
    let judge = judge(explain: { scenario, store in
      if scenario.title == "s0" { await Task.detached { try? await Task.sleep(for: .seconds(30)) }.value }
      return await ScenarioExecution.executeWithProvenance(scenario, on: store)
    })
    var verdicts: [ScenarioVerdict] = []
    let all = try entries(2)
    await ScenarioRunner(judge: judge, jobs: 1, limits: limits).run(all) { verdicts.append($0) }
    #expect(verdicts.map(\.outcome.kind) == [.passed, .passed])
    #expect(verdicts.map { $0.details == nil } == [true, false])
  }

  /// A scenario that has been given up is not run again for its details.
  @Test func scenariosOverTheTimeLimitHaveNoDetails() async throws {
    var limits = RunLimits()
    limits.timeLimit = .milliseconds(50)
    let (ended, explanations) = (EventCounter(), EventCounter())
    let judge = judge(
      execute: { scenario, store in
        await Task.detached { try? await Task.sleep(for: .seconds(1)) }.value
        defer { ended.note() }
        return await ScenarioExecution.execute(scenario, on: store)
      },
      explain: Self.counting(explanations))
    var verdicts: [ScenarioVerdict] = []
    await ScenarioRunner(judge: judge, jobs: 1, limits: limits).run(try entries(1)) { verdicts.append($0) }
    #expect(verdicts.map(\.outcome.kind) == [.broken])
    await ended.wait(for: 1)
    try await Task.sleep(for: .milliseconds(300))
    #expect(explanations.count == 0)
  }

  @Test func repeatedScenariosHaveTheirDetailsOnce() async throws {
    var limits = RunLimits()
    limits.repetitions = 4
    let (runs, explanations) = (EventCounter(), EventCounter())
    let judge = judge(
      execute: { scenario, store in
        runs.note()
        return await ScenarioExecution.execute(scenario, on: store)
      },
      explain: Self.counting(explanations))
    var verdicts: [ScenarioVerdict] = []
    await ScenarioRunner(judge: judge, jobs: 1, limits: limits).run(try entries(1)) { verdicts.append($0) }
    #expect(verdicts.count == 1 && verdicts.first?.details != nil)
    #expect(runs.count == 4)
    #expect(explanations.count == 1)
  }

  /// While a slow scenario delays the report, only some scenarios are run, because their details wait in memory.
  @Test func onlySomeDetailsWaitForASlowScenario() async throws {
    let all = try entries(150)
    let ended = EventCounter()
    let countWhileWaiting = EventCounter()
    let slow = try #require(all.first?.file.name)
    let judge = judge(execute: { scenario, store in
      if scenario.title == slow {
        await ended.wait(for: 65)
        try? await Task.sleep(for: .milliseconds(200))
        for _ in 0..<ended.count { countWhileWaiting.note() }
      } else {
        ended.note()
      }
      return await ScenarioExecution.execute(scenario, on: store)
    })
    var order: [String] = []
    let rest = await ScenarioRunner(judge: judge, jobs: 2).run(all) { order.append($0.name) }
    #expect(rest == 0 && order == all.map(\.file.name))
    #expect(countWhileWaiting.count == 65)
  }
}
