import EngineRecipes
import RecordEngine
import RecordSpecTesting

struct EngineRecipesAdapter: ScenarioAdapter {
  let book: RecipeBook

  init(_ context: AdapterContext) throws {
    book = try RecipeBook(folder: context.folder, baseURL: context.baseURL, send: context.send)
  }

  var actions: [String: AdapterAction<Self>] {
    [
      "refresh": .init { try await $0.book.refresh() },
      "loadMore": .init { try await $0.book.loadMore() },
      "editNote": .init(with: NoteEdit.self) { try await $0.book.editNote(of: $1.recipe, to: $1.note) },
      "sync": .init { try await $0.book.sync() },
    ]
  }

  func dump() throws -> StoreDump {
    let context = try book.container.makeContext()
    let recipes = try context.fetch(Recipe.self)
    var dump = StoreDump()
    try dump.add(
      "recipe",
      recipes.map {
        ["id": $0.id, "title": $0.title, "note": $0.note, "pending": $0.pending, "cook_id": $0.cook?.id]
      })
    try dump.add("cook", context.fetch(Cook.self).map { ["id": $0.id, "name": $0.name] })
    try dump.add("tag", context.fetch(Tag.self).map { ["id": $0.id, "label": $0.label] })
    try dump.add(
      "recipe_tag",
      recipes.flatMap { recipe in recipe.tags.map { ["recipe_id": recipe.id, "tag_id": $0.id] } })
    try dump.add("feed", context.fetch(Feed.self).map { ["name": $0.name, "next": $0.next] })
    return dump
  }
}
