import Foundation
import RecordEngine

/// A context with live queries, as the screens of an app have them, and a context that saves in the background.
actor ObservedFeed {
  /// The number of live queries.
  static let queries = 100
  /// The number of saves in one measurement. Each one changes another record.
  static let saves = queries / 2

  /// The record that a save changes.
  enum Change: String, CaseIterable {
    /// A post that one live query shows.
    case shown
    /// A post that no live query shows.
    case hidden
    /// A record of an entity that no live query uses.
    case unrelated

    var title: String {
      switch self {
      case .shown: "a post that one query shows"
      case .hidden: "a post that no query shows"
      case .unrelated: "a record that no query uses"
      }
    }
  }

  private typealias Post = FeedRecordTypes.Post

  private let shape: FeedShape
  private let context: ManagedObjectContext
  private let writer: ManagedObjectContext
  private let saves: AsyncStream<SavedChanges>
  private var tasks: [Task<Void, any Error>] = []
  /// The numbers of the queries with a new element.
  private let (elements, continuation) = AsyncStream<Int>.makeStream()
  /// The records that the writer changes, which it holds so that their rows are read once.
  private var changed: [Record] = []
  private var value = 0

  init(_ container: PersistentContainer, _ shape: FeedShape) {
    self.shape = shape
    context = container.makeContext()
    writer = container.makeContext()
    saves = container.saves
  }

  // MARK: Queries

  /// The number of posts that a query by identifiers shows.
  private static let window = 10

  /// Starts live queries. The first half shows posts by their identifiers. The others show posts by their user or tag,
  /// among the newest quarter of the posts.
  func observe() async throws {
    for number in 0..<Self.queries {
      let updates = try context.updates(
        of: Post.self, where: try predicate(number),
        sortedBy: [RecordSortDescriptor("createdAt", isAscending: number % 2 == 0)])
      tasks.append(
        Task { for try await _ in updates { self.continuation.yield(number) } })
    }
    try await expectElements(of: Set(0..<Self.queries))
  }

  private func predicate(_ number: Int) throws -> RecordPredicate {
    guard number >= Self.queries / 2 else {
      let first = FeedPost.id(number * Self.window)
      return try RecordPredicate(
        "id >= %@ AND id < %@", arguments: .value(Int(first)), .value(Int(first) + Self.window))
    }
    let newest = Int(FeedPost.id(shape.posts * 3 / 4))
    if number % 2 == 0 {
      // The newest users, who have no posts in the first three quarters even of a small feed.
      let user = FeedUser(shape.users - 1 - (number - Self.queries / 2) / 2, seed: FeedShape.seed)
      return try RecordPredicate("user.username == %@", arguments: .value(user.username))
    }
    let tag = FeedTag(number)
    return try RecordPredicate(
      "ANY tags.slug == %@ AND id >= %@", arguments: .value(tag.slug), .value(newest))
  }

  /// Waits until each of some queries has an element.
  private func expectElements(of numbers: Set<Int>) async throws {
    var missing = numbers
    for await number in elements {
      guard missing.remove(number) != nil else {
        throw BenchmarkFailure("query \(number) has an element without a change")
      }
      if missing.isEmpty { return }
    }
  }

  /// Ends the queries.
  ///
  /// - Throws: an error if a query has an element that no change explains, or has failed.
  func stop() async throws {
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
    continuation.finish()
    try await expectElements(of: [])
  }

  // MARK: Saves

  /// Lets the writer read the records that it changes.
  func prepare(_ change: Change) throws {
    let count = Self.saves
    switch change {
    case .shown: changed = try (0..<count).flatMap { try post($0 * Self.window) }
    case .hidden: changed = try (0..<count).flatMap { try post(shape.posts / 2 + $0) }
    case .unrelated: changed = try writer.fetch(RecordFetchRequest("Counts", limit: count))
    }
    guard changed.count == count else { throw BenchmarkFailure("\(changed.count) records to change") }
  }

  private func post(_ index: Int) throws -> [Record] {
    try writer.fetch(
      Post.self, where: RecordPredicate("id == %@", arguments: .value(Int(FeedPost.id(index)))))
  }

  /// Saves a change of each prepared record, merges each save, and waits for the element of the query that shows the
  /// record. Returns the number of elements.
  func save(_ change: Change) async throws -> Int {
    var elements = 0
    for (number, record) in changed.enumerated() {
      value += 1
      record["stars"] = value
      try writer.save()
      context.merge(try await nextSave())
      // Lets the tasks of the queries run. If one of them runs later, its check counts for a later save, and the next wait
      // finds its element.
      await Task.yield()
      guard change == .shown, !tasks.isEmpty else { continue }
      try await expectElements(of: [number])
      elements += 1
    }
    return elements
  }

  private func nextSave() async throws -> SavedChanges {
    for await save in saves { return save }
    throw BenchmarkFailure("a save is missing")
  }
}
