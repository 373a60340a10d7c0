/// Which rules are proved by which scenarios.
public struct RuleCoverage: Sendable {
  /// For each rule that a scenario names, the scenarios' names in their order.
  private let scenarios: [String: [String]]

  /// Every `covers:` that names no rule, by file and place. Their code is `unknown-rule`.
  public let problems: [AuthorDiagnostic]

  /// What scenarios say that they prove. A planned rule may be named: the scenario is ahead of the engine.
  ///
  /// - Parameter scenarios: names, and the lists under `covers:`.
  /// - Complexity: linear in what the scenarios name, and in the rules for each name that is none.
  public init(_ scenarios: some Sequence<(name: String, covers: [Located<String>])>) {
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
    self.problems = problems.sortedByPlace()
  }

  /// The names of the scenarios that prove a rule, in the order in which they were given.
  public func scenarios(of rule: Rule) -> [String] { scenarios[rule.id] ?? [] }

  /// The rules that are built and that nothing proves, in the order of the list.
  public var uncovered: [Rule] { Rule.all.filter(isUncovered) }

  /// Whether a rule is built and has neither a scenario nor tests of its own.
  func isUncovered(_ rule: Rule) -> Bool {
    !rule.isPlanned && rule.provenBy == nil && scenarios(of: rule).isEmpty
  }

  private static func unknownRule(_ name: Located<String>) -> AuthorDiagnostic {
    let nearest = Rule.nearestID(to: name.value)
    return AuthorDiagnostic(
      .unknownRule, at: name.span, "there is no rule '\(name.value)'",
      advice: nearest.map { "did you mean '\($0)'?" }
        ?? "'recordspec rules' prints them all; labels of your own go in 'tags'")
  }
}

extension RuleCoverage {
  /// What loaded scenarios say that they prove.
  public init(_ scenarios: some Sequence<Scenario>) {
    self.init(scenarios.map { (name: $0.name, covers: $0.covers) })
  }
}

extension AuthorDiagnostic.Code {
  public static let unknownRule = Self(rawValue: "unknown-rule")
}
