/// The title, the tags and the rules of a scenario, by which reports present it. They are known of an invalid scenario, too, unless
/// its file cannot be read as YAML.
package struct ScenarioHeading: Hashable, Sendable {
  /// The title; nil if it is missing or invalid.
  package var title: String?
  package var tags: [String] = []
  /// The rules that the scenario covers.
  package var rules: [String] = []

  package init(title: String? = nil) { self.title = title }
}
