import Testing

@testable import RecordEngine

/// A context of a ``RestatedSetting``.
enum RestatedLevel { case parent, child }

/// A response, or a change of the caller.
enum RestatedStep {
  case saved(EntityName, JSONValue, RestatedLevel = .child)
  case unsaved(EntityName, JSONValue, RestatedLevel = .child)
  /// A response that is saved for an unrelated context.
  case other(EntityName, JSONValue)
  /// The caller inserts a book.
  case insert(RestatedLevel, String)
  /// The caller deletes a record: the one that the caller has inserted, if there are two with the same key.
  case delete(RestatedLevel, String)
  case refresh
  /// Changes of the caller, who finds each record by its identifier.
  case edit(RestatedLevel, ((String) throws -> Record) throws -> Void)
}

/// A context and its child, on a store in memory.
struct RestatedSetting {
  private let server = NextResponse()
  private let container: PersistentContainer
  let parent: ManagedObjectContext
  let child: ManagedObjectContext

  init() throws {
    let model = try Self.model()
    container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema), configuration: .init(server: server))
    parent = container.makeContext()
    child = parent.makeChild()
  }

  func perform(_ step: RestatedStep, isolation: isolated (any Actor)? = #isolation) async throws {
    switch step {
    case .saved(let entity, let body, let level):
      try await server.request(entity, body, from: container, self[level], isSaved: true)
    case .unsaved(let entity, let body, let level):
      try await server.request(entity, body, from: container, self[level], isSaved: false)
    case .other(let entity, let body):
      try await server.request(entity, body, from: container, container.makeContext(), isSaved: true)
      parent.refreshAllObjects()
      child.refreshAllObjects()
    case .insert(let level, let id): try self[level].insert("Book")["id"] = id
    case .delete(let level, let id):
      let found = try records(self[level]).filter { $0["id"] == id }
      self[level].delete(try #require(found.first { $0.isInserted } ?? found.first))
    case .refresh: child.refreshAllObjects()
    case .edit(let level, let change):
      let records = try records(self[level])
      try change { id in try #require(records.first { $0["id"] == id }) }
    }
  }

  private subscript(level: RestatedLevel) -> ManagedObjectContext { level == .parent ? parent : child }

  /// Saves all changes, and returns the contents of the store.
  func saved() throws -> [String] {
    try child.save()
    try parent.save()
    return try contents(container.makeContext())
  }

  private func records(_ context: ManagedObjectContext) throws -> [Record] {
    try ["Book", "Shelf"].flatMap { try context.fetch(RecordFetchRequest($0)) }
  }

  /// Returns a line with the properties of each record of a context.
  func contents(_ context: ManagedObjectContext) throws -> [String] {
    try records(context).map { record in
      let row = try #require(context.row(record.recordID))
      let entity = context.schema.entities[row.entity]
      let id: String? = record["id"]
      var line = "\(id ?? "") \(entity.name)" + (row.isStub ? " stub" : "")
      for attribute in entity.attributes where attribute.name != "id" {
        if let value: String = record[attribute.name] { line += " \(attribute.name): \(value)" }
      }
      for relationship in entity.relationships.map({ context.schema.relationships[$0] }) {
        let others: [Record] =
          relationship.isToMany
          ? record[relationship.name] : [record[relationship.name] as Record?].compactMap(\.self)
        let names: [String] = others.compactMap { $0["id"] }
        if names.isEmpty { continue }
        line +=
          " \(relationship.name): "
          + (relationship.isOrdered ? names : names.sorted()).joined(separator: ", ")
      }
      return line
    }
    .sorted()
  }

  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Book", primaryKey: "id", deletedWhen: "isGone == true",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("sequel", to: "Book", inverse: "prequel"),
          RelationshipDescription("prequel", to: "Book", inverse: "sequel"),
          RelationshipDescription("likes", to: "Book"),
          RelationshipDescription("marks", toMany: "Book"),
          RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
          RelationshipDescription("topics", toMany: "Shelf", inverse: "about"),
        ]),
      EntityDescription(
        "Novel", parent: "Book", usedWhen: "kind == 'novel'",
        attributes: [AttributeDescription("genre", .string, default: "prose")],
        relationships: [RelationshipDescription("hero", to: "Shelf")]),
      EntityDescription(
        "Shelf", primaryKey: "id", deletedWhen: "isGone == true",
        attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription(
            "books", toMany: "Book", inverse: "shelf", isOrdered: true, deleteRule: .cascade),
          RelationshipDescription("featured", toMany: "Book", isOrdered: true, assignment: .replace),
          RelationshipDescription(
            "about", toMany: "Book", inverse: "topics", isOrdered: true, assignment: .replace),
        ]),
    ])
  }
}
