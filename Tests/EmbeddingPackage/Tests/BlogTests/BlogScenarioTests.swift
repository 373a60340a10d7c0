import Foundation
import RecordSpecTesting
import Testing

struct BlogScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Scenarios").standardized

  @Test(arguments: try Scenarios(in: folder))
  func conforms(_ scenario: ScenarioTest) async {
    await scenario.test()
  }
}
