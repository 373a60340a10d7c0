import RecordSpec
import ScenarioFormat
import ScenarioReport

/// The keeper of the results of one run. It keeps the result of each scenario that fails, and removes the kept results
/// of scenarios that no longer fail or exist. The kept results of tests that used Swift code remain.
final class ResultKeeper {
  /// The folder; nil if nothing is kept.
  private let results: KeptResults?
  /// A Boolean value that indicates whether the user asked for the kept results, so that a problem is an error.
  let isRequired: Bool
  private let context: CommandContext
  /// The scenarios whose results were kept in this run. Another adapter on which they pass does not remove them.
  private var keptNames: Set<String> = []
  /// The first problem with the folder. After it, nothing more is kept.
  private(set) var problem: FileProblem?

  /// Creates a keeper.
  ///
  /// - Parameter folder: the folder that the user named. By default, the results are kept in `.recordspec` beside the
  ///   folder of scenarios, but not in CI or in a read-only run.
  init(folder: String?, context: CommandContext) {
    let suite = context.suite
    self.context = context
    isRequired = folder != nil
    results =
      folder.map { KeptResults(path: $0, of: suite.scenarios) }
      ?? (context.environment.remembersFailures ? KeptResults(besides: suite.scenarios) : nil)
    attempt { results throws(FileProblem) in try results.removeLeftovers() }
  }

  /// A Boolean value that indicates whether results are kept.
  var isKeeping: Bool { results != nil }

  func update(with verdict: ScenarioVerdict) {
    attempt { results throws(FileProblem) in
      // The command line cannot reproduce the result of a test that used Swift code.
      if results.usesSwiftCode(verdict.name) { return }
      if let kept = verdict.kept {
        keptNames.insert(verdict.name)
        if try !results.keep(kept) {
          context.report(
            "warning: the result of '\(kept.name)' is larger than \(results.maximumSize >> 20) MiB and was not kept\n"
          )
        }
      } else if verdict.outdatesKeptResult, !keptNames.contains(verdict.name) {
        try results.remove(verdict.name)
      }
    }
  }

  /// Removes the kept results of scenarios that no longer exist.
  ///
  /// - Parameter names: the names of all scenarios.
  func removeOthers(than names: [String]) {
    attempt { results throws(FileProblem) in try results.removeOthers(than: names) }
  }

  private func attempt(_ work: (KeptResults) throws(FileProblem) -> Void) {
    guard let results, problem == nil else { return }
    do throws(FileProblem) {
      try work(results)
    } catch {
      problem = error
    }
  }
}
