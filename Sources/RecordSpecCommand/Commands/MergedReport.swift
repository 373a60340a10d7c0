import OrderedCollections
import RecordModel
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The reports of all shards of a run, joined in the order of the plan.
struct MergedReport {
  /// The contradictions between the reports, which cannot belong to one run.
  private(set) var conflicts: [String] = []
  /// The shards and scenarios that are missing. All reports list them.
  private var gaps: [String]
  private(set) var summary = RunSummary()
  private var run: PlannedRun
  private var problems: [ReportedProblem] = []
  private var scenarios: [ReportedScenario] = []
  private let reports: [RecordedReport]

  /// Joins reports.
  ///
  /// - Parameter empty: the messages about reports without any line.
  init(_ reports: [RecordedReport], empty: [String] = []) {
    self.reports = reports
    gaps = empty
    let first = reports.first?.run ?? PlannedRun(count: 0)
    run = PlannedRun(count: first.total, digest: first.digest, store: first.store)
    findConflicts(among: reports)
    guard conflicts.isEmpty else { return }
    for report in reports {
      problems += report.problems
      scenarios += report.scenarios
      guard let end = report.end else {
        let missing = report.run.count - report.scenarios.count
        summary.unfinished += missing
        gaps.append(
          "'\(report.path)' was cut off: \(counted(missing, "scenario")) \(missing == 1 ? "is" : "are") missing"
        )
        continue
      }
      summary.notRun += end.notRun
      summary.unfinished += end.unfinished
      summary.obsolete += end.obsolete
      summary.isCI = summary.isCI || end.isCI
    }
    findMissingShards(among: reports)
    findLostScenarios(among: reports)
    scenarios.sort { $0.index < $1.index }
    findRepeatedScenarios()
    for scenario in scenarios { summary.count(scenario) }
    problems += gaps.map {
      ReportedProblem(
        severity: .error, annotation: ScenarioAnnotation($0, at: reports[0].path), text: "error: \($0)\n")
    }
    summary.isIncomplete = !gaps.isEmpty
    summary.problems = problems.count
    summary.obsolete.sort()
  }

  /// Calls a function with each event of the joined run. The details of only one scenario are in memory at a time.
  func forEachEvent(_ body: (RunEvent) -> Void) throws(RecordedReport.Problem) {
    body(.planned(run))
    for problem in problems { body(.problem(problem)) }
    for scenario in scenarios {
      body(.ended(scenario))
      for report in reports {
        guard let details = try report.details(ofScenario: scenario.index) else { continue }
        body(.detailed(details))
        break
      }
    }
    body(.runEnded(summary))
  }

  private mutating func findConflicts(among reports: [RecordedReport]) {
    var files: OrderedDictionary<Int, [String]> = [:]
    for report in reports {
      if report.run.digest != run.digest || report.run.total != run.count {
        conflicts.append(
          "'\(report.path)' and '\(reports[0].path)' belong to different runs: the selected scenarios or their order differ; run all shards on the same commit, with the same selection and the same seed of '--shuffle'"
        )
      } else if report.run.store != run.store {
        conflicts.append(
          "'\(report.path)' and '\(reports[0].path)' belong to different runs: the stores are \(report.run.store.rawValue) and \(run.store.rawValue)"
        )
      } else if report.run.shard?.count != reports[0].run.shard?.count {
        conflicts.append("'\(report.path)' and '\(reports[0].path)' have different numbers of shards")
      }
      files[report.run.shard?.number ?? 1, default: []].append("'\(report.path)'")
    }
    for (number, paths) in files where paths.count > 1 {
      let shard = Shard(number: number, of: reports[0].run.shard?.count ?? 1)
      conflicts.append(
        "\(paths.joined(separator: " and ")) are reports of the same shard \(shard?.description ?? "")")
    }
  }

  /// Finds scenarios that several shards have run. They were then divided differently, and other scenarios are missing.
  private mutating func findRepeatedScenarios() {
    let repeated = zip(scenarios, scenarios.dropFirst()).first { $0.index == $1.index }
    guard let name = repeated?.0.name else { return }
    conflicts.append(
      "two shards have run '\(name)', because they were divided differently; use the same '--timings' for all shards"
    )
  }

  /// Finds scenarios that no shard was to run, although all shards are there.
  private mutating func findLostScenarios(among reports: [RecordedReport]) {
    let count = reports.reduce(0) { $0 + $1.run.count }
    guard gaps.isEmpty, count < run.count else { return }
    conflicts.append(
      "no shard has run \(counted(run.count - count, "scenario")), because the shards were divided differently; use the same '--timings' for all shards"
    )
  }

  private mutating func findMissingShards(among reports: [RecordedReport]) {
    let count = reports.first?.run.shard?.count ?? 1
    let found = Set(reports.map { $0.run.shard?.number ?? 1 })
    let missing = (1...count).filter { !found.contains($0) }
    guard !missing.isEmpty else { return }
    summary.unfinished += max(0, run.count - reports.reduce(0) { $0 + $1.run.count })
    let names = missing.compactMap { Shard(number: $0, of: count)?.description }
    gaps.append(
      "missing \(names.count == 1 ? "shard" : "shards") \(shortenedList(names)); add the report of '--shard \(names[0])'"
    )
  }
}
