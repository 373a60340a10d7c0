/// A scenario that is not reviewed although its golden file is missing or may differ.
package struct ReviewObjection: Sendable {
  /// The name of the scenario.
  package let scenario: String
  package let reason: String
  /// The way to review the scenario nevertheless; nil if there is none.
  package let help: String?

  package init(scenario: String, reason: String, help: String? = nil) {
    self.scenario = scenario
    self.reason = reason
    self.help = help
  }
}
