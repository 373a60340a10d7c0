import RecordSpecTesting
import XCTest

final class ConformanceTestCase: XCTestCase {
  func testScenarios() async throws {
    for scenario in try Scenarios(in: ConformanceTests.folder) {
      await scenario.test(in: self, registering: app)
    }
  }
}
