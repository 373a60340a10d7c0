import RecordEngine
import Testing

/// Tests for records that a saved response deletes in the store, but not over the unsaved changes. All members keep their
/// order. Rule: `save.child.order`.
@Suite struct RestoredRecordTests {
  private let server = NextResponse()
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    let attributes = [AttributeDescription("id", .string), AttributeDescription("text", .string)]
    container = try PersistentContainer(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Shelf", primaryKey: "id", deletedWhen: "isGone == true", attributes: attributes,
          relationships: [
            RelationshipDescription("books", toMany: "Book", inverse: "shelf", isOrdered: true),
            RelationshipDescription("tips", toMany: "Book", inverse: "tippedBy", isOrdered: true),
            RelationshipDescription("loans", toMany: "Loan", inverse: "shelf", deleteRule: .deny),
          ]),
        EntityDescription(
          "Book", primaryKey: "id", attributes: attributes,
          relationships: [
            RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
            RelationshipDescription("tippedBy", toMany: "Shelf", inverse: "tips", isOrdered: true),
            RelationshipDescription("author", to: "Author", inverse: "works"),
          ]),
        EntityDescription(
          "Author", primaryKey: "id", deletedWhen: "isGone == true", attributes: attributes,
          relationships: [
            RelationshipDescription("works", toMany: "Book", inverse: "author", deleteRule: .cascade)
          ]),
        EntityDescription(
          "Loan", primaryKey: "id", attributes: attributes,
          relationships: [RelationshipDescription("shelf", to: "Shelf", inverse: "loans")]),
      ]), configuration: .init(server: server))
    context = container.makeContext()
  }

  private func request(_ entity: EntityName, _ body: JSONValue, isSaved: Bool) async throws {
    try await server.request(entity, body, from: container, context, isSaved: isSaved)
  }

  /// Returns the members of the shelf A, as the context shows them and as they are after its save.
  private func members(_ name: PropertyName) throws -> [[String?]] {
    try members(name, of: "Shelf", "A")
  }

  private func members(_ name: PropertyName, of entity: EntityName, _ id: String) throws -> [[String?]] {
    try [false, true].map { saves in
      if saves { try context.save() }
      let owners = try (saves ? container.makeContext() : context).fetch(entity)
      let owner = try #require(owners.first { $0["id"] == id })
      let members: [Record] = owner[name]
      return members.map { $0["id"] }
    }
  }

  /// A loan that is not saved yet denies the deletion of its shelf.
  @Test(arguments: ["books", "tips"] as [PropertyName]) func membersOfARestoredOwner(name: PropertyName)
    async throws
  {
    try await request("Shelf", [["id": "A", "\(name)": ["1", "2", "3"]]], isSaved: true)
    try await request("Loan", [["id": "L", "shelf": "A"]], isSaved: false)
    try await request("Book", [["id": "3", "text": "new"]], isSaved: false)
    try await request("Shelf", [["id": "A", "isGone": true]], isSaved: true)
    #expect(try members(name) == [["1", "2", "3"], ["1", "2", "3"]])
  }

  /// The response inserts a book in the store that an unsaved response has added to the shelf.
  @Test(arguments: ["books", "tips"] as [PropertyName]) func aNewMemberOfARestoredOwner(name: PropertyName)
    async throws
  {
    try await request("Shelf", [["id": "A", "\(name)": ["1"]]], isSaved: true)
    try await request("Book", ["2"], isSaved: true)
    try await request("Loan", [["id": "L", "shelf": "A"]], isSaved: false)
    try await request("Shelf", [["id": "A", "\(name)": ["3", "2"]]], isSaved: false)
    try await request("Shelf", [["id": "A", "isGone": true], ["id": "B", "tips": ["3"]]], isSaved: true)
    #expect(try members(name) == [["1", "3", "2"], ["1", "3", "2"]])
  }

  /// The lists of its members keep the restored owner where it was.
  @Test func listsOfARestoredOwner() async throws {
    try await request("Book", [["id": "1", "tippedBy": ["A", "B", "C"]]], isSaved: true)
    try await request("Loan", [["id": "L", "shelf": "A"]], isSaved: false)
    try await request("Shelf", [["id": "A", "isGone": true]], isSaved: true)
    #expect(try members("tippedBy", of: "Book", "1") == [["A", "B", "C"], ["A", "B", "C"]])
  }

  /// An unsaved response gives a book another author, so that the deletion of the former one does not delete it.
  @Test(arguments: ["books", "tips"] as [PropertyName]) func aRestoredMember(name: PropertyName) async throws
  {
    try await request("Author", [["id": "X", "works": ["2"]]], isSaved: true)
    try await request("Shelf", [["id": "A", "\(name)": ["1", "2", "3"]]], isSaved: true)
    try await request("Book", [["id": "2", "author": ["id": "Y"]]], isSaved: false)
    try await request("Author", [["id": "X", "isGone": true]], isSaved: true)
    #expect(try members(name) == [["1", "2", "3"], ["1", "2", "3"]])
  }
}
