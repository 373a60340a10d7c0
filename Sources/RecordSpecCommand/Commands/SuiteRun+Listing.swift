import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// `recordspec run --list` and `--dry-run`.
extension SuiteRun {
  /// Returns the description of a run: the scenarios in their order, with what is known about them before they run.
  func description(of prepared: PreparedRun) -> String {
    let lines = prepared.entries.map { entry -> String in
      let loaded = entry.read().checkedForNames()
      var parts = [loaded.scenario?.title].compactMap(\.self)
      if loaded.scenario == nil { parts.append("invalid; see '\(suite.command("check"))'") }
      if let reason = loaded.scenario?.skip { parts.append("skipped: \(reason)") }
      if let mark = loaded.scenario?.expectedFailure { parts.append("expected to fail: \(mark.reason)") }
      // A scenario that is skipped or expected to fail has none.
      let needsGoldenFile = loaded.scenario.map { $0.skip == nil && $0.expectedFailure == nil } ?? true
      if needsGoldenFile, FileAccess.kind(of: golden.file(of: entry.file.name)) == .missing {
        parts.append("no golden file")
      }
      return "  \(entry.shownName): " + parts.map(DisplayText.oneLine).joined(separator: "; ") + "\n"
    }
    var text = counted(prepared.run.count, "scenario")
    if let shard = prepared.run.shard { text += " of \(prepared.run.total), shard \(shard)" }
    text += ", store \(suite.store.rawValue), \(counted(suite.jobs, "job"))"
    if let seed = control.shuffleSeed { text += ", shuffled with seed \(seed)" }
    if control.limits.repetitions > 1 { text += ", \(control.limits.repetitions) runs each" }
    if let limit = control.limits.timeLimit { text += ", at most \(limit.shortText) s each" }
    if let maximum = control.limits.maximumFailures { text += ", until \(counted(maximum, "failure"))" }
    text += control.reports.map { ", report \($0.format.rawValue)\($0.path.map { "=\($0)" } ?? "")" }.joined()
    return lines.joined() + DisplayText.oneLine(text) + "\n"
  }
}

extension PreparedRun {
  /// The names of the scenarios, one on each line.
  var names: String { entries.map { $0.shownName + "\n" }.joined() }
}
