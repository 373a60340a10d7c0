import Foundation
import RecordSpec
import Testing

/// Tests that the scenarios of the project prove every implemented rule.
@Suite struct RuleScenariosTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Scenarios").standardizedFileURL.path

  private func coverage() throws -> RuleCoverage {
    let found = ScenarioFiles(below: Self.root)
    let loaded = found.files.map { Scenario.load($0) }
    let diagnostics = found.diagnostics + loaded.flatMap(\.diagnostics)
    let errors = DiagnosticRenderer().text(of: diagnostics.filter { $0.severity == .error })
    try #require(errors == "")
    return RuleCoverage(loaded.compactMap(\.scenario))
  }

  @Test func everyBuiltRuleHasAScenario() throws {
    #expect(try coverage().uncovered.map(\.id) == [])
  }

  @Test func everyRuleThatIsNamedExists() throws {
    #expect(DiagnosticRenderer().text(of: try coverage().problems) == "")
  }
}
