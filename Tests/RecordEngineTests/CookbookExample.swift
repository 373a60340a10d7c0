import Foundation
import Logging
import RecordEngine
import Testing

// The recipes of the cookbook, in the order of the article. A test compares them with the article.

@MainActor @Suite struct CookbookExample {
  // The record types of the article "Get started".

  final class Post: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("text", { $0.from = ["body"] }) var text: String?
    @Field("created_at", { $0.format = "iso8601" }) var createdAt: Date?
    @ToOne("user", inverse: "posts") var user: User?

    override class var keyPathForResponseObject: MappingPath? { "data" }
  }

  final class User: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("name") var name: String?
    @ToMany("posts", inverse: "user") var posts: [Post]
  }

  // MARK: Reading JSON

  // Cookbook begin
  final class Product: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("name") var name: String?
    @Field("price", { $0.from = ["price.amount"] }) var price: Decimal?

    override class var keyPathForResponseObject: MappingPath? { "result.products" }
  }
  // Cookbook end

  // Cookbook begin
  final class Article: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("title") var title: String?
    @ToOne("author", inverse: "articles") var author: Author?
    @ToOne("statistics", inverse: "article", { $0.deleteRule = .cascade }) var statistics: Statistics?
  }

  final class Author: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("name") var name: String?
    @ToMany("articles", inverse: "author") var articles: [Article]
  }

  final class Statistics: Record {
    @ToOne("article", inverse: "statistics", isPrimaryKey: true) var article: Article?
    @Field("views") var views = 0
  }
  // Cookbook end

  // Cookbook begin
  final class Order: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @ToOne("customer", inverse: "orders", { $0.from = ["customer_id"] }) var customer: Customer?
  }

  final class Customer: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("name") var name: String?
    @ToMany("orders", inverse: "customer") var orders: [Order]
  }
  // Cookbook end

  // Cookbook begin
  final class Event: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("start") var start: Date?
    @Field("end") var end: Date?
    @Field("day", { $0.format = "dd.MM.yyyy[Europe/Berlin]" }) var day: Date?

    override class var dateFormat: String? { "iso8601 | unix-milliseconds | yyyy/MM/dd HH:mm" }
  }
  // Cookbook end

  // Cookbook begin
  final class Profile: Record {
    @Field("id", isPrimaryKey: true) var id: Int
    @Field("displayName") var displayName: String?  // display_name
    @Field("avatarURL") var avatarURL: URL?  // avatar_url

    override class func configure(_ entity: inout EntityDescription) {
      entity.names = .snakeCase
    }
  }
  // Cookbook end

  // MARK: Lists

  // Cookbook begin
  @MainActor final class PostListModel {
    private(set) var rows: [String] = []
    private(set) var problem: String?
    private let container: PersistentContainer
    private let context: ManagedObjectContext

    init(container: PersistentContainer) {
      self.container = container
      context = container.makeContext()
    }

    func load() async {
      let stored = RecordFetchRequest("Post", sortDescriptors: [RecordSortDescriptor("id")])
      do {
        let result = try await container.perform(
          RecordRequest<Post>(urn: "posts"), fetchFirst: stored, context: context
        ) { posts in rows = posts.compactMap(\.text) }
        rows = result.records.sorted { $0.id < $1.id }.compactMap(\.text)
        problem = nil
      } catch {
        problem = "\(error)"  // The stored posts stay on screen.
      }
    }
  }
  // Cookbook end

  // Cookbook begin
  func refresh(_ container: PersistentContainer, _ context: ManagedObjectContext) async throws -> [Post] {
    var options = RequestOptions()
    options.orphans = OrphanDeletion(limit: .percent(50))
    let result = try await container.request(Post.self, urn: "posts", options: options, context: context)
    return result.records
  }
  // Cookbook end

  // Cookbook begin
  @MainActor final class EndlessList {
    private(set) var posts: [Post] = []
    private let pages: RecordPages<Post>
    private var isLoading = false

    init(container: PersistentContainer, context: ManagedObjectContext) {
      var options = RequestOptions()
      options.paging = .address(at: "next")
      pages = container.pages(Post.self, urn: "posts", options: options, context: context)
    }

    /// Requests the next page if the row is one of the last ten.
    func rowAppeared(at index: Int) async throws {
      guard index >= posts.count - 10, !isLoading else { return }
      isLoading = true
      defer { isLoading = false }
      let known = Set(posts.map(\.recordID))
      var new: [Post] = []
      while new.isEmpty, let page = try await pages.nextPage() {
        new = page.records.filter { !known.contains($0.recordID) }
      }
      posts += new
    }
  }
  // Cookbook end

  @MainActor final class SearchModel {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init(container: PersistentContainer) {
      self.container = container
      context = container.makeContext()
    }

    // Cookbook begin
    private(set) var posts: [Post] = []
    private(set) var problem: String?
    private(set) var search: Task<Void, Never>?

    func textChanged(to text: String) {
      search?.cancel()
      search = Task {
        do {
          var options = RequestOptions()
          options.automaticallyPersistsRecords = false
          posts = try await container.request(
            Post.self, urn: "search", query: ["q": text], options: options, context: context
          ).records
          problem = nil
        } catch let failure as RequestFailure where failure.primary.code == .cancelled {
          // The user has typed on.
        } catch {
          problem = "\(error)"
        }
      }
    }
    // Cookbook end
  }

  final class Screen {
    struct Row: Equatable {
      let id: RecordID
      let text: String
    }

    var rows: [Row] = []
  }

  func observe(_ context: ManagedObjectContext, _ screen: Screen) async throws {
    // Cookbook begin
    let updates = try context.updates(of: Post.self, sortedBy: .descending(\.$createdAt), limit: 50)
    for try await update in updates {
      screen.rows = update.records.map { post in
        Screen.Row(id: post.recordID, text: post.text ?? "")
      }
    }
    // Cookbook end
  }

  // MARK: Changes

  @MainActor final class NoteModel {
    let container: PersistentContainer
    let context: ManagedObjectContext

    init(container: PersistentContainer) {
      self.container = container
      context = container.makeContext()
    }

    // Cookbook begin
    final class Note: Record {
      @Field("id", isPrimaryKey: true) var id: Int?
      @Field("text") var text = ""
    }

    func add(_ text: String) async throws {
      let note = try context.insert(Note.self)
      note.text = text
      try context.save()  // From here on, lists show the note.
      try await send(note)
    }

    func send(_ note: Note) async throws {
      let body: RequestBody = .json(["text": .string(note.text)])
      _ = try await container.requestDetail(of: note, method: "POST", urn: "notes", body: body)
    }

    func unsentNotes() throws -> [Note] {
      try context.fetch(Note.self, where: \.$id == nil)
    }
    // Cookbook end
  }

  // Cookbook begin
  actor ArchiveImporter {
    /// Requests and saves all pages of the archive.
    func run(_ container: PersistentContainer) async throws {
      let context = container.makeContext()
      for try await _ in container.pages(Post.self, urn: "archive", context: context) {}
    }
  }

  @MainActor func mergeSaves(of container: PersistentContainer, into context: ManagedObjectContext) {
    let saves = container.saves
    Task { [weak context] in
      for await save in saves {
        guard let context else { break }
        context.merge(save)
      }
    }
  }
  // Cookbook end

  // MARK: Sessions

  // Cookbook begin
  actor Session {
    private(set) var token: String?
    private let requestToken: @Sendable () async throws -> String

    init(requestToken: @escaping @Sendable () async throws -> String) { self.requestToken = requestToken }

    /// Requests a new token. Returns false if the session could not be renewed.
    func renew() async -> Bool {
      guard let new = try? await requestToken() else { return false }
      token = new
      return true
    }
  }

  func renewSessions(of container: PersistentContainer, with session: Session) {
    container.registerSessionTimeoutHandler { _, _ in await session.renew() }
  }
  // Cookbook end

  // Cookbook begin
  @MainActor final class Account {
    private(set) var container: PersistentContainer?
    private let folder: URL

    init(id: UUID, in parent: URL, server: any Server) throws {
      folder = parent.appendingPathComponent(id.uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      container = try PersistentContainer(
        Post.self, User.self,
        configuration: .init(
          store: .file(folder.appendingPathComponent("Posts.store")), server: server,
          cache: try RecordCache(url: folder.appendingPathComponent("Posts.cache"))))
    }

    func signOut() throws {
      container = nil
      try FileManager.default.removeItem(at: folder)
    }
  }
  // Cookbook end

  // MARK: Testing

  // Cookbook begin
  @MainActor @Test func postsStayWhenTheServerIsUnreachable() async throws {
    let server = CannedServer(["posts": ["data": [["id": 1, "body": "Hello"]]]])
    let container = try PersistentContainer(Post.self, User.self, configuration: .init(server: server))
    let model = PostListModel(container: container)
    await model.load()
    #expect(model.rows == ["Hello"])

    container.register(CannedServer([:]), for: Post.self)
    await model.load()
    #expect(model.problem != nil)
    #expect(model.rows == ["Hello"])
  }
  // Cookbook end

  // Cookbook begin
  @MainActor func previewModel(files folder: URL) throws -> PostListModel {
    let server = JSONServer(folder: folder, files: ["posts": "Posts.json"])
    let container = try PersistentContainer(Post.self, User.self, configuration: .init(server: server))
    return PostListModel(container: container)
  }
  // Cookbook end

  func loggingContainer(_ server: any Server) throws -> PersistentContainer {
    // Cookbook begin
    var logger = Logger(label: "records")
    logger.logLevel = .debug
    let container = try PersistentContainer(
      Post.self, User.self, configuration: .init(server: server, logger: logger))
    // Cookbook end
    return container
  }
}
