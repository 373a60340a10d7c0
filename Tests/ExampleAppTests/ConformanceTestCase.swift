import RecordSpec
import XCTest

final class ConformanceTestCase: XCTestCase {
  func testScenarios() async throws {
    for scenario in try Scenarios(in: ConformanceTests.folder) {
      do {
        try await scenario.check(registering: app)
      } catch {
        record(error)
      }
    }
  }

  private func record(_ failure: ScenarioTest.Failure) {
    #if canImport(ObjectiveC)
      let location = XCTSourceCodeLocation(filePath: failure.filePath, lineNumber: failure.line)
      record(
        XCTIssue(
          type: .assertionFailure, compactDescription: failure.description,
          sourceCodeContext: XCTSourceCodeContext(location: location)))
    #else
      recordFailure(
        withDescription: failure.description, inFile: failure.filePath, atLine: failure.line, expected: true)
    #endif
  }
}
