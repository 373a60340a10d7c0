/// Runs a plan, several scenarios at a time, and tells what happens in the order of the plan.
package struct ScenarioRunner: Sendable {
  package let judge: ScenarioJudge
  /// How many scenarios run at the same time; at least one.
  package let jobs: Int

  package init(judge: ScenarioJudge, jobs: Int) {
    self.judge = judge
    self.jobs = max(1, jobs)
  }

  /// The verdicts in the order of the plan, whatever the number of jobs.
  ///
  /// - Parameters:
  ///   - progress: called after each scenario, in the order in which they happen to end.
  ///   - ended: called for each in the order of the plan, as soon as those before it are through.
  package func run(
    _ entries: [RunPlan.Entry], isolation: isolated (any Actor)? = #isolation,
    progress: (_ completed: Int, ScenarioResult) -> Void = { _, _ in }, ended: (ScenarioVerdict) -> Void
  ) async {
    await withTaskGroup(of: (Int, ScenarioVerdict).self) { group in
      // A closure runs where its caller does only if it captures that (SE-0420).
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
