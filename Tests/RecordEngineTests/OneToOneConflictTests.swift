import RecordEngine
import Testing

/// Tests for responses that set one-to-one relationships that the caller has changed. Rules: `context.conflict`,
/// `context.conflict.deleted`, `save.child.order`.
@Suite struct OneToOneConflictTests {
  private let server = NextResponse()
  private let container: PersistentContainer

  init() throws {
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Person", primaryKey: "id",
          attributes: [AttributeDescription("id", .int64), AttributeDescription("name", .string)],
          relationships: [RelationshipDescription("partner", to: "Person", inverse: "partner")])
      ]),
      configuration: .init(server: server))
  }

  private func request(
    _ people: JSONValue, _ context: ManagedObjectContext, isSaved: Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await server.request("Person", people, from: container, context, isSaved: isSaved)
  }

  private func person(_ id: Int64, _ context: ManagedObjectContext) throws -> Record {
    let people = try context.fetch(RecordFetchRequest("Person"))
    return try #require(people.first { $0["id"] == id })
  }

  private func partner(of id: Int64, _ context: ManagedObjectContext) throws -> Int64? {
    try (person(id, context)["partner"] as Record?)?["id"]
  }

  /// The caller's link takes precedence over that of a saved response. Nothing of the response is unsaved, so a later
  /// save of another context is visible.
  @Test func aSavedLinkThatTheCallerHidesIsNotUnsaved() async throws {
    let (context, other) = (container.makeContext(), container.makeContext())
    try await request([["id": 1], ["id": 2, "partner": 2]], other, isSaved: true)
    let first = try person(1, context)
    first["partner"] = first
    try await request([["id": 1, "name": "unsaved"]], context, isSaved: false)
    #expect(try partner(of: 2, context) == 2)
    try await request([["id": 1, "partner": 2]], context, isSaved: true)
    #expect(try partner(of: 1, context) == 1)
    #expect(try partner(of: 2, context) == nil)

    var saves = container.saves.makeAsyncIterator()
    try await request([["id": 2, "partner": 2]], other, isSaved: true)
    context.merge(try #require(await saves.next()))
    #expect(try partner(of: 1, context) == 1)
    #expect(try partner(of: 2, context) == 2)
  }

  /// The caller's link to a record that is deleted in the parent has no effect. A response that repeats the link moves
  /// the other record away from its former partner nevertheless, as it would if it were saved at once.
  @Test func aResponseMayRepeatALinkToADeletedRecord() async throws {
    let parent = container.makeContext()
    let child = parent.makeChild()
    try await request([["id": 1, "partner": 1], ["id": 2]], parent, isSaved: true)
    try person(2, child)["partner"] = try person(1, child)
    parent.delete(try person(2, parent))
    child.refreshAllObjects()
    #expect(try partner(of: 1, child) == 1)

    try await request([["id": 2, "partner": 1]], child, isSaved: false)
    #expect(try partner(of: 1, child) == nil)
  }

  /// An unsaved response has taken a record from the partner that the caller has set in the parent. A saved response
  /// does not restore that link, because it does not mention the record.
  @Test func aSavedResponseDoesNotRestoreALinkOfTheParent() async throws {
    let parent = container.makeContext()
    let child = parent.makeChild()
    try await request([["id": 1], ["id": 2], ["id": 3]], parent, isSaved: true)
    parent.delete(try person(1, parent))
    try person(2, parent)["partner"] = try person(3, parent)
    child.refreshAllObjects()
    #expect(try partner(of: 2, child) == 3)

    try await request([["id": 1, "partner": 2]], child, isSaved: false)
    #expect(try partner(of: 2, child) == nil)
    try await request([["id": 1, "partner": 3]], child, isSaved: true)
    #expect(try partner(of: 2, child) == nil)
    #expect(try partner(of: 3, child) == nil)
  }

  /// A child's link of a record that has been deleted in the meantime does not change the former partner.
  @Test func aChildsLinkOfADeletedRecordChangesNothing() async throws {
    let root = container.makeContext()
    try await request([["id": 1], ["id": 2], ["id": 3, "partner": 4]], root, isSaved: true)
    let parent = root.makeChild()
    let child = parent.makeChild()
    try person(1, parent)["partner"] = try person(3, parent)
    try person(1, child)["partner"] = try person(2, child)
    root.delete(try person(1, root))
    parent.refreshAllObjects()
    #expect(try partner(of: 3, parent) == 4)
    try child.save()
    #expect(try partner(of: 3, parent) == 4)
  }
}
