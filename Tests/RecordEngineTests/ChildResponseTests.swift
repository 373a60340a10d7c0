import RecordEngine
import Testing

/// Tests for unsaved responses of a child context that are saved to its parent. Rule: `save.child`.
@Suite struct ChildResponseTests {
  /// A reference changes the entity of a stub, which still may lack required attributes, although the caller has edited
  /// another record of the parent.
  @Test func aStubOfAnotherEntityStaysAStub() async throws {
    let server = NextResponse()
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription("Work", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
        EntityDescription(
          "Novel", parent: "Work", attributes: [AttributeDescription("genre", .string, isOptional: false)]),
        EntityDescription(
          "Shelf", primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
          relationships: [
            RelationshipDescription("works", toMany: "Work"),
            RelationshipDescription("novels", toMany: "Novel"),
          ]),
      ]), configuration: .init(server: server))
    let parent = container.makeContext()
    let stored: JSONValue = [["id": "S", "works": ["1"]]]
    let shelf = try await server.request("Shelf", stored, from: container, parent, isSaved: true).records[0]
    shelf["name"] = "Sea"
    let child = parent.makeChild()
    let response: JSONValue = [["id": "S", "novels": ["1"]]]
    try await server.request("Shelf", response, from: container, child, isSaved: false)
    try child.save()
    try parent.save()
    #expect(try container.makeContext().fetch("Novel").count == 1)
  }

  private static func folders(
    _ server: NextResponse, deleteRule: DeleteRule = .cascade
  ) throws -> PersistentContainer {
    try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Folder", primaryKey: "id", deletedWhen: RecordPredicate("gone == true"),
          attributes: [AttributeDescription("id", .string)],
          relationships: [
            RelationshipDescription(
              "notes", toMany: "Note", inverse: "folder", isOrdered: true, deleteRule: deleteRule)
          ]),
        EntityDescription(
          "Note", primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
          relationships: [
            RelationshipDescription("folder", to: "Folder", inverse: "notes"),
            RelationshipDescription("lines", toMany: "Line", inverse: "note", deleteRule: .cascade),
            RelationshipDescription("tags", to: "Tag", isToMany: true, assignment: .replace),
          ]),
        EntityDescription(
          "Poll", primaryKey: "id", attributes: [AttributeDescription("id", .string)],
          relationships: [
            RelationshipDescription("ranking", to: "Note", isToMany: true, assignment: .replace),
            RelationshipDescription("top", to: "Note"),
          ]),
        EntityDescription("Tag", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
        EntityDescription(
          "Line", attributes: [AttributeDescription("text", .string)],
          relationships: [RelationshipDescription("note", to: "Note", inverse: "lines")]),
      ]), configuration: .init(server: server))
  }

  /// A saved response deletes a record of the parent that a response in the child has moved.
  @Test func aMovedRecordIsNotDeletedWithItsFormerOwner() async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let parent = container.makeContext()
    try await server.request(
      "Folder", [["id": "1", "notes": [["id": "1"]]]], from: container, parent, isSaved: false)
    let child = parent.makeChild()
    try await server.request("Note", [["id": "1", "folder": "2"]], from: container, child, isSaved: false)
    try await server.request("Note", [["id": "1", "text": "A"]], from: container, child, isSaved: true)
    try await server.request("Folder", [["id": "1", "gone": true]], from: container, child, isSaved: true)
    #expect(try parent.fetch("Note").isEmpty)
    try child.save()
    try parent.save()
    let notes = try container.makeContext().fetch("Note")
    #expect(notes.map { $0["text"] } == ["A"])
    #expect((notes.first?["folder"] as Record?)?["id"] == "2")
  }

  /// The parent deletes stored records that a response in the child has moved, or shows them again after a rollback. The
  /// lines have no key, so only their identifiers tell which records they are.
  @Test(arguments: [false, true], [false, true])
  func recordsThatAChildHasMovedAreRestored(isRolledBack: Bool, isNested: Bool) async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let parent = container.makeContext()
    try await server.request(
      "Note", [["id": "1", "text": "A", "folder": "9", "lines": [["text": "L"]], "tags": ["x", "y"]]],
      from: container, parent,
      isSaved: true)
    try await server.request(
      "Poll", [["id": "1", "ranking": ["1"], "top": "1"]], from: container, parent, isSaved: true)
    try await server.request(
      "Folder", [["id": "1", "notes": ["1"]]], from: container, parent, isSaved: false)
    // The child saves to the parent, or to a context between them.
    let upper = isNested ? parent.makeChild() : parent
    let child = upper.makeChild()
    try await server.request(
      "Poll", [["id": "1", "ranking": [], "top": nil]], from: container, child, isSaved: false)
    try await server.request(
      "Note", [["id": "1", "folder": "2", "text": "B", "tags": ["y"]]], from: container, child, isSaved: false
    )
    try await server.request("Folder", [["id": "1", "gone": true]], from: container, child, isSaved: true)
    #expect(try parent.fetch("Line").isEmpty)
    if isNested { try child.save() }
    if isRolledBack { parent.rollback() }
    try (isNested ? upper : child).save()
    let former = try #require(parent.fetch("Folder", where: "id == '9'").first)
    #expect((former["notes"] as [Record]).isEmpty)
    parent.refreshAllObjects()
    #expect(try parent.save().inserted.count == 1)
    let saved = container.makeContext()
    let notes = try saved.fetch("Note")
    #expect(notes.map { $0["text"] } == ["B"])
    #expect((notes.first?["folder"] as Record?)?["id"] == "2")
    #expect((notes.first?["lines"] as [Record]?)?.map { $0["text"] } == ["L"])
    #expect((notes.first?["tags"] as [Record]?)?.map { $0["id"] } == ["y"])
    #expect(try saved.fetch("Line").count == 1)
    let poll = try #require(saved.fetch("Poll").first)
    #expect((poll["ranking"] as [Record]).isEmpty)
    #expect(poll["top"] as Record? == nil)
  }

  /// The caller deletes a record, or its owner, in the parent. A response in the child has moved the record before. A saved
  /// response deletes the record, too.
  @Test(arguments: [false, true])
  func aRecordThatTheCallerHasDeletedIsNotRestored(byCascade: Bool) async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let parent = container.makeContext()
    try await server.request(
      "Folder", [["id": "1", "notes": ["1"]]], from: container, parent, isSaved: true)
    let child = parent.makeChild()
    try await server.request("Note", [["id": "1", "folder": "2"]], from: container, child, isSaved: false)
    parent.delete(try #require(parent.fetch(byCascade ? "Folder" : "Note").first))
    try await server.request("Folder", [["id": "1", "gone": true]], from: container, child, isSaved: true)
    #expect(try child.fetch("Note").isEmpty)
    try child.save()
    #expect(try parent.fetch("Note").isEmpty)
  }

  /// The caller has inserted a note into the folder and deleted it again.
  @Test func aRecordThatTheParentHasInsertedAndDeletedProtectsNothing() async throws {
    let server = NextResponse()
    let container = try Self.folders(server, deleteRule: .deny)
    let parent = container.makeContext()
    let folders = try await server.request("Folder", [["id": "1"]], from: container, parent, isSaved: true)
    let note = try parent.insert("Note")
    note["folder"] = folders.records[0]
    parent.delete(note)
    let child = parent.makeChild()
    let result = try await server.request(
      "Folder", [["id": "1", "gone": true]], from: container, child, isSaved: false)
    #expect(result.diagnostics.isEmpty)
    #expect(try child.fetch("Folder").isEmpty)
  }

  /// A response takes a player from a team, which then has too few, but the caller has deleted the team in the parent.
  @Test(arguments: [false, true]) func aDryRunCountsTheDeletionsOfTheParent(isDeleted: Bool) async throws {
    let server = NextResponse()
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Team", primaryKey: "id", attributes: [AttributeDescription("id", .int64)],
          relationships: [
            RelationshipDescription("players", to: "Player", isToMany: true, inverse: "team", minCount: 2)
          ]),
        EntityDescription(
          "Player", primaryKey: "id", attributes: [AttributeDescription("id", .int64)],
          relationships: [RelationshipDescription("team", to: "Team", inverse: "players")]),
      ]), configuration: .init(server: server))
    let parent = container.makeContext()
    let team = try await server.request(
      "Team", [["id": 1, "players": [1, 2]]], from: container, parent, isSaved: true
    ).records[0]
    if isDeleted { parent.delete(team) }
    let child = parent.makeChild()
    server.set([["id": 1, "team": nil]])
    var options = RequestOptions()
    (options.automaticallyPersistsRecords, options.isDryRun) = (false, true)
    var messages: [String] = []
    do {
      _ = try await container.request("Player", urn: "next", options: options, context: child)
    } catch let error as RequestFailure {
      messages = error.diagnostics.map(\.message)
    }
    #expect(
      messages == (isDeleted ? [] : ["'players' of 'Team/1' has 1 member, and at least 2 are required"]))
  }
}
