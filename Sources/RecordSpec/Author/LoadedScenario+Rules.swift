import ScenarioFormat

extension LoadedScenario {
  /// Returns the scenario after verifying the rules that it covers. An unknown rule makes it invalid.
  package func checkedForRules() -> LoadedScenario {
    let covers = names.compactMap { name -> Located<String>? in
      guard name.kind == .rule, case .span(let span) = name.location else { return nil }
      return Located(value: name.name, span: span)
    }
    return refused(for: RuleCoverage([(name: name, covers: covers)]).problems)
  }
}
