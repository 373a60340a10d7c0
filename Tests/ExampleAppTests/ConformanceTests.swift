import Foundation
import RecordSpec
import Testing

struct ConformanceTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Conformance/Scenarios")

  @Test(arguments: try Scenarios(in: folder))
  func conforms(_ scenario: ScenarioTest) async throws {
    try await scenario.check(registering: app)
  }
}
