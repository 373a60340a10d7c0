package import Foundation
package import JSONTree
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// An app that a scenario runs: it performs actions with the app's own code, and returns the rows of the app's own store.
///
/// A failed call of the app is an outcome. Anything else that goes wrong is a ``Breakage``, because the result is then unknown.
package protocol ScenarioApp {
  /// Starts the app with an empty store. Its requests go to the server.
  func open(_ scenario: Scenario, server: AppServer, now: Date) async throws(Breakage)
  /// Performs an action, and returns when the store is settled.
  func call(_ action: String, with arguments: JSONValue?) async throws(Breakage) -> CallOutcome
  /// Ends the app and starts it again, with the store as it is.
  func reopen() async throws(Breakage)
  /// Moves the clock of the app.
  func advance(to now: Date) async throws(Breakage)
  /// Returns all rows of the store.
  func dump() async throws(Breakage) -> TableDump
  /// Ends the app.
  func close() async throws(Breakage)
}

/// The outcome of an action.
package enum CallOutcome: Hashable, Sendable {
  case success
  /// The app reports that the action failed, with a message for people.
  case failure(String)
}

extension Breakage {
  /// Creates the breakage for a `call` step whose action the adapter does not have.
  package static func unknownAction(_ name: String, among actions: [String]) -> Breakage {
    let near = nearestName(to: name, among: actions)
    return Breakage(
      "the adapter has no action '\(name)'",
      advice: near.map { "did you mean '\($0)'?" }
        ?? (actions.isEmpty ? "add it to the adapter" : "its actions are \(shortenedList(actions.sorted()))"))
  }
}

extension Scenario {
  /// The breakage for the first action that the adapter does not have; nil if it has all of them.
  package func unknownAction(among actions: [String]) -> Breakage? {
    for case .call(let call) in steps.map(\.action) where !actions.contains(call.action.value) {
      var breakage = Breakage.unknownAction(call.action.value, among: actions)
      breakage.span = call.action.span
      return breakage
    }
    return nil
  }
}
