public import Foundation
public import RecordEngine

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The recipes of a server, and their copies in a store.
public actor RecipeBook {
  public typealias Send = @Sendable (URLRequest) async throws -> (Data, HTTPURLResponse)

  public nonisolated let container: PersistentContainer
  private let context: ManagedObjectContext

  public init(folder: URL, baseURL: URL, send: @escaping Send) throws {
    container = try PersistentContainer(
      Recipe.self, Cook.self, Tag.self, Feed.self,
      configuration: .init(
        store: .file(folder.appending(path: "Recipes.store")),
        server: RecipeServer(baseURL: baseURL, send: send)))
    context = container.makeContext()
  }

  /// Loads the first page, and deletes the recipes that it no longer lists.
  public func refresh() async throws { try await loadPage("recipes", orphans: OrphanDeletion()) }

  /// Loads the next page, if there is one.
  public func loadMore() async throws {
    if let next = try feed?.next { try await loadPage(next) }
  }

  /// Stores a note at once, and then sends it.
  public func editNote(of id: Int, to note: String?) async throws {
    guard let recipe = try context.fetch(Recipe.self, where: \.$id == id).first else {
      throw UnknownRecipe(id: id)
    }
    recipe.note = note
    recipe.pending = true
    try context.save()
    try await sendNote(of: recipe)
  }

  /// Sends the notes that have not reached the server.
  public func sync() async throws {
    let pending = try context.fetch(Recipe.self, where: \.$pending == true, sortedBy: .ascending(\.$id))
    for recipe in pending { try await sendNote(of: recipe) }
  }

  private var feed: Feed? {
    get throws { try context.fetch(Feed.self, where: \.$name == "recipes").first }
  }

  private func loadPage(_ address: String, orphans: OrphanDeletion? = nil) async throws {
    var options = RequestOptions()
    options.keyPathForResponseObject = "recipes"
    options.orphans = orphans
    // The page is saved together with the address of the next one.
    options.automaticallyPersistsRecords = false
    let page = try await container.request(Recipe.self, urn: address, options: options, context: context)
    let feed = try feed ?? context.insert(Feed.self)
    feed.name = "recipes"
    feed.next = page.responseObject?["next"]?.string
    try context.save()
  }

  private func sendNote(of recipe: Recipe) async throws {
    let note = recipe.note.map(JSONValue.string) ?? .null
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let request = RecordRequest<Recipe>.post(
      "recipes/\(recipe.id)/note", body: .json(["note": note]), options: options)
    _ = try await container.perform(request, context: context)
    recipe.pending = false
    try context.save()
  }
}

/// An error that says that there is no recipe with an id.
public struct UnknownRecipe: Error {
  public let id: Int
}
