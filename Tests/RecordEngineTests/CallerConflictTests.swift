import RecordModel
import Testing

@testable import RecordEngine

/// Tests for unsaved changes of the caller to which responses, children and saves of other contexts add changes.
/// Rules: `context.conflict`, `context.conflict.deleted`, `save.child`.
@Suite struct CallerConflictTests {
  let server = NextResponse()
  let container: PersistentContainer
  let (context, other): (ManagedObjectContext, ManagedObjectContext)

  init() throws {
    container = try PersistentContainer(
      model: CallerChangesTests.model(), configuration: .init(server: server))
    (context, other) = (container.makeContext(), container.makeContext())
  }

  @discardableResult
  func request(
    _ items: JSONValue, of entity: EntityName = "Node", _ context: ManagedObjectContext,
    isSaved: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> RequestResult<Record> {
    try await server.request(entity, items, from: container, context, isSaved: isSaved)
  }

  func node(_ id: Int, _ context: ManagedObjectContext) throws -> Record {
    try #require(context.fetch(RecordFetchRequest("Node")).first { $0["id"] == id })
  }

  func target(_ name: PropertyName, of id: Int, _ context: ManagedObjectContext) throws -> Int? {
    (try node(id, context)[name] as Record?)?["id"]
  }

  func members(_ name: PropertyName, of id: Int, _ context: ManagedObjectContext) throws -> [Int] {
    (try node(id, context)[name] as [Record]).compactMap { $0["id"] }
  }

  /// Saves changes of the other context, and merges them into the context.
  func saveElsewhere(
    isolation: isolated (any Actor)? = #isolation, _ change: (ManagedObjectContext) throws -> Void
  ) async throws {
    var saves = container.saves.makeAsyncIterator()
    other.refreshAllObjects()
    try change(other)
    try other.save()
    context.merge(try #require(await saves.next()))
  }

  // MARK: Edits

  @Test func aRemovalStaysIfAnotherOwnerLacksTheMember() async throws {
    try await request([["id": 1, "children": [3]], ["id": 2]], context, isSaved: true)
    for owner in 1...2 { try node(owner, context).remove(node(3, context), from: "children") }
    context.refreshAllObjects()
    #expect(try target("parent", of: 3, context) == nil)
  }

  /// Members that are added to an explicit order come last, the latest addition at the end.
  @Test func anOrderOutlivesARefresh() async throws {
    try await request([["id": 1, "list": [2, 3]], ["id": 4], ["id": 5]], context, isSaved: true)
    let owner = try node(1, context)
    func change(_ ids: Int...) throws { owner["list"] = try ids.map { try node($0, context) } }
    try change(3, 2)
    for id in [4, 5] { owner.add(try node(id, context), to: "list") }
    owner.remove(try node(4, context), from: "list")
    owner.add(try node(4, context), to: "list")
    for _ in 0..<2 {
      #expect(try members("list", of: 1, context) == [3, 2, 5, 4])
      context.refreshAllObjects()
    }
    // The order changes again after all stored members are removed.
    try change(5, 4)
    #expect(try members("list", of: 1, context) == [5, 4])
    try change(4, 5)
    #expect(try members("list", of: 1, context) == [4, 5])
  }

  @Test func anOrderThatIsUndoneIsNoChange() async throws {
    try await request([["id": 1, "list": [2, 3]], ["id": 4], ["id": 5]], context, isSaved: true)
    let (full, empty) = (try node(1, context), try node(4, context))
    full["list"] = full["list"] as [Record]
    context.refreshAllObjects()
    #expect(!context.hasChanges)
    let members = [try node(4, context), try node(5, context)]
    empty["list"] = members
    empty["list"] = [members[1], members[0]]
    empty["list"] = [] as [Record]
    #expect(!context.hasChanges)
  }

  @Test func refreshingARecordKeepsWhatIsEmptiedElsewhere() async throws {
    try await request([["id": 1, "loose": 2], ["id": 3]], context, isSaved: true)
    try node(1, context)["loose"] = nil as Record?
    context.refresh(try node(3, context), mergeChanges: false)
    #expect(try target("loose", of: 1, context) == nil)
  }

  // MARK: Responses

  @Test func anUnsavedResponseChangesAnOrder() async throws {
    try await request([["id": 1, "tracks": [2, 3, 4]]], context, isSaved: true)
    try await request([["id": 1, "tracks": [4, 2, 3]]], context)
    #expect(try members("tracks", of: 1, context) == [4, 2, 3])
  }

  /// An unsaved response sets a target, and the caller removes it. The relationship stays empty if another context saves
  /// another target.
  @Test func aTargetThatTheCallerHasRemovedStaysRemoved() async throws {
    try await request([["id": 1], ["id": 2], ["id": 3]], context, isSaved: true)
    try await request([["id": 3, "parent": 1]], context)
    try node(1, context).remove(node(3, context), from: "children")
    try await saveElsewhere { try node(3, $0)["parent"] = try node(2, $0) }
    #expect(try target("parent", of: 3, context) == nil)
  }

  /// An unsaved response removes a member and inserts another record, which another context then saves.
  @Test func aRemovedMemberStaysRemovedIfAnotherRecordIsSaved() async throws {
    try await request([["id": 1, "marks": [2]]], context, isSaved: true)
    try await request([["id": 1, "marks": []], ["id": 9]], context)
    try await saveElsewhere { try $0.insert("Node")["id"] = 9 }
    #expect(try members("marks", of: 1, context).isEmpty)
    try context.save()
    #expect(try members("marks", of: 1, container.makeContext()).isEmpty)
  }

  /// No unsaved response has set the relationship that the deletion of its target has emptied.
  @Test func aRelationshipThatADeletionEmptiesShowsLaterSaves() async throws {
    try await request([["id": 1, "loose": 2, "parent": 2], ["id": 3]], context, isSaved: true)
    try await request([["id": 2, "isGone": true]], context)
    #expect(try target("loose", of: 1, context) == nil)
    try await saveElsewhere { context in
      for name: PropertyName in ["loose", "parent"] { try node(1, context)[name] = try node(3, context) }
    }
    #expect(try target("loose", of: 1, context) == 3)
    #expect(try target("parent", of: 1, context) == 3)
  }

  /// A response does not report a record that the caller has inserted and deleted as removed, only the others.
  @Test func aResponseDoesNotRemoveADeletedRecord() async throws {
    try await request([["id": 1, "marks": [2, 3]]], context, isSaved: true)
    let deleted = try context.insert("Node")
    try node(1, context).add(deleted, to: "marks")
    context.delete(deleted)
    let removed = try node(2, context).recordID
    let changes = try await request([["id": 1, "marks": [3]]], context).changes
    #expect(changes.updated.flatMap(\.changes).map(\.values) == [.toMany(added: [], removed: [removed])])
    #expect(try members("marks", of: 1, context) == [3])
  }

  /// The caller has read the record, but not the one that leads to it.
  @Test func aLinkToARecordThatTheCallerHasDeletedIsNoChange() async throws {
    try await request([["id": 1, "loose": 2]], other, isSaved: true)
    context.delete(try #require(context.fetch("Node", where: "id == 2").first))
    #expect(try await request([["id": 1, "loose": nil]], context).changes.updated.isEmpty)
  }

  /// No save permits two records with the same key.
  @Test func aResponseFindsTheFirstOfTwoRecordsWithAKey() async throws {
    let records = [try context.insert("Node"), try context.insert("Node")]
    for record in records { record["id"] = 1 }
    try await request([["id": 1, "text": "sent"]], context)
    #expect(records.map { $0["text"] } == ["sent", nil])
  }

  /// A saved response restores a record that both the caller and an unsaved response have deleted.
  @Test func aResponseRestoresWhatAResponseHasDeleted() async throws {
    try await request([["id": 1]], context, isSaved: true)
    context.delete(try node(1, context))
    try await request([["id": 1, "isGone": true]], context)
    try await request([["id": 1, "text": "back"]], context, isSaved: true)
    #expect(try node(1, context)["text"] == "back")
  }

  /// A dry run lists the violations of the response, not those of the caller's records, which lack a node and have the same
  /// key.
  @Test func aDryRunListsItsOwnViolations() async throws {
    for _ in 1...2 { try context.insert("Page")["id"] = 9 }
    server.set([["id": 7, "node": nil]])
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    options.isDryRun = true
    let failure = await #expect(throws: RequestFailure.self) {
      _ = try await container.request("Page", urn: "next", options: options, context: context)
    }
    #expect(failure?.diagnostics.map(\.message) == ["'node' of 'Page/7' is required"])
  }

  /// Another context links a page to a node that an unsaved response has deleted. The page requires a node.
  @Test func anUnsavedDeletionIsValidated() async throws {
    try await request([["id": 1]], context, isSaved: true)
    try await request([["id": 1, "isGone": true]], context)
    try await request([["id": 7, "node": 1]], of: "Page", other, isSaved: true)
    let failure = #expect(throws: RequestFailure.self) { try context.save() }
    #expect(failure?.primary.message == "'node' of 'Page/7' is required")
  }

  // MARK: Reported changes

  /// The former value of a change is that of the context, and a property that does not change there is not listed.
  @Test func aResponseReportsWhatTheContextShows() async throws {
    try await request([["id": 1, "parent": 2], ["id": 3], ["id": 4, "parent": 2]], context, isSaved: true)
    for id in [1, 4] { try node(2, context).remove(node(id, context), from: "children") }
    context.delete(try node(3, context))
    let changes = try await request(
      [["id": 1, "parent": 5, "loose": 3], ["id": 4, "parent": nil]], context
    )
    .changes
    let parent = try node(5, context).recordID
    #expect(changes.updated.map(\.id) == [try node(1, context).recordID])
    #expect(
      changes.updated.first?.changes == [
        PropertyChange(name: "parent", values: .toOne(from: nil, to: parent))
      ])
  }

  /// A value that the caller has already set does not count as a change of a response.
  @Test func whatTheCallerHasSetIsNoChange() async throws {
    try await request(
      [["id": 1, "friends": [4], "marks": [2, 3]], ["id": 5], ["id": 6, "text": "a"]], context, isSaved: true)
    let owner = try node(1, context)
    owner["loose"] = try node(2, context)
    owner.add(try node(2, context), to: "friends")
    owner.remove(try node(2, context), from: "marks")
    try node(5, context)["text"] = "same"
    try node(6, context)["text"] = "mine"
    let changes = try await request(
      [
        ["id": 1, "loose": 2, "friends": [2, 3], "marks": [4]], ["id": 5, "text": "same"],
        ["id": 6, "text": "b"],
      ], context
    ).changes
    let ids = try (1...6).map { try node($0, context).recordID }
    #expect(changes.updated.map(\.id) == [ids[0]])
    #expect(
      changes.updated.first?.changes == [
        PropertyChange(name: "friends", values: .toMany(added: [ids[2]], removed: [])),
        PropertyChange(name: "marks", values: .toMany(added: [ids[3]], removed: [ids[2]])),
      ])
    #expect(Set(changes.unchanged).isSuperset(of: [ids[4], ids[5]]))
  }

  // MARK: Records deleted by responses

  /// A response deletes another record than those that the caller has changed.
  @Test func aDeletionKeepsTheEditsOfOtherRecords() async throws {
    try await request([["id": 1, "loose": 2], ["id": 3]], context, isSaved: true)
    try node(1, context)["loose"] = nil as Record?
    try await request([["id": 3, "isGone": true]], context)
    #expect(try target("loose", of: 1, context) == nil)
  }

  /// An unsaved response deletes a record with edits, and a saved one brings it back without them.
  @Test func theEditsOfADeletedRecordAreLost() async throws {
    try await request([["id": 1], ["id": 2]], context, isSaved: true)
    let deleted = try node(1, context)
    deleted["text"] = "mine"
    deleted["loose"] = try node(2, context)
    try await request([["id": 1, "isGone": true]], context)
    try await request([["id": 1, "text": "back"]], context, isSaved: true)
    #expect(try node(1, context)["text"] == "back")
    #expect(try target("loose", of: 1, context) == nil)
  }

  /// A saved response deletes, only in the context, an orphan with edits. The next one brings it back without them.
  @Test func theEditsOfAnOrphanAreLost() async throws {
    try await request([["id": 1], ["id": 2, "text": "a"]], context, isSaved: true)
    try node(2, context)["loose"] = try node(1, context)
    try await request([["id": 2, "text": "b"]], context)
    var options = RequestOptions()
    options.orphans = OrphanDeletion(scope: .records("text == 'b'"))
    server.set([["id": 1]])
    _ = try await container.request("Node", urn: "next", options: options, context: context)
    #expect(try context.fetch("Node").count == 1)
    try await request([["id": 2, "text": "back"]], context, isSaved: true)
    #expect(try node(2, context)["text"] == "back")
    #expect(try target("loose", of: 2, context) == nil)
  }

  /// The caller deletes a stored record, and then a new one with the same key.
  @Test func aDeletionAlsoCountsForTheSecondRecordWithTheKey() async throws {
    try await request([["id": 1]], context, isSaved: true)
    context.delete(try node(1, context))
    let second = try context.insert("Node")
    second["id"] = 1
    context.delete(second)
    try await request([["id": 1, "text": "sent"]], context)
    #expect(try context.fetch("Node").isEmpty)
  }

  // MARK: Records deleted elsewhere

  @Test func aMembershipOfADeletedRecordIsNoChange() async throws {
    try await request([["id": 1], ["id": 2]], context, isSaved: true)
    for name: PropertyName in ["friends", "likes", "tracks", "marks"] {
      try node(1, context).add(node(2, context), to: name)
    }
    try await saveElsewhere { $0.delete(try node(1, $0)) }
    #expect(!context.hasChanges)
  }

  /// The caller's link takes precedence again after its target has been restored. Without the target, the value of the
  /// latest response appears.
  @Test func aLinkToARestoredRecordCounts() async throws {
    try await request([["id": 1, "loose": 2], ["id": 3], ["id": 4]], context, isSaved: true)
    let child = context.makeChild()
    try node(1, child)["loose"] = try node(3, child)
    context.delete(try node(3, context))
    child.refreshAllObjects()
    #expect(try target("loose", of: 1, child) == 2)
    context.rollback()
    child.refreshAllObjects()
    try await request([["id": 1, "loose": 4]], child)
    #expect(try target("loose", of: 1, child) == 3)
    context.delete(try node(3, context))
    child.refreshAllObjects()
    #expect(try target("loose", of: 1, child) == 4)
  }

  @Test func aChildsResponseThatLinksWhatItsParentHasDeletedEmptiesTheRelationship() async throws {
    try await request([["id": 1, "loose": 2], ["id": 3]], context, isSaved: true)
    context.delete(try node(3, context))
    let child = context.makeChild()
    try await request([["id": 1, "loose": 3]], child)
    #expect(try target("loose", of: 1, child) == nil)
  }
}
