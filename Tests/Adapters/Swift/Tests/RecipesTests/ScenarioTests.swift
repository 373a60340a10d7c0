import Foundation
import RecordSpecTesting
import Testing

struct ScenarioTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Scenarios").standardized

  @Test(arguments: try Scenarios(in: folder))
  func recipesConform(to scenario: ScenarioTest) async {
    await scenario.test(adapter: RecipesAdapter.self)
  }

  @Test(arguments: try Scenarios(in: folder))
  func engineRecipesConform(to scenario: ScenarioTest) async {
    await scenario.test(adapter: EngineRecipesAdapter.self)
  }
}
