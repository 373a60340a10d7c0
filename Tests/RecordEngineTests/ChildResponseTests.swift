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
              "notes", toMany: "Note", inverse: "folder", isOrdered: true, deleteRule: deleteRule),
            RelationshipDescription("polls", toMany: "Poll"),
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
            RelationshipDescription("memos", toMany: "Memo"),
          ]),
        EntityDescription("Memo", parent: "Note"),
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

  /// Creates a child that keeps the stored note `1`, which a saved response then deletes in the parent.
  ///
  /// - Parameters:
  ///   - poll: an unsaved response for the child that precedes the deletion.
  ///   - others: further folders of the saved response.
  private static func childKeepingNote(
    _ server: NextResponse, _ container: PersistentContainer, _ parent: ManagedObjectContext,
    poll: JSONValue? = nil, savedToo others: [JSONValue] = [], isolation: isolated (any Actor)? = #isolation
  ) async throws -> ManagedObjectContext {
    try await server.request(
      "Folder", [["id": "1", "notes": ["1"]]], from: container, parent, isSaved: false)
    let child = parent.makeChild()
    if let poll { try await server.request("Poll", poll, from: container, child, isSaved: false) }
    try await server.request("Note", [["id": "1", "folder": "2"]], from: container, child, isSaved: false)
    try await server.request(
      "Folder", .array([["id": "1", "gone": true]] + others), from: container, child, isSaved: true)
    return child
  }

  /// The time at which a response empties the relationships of a poll, or what happens to the poll afterwards.
  enum Removal: CaseIterable {
    case beforeDeletion, afterDeletion
    /// A saved record replaces the poll.
    case ofReplacedPoll
    /// The child discards what its responses have said about the poll.
    case discarded
  }

  /// A response in a child removes a note from the relationships of a poll, and another one keeps the note. A saved response
  /// deletes the note in the parent, which a rollback undoes.
  @Test(arguments: Removal.allCases) func aMemberStaysRemovedAfterARollback(_ removal: Removal) async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let root = container.makeContext()
    let linked: JSONValue = [["id": "1", "ranking": ["1"], "top": "1"]]
    let emptied: JSONValue = [["id": "1", "ranking": [], "top": nil]]
    try await server.request("Note", [["id": "1", "folder": "9"]], from: container, root, isSaved: true)
    try await server.request("Poll", linked, from: container, root, isSaved: removal != .ofReplacedPoll)
    let parent = root.makeChild()
    let child = try await Self.childKeepingNote(
      server, container, parent, poll: removal == .afterDeletion ? nil : emptied)
    switch removal {
    case .beforeDeletion: break
    case .afterDeletion: try await server.request("Poll", emptied, from: container, child, isSaved: false)
    case .ofReplacedPoll:
      try await server.request("Poll", [["id": "1"]], from: container, root, isSaved: true)
    case .discarded: child.refresh(try #require(child.fetch("Poll").first), mergeChanges: false)
    }
    // The note outlasts a further saved response.
    try await server.request("Tag", [["id": "x"]], from: container, child, isSaved: true)
    parent.rollback()
    try child.save()
    try parent.save()
    let poll = try #require(root.fetch("Poll").first)
    #expect((poll["ranking"] as [Record]).count == (removal == .discarded ? 1 : 0))
    #expect((poll["top"] as Record? != nil) == (removal == .discarded))
  }

  /// The change that sets a link in a parent context.
  enum LinkOrigin: CaseIterable {
    case caller, savedCaller, response, savedResponse
  }

  /// After a rollback, the parent shows a record that the child has kept. A poll is then linked to it in the parent.
  ///
  /// - Parameter isEmptiedBySave: true if the links were removed before, by the saved response that has deleted the record.
  @Test(arguments: LinkOrigin.allCases, [false, true])
  func aLinkAfterARollbackIsKept(_ origin: LinkOrigin, isEmptiedBySave: Bool) async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let parent = container.makeContext()
    let linked: JSONValue = [["id": "1", "ranking": ["1"], "top": "1"]]
    try await server.request("Note", [["id": "1", "folder": "9"]], from: container, parent, isSaved: true)
    try await server.request(
      "Poll", isEmptiedBySave ? linked : [["id": "1"]], from: container, parent, isSaved: true)
    let emptied: JSONValue = ["id": "3", "polls": [["id": "1", "ranking": [], "top": nil]]]
    let child = try await Self.childKeepingNote(
      server, container, parent, savedToo: isEmptiedBySave ? [emptied] : [])
    parent.rollback()
    switch origin {
    case .caller, .savedCaller:
      let note = try #require(parent.fetch("Note").first)
      let poll = try #require(parent.fetch("Poll").first)
      poll["top"] = note
      poll["ranking"] = [note]
      if origin == .savedCaller { try parent.save() }
    case .response, .savedResponse:
      try await server.request("Poll", linked, from: container, parent, isSaved: origin == .savedResponse)
    }
    func expectLinks(_ context: ManagedObjectContext) throws {
      let poll = try #require(context.fetch("Poll").first)
      #expect((poll["ranking"] as [Record]).map { $0["id"] } == ["1"])
      #expect((poll["top"] as Record?)?["id"] == "1")
    }
    try expectLinks(child)
    try child.save()
    try parent.save()
    try expectLinks(container.makeContext())
  }

  /// After a rollback, a record that the child has kept has another entity in the parent, and a link that only this
  /// entity allows. The child states its own entity.
  @Test func aLinkToAnotherEntityIsRemoved() async throws {
    let server = NextResponse()
    let container = try Self.folders(server)
    let parent = container.makeContext()
    try await server.request("Note", [["id": "1", "folder": "9"]], from: container, parent, isSaved: true)
    let child = try await Self.childKeepingNote(server, container, parent)
    parent.rollback()
    try await server.request("Poll", [["id": "1", "memos": ["1"]]], from: container, parent, isSaved: true)
    #expect(try parent.fetch("Memo").count == 1)
    func expectNoLink(_ context: ManagedObjectContext) throws {
      #expect(try context.fetch("Note").count == 1 && context.fetch("Memo").isEmpty)
      #expect(try context.fetch("Poll").map { ($0["memos"] as [Record]).count } == [0])
    }
    child.refreshAllObjects()
    try expectNoLink(child)
    try child.save()
    try expectNoLink(parent)
    try parent.save()
    try expectNoLink(container.makeContext())
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
