import RecordSpec
import Testing

extension ScenarioTest.Failure {
  /// Shows the failure at its line of YAML.
  func record() {
    Testing.Issue.record(
      "\(self)",
      sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

struct ConformanceAtTheLineTests {
  @Test(arguments: try Scenarios(in: ConformanceTests.folder))
  func conforms(_ scenario: ScenarioTest) async {
    do {
      try await scenario.check(registering: app)
    } catch {
      error.record()
    }
  }
}
