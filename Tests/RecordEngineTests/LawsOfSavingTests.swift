import Foundation
import JSONTree
import RecordEngine
import RecordModel
import Testing

/// Tests that a response is saved completely or not at all, and that concurrent saves result in one record per key.
/// Rules: `save.atomic`, `save.validation`, `save.concurrent`, `response.invalid`.
@Suite struct LawsOfSavingTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", responseKeyPath: "data",
        attributes: [
          AttributeDescription("id", .int32), AttributeDescription("text", .string, isOptional: false),
        ],
        relationships: [
          RelationshipDescription("user", to: "User", inverse: "posts"),
          RelationshipDescription("tags", toMany: "Tag", inverse: "posts", assignment: .replace),
        ]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .int32), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
      EntityDescription(
        "Tag", primaryKey: "id", attributes: [AttributeDescription("id", .int32)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "tags")]),
    ])
  }

  // MARK: Failures

  /// Returns the contents of a store as text.
  private func contents(_ store: MemoryStore, _ schema: Schema) throws -> String {
    let rows = try schema.trees.flatMap { try store.rows(of: $0.root) }
    let members = schema.relationships.filter(\.isToMany).map { relationship in
      rows.filter { schema.isKind($0.entity, of: relationship.entity) }
        .map { store.members(of: relationship.index, owners: [$0.id]) }
    }
    return "\(rows) \(members)"
  }

  private static let stored: JSONValue = [
    ["id": 1, "text": "one", "user": ["id": 7, "name": "Ada"], "tags": [1, 2]],
    ["id": 2, "text": "two", "user": 8, "tags": [2]],
  ]

  /// A response that changes stored attributes, links and members, and creates new records.
  private static let changing: JSONValue = [
    ["id": 1, "text": "changed", "user": 8, "tags": [3, ["id": 2, "posts": [2]]]],
    ["id": 3, "text": "new", "user": ["id": 9, "name": "Eva"], "tags": [4]],
  ]

  private func importResponse(_ response: JSONValue, _ schema: Schema, _ store: any Store) throws {
    let population = Population(
      schema: schema, reader: store, entity: 0, response: "test", options: PopulationOptions())
    _ = try population.populateAndSave(JSONDocument(response), to: store)
  }

  @Test(arguments: StoreCallCounter.Call.allCases) func whatAStoreRefusesChangesNothing(
    call: StoreCallCounter.Call
  ) throws {
    let schema = try Self.model().schema
    let memory = MemoryStore(schema: schema)
    let store = StoreCallCounter(memory)
    try importResponse(Self.stored, schema, store)
    let before = try contents(memory, schema)
    _ = store.takeCounts()
    store.fail([call])
    // An import does not make these calls, except `reserveIDs`, which cannot fail.
    if [.reserveIDs, .rowsOfEntity, .rowsOfFetch, .owners].contains(call) { return }
    let failure = #expect(throws: RequestFailure.self) {
      try importResponse(Self.changing, schema, store)
    }
    #expect(failure?.primary.code == (call == .commit ? .saveError : .fetchError))
    #expect(store.takeCounts()[call] == 1)
    #expect(try contents(memory, schema) == before)
    store.fail([])
    try importResponse(Self.changing, schema, store)
    #expect(try contents(memory, schema) != before)
  }

  @Test(arguments: [
    ServerResponse(.json(true)), ServerResponse(.json(["data": "text"])),
    ServerResponse(.bytes(Array("{".utf8))),
    ServerResponse(.json(["data": [["id": 1, "text": "changed"]]]), status: 500),
  ])
  func whatIsNoResponseChangesNothing(response: ServerResponse) async throws {
    let server = ScriptedServer([ServerResponse(.json(["data": Self.stored])), response])
    let container = try PersistentContainer(model: try Self.model(), configuration: .init(server: server))
    let context = container.makeContext()
    let records = try await container.request("Post", urn: "posts", context: context).records
    await #expect(throws: RequestFailure.self) {
      _ = try await container.request("Post", urn: "posts", context: context)
    }
    #expect(!context.hasChanges)
    #expect(records.map { $0["text"] } == ["one", "two"])
    #expect(
      try container.makeContext().fetch(RecordFetchRequest("Post")).map { $0["text"] } == ["one", "two"])
  }

  /// A server that returns the given responses one after another.
  private actor ScriptedServer: Server {
    private var responses: [ServerResponse]

    init(_ responses: [ServerResponse]) { self.responses = responses }

    func response(to request: ServerRequest) async throws -> ServerResponse { responses.removeFirst() }
  }

  // MARK: Concurrency

  /// A context saves new records while requests populate the same store.
  @Test func savesAndRequestsAtOnceLoseNothing() async throws {
    let bodies = Dictionary(
      uniqueKeysWithValues: (0..<4).map { number -> (String, JSONValue) in
        let id = JSONValue.number(JSONNumber(Int64(number)))
        return ("posts/\(number)", ["data": [["id": id, "text": "sent", "tags": [1]]]])
      })
    for _ in 0..<10 {
      let container = try PersistentContainer(
        model: try Self.model(), configuration: .init(server: CannedServer(bodies)))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            let context = container.makeContext()
            _ = try await container.request("Post", urn: "posts/\(number)", context: context)
          }
          group.addTask {
            let context = container.makeContext()
            let post = try context.insert("Post")
            post["id"] = 100 + number
            post["text"] = "made"
            try context.save()
          }
        }
        try await group.waitForAll()
      }
      let context = container.makeContext()
      let posts = try context.fetch(RecordFetchRequest("Post"))
      #expect(posts.compactMap { $0["id"] as Int? }.sorted() == [0, 1, 2, 3, 100, 101, 102, 103])
      let tags = try context.fetch(RecordFetchRequest("Tag"))
      #expect(tags.map { ($0["posts"] as [Record]).count } == [4])
    }
  }
}
