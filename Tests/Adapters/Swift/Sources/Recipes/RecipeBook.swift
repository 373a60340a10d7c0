public import Foundation
public import GRDB

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The recipes of a server, and their copies in a database.
public struct RecipeBook: Sendable {
  public let database: DatabaseQueue
  private let baseURL: URL
  private let session: URLSession

  public init(folder: URL, baseURL: URL, session: URLSession = .shared) throws {
    database = try DatabaseQueue(path: folder.appending(path: "recipes.sqlite").path)
    self.baseURL = baseURL
    self.session = session
    try DatabaseMigrator.recipes.migrate(database)
  }

  /// Loads the first page, and deletes the recipes that it no longer lists.
  public func refresh() async throws {
    let page: Page = try await send("recipes")
    try await database.write { db in
      try page.save(db)
      _ = try Recipe.filter(!page.recipes.map(\.id).contains(Column("id"))).deleteAll(db)
    }
  }

  /// Loads the next page, if there is one.
  public func loadMore() async throws {
    guard let next = try await database.read({ db in try Feed.fetchOne(db, key: "recipes")?.next })
    else { return }
    let page: Page = try await send(next)
    try await database.write { db in try page.save(db) }
  }

  /// Stores a note at once, and then sends it.
  public func editNote(of recipe: Recipe.ID, to note: String?) async throws {
    try await setNote(of: recipe, to: note, pending: true)
    try await sendNote(note, of: recipe)
  }

  /// Sends the notes that have not reached the server.
  public func sync() async throws {
    let pending = try await database.read { db in
      try Recipe.filter(Column("pending") == true).order(Column("id")).fetchAll(db)
    }
    for recipe in pending { try await sendNote(recipe.note, of: recipe.id) }
  }

  private func sendNote(_ note: String?, of recipe: Recipe.ID) async throws {
    let sent: SentNote = try await send("recipes/\(recipe)/note", body: ["note": note])
    try await setNote(of: sent.id, to: sent.note, pending: false)
  }

  private func setNote(of recipe: Recipe.ID, to note: String?, pending: Bool) async throws {
    try await database.write { db in
      var recipe = try Recipe.find(db, id: recipe)
      recipe.note = note
      recipe.pending = pending
      try recipe.update(db)
    }
  }

  /// Sends a GET request, or a POST request with a JSON body, and returns the response.
  private func send<Response: Decodable>(
    _ address: String, body: [String: String?]? = nil
  ) async throws -> Response {
    guard let url = URL(string: address, relativeTo: baseURL) else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    if let body {
      request.httpMethod = "POST"
      request.httpBody = try JSONEncoder().encode(body)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    }
    let (data, response) = try await session.data(for: request)
    guard let status = (response as? HTTPURLResponse)?.statusCode, 200..<300 ~= status else {
      throw URLError(.badServerResponse)
    }
    return try JSONDecoder().decode(Response.self, from: data)
  }
}
