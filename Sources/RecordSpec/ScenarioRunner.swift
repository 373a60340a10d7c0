internal import Foundation

/// A runner that executes several scenarios concurrently and reports events in the order of the plan.
package struct ScenarioRunner: Sendable {
  package let judge: ScenarioJudge
  /// The number of scenarios that run concurrently; at least one.
  package let jobs: Int
  private let limits: RunLimits

  package init(judge: ScenarioJudge, jobs: Int, limits: RunLimits = RunLimits()) {
    self.judge = judge
    self.jobs = max(1, jobs)
    self.limits = limits
  }

  /// Runs the scenarios and passes their verdicts on in the order of the plan, whatever the number of jobs.
  ///
  /// - Parameters:
  ///   - started: a function that is called when a scenario starts.
  ///   - progress: a function that is called after each scenario, in the order in which scenarios end.
  ///   - ended: a function that is called for each scenario in the order of the plan, as soon as those before it have
  ///     ended.
  /// - Returns: The number of scenarios that were not run or whose verdict was not passed on, because the maximum number
  ///   of failures was reached before them in the plan, or the task was cancelled.
  @discardableResult
  package func run(
    _ entries: [RunPlan.Entry], isolation: isolated (any Actor)? = #isolation,
    started: (RunPlan.Entry) -> Void = { _ in },
    progress: (_ completed: Int, ScenarioVerdict) -> Void = { _, _ in }, ended: (ScenarioVerdict) -> Void
  ) async -> Int {
    // Without scenarios there is no event to wait for.
    guard !entries.isEmpty else { return 0 }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    var running: [Int: RunningScenario] = [:]
    var waiting: [Int: ScenarioVerdict] = [:]
    var (next, completed, told, failures) = (0, 0, 0, 0)
    func start() {
      while running.count < jobs, next < min(told + lead, entries.count) {
        started(entries[next])
        running[next] = RunningScenario(next, entries[next], judge, limits, continuation)
        next += 1
      }
    }
    defer { for scenario in running.values { scenario.cancel() } }
    start()
    // The stream ends if the task is cancelled.
    for await event in events {
      // A scenario whose time is up may still end.
      guard let scenario = running.removeValue(forKey: event.index) else { continue }
      scenario.cancel()
      start()
      completed += 1
      let verdict = event.verdict ?? timedOut(entries[event.index], scenario)
      progress(completed, verdict)
      waiting[event.index] = verdict
      while let verdict = waiting.removeValue(forKey: told) {
        ended(verdict)
        told += 1
        if verdict.result.outcome.isFailure { failures += 1 }
        if let maximum = limits.maximumFailures, failures >= maximum { return entries.count - told }
      }
      if told == entries.count { break }
      start()
    }
    return entries.count - told
  }

  /// The maximum number of scenarios that are started before the first of them has been passed on. Details take memory, so
  /// only some of them wait for a slow scenario.
  private var lead: Int { judge.collectsDetails ? jobs + 64 : .max / 2 }

  private func timedOut(_ entry: RunPlan.Entry, _ scenario: RunningScenario) -> ScenarioVerdict {
    let limit = limits.timeLimit ?? .zero
    var result = ScenarioResult(
      name: entry.file.name, path: entry.file.path, title: entry.loaded?.scenario?.title,
      outcome: .broken(
        Breakage(
          "the scenario did not end within \(limit.shortText) s", advice: "'--timeout' sets another limit")),
      duration: limit)
    result.index = entry.index
    return ScenarioVerdict(result: result, snapshot: nil, files: scenario.files)
  }
}

/// The limits of a run, and how often each scenario is run.
package struct RunLimits: Hashable, Sendable {
  /// The time after which each run of a scenario is given up; nil for no limit.
  package var timeLimit: Duration?
  /// The number of times that each scenario is run. The first failure ends its runs.
  package var repetitions = 1
  /// The number of failed scenarios after which no other scenario is reported; nil for no limit.
  package var maximumFailures: Int?

  package init() {}
}

/// The end of a scenario.
private struct Event: Sendable {
  let index: Int
  /// The verdict; nil if the time of the scenario is up.
  let verdict: ScenarioVerdict?
}

/// A scenario that runs in a task of its own.
///
/// The task is not a child of the caller's. A scenario that ignores its cancellation thus cannot delay the run.
private struct RunningScenario {
  /// The scenario file and its golden file, with their stamps from before they were read.
  let files: [StampedFile]
  private let task: Task<Void, Never>

  init(
    _ index: Int, _ entry: RunPlan.Entry, _ judge: ScenarioJudge, _ limits: RunLimits,
    _ events: AsyncStream<Event>.Continuation
  ) {
    files =
      limits.timeLimit == nil
      ? [] : [StampedFile(entry.file.path), StampedFile(judge.golden.file(of: entry.file.name))]
    task = Task.detached {
      var verdict = await judge.verdict(on: entry, repetitions: limits.repetitions) { work in
        let timer = limits.timeLimit.map { limit in
          let timer = DispatchWorkItem { events.yield(Event(index: index, verdict: nil)) }
          // Scenarios may occupy all threads that tasks share, so the timer does not use them.
          DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds, execute: timer)
          return timer
        }
        defer { timer?.cancel() }
        return await work()
      }
      // The scenario has ended within its limit.
      await verdict.addDetails()
      events.yield(Event(index: index, verdict: verdict))
    }
  }

  func cancel() { task.cancel() }
}

extension ScenarioJudge {
  /// Judges a scenario several times, until it fails. Returns the last verdict, with the time of all runs.
  ///
  /// - Parameter limited: a function that performs the work of one run within its time limit.
  fileprivate func verdict(
    on entry: RunPlan.Entry, repetitions: Int,
    limited: (_ work: () async -> ScenarioVerdict) async -> ScenarioVerdict
  ) async -> ScenarioVerdict {
    var verdict = await limited { await self.verdict(on: entry) }
    var repetition = 1
    while repetition < repetitions, !verdict.result.outcome.isFailure, !Task.isCancelled {
      let duration = verdict.result.duration
      verdict = await limited { await self.verdict(on: entry) }
      verdict.result.duration += duration
      repetition += 1
    }
    if repetitions > 1, verdict.result.outcome.isFailure { verdict.result.repetition = repetition }
    return verdict
  }
}
