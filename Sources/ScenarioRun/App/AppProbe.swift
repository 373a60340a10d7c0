import Foundation
package import ScenarioComparison
package import ScenarioFormat

/// A first run of an app, which shows the tables of its store before a scenario describes them.
package struct AppProbe: Sendable {
  /// The rows after the last step.
  package let dump: TableDump
  /// The requests without a response, in the order of arrival, each once.
  package private(set) var unanswered: [UnansweredRequest] = []
  /// The actions that failed, with the message of the app.
  package private(set) var failures: [(action: String, message: String)] = []

  /// Performs the calls of a scenario, and compares nothing.
  package static func run(_ scenario: Scenario, on app: any ScenarioApp) async throws(Breakage) -> AppProbe {
    do throws(Breakage) {
      let probe = try await steps(of: scenario, on: app)
      try await app.close()
      return probe
    } catch {
      try? await app.close()
      throw error
    }
  }

  private static func steps(
    of scenario: Scenario, on app: any ScenarioApp
  ) async throws(Breakage) -> AppProbe {
    let server = AppServer(scenario)
    try await app.open(scenario, server: server, now: Date(timeIntervalSince1970: scenario.now))
    var (unanswered, failures): ([UnansweredRequest], [(String, String)]) = ([], [])
    for case .call(let call) in scenario.steps.map(\.action) {
      server.beginStep()
      if case .failure(let message) = try await app.call(call.action.value, with: call.arguments) {
        failures.append((call.action.value, message))
      }
      unanswered += server.endStep().unanswered.filter { !unanswered.contains($0) }
    }
    var probe = AppProbe(dump: try await app.dump())
    (probe.unanswered, probe.failures) = (unanswered, failures)
    return probe
  }

  private init(dump: TableDump) { self.dump = dump }
}
