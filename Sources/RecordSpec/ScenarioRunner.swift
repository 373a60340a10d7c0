/// A runner that executes several scenarios concurrently and reports events in the order of the plan.
package struct ScenarioRunner: Sendable {
  package let judge: ScenarioJudge
  /// The number of scenarios that run concurrently; at least one.
  package let jobs: Int

  package init(judge: ScenarioJudge, jobs: Int) {
    self.judge = judge
    self.jobs = max(1, jobs)
  }

  /// Runs the scenarios and passes their verdicts on in the order of the plan, whatever the number of jobs.
  ///
  /// - Parameters:
  ///   - progress: a function that is called after each scenario, in the order in which scenarios end.
  ///   - ended: a function that is called for each scenario in the order of the plan, as soon as those before it have
  ///     ended.
  package func run(
    _ entries: [RunPlan.Entry], isolation: isolated (any Actor)? = #isolation,
    progress: (_ completed: Int, ScenarioResult) -> Void = { _, _ in }, ended: (ScenarioVerdict) -> Void
  ) async {
    await withTaskGroup(of: (Int, ScenarioVerdict).self) { group in
      // A closure runs in the isolation of its caller only if it captures it (SE-0420).
      _ = isolation
      var next = 0
      func addTask() {
        guard next < entries.count else { return }
        let (index, entry, judge) = (next, entries[next], judge)
        next += 1
        group.addTask { (index, await judge.verdict(on: entry)) }
      }
      for _ in 0..<jobs { addTask() }

      var waiting: [Int: ScenarioVerdict] = [:]
      var completed = 0
      var told = 0
      while let (index, verdict) = await group.next() {
        addTask()
        completed += 1
        progress(completed, verdict.result)
        waiting[index] = verdict
        while let verdict = waiting.removeValue(forKey: told) {
          ended(verdict)
          told += 1
        }
      }
    }
  }
}
