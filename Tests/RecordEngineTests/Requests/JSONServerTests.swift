import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for the server of local files. Proves `jsonserver.match`, `jsonserver.delay` and `jsonserver.malformed`.
@Suite struct JSONServerTests {
  /// Returns a server whose files contain their own names.
  private func server(_ files: [String: String], in folder: TemporaryFolder) throws -> JSONServer {
    for file in Set(files.values) {
      try Data("\"\(file)\"".utf8).write(to: folder.url.appendingPathComponent(file))
    }
    return JSONServer(folder: folder.url, files: files)
  }

  private func text(_ response: ServerResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "no bytes" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func answer(_ server: JSONServer, _ urn: String) async throws -> String {
    text(try await server.response(to: ServerRequest(urn: urn)))
  }

  @Test(arguments: [
    ("users", [:], "a"), ("v2/users/7", [:], "a"), ("users/7/posts", [:], "b"),
    ("users/8/posts?x=y", [:], "c"),
    ("users/7/posts/users", [:], "b"), ("posts/users", [:], "a"), ("users?page=2", [:], "d"),
    ("users", ["page": "2", "a": "b"], "d"), ("users?page=20", [:], "a"), ("users?x=page=2", [:], "a"),
    ("users?page=2", ["page": "3"], "a"), ("https://api.test/users?a=1&page=2#x", [:], "d"),
    ("users", ["q": "posts"], "a"), ("caf%C3%A9", [:], "e"), ("café", [:], "e"),
  ])
  func theLongestFragmentCounts(urn: String, query: [String: String], file: String) async throws {
    let folder = try TemporaryFolder()
    let server = try server(
      ["users": "a", "users/7/posts": "b", "posts": "c", "users?page=2": "d", "café": "e"], in: folder)
    let response = try await server.response(to: ServerRequest(urn: urn, query: query))
    #expect(text(response) == "\"\(file)\"")
    #expect(response.status == 200)
  }

  @Test func theEmptyFragmentIsForAllOthers() async throws {
    let folder = try TemporaryFolder()
    let server = try server(["": "all", "users": "users"], in: folder)
    #expect(try await answer(server, "posts") == "\"all\"")
    #expect(try await answer(server, "users") == "\"users\"")
  }

  @Test func noFragment() async throws {
    let folder = try TemporaryFolder()
    let server = try server(["users": "a", "posts?page=2": "b"], in: folder)
    let error = await #expect(throws: JSONServerError.self) {
      try await server.response(to: ServerRequest(urn: "posts"))
    }
    #expect(error?.kind == .noFile)
    #expect(
      error?.description
        == "no response for 'posts': it contains none of the registered fragments: posts?page=2, users")
  }

  /// Fragments are matched against all parameters, so that errors list all of them.
  @Test func errorsHaveTheParametersOfTheData() async throws {
    let folder = try TemporaryFolder()
    let server = try server(["posts?page=2": "b"], in: folder)
    for method in ["GET", "POST"] {
      let error = await #expect(throws: JSONServerError.self) {
        try await server.response(
          to: ServerRequest(
            method: method, urn: "posts?order=up", query: ["size": "5", "page": "3"]))
      }
      #expect(error?.urn == "posts?order=up&page=3&size=5")
    }
  }

  @Test func filesAreReadWhenTheyAreAskedFor() async throws {
    let folder = try TemporaryFolder()
    let server = JSONServer(folder: folder.url, files: ["a": "a.json"])
    let file = folder.url.appendingPathComponent("a.json")
    let missing = await #expect(throws: JSONServerError.self) {
      try await server.response(to: ServerRequest(urn: "a"))
    }
    #expect(missing?.kind == .unreadable)
    #expect(missing?.file == file)
    #expect(missing?.description == "\(file.path): does not exist (requested 'a')")
    for content in ["[1]", "[2]"] {
      try Data(content.utf8).write(to: file)
      #expect(try await answer(server, "a") == content)
    }
  }

  @Test func aFolderIsNoFile() async throws {
    let folder = try TemporaryFolder()
    let server = JSONServer(folder: folder.url, files: ["a": "."])
    let error = await #expect(throws: JSONServerError.self) {
      try await server.response(to: ServerRequest(urn: "a"))
    }
    #expect(error?.kind == .unreadable)
    #expect(error?.message.hasPrefix("cannot be read") == true)
  }

  @Test(arguments: [("", 1, 1), ("{\n  \"a\": 1,\n}", 3, 1), ("[1] x", 1, 5)])
  func malformedFilesAreReportedWithTheirLocation(content: String, line: Int, column: Int) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("a.json")
    try Data(content.utf8).write(to: file)
    let error = await #expect(throws: JSONServerError.self) {
      try await JSONServer(folder: folder.url, files: ["a": "a.json"]).response(to: ServerRequest(urn: "a"))
    }
    #expect(error?.kind == .malformed)
    #expect(error?.location?.line == line && error?.location?.column == column)
    #expect(error?.description.hasPrefix("\(file.path):\(line):\(column): ") == true)
  }

  @Test func theErrorReachesTheCaller() async throws {
    let folder = try TemporaryFolder()
    let model = try ManagedObjectModel(entities: [EntityDescription("A", attributes: [])])
    let container = try PersistentContainer(
      model: model, configuration: .init(server: JSONServer(folder: folder.url, files: ["a": "b"])))
    let context = container.makeContext()
    await #expect(throws: JSONServerError.self) {
      _ = try await container.request("A", urn: "a", context: context)
    }
  }

  // MARK: Delay

  @Test func answersAreDelayed() async throws {
    let folder = try TemporaryFolder()
    _ = try server(["a": "a"], in: folder)
    let clock = NotedClock()
    let server = JSONServer(
      folder: folder.url, files: ["a": "a", "b": "b"], delay: .seconds(3), clock: clock)
    #expect(try await answer(server, "a") == "\"a\"")
    await #expect(throws: JSONServerError.self) { try await server.response(to: ServerRequest(urn: "b")) }
    #expect(clock.sleeps == [.seconds(3), .seconds(3)])
    let prompt = JSONServer(folder: folder.url, files: ["a": "a"], clock: clock)
    _ = try await prompt.response(to: ServerRequest(urn: "a"))
    #expect(clock.sleeps.count == 2)
  }

  @Test func aDelayCanBeCancelled() async throws {
    let folder = try TemporaryFolder()
    let server = JSONServer(folder: folder.url, files: ["a": "a"], delay: .seconds(3600))
    let task = Task { try await server.response(to: ServerRequest(urn: "a")) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// A clock on which every sleep ends immediately.
  private final class NotedClock: Clock, @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [Duration] = []

    struct Instant: InstantProtocol {
      var offset: Duration
      func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
      func duration(to other: Instant) -> Duration { other.offset - offset }
      static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }
    var sleeps: [Duration] { lock.withLock { noted } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      lock.withLock { noted.append(deadline.offset) }
    }
  }
}
