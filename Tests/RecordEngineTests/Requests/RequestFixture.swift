import Foundation
import RecordEngine

/// A server whose responses a test determines, and which records its requests.
// Unchecked: `asked` is accessed only under `lock`.
final class TestServer: Server, @unchecked Sendable {
  private let lock = NSLock()
  private var asked: [ServerRequest] = []
  private let answer: @Sendable (ServerRequest) async throws -> ServerResponse
  let paging: Paging?

  init(
    paging: Paging? = nil, _ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse
  ) {
    self.paging = paging
    self.answer = answer
  }

  /// Creates a server with a body for each address.
  convenience init(paging: Paging? = nil, _ bodies: [String: JSONValue]) {
    let server = CannedServer(bodies)
    self.init(paging: paging) { try await server.response(to: $0) }
  }

  var requests: [ServerRequest] { lock.withLock { asked } }

  func description(of request: ServerRequest) -> ServerRequest? { request.normalized }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    lock.withLock { asked.append(request) }
    return try await answer(request)
  }
}

/// A gate that suspends tasks until it is opened. Later tasks pass immediately.
actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func pass() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

enum RequestFixture {
  final class Post: Record {
    var key: String? { self["id"] }
    var text: String? { self["text"] }
    override var recordDetailURN: String? { text == "no details" ? nil : super.recordDetailURN }
  }
  final class User: Record {}
  /// A superclass without an entity.
  class Base: Record {}
  final class Draft: Base, RequestDefaults {
    static var defaultOptions: RequestOptions {
      var options = RequestOptions()
      options.automaticallyPersistsRecords = false
      return options
    }
  }

  static func options(domain: String) -> RequestOptions {
    var options = RequestOptions()
    options.domain = domain
    return options
  }

  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", responseKeyPath: "data", detailURN: "users/{user.id}/posts/{id}",
        attributes: [AttributeDescription("id", .string), AttributeDescription("text", .string)],
        relationships: [RelationshipDescription("user", to: "User", inverse: "posts")]),
      EntityDescription(
        "User", primaryKey: "id",
        attributes: [AttributeDescription("id", .string), AttributeDescription("name", .string)],
        relationships: [RelationshipDescription("posts", toMany: "Post", inverse: "user")]),
      EntityDescription("Draft", primaryKey: "id", attributes: [AttributeDescription("id", .string)]),
      EntityDescription(
        "Note", attributes: [AttributeDescription("text", .string), AttributeDescription("url", .string)]),
      EntityDescription("Letter", parent: "Note"),
    ])
  }

  static func container(_ server: (any Server)?) throws -> PersistentContainer {
    try PersistentContainer(
      model: try model(), recordTypes: [Post.self, User.self, Draft.self],
      configuration: .init(server: server))
  }

  /// Returns the code of the failure that `body` throws, or nil if it throws none.
  static func code(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async -> DiagnosticCode? {
    await failure(body)?.primary.code
  }

  /// Returns the failure that `body` throws, or nil if it throws none.
  static func failure(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void
  ) async -> RequestFailure? {
    do {
      try await body()
      return nil
    } catch {
      return error as? RequestFailure
    }
  }
}
