package import ScenarioFormat

/// The scenarios that prove each rule.
package struct RuleCoverage: Sendable {
  /// The names of the scenarios that cover each rule, in order.
  private let scenarios: [String: [String]]

  /// The problems of `covers:` entries that are not rules, sorted by file and location. Their code is `unknown-rule`.
  package let problems: [AuthorDiagnostic]

  /// Creates the coverage from the rules that scenarios name. A scenario may name a planned rule, which the engine does
  /// not implement yet.
  ///
  /// - Parameter scenarios: the names of the scenarios, and their `covers:` lists.
  /// - Complexity: linear in the number of covered rules, plus the number of all rules for each unknown rule.
  package init(_ scenarios: some Sequence<(name: String, covers: [Located<String>])>) {
    var names: [String: [String]] = [:]
    var problems: [AuthorDiagnostic] = []
    for scenario in scenarios {
      for covered in scenario.covers {
        if Rule.rule(covered.value) == nil {
          problems.append(Self.unknownRule(covered))
        } else if names[covered.value]?.last != scenario.name {
          names[covered.value, default: []].append(scenario.name)
        }
      }
    }
    self.scenarios = names
    self.problems = problems.sortedByLocation()
  }

  /// Returns the names of the scenarios that prove a rule, in the order in which they were given.
  package func scenarios(of rule: Rule) -> [String] { scenarios[rule.id] ?? [] }

  /// The implemented rules that no scenario and no test suite proves, in the order of ``Rule/all``.
  package var uncovered: [Rule] { Rule.all.filter(isUncovered) }

  /// Returns a Boolean value that indicates whether a rule is implemented but has no scenario and no test suite.
  package func isUncovered(_ rule: Rule) -> Bool {
    !rule.isPlanned && rule.provenBy == nil && scenarios(of: rule).isEmpty
  }

  private static func unknownRule(_ name: Located<String>) -> AuthorDiagnostic {
    let nearest = Rule.nearestID(to: name.value)
    return AuthorDiagnostic(
      .unknownRule, at: name.span, "unknown rule '\(name.value)'",
      advice: nearest.map { "did you mean '\($0)'?" }
        ?? "'recordspec rules' lists all rules; put your own labels in 'tags'")
  }
}

extension RuleCoverage {
  /// Creates the coverage from the rules that loaded scenarios name.
  package init(_ scenarios: some Sequence<Scenario>) {
    self.init(scenarios.map { (name: $0.name, covers: $0.covers) })
  }
}

extension AuthorDiagnostic.Code {
  /// An entry of `covers:` that is not a rule.
  static let unknownRule = Self(rawValue: "unknown-rule")
}
