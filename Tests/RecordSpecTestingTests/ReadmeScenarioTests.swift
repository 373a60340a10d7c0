import Foundation
import RecordSpecTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app of the README, with a table of recipes and one of their tags.
private final class Recipes {
  struct Response: Decodable { let recipes: [Item] }

  struct Item: Decodable {
    let id: Int
    let title: String
    let tags: [Int]
  }

  struct Recipe: Encodable {
    let id: Int
    let title: String
  }

  struct RecipeTag: Encodable, Hashable {
    let recipeID: Int
    let tagID: Int

    enum CodingKeys: String, CodingKey {
      case recipeID = "recipe_id"
      case tagID = "tag_id"
    }
  }

  private let context: AdapterContext
  private(set) var recipes: [Recipe] = []
  private(set) var recipeTags: [RecipeTag] = []

  init(_ context: AdapterContext) { self.context = context }

  func refresh(forgettingTags: Bool) async throws {
    let (data, _) = try await context.session.data(from: context.baseURL.appendingPathComponent("recipes"))
    let listed = try JSONDecoder().decode(Response.self, from: data).recipes
    recipes = listed.map { Recipe(id: $0.id, title: $0.title) }
    let former = forgettingTags ? recipeTags : []
    let tags = listed.flatMap { item in item.tags.map { RecipeTag(recipeID: item.id, tagID: $0) } }
    recipeTags = former + tags.filter { !former.contains($0) }
  }
}

private protocol RecipesAdapter: ScenarioAdapter {
  var app: Recipes { get }
  static var forgetsTags: Bool { get }
}

extension RecipesAdapter {
  var actions: [String: AdapterAction<Self>] {
    ["refresh": .init { try await $0.app.refresh(forgettingTags: Self.forgetsTags) }]
  }

  func dump() throws -> StoreDump {
    var dump = StoreDump()
    try dump.add("recipe", app.recipes)
    try dump.add("recipe_tag", app.recipeTags)
    return dump
  }
}

private struct CorrectAdapter: RecipesAdapter {
  static let forgetsTags = false
  let app: Recipes
  init(_ context: AdapterContext) { app = Recipes(context) }
}

private struct ForgetfulAdapter: RecipesAdapter {
  static let forgetsTags = true
  let app: Recipes
  init(_ context: AdapterContext) { app = Recipes(context) }
}

/// A test that runs the scenario of the README on the app that it describes.
struct ReadmeScenarioTests {
  @Test func theScenarioFindsTheForgottenTable() async throws {
    let readme = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../README.md").standardized, encoding: .utf8
    )
    let scenario = try #require(readme.firstMatch(of: /```yaml\n((?s).*?)```/)).1
    let report = try #require(readme.firstMatch(of: /```text\n((?s).*?)```/)).1
    let folder = try Folder(["refresh.yaml": String(scenario)])
    let test = try folder.first()
    // Without a golden file, everything but the file is as expected.
    await #expect { try await test.check(adapter: CorrectAdapter.self) } throws: {
      ($0 as? ScenarioTest.Failure)?.kind == .new
    }
    let failure = await #expect(throws: ScenarioTest.Failure.self) {
      try await test.check(adapter: ForgetfulAdapter.self)
    }
    let lines = report.split(separator: "\n").dropFirst()
    let text = try #require(failure).description
    for line in lines { #expect(text.contains(line), "\(text)") }
  }
}
