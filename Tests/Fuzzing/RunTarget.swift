import Foundation
import JSONTree
import RecordEngine
import RecordModel

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Whole scenarios. Both stores have the same result, and the graph does not contradict itself. The golden file is read
/// as it was written. Saved records exist after the store has been opened again.
struct RunTarget: FuzzTarget {
  private let reading: ScenarioReading

  /// The maximum number of steps; more steps find nothing new and take long.
  private static let maximumSteps = 30

  init() throws { reading = try ScenarioReading() }

  func check(_ input: [UInt8]) {
    let loaded = reading.load(input)
    guard let original = loaded.scenario, original.steps.count <= Self.maximumSteps else { return }
    let scenario = Self.reopened(original)
    let model = scenario.model.schema
    let (memory, file) = (Self.execute(scenario, on: .memory), Self.execute(scenario, on: .sqlite))
    for executed in [memory, file] {
      expect(executed.obstacle == nil, "the temporary folder is full")
      if let breakage = executed.breakage { fatalError("broken: \(breakage.message)") }
      for graph in executed.graphs + [executed.snapshot.graph] {
        let contradictions = graph.contradictions(model: model)
        expect(contradictions.isEmpty, "a graph contradicts itself: \(contradictions.first)")
      }
    }
    expect(memory.snapshot == file.snapshot, "the stores differ\n\(text(memory))\n\(text(file))")
    expect(memory.graphs == file.graphs, "the stores differ between steps")
    expect(
      memory.findings.map(\.message) == file.findings.map(\.message), "the stores differ in what is found")
    checkGoldenFile(of: memory.snapshot, scenario)
    let count = original.steps.count
    guard scenario.steps.count > count, memory.snapshot.steps.count > count else {
      return judge(loaded, memory)
    }
    if memory.snapshot.steps[count].failure == nil {
      expect(memory.graphs[count + 1] == memory.graphs[count + 2], "what was saved is not there again")
    }
    judge(loaded, Self.beginning(of: memory, steps: count))
  }

  /// Returns the scenario with two more steps, which save and reopen the store. Returns it unchanged if requests may be
  /// in flight.
  private static func reopened(_ scenario: Scenario) -> Scenario {
    let mayGoOn = scenario.steps.contains { step in step.requests.contains { $0.name != nil } }
    guard !mayGoOn, let span = scenario.steps.last?.span else { return scenario }
    var scenario = scenario
    for action: Step.Action in [.save, .reopen] {
      scenario.steps.append(Step(action, span: span))
    }
    return scenario
  }

  private static func beginning(of executed: ExecutedScenario, steps: Int) -> ExecutedScenario {
    var executed = executed
    executed.snapshot.steps.removeSubrange(steps...)
    executed.graphs.removeSubrange((steps + 1)...)
    executed.snapshot.graph = executed.graphs[steps]
    return executed
  }

  private func text(_ executed: ExecutedScenario) -> String { executed.snapshot.goldenForm.canonicalText() }

  private func checkGoldenFile(of snapshot: ScenarioSnapshot, _ scenario: Scenario) {
    let text = snapshot.goldenForm.canonicalText()
    let recorded = expectNoError("the golden file is refused") {
      do throws(GoldenReader.Refused) {
        return try GoldenReader.read(Array(text.utf8), path: "golden")
      } catch {
        throw Refusal(text: error.diagnostics.map(\.message).joined(separator: "; ") + "\n" + text)
      }
    }
    let differences = GoldenDiff.differences(
      recorded: recorded, actual: snapshot, model: scenario.model.schema, path: "golden")
    expect(differences.isEmpty, "the golden file is not what came out: \(differences.first)\n\(text)")
  }

  private struct Refusal: Error {
    var text: String
  }

  private func judge(_ loaded: LoadedScenario, _ executed: ExecutedScenario) {
    let golden = GoldenFolder(path: reading.folder.path + "/none")
    let judge = ScenarioJudge(execute: { _, _ in executed }, golden: golden, today: "2026-01-01")
    let entry = RunPlan.Entry(
      file: ScenarioFile(path: loaded.path, name: loaded.name, folders: nil), loaded: loaded)
    let verdict = Self.waiting { await judge.verdict(on: entry) }
    if case .failed(let failure) = verdict.outcome { DiagnosticsOracle.check(failure.expectations) }
    DiagnosticsOracle.check(shown: ScenarioRenderer().text(of: verdict))
  }

  static func execute(_ scenario: Scenario, on store: StoreKind) -> ExecutedScenario {
    waiting { await ScenarioExecution.execute(scenario, on: store) }
  }

  /// Waits for an asynchronous operation. libFuzzer calls from a thread that nothing else needs.
  private static func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) -> Result {
    let done = DispatchSemaphore(value: 0)
    let box = Box<Result>()
    Task.detached {
      box.value = await body()
      done.signal()
    }
    done.wait()
    guard let value = box.value else { fatalError("nothing came out") }
    return value
  }

  // Unchecked: the value is written before the semaphore is signaled, and read after that.
  private final class Box<Value>: @unchecked Sendable {
    var value: Value?
  }
}
