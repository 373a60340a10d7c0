import RecordEngine
import Testing

/// Tests that messages name a record by its key, or by the parent that identifies it.
@Suite struct RecordTitleTests {
  private let server = NextResponse()
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  /// Saves a post with two pages, of which the first has a note that denies its deletion.
  init() throws {
    let id = AttributeDescription("id", .string)
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Post", primaryKey: "id", attributes: [id],
          relationships: [
            RelationshipDescription(
              "pages", toMany: "Page", inverse: "post", deleteRule: .cascade, assignment: .replace)
          ]),
        EntityDescription(
          "Page", primaryKey: "post", deletedWhen: "isGone == true",
          attributes: [AttributeDescription("text", .string), AttributeDescription("size", .double)],
          relationships: [
            RelationshipDescription("post", to: "Post", inverse: "pages"),
            RelationshipDescription("notes", toMany: "Note", inverse: "page", deleteRule: .deny),
          ]),
        EntityDescription(
          "Note", primaryKey: "id", attributes: [id],
          relationships: [RelationshipDescription("page", to: "Page", inverse: "notes")]),
      ]), configuration: .init(server: server))
    context = container.makeContext()
    let (post, note) = (try context.insert("Post"), try context.insert("Note"))
    (post["id"], note["id"]) = ("1", "n")
    for text in ["a", "b"] {
      let page = try context.insert("Page")
      (page["text"], page["post"]) = (text, post)
      if text == "a" { page["notes"] = [note] }
    }
    try context.save()
  }

  private func page(_ text: String) throws -> Record {
    try #require(try context.fetch("Page").first { $0["text"] == text })
  }

  private func messagesOfSaving() -> [String] {
    let failure = #expect(throws: RequestFailure.self) { try context.save() }
    return (failure?.diagnostics ?? []).map(\.message)
  }

  private func messages(_ entity: EntityName, _ body: JSONValue, orphans: OrphanDeletion? = nil) async throws
    -> [String]
  {
    server.set(body)
    var options = RequestOptions()
    options.orphans = orphans
    return try await container.request(entity, urn: "a", options: options, context: context).diagnostics
      .map(\.message)
  }

  @Test func aRefusedValue() throws {
    try page("a")["size"] = Double.nan
    #expect(messagesOfSaving() == ["'size' of 'Page@Post/1' is not a finite number"])
  }

  @Test func aRefusedDeletion() throws {
    context.delete(try page("a"))
    #expect(messagesOfSaving() == ["'Page@Post/1' cannot be deleted while 'notes' contains a record"])
  }

  /// The parent, which is deleted too, still identifies the child.
  @Test func aRefusedDeletionWithTheParent() throws {
    context.delete(try #require(try context.fetch("Post").first))
    #expect(messagesOfSaving() == ["'Page@Post/1' cannot be deleted while 'notes' contains a record"])
  }

  @Test func aTombstone() async throws {
    #expect(
      try await messages("Page", [["post": "1", "text": "a", "isGone": true]])
        == ["'Page@Post/1' was not deleted, because the delete rule of 'notes' denies it"])
  }

  @Test func anOrphan() async throws {
    #expect(
      try await messages("Page", [["post": "1", "text": "b"]], orphans: OrphanDeletion())
        == ["'Page@Post/1' was not deleted, because the delete rule of 'notes' denies it"])
  }

  @Test func aMissingMember() async throws {
    #expect(
      try await messages("Post", [["id": "1", "pages": [["text": "b"]]]]) == [
        "'Page@Post/1', which is missing in the response, was kept, because a delete rule denies its deletion"
      ])
  }

  @Test func aRecordWithoutAKey() throws {
    #expect(try context.insert("Note").description == "Note {}")
  }

  /// Titles have the escapes of labels, so that both can be compared.
  @Test func aKeyWithDelimiters() throws {
    let post = try context.insert("Post")
    post["id"] = "a~1/b"
    #expect(post.description.hasPrefix("Post/a%7E1%2Fb"))
  }

  @Test func aRecordThatNothingIdentifies() async throws {
    try page("a")["post"] = nil as Record?
    try context.save()
    context.delete(try page("a"))
    #expect(messagesOfSaving() == ["a 'Page' cannot be deleted while 'notes' contains a record"])
    context.rollback()
    #expect(
      try await messages("Page", [["post": "1", "text": "b"]], orphans: OrphanDeletion())
        == ["a 'Page' was not deleted, because the delete rule of 'notes' denies it"])
  }
}
