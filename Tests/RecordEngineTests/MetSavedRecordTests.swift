import OrderedCollections
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for unsaved records of responses whose keys another context saves in the meantime. Their values fill only the
/// gaps of the saved record. Rules: `save.child`, `save.concurrent`.
@Suite struct MetSavedRecordTests {
  private static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Work", primaryKey: "id", deletedWhen: "isGone == true",
        attributes: [
          AttributeDescription("id", .string), AttributeDescription("text", .string),
          AttributeDescription("pages", .int32, default: 0),
        ],
        relationships: [
          RelationshipDescription("sequel", to: "Work", inverse: "prequel"),
          RelationshipDescription("prequel", to: "Work", inverse: "sequel"),
          RelationshipDescription("shelf", to: "Shelf", inverse: "works"),
        ]),
      EntityDescription(
        "Novel", parent: "Work", usedWhen: "kind == 'novel'",
        attributes: [AttributeDescription("genre", .string)]),
      EntityDescription(
        "Shelf", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
        relationships: [
          RelationshipDescription(
            "works", toMany: "Work", inverse: "shelf", isOrdered: true, assignment: .replace),
          RelationshipDescription("featured", toMany: "Work"),
        ]),
    ])
  }

  /// Leaves a response unsaved in one context, saves another response in a second context, and then saves the first
  /// context. Returns the saved record with a key.
  private func saved(
    _ entity: EntityName = "Work", unsaved: JSONValue, in unsavedEntity: EntityName? = nil, saved: JSONValue,
    as savedEntity: EntityName = "Work", _ id: String = "1", after stored: JSONValue = [],
    beforeSave: (ManagedObjectContext) throws -> Void = { _ in }
  ) async throws -> Record {
    let model = try Self.model()
    let container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: CannedServer(["stored": stored, "unsaved": unsaved, "saved": saved])))
    let (mine, other) = (container.makeContext(), container.makeContext())
    _ = try await container.request("Shelf", urn: "stored", context: mine)
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    _ = try await container.request(
      unsavedEntity ?? entity, urn: "unsaved", options: options, context: mine)
    _ = try await container.request(savedEntity, urn: "saved", context: other)
    try beforeSave(mine)
    try mine.save()
    return try ManagedObjectContextTests.record(id, entity, container.makeContext())
  }

  @Test func whatTheSavedRecordHasCounts() async throws {
    let work = try await saved(
      unsaved: [["id": "1", "text": "unsaved", "pages": 7]], saved: [["id": "1", "text": "saved"]])
    #expect(work["text"] == "saved")
    // A default counts as a value.
    #expect(work["pages"] == 0)
  }

  @Test func whatTheSavedRecordLacksIsAdded() async throws {
    let work = try await saved(
      unsaved: [["id": "1", "text": "unsaved", "pages": 7]], saved: [["id": "1", "pages": nil]])
    #expect(work["text"] == "unsaved")
    #expect(work["pages"] == 7)
  }

  @Test func aDefaultIsNotAdded() async throws {
    let work = try await saved(unsaved: [["id": "1"]], saved: [["id": "1", "pages": nil]])
    #expect(work["pages"] as Int? == nil)
  }

  /// The defaults of a stub do not count as values.
  @Test func aStubIsFilled() async throws {
    let work = try await saved(
      unsaved: [["id": "1", "pages": 7]], saved: [["id": "S", "works": ["1"]]], as: "Shelf")
    #expect(work["pages"] == 7)
    #expect((work["shelf"] as Record?)?["id"] == "S")
    #expect(work.context.graph.knownRow(work.recordID)?.isStub == false)
    let shelves: JSONValue = [["id": "S", "works": ["1"]]]
    let stub = try await saved(unsaved: shelves, in: "Shelf", saved: shelves, as: "Shelf")
    #expect(stub.context.graph.knownRow(stub.recordID)?.isStub == true)
  }

  @Test func theMoreSpecificEntityStays() async throws {
    let novel: JSONValue = [["id": "1", "kind": "novel", "genre": "crime"]]
    let unsavedNovel = try await saved(unsaved: novel, saved: [["id": "1", "text": "saved"]])
    #expect(unsavedNovel.entityName == "Novel" && unsavedNovel["genre"] == "crime")
    #expect(unsavedNovel["text"] == "saved")
    let savedNovel = try await saved(unsaved: [["id": "1", "text": "unsaved"]], saved: novel)
    #expect(savedNovel.entityName == "Novel" && savedNovel["genre"] == "crime")
    #expect(savedNovel["text"] == "unsaved")
  }

  /// A relationship that is set in the saved record keeps its target, whichever side the unsaved response contains.
  @Test func aSavedLinkStays() async throws {
    let owner = try await saved(
      unsaved: [["id": "1", "sequel": ["id": "2"]]], saved: [["id": "1", "sequel": ["id": "3"]]])
    #expect((owner["sequel"] as Record?)?["id"] == "3")
    let linking = try await saved(
      unsaved: [["id": "1", "sequel": ["id": "2"]]], saved: [["id": "1", "text": "saved"]])
    #expect((linking["sequel"] as Record?)?["id"] == "2")
    let target = try await saved(
      unsaved: [["id": "0", "sequel": ["id": "1"]]], saved: [["id": "1", "prequel": ["id": "3"]]])
    #expect((target["prequel"] as Record?)?["id"] == "3")
    let linked = try await saved(
      unsaved: [["id": "0", "sequel": ["id": "1"]]], saved: [["id": "1", "text": "saved"]])
    #expect((linked["prequel"] as Record?)?["id"] == "0")
    let both = try await saved(
      unsaved: [["id": "0", "sequel": ["id": "1"]]],
      saved: [["id": "0", "text": "saved"], ["id": "1", "text": "saved"]])
    #expect((both["prequel"] as Record?)?["id"] == "0")
  }

  @Test func theSavedOrderStays() async throws {
    let shelf = try await saved(
      "Shelf", unsaved: [["id": "S", "works": ["2", "1"]]], saved: [["id": "S", "works": ["1", "2"]]],
      as: "Shelf", "S")
    #expect(ManagedObjectContextTests.names(shelf["works"]) == ["1", "2"])
  }

  /// The owner is new, and its members are saved in the meantime. The order of the unsaved response remains.
  @Test func anUnsavedOrderHasTheSavedRecords() async throws {
    let shelf = try await saved(
      "Shelf", unsaved: [["id": "S", "works": ["2", "1"]]], saved: [["id": "1"], ["id": "2"]], "S")
    #expect(ManagedObjectContextTests.names(shelf["works"]) == ["2", "1"])
  }

  @Test func theUnsavedOrderOfAnotherRecordRemains() async throws {
    let shelf = try await saved(
      "Shelf", unsaved: [["id": "S", "works": ["3", "2", "1"]]], saved: [["id": "3"]], "S",
      after: [["id": "S", "works": ["1", "2"]]])
    #expect(ManagedObjectContextTests.names(shelf["works"]) == ["3", "2", "1"])
  }

  @Test func whatTheCallerHasSetCounts() async throws {
    let work = try await saved(
      unsaved: [["id": "1", "text": "unsaved"]], saved: [["id": "1", "text": "saved"]]
    ) { context in
      let works = try context.fetch(RecordFetchRequest("Work"))
      let unsaved = try #require(works.first { $0.isInserted })
      unsaved["text"] = "mine"
    }
    #expect(work["text"] == "mine")
  }

  @Test func whatTheCallerHasLinkedCounts() async throws {
    let unsaved: JSONValue = [["id": "S", "works": ["1", "2"]]]
    let shelf = try await saved("Shelf", unsaved: unsaved, saved: [["id": "1"], ["id": "2"]], "S") {
      context in
      let shelf = try ManagedObjectContextTests.record("S", "Shelf", context)
      let works: [Record] = shelf["works"]
      shelf["works"] = works.reversed()
      shelf.add(works[0], to: "featured")
    }
    #expect(ManagedObjectContextTests.names(shelf["works"]) == ["2", "1"])
    #expect(ManagedObjectContextTests.names(shelf["featured"]) == ["1"])
    let emptied = try await saved("Shelf", unsaved: unsaved, saved: unsaved, as: "Shelf", "S") { context in
      let shelves = try context.fetch(RecordFetchRequest("Shelf"))
      let shelf = try #require(shelves.first { $0.isInserted })
      shelf.remove((shelf["works"] as [Record])[0], from: "works")
    }
    #expect(ManagedObjectContextTests.names(emptied["works"]) == ["2"])
  }

  /// A context, a second context of the same container, and the server of both.
  private struct World {
    let server = NextResponse()
    let container: PersistentContainer
    let (mine, other): (ManagedObjectContext, ManagedObjectContext)

    init() throws {
      container = try PersistentContainer(
        model: MetSavedRecordTests.model(), configuration: .init(server: server))
      (mine, other) = (container.makeContext(), container.makeContext())
    }

    func request(
      _ items: JSONValue, _ context: ManagedObjectContext, isSaved: Bool,
      isolation: isolated (any Actor)? = #isolation
    ) async throws -> [Record] {
      try await server.request("Work", items, from: container, context, isSaved: isSaved).records
    }
  }

  /// The target that the caller has set is deleted, so that a response sets the relationship of the unsaved record. The
  /// saved record keeps that value.
  @Test func aReplacedLinkToADeletedRecordSetsNothing() async throws {
    let world = try World()
    let shelf = try world.other.insert("Shelf")
    shelf["id"] = "P"
    try world.other.save()
    let unsaved = try await world.request([["id": "1"]], world.mine, isSaved: false)[0]
    unsaved["shelf"] = world.mine.record(with: shelf.recordID)
    var saves = world.container.saves.makeAsyncIterator()
    world.other.delete(shelf)
    try world.other.save()
    world.mine.merge(try #require(await saves.next()))
    _ = try await world.request([["id": "1", "shelf": "Q"]], world.mine, isSaved: false)
    let saved = try await world.request([["id": "1"]], world.other, isSaved: true)[0]
    world.mine.refreshAllObjects()
    let work = try #require(world.mine.record(with: saved.recordID))
    #expect((work["shelf"] as Record?)?["id"] == "Q")
  }

  /// The caller has linked both the unsaved and the saved record. The first partner is free afterwards, so its next link
  /// does not affect the record.
  @Test(arguments: [false, true]) func theFirstOfTwoPartnersIsFree(isLinkedByResponse: Bool) async throws {
    let world = try World()
    let mine = world.mine
    let stored = try await world.request([["id": "B"], ["id": "C"], ["id": "D"]], mine, isSaved: true)
    let unsaved = try await world.request([["id": "1"]], mine, isSaved: false)[0]
    let id = try await world.request([["id": "1", "sequel": "E"]], world.other, isSaved: true)[0].recordID
    let saved = try #require(mine.record(with: id))
    func sequel() -> String? { (saved["sequel"] as Record?)?["id"] }
    saved["sequel"] = stored[0]
    unsaved["sequel"] = stored[1]
    mine.refreshAllObjects()
    #expect(sequel() == "C" && stored[0]["prequel"] as Record? == nil)
    if isLinkedByResponse {
      let child = mine.makeChild()
      _ = try await world.request([["id": "B", "prequel": "D"]], child, isSaved: false)
      try child.save()
    } else {
      stored[0]["prequel"] = stored[2]
    }
    #expect(sequel() == "C")
    mine.refresh(stored[1], mergeChanges: false)
    #expect(sequel() == "E")
  }

  /// A later response contains a record again that an earlier one has deleted. Neither is saved.
  @Test func aDeletedRecordThatReturnsIsNew() async throws {
    let model = try Self.model()
    let container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(
        server: CannedServer([
          "stored": [["id": "1", "text": "old"]], "gone": [["id": "1", "isGone": true]],
          "again": [["id": "1", "text": "new"]],
        ])))
    let context = container.makeContext()
    _ = try await container.request("Work", urn: "stored", context: context)
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    for urn in ["gone", "again"] {
      _ = try await container.request("Work", urn: urn, options: options, context: context)
    }
    context.refreshAllObjects()
    #expect(try ManagedObjectContextTests.record("1", "Work", context)["text"] == "new")
    try context.save()
    #expect(try ManagedObjectContextTests.record("1", "Work", container.makeContext())["text"] == "new")
  }

  /// The saved record that the caller has deleted, or given another key, does not replace the unsaved one.
  @Test(arguments: [false, true]) func theCallersChangesOfTheSavedRecordCount(isDeleted: Bool) async throws {
    let work = try await saved(
      unsaved: [["id": "1", "text": "unsaved"]], saved: [["id": "1", "text": "saved"]]
    ) { context in
      let saved = try #require(context.fetch(RecordFetchRequest("Work")).first { !$0.isInserted })
      if isDeleted { context.delete(saved) } else { saved["id"] = "9" }
    }
    #expect(work["text"] == "unsaved")
  }

  /// The unsaved record does not meet the saved one with the key that it had before the caller gave it another.
  @Test func aFormerKeyMeetsNothing() async throws {
    let work = try await saved(
      unsaved: [["id": "1", "text": "unsaved"]], saved: [["id": "1", "text": "saved"]], "9"
    ) { context in
      try #require(context.fetch(RecordFetchRequest("Work")).first { $0.isInserted })["id"] = "9"
    }
    #expect(work["text"] == "unsaved")
    #expect(try work.context.fetch("Work").count == 2)
  }

  /// A response that has been populated, but not yet merged into its context, still refers to the unsaved records.
  @Test func aResponseOnItsWayNamesTheSavedRecord() async throws {
    let model = try Self.model()
    let container = PersistentContainer(
      model: model, store: MemoryStore(schema: model.schema),
      configuration: .init(server: CannedServer(["unsaved": [["id": "1"]], "saved": [["id": "1"]]])))
    let (mine, other) = (container.makeContext(), container.makeContext())
    var options = RequestOptions()
    options.automaticallyPersistsRecords = false
    let unsaved = try await container.request("Work", urn: "unsaved", options: options, context: mine)
    let id = unsaved.records[0].recordID
    var graph = mine.graph
    let text = try #require(model.schema.entities.flatMap(\.attributes).first { $0.name == "text" })
    let before = try #require(graph.knownRow(id))
    graph.update(id) { $0.values[text.column] = .string("on its way") }
    let after = try #require(graph.knownRow(id))
    var changes = ChangeSet()
    changes.updated = [ChangeSet.Update(before: before, after: after)]
    var told = ImportChanges()
    told.updated = [
      ImportChanges.Update(
        id: id,
        changes: [
          PropertyChange(name: "text", values: .attribute(from: nil, to: .string("on its way")))
        ])
    ]
    let saved = try await container.request("Work", urn: "saved", context: other).records[0].recordID
    let seen = mine.take(changes, told, naming: [])
    #expect(seen.updated.map(\.id) == [saved] && mine.current([id]) == [saved])
    #expect(mine.record(with: saved)?["text"] == "on its way")
  }
}
