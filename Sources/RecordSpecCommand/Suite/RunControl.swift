import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The order, the limits and the reports of a run.
struct RunControl {
  var limits = RunLimits()
  /// The seed of the order of the scenarios; nil to run them sorted by path.
  var shuffleSeed: UInt64?
  /// The part of the scenarios to run; nil for all of them.
  var shard: Shard?
  /// The JSON Lines reports whose durations balance the shards.
  var timings: [String] = []
  var reports: [ReportRequest] = []
  /// A Boolean value that indicates whether JSON Lines reports have the details of scenarios.
  var includesDetails = false
  /// The number of slow scenarios that the text lists.
  var slowest = 0
  /// The folder for the results of failed scenarios that the user named.
  var keptResults: String?
  /// A Boolean value that indicates whether the names of the scenarios are printed instead of running them.
  var listsNames = false
  /// A Boolean value that indicates whether the run is described instead.
  var isDryRun = false
}

extension RunControl {
  /// A Boolean value that indicates whether a report needs the details of scenarios.
  var needsDetails: Bool {
    reports.contains { $0.format == .html || $0.format == .json && includesDetails }
  }

  /// Reads the durations of scenarios, by name. A later report replaces the durations of earlier ones. Without shards,
  /// nothing is read.
  ///
  /// Warns of each report that does not exist, as before the first run in CI, is empty, as after a run that was refused,
  /// or was written by another version of RecordSpec.
  func durations(in context: CommandContext) throws(Refusal) -> [String: Duration] {
    var durations: [String: Duration] = [:]
    func warn(_ message: String) {
      context.report("warning: \(message), so its durations do not balance the shards\n")
    }
    for path in shard == nil ? [] : timings {
      if FileAccess.kind(of: path) == .missing {
        warn("'\(path)' does not exist")
        continue
      }
      do throws(RecordedReport.Problem) {
        for scenario in try RecordedReport(path).scenarios { durations[scenario.name] = scenario.duration }
      } catch  where error.isOfOtherVersion || error.isEmpty {
        warn(error.message)
      } catch {
        throw context.refuse(.invalid, "'--timings' cannot be used: \(error.message)")
      }
    }
    return durations
  }
}

/// The scenarios of a run in their order.
struct PreparedRun {
  let run: PlannedRun
  let entries: [RunPlan.Entry]
  /// The problems that belong to no scenario. Only the first shard reports them.
  let problems: [AuthorDiagnostic]
  /// The names of all scenarios, which tell the golden files without a scenario; nil if it is unknown which these are,
  /// or if another shard reports them.
  let allNames: [String]?

  /// Orders the selected scenarios, and keeps those of the shard.
  ///
  /// - Parameter durations: the known durations of scenarios, by name, which balance the shards.
  init(
    _ selection: SuiteSelection, _ control: RunControl, adapters: [String] = [], store: StoreKind,
    durations: [String: Duration] = [:]
  ) {
    var plan = selection.plan
    plan.expand(to: adapters)
    if let seed = control.shuffleSeed { plan.shuffle(seed: seed) }
    let (total, digest) = (plan.entries.count, plan.digest)
    if let shard = control.shard { plan.restrict(to: shard, durations: durations) }
    entries = plan.entries
    run = PlannedRun(
      count: entries.count, total: total, digest: digest, shard: control.shard, store: store)
    let reportsSuite = selection.isWhole && (control.shard?.number ?? 1) == 1
    problems = reportsSuite ? plan.problems : []
    // If scenarios may have been missed, it is unknown which golden files have a scenario.
    allNames = reportsSuite && plan.problems.isEmpty ? plan.allNames : nil
  }
}
