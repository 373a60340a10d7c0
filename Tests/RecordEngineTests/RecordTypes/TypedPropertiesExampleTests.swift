import Foundation
import JSONTree
import RecordEngine
import Testing

/// Tests for the example programs of the article on typed properties.
@Suite struct TypedPropertiesExampleTests {
  private typealias Example = TypedPropertiesExample

  @Test func booksAreRequestedAndFetched() async throws {
    let server = CannedServer([
      "books": [
        [
          "isbn": "1", "title": "Engines", "pages": 320, "state": "borrowed", "published_on": "2031-05-01",
          "author": ["id": 7, "name": "Ada"], "chapters": [["title": "One"], ["title": "Two"]],
        ],
        ["isbn": "2", "pages": 100, "author": 7],
      ]
    ])
    let container = try Example.makeContainer(server: server)
    let context = container.makeContext()
    let books = try await container.request(Example.Book.self, urn: "books", context: context).records
    #expect(books.map(\.title) == ["Engines", ""])
    #expect(books.map(\.state) == [.borrowed, .available])
    #expect(books.map { $0.author?.name } == ["Ada", "Ada"])
    #expect(books.first?.chapters.map(\.title) == ["One", "Two"])
    #expect(books.first?.published?.timeIntervalSince1970 == 1_935_360_000)
    #expect(try Example.fetchLongBooks(context).map(\.isbn) == ["1"])
  }

  @Test func aTypeConfiguresItsEntity() async throws {
    let server = CannedServer(["loans": ["loans": [["id": 1], ["id": 2, "returned": true]]]])
    let container = try PersistentContainer(Example.Loan.self, configuration: .init(server: server))
    let context = container.makeContext()
    _ = try await container.request(Example.Loan.self, urn: "loans", context: context)
    #expect(try context.fetch(Example.Loan.self).map(\.id) == [1])
  }

  @Test func entitiesAreConfigured() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let model = try Example.makeContainer(storing: folder.appendingPathComponent("Books.store")).model
    #expect(model.entities.map(\.deletedWhen) == ["removed == YES", nil, nil])
  }

  @Test func codableValuesAreStored() throws {
    let context = try PersistentContainer(Example.Library.self).makeContext()
    let library = try context.insert(Example.Library.self)
    library.address = Example.Address(street: "1 Main St", city: "Springfield")
    try context.save()
    #expect(library["address"] == ["street": "1 Main St", "city": "Springfield"] as JSONValue)
    #expect(library.address?.city == "Springfield")
  }
}
