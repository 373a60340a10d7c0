import FlyingFox
import Foundation
import RecordEngine
import RecordEngineHTTP
import RecordModel
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Tests for a record cache with a real server. Rules: `cache.store`, `cache.revalidate`, `cache.vary`,
/// `cache.concurrent`, `cache.stale-if-error`, `cache.invalidation`.
@Suite(.timeLimit(.minutes(5))) struct HTTPServerCacheTests {
  // MARK: Request descriptions

  @Test func aDescriptionIsWhatIsSent() async throws {
    let server = RecordEngineHTTP.HTTPServer(
      baseURL: try #require(URL(string: "https://api.test/v2?key=1")), headers: ["Accept-Language": "de"],
      prepare: { $0.setValue("Bearer 1", forHTTPHeaderField: "Authorization") })
    let description = try #require(
      try await server.description(
        of: ServerRequest(urn: "posts", query: ["q": "a b", "page": "2"], headers: ["X-Screen": "feed"])))
    #expect(description.method == "GET")
    #expect(description.urn == "https://api.test/v2/posts?key=1&page=2&q=a%20b")
    #expect(
      description.headers == [
        "Accept": "application/json", "Accept-Language": "de", "Authorization": "Bearer 1",
        "X-Screen": "feed",
      ])
    #expect(description.query.isEmpty)
    // A request to another origin has neither the parameters of the base URL nor the headers of the server.
    let elsewhere = try #require(
      try await server.description(of: ServerRequest(urn: "https://other.test/posts")))
    #expect(elsewhere.urn == "https://other.test/posts")
    #expect(elsewhere.headers == ["Accept": "application/json"])
  }

  @Test func whatCannotBeDescribedFailsAsWithoutACache() async throws {
    struct NoToken: Error {}
    let server = RecordEngineHTTP.HTTPServer(
      baseURL: try #require(URL(string: "http://127.0.0.1:9")), prepare: { _ in throw NoToken() })
    let container = try Self.container(server)
    await #expect(throws: NoToken.self) { try await Self.list(container) }
    await #expect(throws: HTTPServerError.self) {
      try await Self.list(container, headers: ["a b": "c"])
    }
  }

  // MARK: Revalidation

  @Test func aTagIsSentBack() async throws {
    let journal = Journal()
    try await withLoopbackServer { request in
      journal.add(request)
      let headers: HTTPHeaders = [HTTPHeader("ETag"): "\"v1\"", HTTPHeader("Cache-Control"): "max-age=0"]
      if request.headers[HTTPHeader("If-None-Match")] == "\"v1\"" {
        return Response(statusCode: .notModified, headers: headers)
      }
      return .json(Self.posts(1, 2), headers: headers)
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      #expect(try await Self.list(container) == Answer(.network, [1, 2]))
      #expect(try await Self.list(container) == Answer(.revalidated, [1, 2]))
      #expect(journal.headers("If-None-Match") == [nil, "\"v1\""])
    }
  }

  /// A server that responds with 304 to every request, with and without a condition of the app.
  /// Rule: `request.failure`.
  @Test func anUnexpectedNotModifiedIsAFailure() async throws {
    try await withLoopbackServer { request in
      Response(statusCode: .notModified, headers: HTTPHeaders([HTTPHeader("ETag"): "\"v1\""]))
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      #expect(try await server.response(to: ServerRequest(urn: "posts")).status == 304)
      let container = try Self.container(server)
      for (headers, reason) in [
        ([:], "no condition"), (["If-None-Match": "\"v1\""], "because of If-None-Match"),
      ] {
        do {
          _ = try await Self.list(container, headers: headers)
          Issue.record("the request succeeded")
        } catch let failure as RequestFailure {
          #expect(failure.primary.code == .httpStatus && failure.status == 304)
          #expect(failure.header("etag") == "\"v1\"" && failure.primary.message.contains(reason))
        }
      }
    }
  }

  /// Several lines with the same name form one header (RFC 9110, section 5.2), in any order.
  @Test(
    arguments: [
      ["Cache-Control: max-age=60", "cache-control: no-store"],
      ["Cache-Control: no-store", "Cache-Control: max-age=60"],
      ["Cache-Control: max-age=60", "Cache-Control: no-store"],
      ["Cache-Control: max-age=60", "Vary: Accept", "Vary: *"],
      ["Cache-Control: max-age=60", "Vary: *", "Vary: Accept"],
    ])
  func severalLinesOfOneHeader(lines: [String]) async throws {
    let body = Self.posts(1)
    let raw = try RawServer { connection in
      guard connection.readHead() != nil else { return }
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n"
          + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
    }
    defer { withExtendedLifetime(raw) {} }
    let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: raw.url))
    for _ in 1...2 { #expect(try await Self.list(container) == Answer(.network, [1])) }
  }

  /// The body of the first response is compressed, and the entity tag is that of the compressed body.
  @Test func whatWasCompressedIsAskedAboutAsItCame() async throws {
    let journal = Journal()
    let text = Self.posts(3, 1)
    let compressed = Self.gzip(text)
    try await withLoopbackServer { request in
      journal.add(request)
      let headers: HTTPHeaders = [
        HTTPHeader("ETag"): "\"v1-gzip\"", HTTPHeader("Vary"): "Accept-Encoding",
        HTTPHeader("Cache-Control"): "no-cache",
      ]
      if request.headers[HTTPHeader("If-None-Match")] == "\"v1-gzip\"" {
        return Response(statusCode: .notModified, headers: headers)
      }
      var full = headers
      full[.contentType] = "application/json"
      full[HTTPHeader("Content-Encoding")] = "gzip"
      return Response(statusCode: .ok, headers: full, body: compressed)
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      #expect(try await Self.list(container) == Answer(.network, [3, 1]))
      #expect(try await Self.list(container) == Answer(.revalidated, [3, 1]))
      #expect(try await Self.list(container) == Answer(.revalidated, [3, 1]))
      #expect(journal.count == 3)
    }
  }

  // MARK: Users

  @Test func twoUsersDoNotGetEachOthersList() async throws {
    let user = Setting("ada")
    try await withLoopbackServer { request in
      let isAda = request.headers[.authorization] == "Bearer ada"
      return .json(
        Self.posts(isAda ? 1 : 2),
        headers: [HTTPHeader("Vary"): "authorization", HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let container = try Self.container(
        RecordEngineHTTP.HTTPServer(
          baseURL: url,
          prepare: { $0.setValue("Bearer \(user.value)", forHTTPHeaderField: "Authorization") }))
      #expect(try await Self.list(container) == Answer(.network, [1]))
      user.value = "bob"
      #expect(try await Self.list(container) == Answer(.network, [2]))
      #expect(try await Self.list(container) == Answer(.cache, [2]))
      user.value = "ada"
      #expect(try await Self.list(container) == Answer(.cache, [1]))
    }
  }

  /// The session adds cookies itself. The description of a request contains them too.
  @Test func aListThatVariesWithACookieIsOfThatCookie() async throws {
    try await withLoopbackServer { request in
      if request.path == "/login" {
        let name = request.query.first { $0.name == "name" }?.value ?? ""
        return .json("[]", headers: [HTTPHeader("Set-Cookie"): "user=\(name); Path=/"])
      }
      let cookie = request.headers[HTTPHeader("Cookie")] ?? ""
      if request.path == "/cookie" { return .json(cookie) }
      return .json(
        Self.posts(cookie.contains("user=ada") ? 1 : cookie.contains("user=bob") ? 2 : 3),
        headers: [HTTPHeader("Vary"): "Cookie", HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let container = try Self.container(server)
      #expect(try await Self.list(container) == Answer(.network, [3]))
      _ = try await server.response(to: ServerRequest(urn: "login", query: ["name": "ada"]))
      #expect(try await Self.list(container) == Answer(.network, [1]))
      #expect(try await Self.list(container) == Answer(.cache, [1]))
      _ = try await server.response(to: ServerRequest(urn: "login", query: ["name": "bob"]))
      #expect(try await Self.list(container) == Answer(.network, [2]))
      // The description contains the cookie that is sent.
      let own = ServerRequest(urn: "cookie", headers: ["Cookie": "user=carl"])
      let sent = text(try await server.response(to: own))
      #expect(try await server.description(of: own)?.header("Cookie") == sent)
    }
  }

  /// The user changes between the description and the response. Each user gets only their own response.
  @Test(arguments: [1, 2, 3]) func whoLogsInMeanwhileDoesNotLeaveAnAnswer(moment: Int) async throws {
    let configuration = RecordEngineHTTP.HTTPServer.configuration
    let storage = try #require(configuration.httpCookieStorage)
    let logIn = Setting<@Sendable (String) -> Void>({ _ in })
    // The user changes before the description, before the request is sent, or before the response.
    let next = Setting(0)
    let switchUsers: @Sendable () -> Void = {
      next.value += 1
      if next.value == moment { logIn.value("bob") }
    }
    try await withLoopbackServer { request in
      let user = request.headers[HTTPHeader("Cookie")] ?? ""
      switchUsers()
      return .json(
        Self.posts(user.contains("ada") ? 1 : 2),
        headers: [HTTPHeader("Vary"): "Cookie", HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      logIn.value = { name in
        let properties: [HTTPCookiePropertyKey: Any] = [
          .name: "user", .value: name, .path: "/", .domain: "127.0.0.1",
        ]
        if let cookie = HTTPCookie(properties: properties) { storage.setCookie(cookie) }
      }
      let container = try Self.container(
        RecordEngineHTTP.HTTPServer(
          baseURL: url, configuration: configuration, prepare: { _ in switchUsers() }))
      logIn.value("ada")
      #expect(try await Self.list(container) == Answer(.network, [moment == 3 ? 1 : 2]))
      #expect(next.value == 3)
      // A response is cached only if the request was sent as described.
      #expect(try await Self.list(container) == Answer(moment == 1 ? .cache : .network, [2]))
      logIn.value("ada")
      #expect(try await Self.list(container) == Answer(.network, [1]))
      #expect(try await Self.list(container) == Answer(.cache, [1]))
      logIn.value("bob")
      #expect(try await Self.list(container) == Answer(.cache, [2]))
    }
  }

  /// The token is renewed between the description and the request.
  @Test func whatWasPreparedOtherwiseIsNotKept() async throws {
    let users = Setting(["ada", "bob", "ada", "ada", "ada"])
    try await withLoopbackServer { request in
      .json(
        Self.posts(request.headers[.authorization] == "ada" ? 1 : 2),
        headers: [HTTPHeader("Vary"): "Authorization", HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let container = try Self.container(
        RecordEngineHTTP.HTTPServer(
          baseURL: url,
          prepare: { $0.setValue(users.value.removeFirst(), forHTTPHeaderField: "Authorization") }))
      #expect(try await Self.list(container) == Answer(.network, [2]))
      #expect(try await Self.list(container) == Answer(.network, [1]))
      #expect(try await Self.list(container) == Answer(.cache, [1]))
    }
  }

  /// The arguments combine cookies and headers of the session, its configuration, the server and the request.
  @Test(
    arguments: [
      (false, true, [:], [:]), (true, true, [:], [:]), (true, false, [:], [:]),
      (true, true, ["Cookie": "of=configuration", "X-A": "1"], [:]),
      (false, true, ["Cookie": "of=configuration", "X-A": "1"], [:]),
      (false, true, ["Cookie": "of=configuration", "X-A": "1"], ["Cookie": "own=1", "X-A": "2"]),
      (true, true, [:], ["Cookie": "own=1"]), (true, false, [:], ["Cookie": "own=1"]),
      (true, false, ["Accept": "text/x", "X-B": "3"], ["Cookie": "own=1"]),
    ] as [(Bool, Bool, [String: String], [String: String])])
  func whatIsDescribedIsWhatIsSent(
    hasCookie: Bool, setsCookies: Bool, configured: [String: String], own: [String: String]
  ) async throws {
    let names = ["Accept", "Cookie", "X-A", "X-B"]
    try await withLoopbackServer { request in
      if request.path == "/login" {
        return .json("[]", headers: [HTTPHeader("Set-Cookie"): "user=ada; Path=/"])
      }
      return .json(names.map { request.headers[HTTPHeader($0)] ?? "-" }.joined(separator: " | "))
    } _: { url in
      let configuration = RecordEngineHTTP.HTTPServer.configuration
      configuration.httpAdditionalHeaders = configured
      configuration.httpShouldSetCookies = setsCookies
      let server = RecordEngineHTTP.HTTPServer(baseURL: url, configuration: configuration)
      if hasCookie { _ = try await server.response(to: ServerRequest(urn: "login")) }
      let request = ServerRequest(urn: "echo", headers: own)
      let described = try #require(try await server.description(of: request))
      let response = try await server.response(to: request)
      #expect(names.map { described.header($0) ?? "-" }.joined(separator: " | ") == text(response))
      #expect(response.sentRequest == described)
    }
  }

  // MARK: Redirects and concurrent requests

  /// The response belongs to another address, and stays fresh for longer than the redirect leads to that address.
  @Test func whatComesOverARedirectIsNotKept() async throws {
    let journal = Journal()
    let latest = Setting<Int?>(1)
    try await withLoopbackServer { request in
      journal.add(request)
      let holds: HTTPHeaders = [HTTPHeader("ETag"): "\"v\"", HTTPHeader("Cache-Control"): "max-age=3600"]
      if let number = Int(request.path.dropFirst(3)) { return .json(Self.posts(number), headers: holds) }
      guard let number = latest.value else {
        return .json(Self.posts(9), headers: [HTTPHeader("ETag"): "\"9\""])
      }
      return Response(
        statusCode: .found,
        headers: HTTPHeaders([.location: "/r/\(number)", HTTPHeader("Cache-Control"): "no-store"]))
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [1]))
      latest.value = 2
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [2]))
      // The response was not cached for the address that the redirect leads to.
      #expect(try await Self.list(container, urn: "r/2") == Answer(.network, [2]))
      #expect(try await Self.list(container, urn: "r/2") == Answer(.cache, [2]))
      #expect(journal.paths == ["/latest", "/r/1", "/latest", "/r/2", "/r/2"])
      // A redirect removes the cached response of the address.
      latest.value = nil
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [9]))
      latest.value = 3
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [3]))
      latest.value = nil
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [9]))
      #expect(
        journal.headers("If-None-Match") == [nil, nil, nil, nil, nil, nil, "\"9\"", "\"9\"", nil])
    }
  }

  /// Entity tags belong to one address: the target of a redirect may use the same tag for another response.
  @Test func noRedirectConfirmsWhatIsKept() async throws {
    let journal = Journal()
    let isMoved = Setting(false)
    let saysNothingElse = Setting(false)
    try await withLoopbackServer { request in
      journal.add(request)
      if request.path == "/latest", isMoved.value {
        return Response(statusCode: .found, headers: HTTPHeaders([.location: "/r/2"]))
      }
      let headers: HTTPHeaders = [HTTPHeader("ETag"): "\"1\"", HTTPHeader("Cache-Control"): "max-age=0"]
      if saysNothingElse.value || request.headers[HTTPHeader("If-None-Match")] == "\"1\"" {
        return Response(statusCode: .notModified, headers: headers)
      }
      return .json(Self.posts(request.path == "/latest" ? 1 : 2), headers: headers)
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [1]))
      #expect(try await Self.list(container, urn: "latest") == Answer(.revalidated, [1]))
      isMoved.value = true
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [2]))
      #expect(journal.paths == ["/latest", "/latest", "/latest", "/r/2", "/latest", "/r/2"])
      #expect(journal.headers("If-None-Match") == [nil, "\"1\"", "\"1\"", "\"1\"", nil, nil])
      // If the repeated request gets a 304 response too, it is not repeated again.
      isMoved.value = false
      #expect(try await Self.list(container, urn: "latest") == Answer(.network, [1]))
      (isMoved.value, saysNothingElse.value) = (true, true)
      _ = try? await Self.list(container, urn: "latest")
      #expect(journal.count == 11)
    }
  }

  @Test func manyAtOnceAskOnce() async throws {
    let journal = Journal()
    let waiting = EventCounter()
    try await withLoopbackServer { request in
      journal.add(request)
      await waiting.wait(for: 19)
      return .json(Self.posts(1, 2), headers: [HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let server = RecordEngineHTTP.HTTPServer(baseURL: url)
      let container = try Self.container(CountingServer(wrapped: server, waiting: waiting))
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for _ in 1...20 { group.addTask { try await Self.list(container) } }
        for try await answer in group { #expect(answer.ids == [1, 2]) }
      }
      #expect(journal.count == 1)
    }
  }

  @Test func aServerThatHasGoneIsStoodInFor() async throws {
    let clock = Setting(Date(timeIntervalSince1970: 946_684_800))
    var container: PersistentContainer?
    try await withLoopbackServer { _ in
      .json(Self.posts(5), headers: [HTTPHeader("Cache-Control"): "max-age=60, stale-if-error=600"])
    } _: { url in
      let opened = try Self.container(
        RecordEngineHTTP.HTTPServer(baseURL: url), RecordCache(now: { clock.value }))
      container = opened
      #expect(try await Self.list(opened) == Answer(.network, [5]))
    }
    let left = try #require(container)
    clock.value += 61
    #expect(try await Self.list(left) == Answer(.stale, [5]))
    clock.value += 600
    await #expect(throws: URLError.self) { try await Self.list(left) }
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"]) func whatIsChangedIsAskedAgain(
    method: String
  ) async throws {
    let journal = Journal()
    try await withLoopbackServer { request in
      journal.add(request)
      if request.method.rawValue == method {
        return .json(
          #"{"id": 7}"#, status: .created, headers: [HTTPHeader("Content-Location"): "/posts?page=2"])
      }
      return .json(Self.posts(1), headers: [HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      for urn in ["posts", "posts?page=2", "users"] { _ = try await Self.list(container, urn: urn) }
      #expect(try await Self.list(container).served == .cache)
      let body = method == "DELETE" ? nil : RequestBody.form(["text": "New"])
      _ = try await Self.list(container, method: method, body: body)
      #expect(try await Self.list(container).served == .network)
      #expect(try await Self.list(container, urn: "posts?page=2").served == .network)
      #expect(try await Self.list(container, urn: "users").served == .cache)
    }
  }

  /// With 308 another address handles the request. With 303 the `Location` header names the result.
  @Test(arguments: [303, 307, 308]) func whatIsChangedElsewhereIsAskedAgain(status: Int) async throws {
    try await withLoopbackServer { request in
      if request.method == .POST {
        guard request.path == "/v2/posts/new" else {
          let location = status == 303 ? "/v2/posts/7" : "/v2/posts/new"
          return Response(
            statusCode: HTTPStatusCode(status, phrase: "Moved"), headers: HTTPHeaders([.location: location]))
        }
        return .json(#"{"id": 7}"#, status: .created, headers: [.location: "7"])
      }
      return .json(Self.posts(1), headers: [HTTPHeader("Cache-Control"): "max-age=600"])
    } _: { url in
      let container = try Self.container(RecordEngineHTTP.HTTPServer(baseURL: url))
      let changed = ["posts", "v2/posts/7"] + (status == 303 ? [] : ["v2/posts/new"])
      for urn in changed + ["7"] { _ = try await Self.list(container, urn: urn) }
      _ = try await Self.list(container, method: "POST", body: .form(["text": "New"]))
      for urn in changed { #expect(try await Self.list(container, urn: urn).served == .network, "\(urn)") }
      #expect(try await Self.list(container, urn: "7").served == .cache)
    }
  }

  // MARK: Fixture

  private struct Answer: Equatable, Sendable {
    var served: Served
    var ids: [Int]
    init(_ served: Served, _ ids: [Int]) { (self.served, self.ids) = (served, ids) }
  }

  private static func container(
    _ server: any RecordEngine.Server, _ cache: RecordCache = RecordCache()
  ) throws -> PersistentContainer {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Post", primaryKey: "id", isRecordLevelCachingEnabled: true,
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)])
    ])
    return try PersistentContainer(model: model, configuration: .init(server: server, cache: cache))
  }

  private static func list(
    _ container: PersistentContainer, urn: String = "posts", method: String = "GET",
    body: RequestBody? = nil, headers: [String: String] = [:]
  ) async throws -> Answer {
    var request = RecordRequest<Record>(entity: "Post", method: method, urn: urn, body: body)
    request.serverRequest.headers = headers
    let result = try await container.perform(request, context: container.makeContext())
    return Answer(result.served, result.records.compactMap { $0["id"] })
  }

  private static func posts(_ ids: Int...) -> String {
    "[" + ids.map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]"
  }

  /// Returns the text in gzip format without compression: one stored block, followed by its checksum.
  private static func gzip(_ text: String) -> Data {
    let bytes = Array(text.utf8)
    var sum: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    func little(_ number: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let length = UInt32(bytes.count)
    return Data(
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1] + little(length, 2) + little(~length, 2) + bytes
        + little(~sum, 4) + little(length, 4))
  }
}

/// A server that counts the requests that wait for other requests.
private struct CountingServer: QueueingServer {
  let wrapped: RecordEngineHTTP.HTTPServer
  let waiting: EventCounter

  func description(of request: ServerRequest) async throws -> ServerRequest? {
    try await wrapped.description(of: request)
  }
  func response(to request: ServerRequest) async throws -> ServerResponse {
    try await wrapped.response(to: request)
  }
  func isHeldBack(_ request: ServerRequest, behind other: ServerRequest) { waiting.note() }
  func goesOn(_ request: ServerRequest) {}
  func waitForTurn(of request: ServerRequest) {}
}

/// The requests that a server has received.
// Unchecked: `requests` is accessed only under `lock`.
private final class Journal: @unchecked Sendable {
  private let lock = NSLock()
  private var requests: [(path: String, headers: HTTPHeaders)] = []

  func add(_ request: Request) { lock.withLock { requests.append((request.path, request.headers)) } }
  var count: Int { lock.withLock { requests.count } }
  var paths: [String] { lock.withLock { requests.map(\.path) } }
  func headers(_ name: String) -> [String?] {
    lock.withLock { requests.map { $0.headers[HTTPHeader(name)] } }
  }
}

/// A value that a test sets while a server runs.
// Unchecked: `current` is accessed only under `lock`.
private final class Setting<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var current: Value
  init(_ value: Value) { current = value }
  var value: Value {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }
}
