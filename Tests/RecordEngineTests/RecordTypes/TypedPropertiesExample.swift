import Foundation
import RecordEngine

// The example programs of the article on typed properties, in the order of the article. A test compares them with the
// article.

enum TypedPropertiesExample {
  // TypedProperties begin
  final class Book: Record {
    @Field("isbn", isPrimaryKey: true) var isbn: String
    @Field("title") var title = ""
    @Field("pages") var pages: Int?
    @Field("state") var state = State.available
    @Field("published", { $0.from = ["published_on"] }) var published: Date?
    @ToOne("author", inverse: "books") var author: Author?
    @ToMany("chapters", inverse: "book", { $0.isOrdered = true }) var chapters: [Chapter]

    override class var dateFormat: String? { "iso8601" }
  }

  final class Author: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("name") var name: String?
    @ToMany("books", inverse: "author") var books: [Book]
  }

  final class Chapter: Record {
    @Field("title") var title: String?
    @ToOne("book", inverse: "chapters") var book: Book?
  }

  enum State: String, AttributeConvertible { case available, borrowed }
  // TypedProperties end

  static func makeContainer(server: any Server) throws -> PersistentContainer {
    // TypedProperties begin
    let container = try PersistentContainer(
      Book.self, Author.self, Chapter.self, configuration: .init(server: server))
    // TypedProperties end
    return container
  }

  // TypedProperties begin
  struct Address: TransformableValue {
    var street: String
    var city: String
  }

  final class Library: Record {
    @Field("name") var name: String?
    @Field("address") var address: Address?
  }
  // TypedProperties end

  // TypedProperties begin
  final class Loan: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("due") var due: Date?

    override class func configure(_ entity: inout EntityDescription) {
      entity.responseKeyPath = "loans"
      entity.deletedWhen = "returned == YES"
    }
  }
  // TypedProperties end

  static func makeContainer(storing file: URL) throws -> PersistentContainer {
    // TypedProperties begin
    let model = try ManagedObjectModel(Book.self, Author.self, Chapter.self) { entity in
      if entity.name == "Book" { entity.deletedWhen = "removed == YES" }
    }
    let container = try PersistentContainer(
      model: model, recordTypes: [Book.self, Author.self, Chapter.self],
      configuration: .init(store: .file(file)))
    // TypedProperties end
    return container
  }
}
