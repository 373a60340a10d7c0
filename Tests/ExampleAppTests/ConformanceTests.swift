import Foundation
import RecordSpecTesting
import Testing

struct ConformanceTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Conformance/Scenarios")

  @Test(arguments: try Scenarios(in: folder))
  func conforms(_ scenario: ScenarioTest) async {
    await scenario.test(registering: app)
  }
}
