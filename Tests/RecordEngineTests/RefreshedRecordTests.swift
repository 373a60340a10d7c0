import RecordModel
import Testing

@testable import RecordEngine

/// Tests for refreshing a record, which discards its unsaved changes. Rule: `context.refresh`.
@Suite struct RefreshedRecordTests {
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  /// Saves three nodes, "a" to "c", without links.
  init() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [
          RelationshipDescription("parent", to: "Node", inverse: "children"),
          RelationshipDescription("children", toMany: "Node", inverse: "parent", isOrdered: true),
          RelationshipDescription("loose", to: "Node"),
          RelationshipDescription("likes", toMany: "Node", inverse: "likedBy"),
          RelationshipDescription("likedBy", toMany: "Node", inverse: "likes"),
          RelationshipDescription("marks", toMany: "Node"),
        ])
    ])
    let body: JSONValue = [
      ["id": "a", "text": "sent", "parent": ["id": "c"], "likes": ["c"], "marks": ["c"]],
      ["id": "b", "text": "sent", "loose": ["id": "a"], "likes": ["a"], "marks": ["a"]],
    ]
    container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: CannedServer(["sent": body])))
    let maker = container.makeContext()
    for id in ["a", "b", "c"] { try maker.insert("Node")["id"] = id }
    try maker.save()
    context = container.makeContext()
  }

  private func node(_ id: String) throws -> Record {
    try ManagedObjectContextTests.record(id, "Node", context)
  }

  private func names(_ record: Record, _ property: PropertyName) -> [String] {
    ManagedObjectContextTests.names(record[property]).sorted()
  }

  /// The links of other records to the refreshed record are discarded too, except through relationships without an
  /// inverse.
  @Test func whatTheCallerHasSetIsForgotten() throws {
    let (a, b, c) = (try node("a"), try node("b"), try node("c"))
    (a["text"], b["text"]) = ("mine", "mine")
    a["parent"] = c
    b["parent"] = a
    b["loose"] = a
    a["loose"] = c
    a.add(b, to: "likes")
    b.add(a, to: "likes")
    b.add(c, to: "likes")
    a.add(c, to: "marks")
    b.add(a, to: "marks")
    context.refresh(a, mergeChanges: false)
    try expectOnlyChangesOfB(a, b, c, text: "mine")
  }

  /// The unsaved changes of responses are discarded in the same way.
  @Test func whatResponsesHaveLeftUnsavedIsForgotten() async throws {
    let (a, b, c) = (try node("a"), try node("b"), try node("c"))
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request("Node", urn: "sent", options: options, context: context)
    b.add(c, to: "likes")
    #expect(names(a, "likes") == ["c"] && names(a, "likedBy") == ["b"])
    context.refresh(a, mergeChanges: false)
    try expectOnlyChangesOfB(a, b, c, text: "sent")
  }

  private func expectOnlyChangesOfB(_ a: Record, _ b: Record, _ c: Record, text: String) throws {
    for property: PropertyName in ["likes", "likedBy", "children", "marks"] {
      #expect(names(a, property) == [], "\(property)")
    }
    #expect(a["text"] as String? == nil)
    #expect(a["parent"] as Record? == nil)
    #expect(a["loose"] as Record? == nil)
    #expect(b["text"] == text)
    #expect(b["parent"] as Record? == nil)
    #expect(b["loose"] as Record? === a)
    #expect(names(b, "likes") == ["c"])
    #expect(names(b, "marks") == ["a"])
    #expect(names(c, "children") == [] && names(c, "likedBy") == ["b"])
    let saved = try context.save()
    #expect(saved.updated.map(\.id) == [b.recordID] && saved.inserted.isEmpty)
  }

  /// Insertions and deletions stay, and so do the changes of all other records.
  @Test func thatItIsNewOrDeletedIsNotForgotten() throws {
    let (made, other) = (try context.insert("Node"), try context.insert("Node"))
    (made["id"], made["text"]) = ("d", "mine")
    (other["id"], other["text"]) = ("e", "mine")
    let deleted = try node("c")
    context.delete(deleted)
    context.refresh(made, mergeChanges: false)
    context.refresh(deleted, mergeChanges: false)
    #expect(made["id"] == "d" && made["text"] == "mine")
    #expect(other["id"] == "e" && other["text"] == "mine")
    #expect(deleted.isDeleted)
    let saved = try context.save()
    #expect(Set(saved.inserted) == [made.recordID, other.recordID])
    #expect(saved.deleted == [deleted.recordID])
  }

  /// The unsaved order of the record's members is discarded. Other orders stay.
  @Test func anOrderIsForgotten() throws {
    let (a, b, c) = (try node("a"), try node("b"), try node("c"))
    let more = try ["d", "e"].map { id in
      let node = try context.insert("Node")
      node["id"] = id
      return node
    }
    a["children"] = [b, c]
    c["children"] = more
    try context.save()
    a["children"] = [c, b]
    c["children"] = Array(more.reversed())
    context.refresh(a, mergeChanges: false)
    #expect(ManagedObjectContextTests.names(a["children"]) == ["b", "c"])
    #expect(ManagedObjectContextTests.names(c["children"]) == ["e", "d"])
    try context.save()
    let fresh = container.makeContext()
    let saved = try ManagedObjectContextTests.record("a", "Node", fresh)
    #expect(ManagedObjectContextTests.names(saved["children"]) == ["b", "c"])
  }

  /// A cached response for a child shows saves that its parent has not merged.
  @Test func aParentIsRefreshedWithItsChild() throws {
    let shown = try node("a")
    let other = container.makeContext()
    try ManagedObjectContextTests.record("a", "Node", other)["text"] = "new"
    try other.save()
    let child = context.makeChild()
    child.refreshToCurrentGeneration()
    #expect(shown["text"] == "new")
    #expect(try ManagedObjectContextTests.record("a", "Node", child)["text"] == "new")
  }

  /// A context shows the members that it has read until it reads them again, like attributes.
  @Test func membersStayUntilTheyAreReadAgain() throws {
    let (a, other) = (try node("a"), container.makeContext())
    #expect(names(a, "likes") == [])
    try ManagedObjectContextTests.record("a", "Node", other).add(
      ManagedObjectContextTests.record("c", "Node", other), to: "likes")
    try other.save()
    #expect(names(a, "likes") == [])
    context.refresh(a, mergeChanges: true)
    #expect(names(a, "likes") == ["c"])
  }
}
