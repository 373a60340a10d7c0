import Foundation
import RecordSpec
import Testing

/// The scenarios that come with the project prove every rule that is built.
@Suite struct RuleScenariosTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../../Scenarios").standardizedFileURL.path

  private func coverage() throws -> RuleCoverage {
    let found = ScenarioFiles(below: Self.root)
    let loaded = found.files.map(Scenario.load)
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
