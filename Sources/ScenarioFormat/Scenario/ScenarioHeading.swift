/// The title, tags and rules that reports show. An invalid scenario has those that could be read.
package struct ScenarioHeading: Hashable, Sendable {
  package var title: String?
  package var tags: [String] = []
  /// The rules that the scenario covers.
  package var rules: [String] = []

  package init(title: String? = nil, tags: [String] = [], rules: [String] = []) {
    self.title = title
    self.tags = tags
    self.rules = rules
  }
}
