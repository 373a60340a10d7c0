import RecordModel
import Testing

@testable import RecordEngine

/// Posts with a user, tags and ordered likers, and notes that no relationship leads to. The store counts its calls.
struct UpdateWorld {
  final class Post: Record {
    var id: String? { self["id"] }
  }

  let container: PersistentContainer
  let calls: StoreCallCounter
  private let store: TestStore

  static func model() throws -> ManagedObjectModel {
    let id = AttributeDescription("id", .string)
    return try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id",
        attributes: [id, AttributeDescription("text", .string), AttributeDescription("likes", .double)],
        relationships: [
          RelationshipDescription("user", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts"),
          RelationshipDescription("likers", toMany: "User", isOrdered: true),
        ]),
      EntityDescription(
        "User", primaryKey: "id", attributes: [id, AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("posts", toMany: "Post", inverse: "user", deleteRule: .cascade)
        ]),
      EntityDescription(
        "Tag", primaryKey: "id", attributes: [id],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
      EntityDescription("Note", primaryKey: "id", attributes: [id]),
    ])
  }

  init(_ kind: StoreKind, server: (any Server)? = nil) throws {
    let model = try Self.model()
    store = try TestStore(kind, model.schema)
    calls = StoreCallCounter(store.store)
    container = PersistentContainer(
      model: model, store: calls, recordTypes: [Post.self], configuration: .init(server: server))
  }

  /// Returns a context after saving the posts `1` to `count` with their numbers as likes.
  func context(posts count: Int) throws -> ManagedObjectContext {
    let context = container.makeContext()
    for number in 0..<count {
      let post = try insert("Post", "\(number + 1)", context)
      post["likes"] = Double(number + 1)
    }
    try context.save()
    return context
  }

  @discardableResult
  func insert(_ entity: EntityName, _ id: String, _ context: ManagedObjectContext) throws -> Record {
    let record = try context.insert(entity)
    record["id"] = id
    return record
  }

  func record(_ entity: EntityName, _ id: String, _ context: ManagedObjectContext) throws -> Record {
    let predicate = try RecordPredicate("id == %@", arguments: .value(id))
    return try #require(context.fetch(RecordFetchRequest(entity, predicate: predicate)).first)
  }

  static let byLikes = RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("likes")])
}

extension [Record] {
  var ids: String { compactMap { $0["id"] }.joined(separator: " ") }
}

extension FetchChanges {
  /// Returns the list to which these changes lead from a former list.
  func applied(to former: [RecordID]) throws -> [RecordID] {
    var changes: [CollectionDifference<RecordID>.Change] = []
    for position in deleted {
      changes.append(.remove(offset: position.offset, element: position.id, associatedWith: nil))
    }
    for position in inserted {
      changes.append(.insert(offset: position.offset, element: position.id, associatedWith: nil))
    }
    for move in moved {
      changes.append(.remove(offset: move.source, element: move.id, associatedWith: move.destination))
      changes.append(.insert(offset: move.destination, element: move.id, associatedWith: move.source))
    }
    let difference = try #require(CollectionDifference(changes))
    return try #require(former.applying(difference))
  }

  /// The changes in one line, such as `+3@0 -1@2 2:1→0 3[text]`. Records have the numbers of their identifiers.
  var text: String {
    var parts = inserted.map { "+\($0.id.serial)@\($0.offset)" }
    parts += deleted.map { "-\($0.id.serial)@\($0.offset)" }
    parts += moved.map { "\($0.id.serial):\($0.source)→\($0.destination)" }
    parts += updated.map { update in
      "\(update.id.serial)[\(update.properties.map(\.rawValue).joined(separator: ","))]@\(update.offset)"
    }
    return parts.joined(separator: " ")
  }
}

extension UpdateLoop {
  /// Returns the update that the next call would deliver without waiting; nil if it would wait.
  func ready() throws -> Update? {
    switch try step() {
    case .update(let update): return update
    case .unchanged: return nil
    case .end:
      Issue.record("the sequence has ended")
      return nil
    }
  }
}
