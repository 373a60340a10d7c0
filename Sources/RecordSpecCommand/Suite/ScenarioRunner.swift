import Foundation
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A runner that executes several scenarios concurrently and reports events in the order of the plan.
struct ScenarioRunner: Sendable {
  let judge: ScenarioJudge
  /// The number of scenarios that run concurrently. If it is less than one, one scenario runs at a time.
  let jobs: Int
  var limits = RunLimits()

  /// Runs the scenarios and passes their verdicts on in the order of the plan, whatever the number of jobs.
  ///
  /// - Parameters:
  ///   - started: a function that is called when a scenario starts; nil to save the time for this.
  ///   - progress: a function that is called after each scenario, in the order in which scenarios end.
  ///   - ended: a function that is called for each scenario in the order of the plan, as soon as those before it have
  ///     ended.
  /// - Returns: The number of scenarios that were not run or whose verdict was not passed on, because the maximum number
  ///   of failures was reached before them in the plan, or the task was cancelled.
  @discardableResult
  func run(
    _ entries: [RunPlan.Entry], isolation: isolated (any Actor)? = #isolation,
    started: ((RunPlan.Entry) -> Void)? = nil,
    progress: (_ completed: Int, ScenarioVerdict) -> Void = { _, _ in }, ended: (ScenarioVerdict) -> Void
  ) async -> Int {
    // Without scenarios there is no event to wait for.
    guard !entries.isEmpty else { return 0 }
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    // Any number of jobs may be asked for.
    let jobs = min(max(1, jobs), entries.count)
    let most = jobs + Self.maximumWaiting
    let schedule = RunSchedule(
      count: entries.count, maximumFailures: limits.maximumFailures, backlog: most,
      // Details take memory, so only some of them wait for a slow scenario.
      lead: judge.collectsDetails ? most : nil)
    var workers: [Int: Task<Void, Never>] = [:]
    var hired = 0
    func hire() {
      while workers.count < jobs, let first = schedule.start() {
        let worker = ScenarioWorker(
          number: hired, entries: entries, judge: judge, limits: limits, schedule: schedule,
          events: continuation, announcesStarts: started != nil || limits.timeLimit != nil)
        // The task is not a child of this one. A scenario that ignores its cancellation thus cannot delay the run.
        workers[hired] = Task.detached { await worker.work(from: first) }
        hired += 1
      }
    }
    defer {
      schedule.stop()
      for worker in workers.values { worker.cancel() }
    }
    hire()

    var files: [Int: [StampedFile]] = [:]
    var waiting: [Int: ScenarioVerdict] = [:]
    var (completed, told, failures) = (0, 0, 0)
    // The stream ends if the task is cancelled.
    for await event in events {
      let (index, verdict): (Int, ScenarioVerdict)
      switch event {
      case .started(let index, let stamped):
        started?(entries[index])
        files[index] = stamped
        continue
      case .left(let worker):
        workers[worker] = nil
        hire()
        continue
      case .ended(let ended, let result):
        files[ended] = nil
        (index, verdict) = (ended, result)
      case .timedOut(let late, let result, let worker):
        // The worker is replaced, because its scenario may never end.
        workers.removeValue(forKey: worker)?.cancel()
        let stamped = files.removeValue(forKey: late) ?? []
        (index, verdict) = (late, result ?? timedOut(entries[late], stamped))
      }
      completed += 1
      progress(completed, verdict)
      waiting[index] = verdict
      while let verdict = waiting.removeValue(forKey: told) {
        ended(verdict)
        told += 1
        if verdict.outcome.isFailure { failures += 1 }
        if let maximum = limits.maximumFailures, failures >= maximum { return entries.count - told }
      }
      if told == entries.count { break }
      schedule.note(received: completed, passedOn: told)
      hire()
    }
    return entries.count - told
  }

  /// The maximum number of verdicts that wait to be received, and of those with details that wait for a slow scenario.
  private static let maximumWaiting = 64

  private func timedOut(_ entry: RunPlan.Entry, _ files: [StampedFile]) -> ScenarioVerdict {
    let limit = limits.timeLimit ?? .zero
    let breakage = Breakage(
      "the scenario did not end within \(limit.shortText) s", advice: "'--timeout' sets another limit")
    return ScenarioVerdict(on: entry, breakage, duration: limit, files: files)
  }
}

/// The limits of a run, and how often each scenario is run.
struct RunLimits: Hashable, Sendable {
  /// The time after which each run of a scenario is given up; nil for no limit.
  var timeLimit: Duration?
  /// The number of time limits that it may take to collect the details of a scenario. After it, the verdict has none.
  var detailsFactor = 10
  /// The number of times that each scenario is run. The first failure ends its runs.
  var repetitions = 1
  /// The number of failed scenarios after which no other scenario is reported; nil for no limit.
  var maximumFailures: Int?

  init() {}
}

private enum Event: Sendable {
  /// A scenario has started. The files are the scenario file and its golden file, with their stamps from before they were
  /// read; none if scenarios have no time limit.
  case started(Int, [StampedFile])
  case ended(Int, ScenarioVerdict)
  /// The time of a scenario is up. It has a verdict if only its details took too long.
  case timedOut(Int, ScenarioVerdict?, worker: Int)
  /// A worker has stopped, because there is nothing to start.
  case left(worker: Int)
}

/// A worker that runs one scenario after the other.
private struct ScenarioWorker {
  let number: Int
  let entries: [RunPlan.Entry]
  let judge: ScenarioJudge
  let limits: RunLimits
  let schedule: RunSchedule
  let events: AsyncStream<Event>.Continuation
  /// A Boolean value that indicates whether the start of a scenario is an event. Each event wakes its receiver, which takes
  /// a noticeable part of the time of a small scenario.
  let announcesStarts: Bool

  /// A queue with a thread of its own, because scenarios may occupy all threads that tasks and global queues share.
  private static let timers = DispatchQueue(label: "RecordSpec.ScenarioRunner.timers")

  func work(from first: Int) async {
    var next: Int? = first
    while let index = next, await run(index) { next = schedule.start() }
    events.yield(.left(worker: number))
  }

  /// Runs a scenario. Returns false if it has been given up.
  private func run(_ index: Int) async -> Bool {
    let entry = entries[index]
    if announcesStarts {
      let files =
        limits.timeLimit == nil
        ? [] : [StampedFile(entry.file.path), StampedFile(judge.golden.file(of: entry.file.name))]
      events.yield(.started(index, files))
    }
    let limit = limits.timeLimit
    var verdict = await judge.verdict(on: entry, repetitions: limits.repetitions) { work in
      await limited(to: limit, index, nil, work)
    }
    // Details of a scenario that has been given up would only take time.
    if verdict.collectDetails != nil, schedule.isRunning(index) {
      let bare = verdict.withoutDetails
      await limited(to: limit.map { $0 * limits.detailsFactor }, index, bare) { await verdict.addDetails() }
    }
    guard schedule.end(index, hasFailed: verdict.outcome.isFailure) else { return false }
    events.yield(.ended(index, verdict))
    return true
  }

  /// Performs a part of a scenario's work. Gives up the scenario if that takes too long.
  ///
  /// - Parameter verdict: the verdict that counts then; nil if there is none yet.
  private func limited<Success>(
    to limit: Duration?, _ index: Int, _ verdict: ScenarioVerdict?, _ work: () async -> Success
  ) async -> Success {
    let timer = limit.map { limit in
      let timer = DispatchWorkItem { [schedule, events, number] in
        if schedule.end(index, hasFailed: verdict?.outcome.isFailure ?? true) {
          events.yield(.timedOut(index, verdict, worker: number))
        }
      }
      Self.timers.asyncAfter(deadline: .now() + limit.inSeconds, execute: timer)
      return timer
    }
    defer { timer?.cancel() }
    return await work()
  }
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
    while repetition < repetitions, !verdict.outcome.isFailure, !Task.isCancelled {
      let duration = verdict.duration
      verdict = await limited { await self.verdict(on: entry) }
      verdict.duration += duration
      repetition += 1
    }
    if repetitions > 1, verdict.outcome.isFailure { verdict.repetition = repetition }
    return verdict
  }
}
