import JSONTree
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// A new scenario that calls actions of an app. The app performs them once, which shows the tables of its store.
struct AppScenario {
  var draft: ScenarioDraft
  /// The files that the scenario names, by their paths below its folder.
  var files: [(name: String, bytes: [UInt8])] = []
  private let probe: AppProbe

  /// Creates the scenario of some calls, and performs them.
  init(
    _ draft: ScenarioDraft, calls: [String], files: [(name: String, bytes: [UInt8])], path: String,
    root: String, adapters: AdapterArguments, in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) {
    self.draft = draft
    self.files = files
    self.draft.tables = JSONObject()
    self.draft.steps = calls.map { ScenarioDraft.Step(members: ["call": .string($0)]) }
    let trial = ScenarioTrial(
      draft: self.draft, path: path, root: root, files: files, allowedFolders: context.suite.allowedFolders)
    let found = try adapters.adapters(in: context)
    guard let app = found.app else {
      throw context.refuse(
        .usage, "'--call' needs the adapter of the app", advice: "name it with '--adapter'")
    }
    let probe = try await trial.withScenario(in: context) { scenario throws(Refusal) in
      do throws(Breakage) {
        return try await AppProbe.run(scenario, on: app)
      } catch {
        await found.stop()
        throw context.refuse(.broken, error.message, advice: error.advice)
      }
    }
    await found.stop()
    let tables = GuessedTables(probe.dump)
    (self.draft.tables, self.draft.tableComments) = (tables.value, tables.comments)
    self.probe = probe
  }

  /// The numbers of its parts, in words.
  var summary: String {
    let responses = draft.addresses.reduce(0) { $0 + $1.responses.count }
    let tables = draft.tables?.count ?? 0
    return
      "\(counted(responses, "response")), \(counted(draft.steps.count, "call")), \(counted(tables, "table"))"
  }

  /// Reports the reasons why the scenario will not pass as it is.
  ///
  /// - Parameter advice: a function that returns the advice for a request without a response.
  func reportWarnings(in context: CommandContext, advice: (UnansweredRequest) -> String) {
    func warn(_ message: String, _ advice: String) {
      context.report("warning: \(DisplayText.oneLine(message))\nhelp: \(DisplayText.oneLine(advice))\n")
    }
    for request in probe.unanswered {
      warn("the app sent a request without a response: \(request.message)", advice(request))
    }
    for failure in probe.failures {
      warn("the action '\(failure.action)' failed: \(failure.message)", "expect it with 'failure: {}'")
    }
  }
}
