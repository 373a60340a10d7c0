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

  /// A saved response deletes a record of the parent that a response in the child has moved.
  @Test(arguments: [false, true]) func aMovedRecordIsNotDeletedWithItsFormerOwner(
    isRolledBack: Bool
  ) async throws {
    let server = NextResponse()
    let container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Folder", primaryKey: "id", deletedWhen: RecordPredicate("gone == true"),
          attributes: [AttributeDescription("id", .string)],
          relationships: [
            RelationshipDescription("notes", toMany: "Note", inverse: "folder", deleteRule: .cascade)
          ]),
        EntityDescription(
          "Note", primaryKey: "id",
          attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
          relationships: [RelationshipDescription("folder", to: "Folder", inverse: "notes")]),
      ]), configuration: .init(server: server))
    let parent = container.makeContext()
    try await server.request(
      "Folder", [["id": "1", "notes": [["id": "1"]]]], from: container, parent, isSaved: false)
    let child = parent.makeChild()
    try await server.request("Note", [["id": "1", "folder": "2"]], from: container, child, isSaved: false)
    try await server.request("Note", [["id": "1", "text": "A"]], from: container, child, isSaved: true)
    try await server.request("Folder", [["id": "1", "gone": true]], from: container, child, isSaved: true)
    #expect(try parent.fetch("Note").isEmpty)
    if isRolledBack { parent.rollback() }
    try child.save()
    try parent.save()
    let notes = try container.makeContext().fetch("Note")
    #expect(notes.map { $0["text"] } == ["A"])
    #expect((notes.first?["folder"] as Record?)?["id"] == "2")
  }
}
