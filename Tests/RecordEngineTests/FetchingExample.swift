import Foundation
import RecordEngine

// The example programs of the article on fetching, in the order of the article. A test compares them with the article.

func fetchRecentPosts(_ context: ManagedObjectContext) throws -> [Post] {
  // Fetching begin
  let recent = try context.fetch(
    Post.self, where: "user.name BEGINSWITH[c] 'a' AND ANY tags.text IN {'swift', 'linux'}",
    sortedBy: [RecordSortDescriptor("date", isAscending: false)], limit: 20)
  // Fetching end
  return recent
}

extension TypedPropertiesExample {
  static func fetchLongBooks(_ context: ManagedObjectContext) throws -> [Book] {
    // Fetching begin
    let books = try context.fetch(
      Book.self, where: \.$pages > 200 && \.$author.$name == "Ada", sortedBy: .descending(\.$published),
      limit: 20)
    // Fetching end
    return books
  }
}

func predicate(name: String, date: Date, ids: [Int64]) throws -> RecordPredicate {
  // Fetching begin
  let predicate = try RecordPredicate(
    "name == %@ AND published > %@ AND id IN %@", arguments: .value(name), .value(date), .list(ids))
  // Fetching end
  return predicate
}

@MainActor func observePosts(_ context: ManagedObjectContext, _ screen: FeedScreen) async throws {
  // Fetching begin
  let updates = try context.updates(
    of: Post.self, where: "user.name == 'Ada'", sortedBy: [RecordSortDescriptor("text")], limit: 20)
  for try await update in updates {
    screen.show(update.records)
    for move in update.changes.moved { screen.notes.append("\(move.source) → \(move.destination)") }
  }
  // Fetching end
}

@MainActor func observe(_ post: Post, _ context: ManagedObjectContext, _ screen: FeedScreen) async throws {
  // Fetching begin
  for try await update in context.updates(of: post, properties: ["text", "user"]) {
    screen.show([update.record])
    if update.properties.contains("user") { screen.notes.append("The author has changed.") }
  }
  // Fetching end
}
