import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

@Suite struct RuleCoverageTests {
  private typealias Covering = (name: String, covers: [Located<String>])

  /// Returns a scenario whose file contains only its `covers:` line.
  private func scenario(_ name: String, covers ids: String...) -> Covering {
    let line = "covers: [\(ids.joined(separator: ", "))]"
    let file = SourceFile(path: "Scenarios/\(name).yaml", bytes: Array(line.utf8))
    var start = "covers: [".count
    var covers: [Located<String>] = []
    for id in ids {
      covers.append(Located(value: id, span: file.span(start..<start + id.count)))
      start += id.count + 2
    }
    return (name, covers)
  }

  private func rule(_ id: String) throws -> Rule { try #require(Rule.rule(id)) }

  @Test func eachRuleHasItsScenarios() throws {
    let coverage = RuleCoverage([
      scenario("b", covers: "merge.once", "identity.missing"), scenario("a", covers: "identity.missing"),
      scenario("c"),
    ])
    #expect(coverage.scenarios(of: try rule("identity.missing")) == ["b", "a"])
    #expect(coverage.scenarios(of: try rule("merge.once")) == ["b"])
    #expect(coverage.scenarios(of: try rule("merge.across")) == [])
    #expect(coverage.problems.isEmpty)
  }

  @Test func aScenarioCountsOnce() throws {
    let coverage = RuleCoverage([scenario("a", covers: "merge.once", "merge.once")])
    #expect(coverage.scenarios(of: try rule("merge.once")) == ["a"])
  }

  @Test func builtRulesWithoutScenarioAreUncovered() {
    let none = RuleCoverage([Covering]())
    #expect(none.uncovered == Rule.all.filter { !$0.isPlanned && $0.provenBy == nil })
    let some = RuleCoverage([scenario("a", covers: "merge.once", "relationships.export")])
    #expect(some.uncovered == none.uncovered.filter { $0.id != "merge.once" })
    let allIDs = Rule.all.map { scenario($0.id, covers: $0.id) }
    #expect(RuleCoverage(allIDs).uncovered == [])
  }

  @Test func aPlannedRuleMayBeNamed() throws {
    let coverage = RuleCoverage([scenario("a", covers: "relationships.export")])
    #expect(coverage.problems.isEmpty)
    #expect(coverage.scenarios(of: try rule("relationships.export")) == ["a"])
  }

  @Test func unknownRulesAreReportedInOrder() {
    let coverage = RuleCoverage([
      scenario("b", covers: "identity.mising", "merge.once"),
      scenario("a", covers: "merge.once", "pagination.infinite-scrolling"),
    ])
    #expect(
      DiagnosticRenderer().text(of: coverage.problems) == """
        Scenarios/a.yaml:1:22: error: unknown rule 'pagination.infinite-scrolling' [unknown-rule]
            1 | covers: [merge.once, pagination.infinite-scrolling]
              |                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
              = help: 'recordspec rules' lists all rules; put your own labels in 'tags'

        Scenarios/b.yaml:1:10: error: unknown rule 'identity.mising' [unknown-rule]
            1 | covers: [identity.mising, merge.once]
              |          ^^^^^^^^^^^^^^^
              = help: did you mean 'identity.missing'?

        """)
  }
}
