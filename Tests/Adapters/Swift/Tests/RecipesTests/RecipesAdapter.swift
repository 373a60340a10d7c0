import Recipes
import RecordSpecTesting

struct RecipesAdapter: ScenarioAdapter {
  let book: RecipeBook

  init(_ context: AdapterContext) throws {
    book = try RecipeBook(folder: context.folder, baseURL: context.baseURL, session: context.session)
  }

  var actions: [String: AdapterAction<Self>] {
    [
      "refresh": .init { try await $0.book.refresh() },
      "loadMore": .init { try await $0.book.loadMore() },
      "editNote": .init(with: NoteEdit.self) { try await $0.book.editNote(of: $1.recipe, to: $1.note) },
      "sync": .init { try await $0.book.sync() },
    ]
  }

  func dump() async throws -> StoreDump {
    try await book.database.read { db in
      var dump = StoreDump()
      try dump.add("recipe", Recipe.fetchAll(db))
      try dump.add("cook", Cook.fetchAll(db))
      try dump.add("tag", Tag.fetchAll(db))
      try dump.add("recipe_tag", RecipeTag.fetchAll(db))
      try dump.add("feed", Feed.fetchAll(db))
      return dump
    }
  }
}
