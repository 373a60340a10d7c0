import Foundation
import RecordSpecTesting
import Testing
import XCTest

/// An issue as a test framework has received it.
private struct ReceivedIssue: Hashable {
  var firstLine: String
  var file: String
  var line: Int
}

/// A test case that keeps its issues.
private final class KeepingTestCase: XCTestCase {
  var received: [ReceivedIssue] = []

  #if canImport(ObjectiveC)
    override func record(_ issue: XCTIssue) {
      let location = issue.sourceCodeContext.location
      keep(issue.compactDescription, location?.fileURL.path ?? "", location?.lineNumber ?? 0)
    }

    static func make() -> KeepingTestCase { KeepingTestCase() }
  #else
    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
      keep(description, filePath, lineNumber)
    }

    static func make() -> KeepingTestCase { KeepingTestCase(name: "", testClosure: { _ in }) }
  #endif

  private func keep(_ message: String, _ path: String, _ line: Int) {
    received.append(ReceivedIssue(message: message, path: path, line: line))
  }
}

extension ReceivedIssue {
  init(message: String, path: String, line: Int) {
    firstLine = message.split(separator: "\n").first.map(String.init) ?? ""
    file = URL(filePath: path).lastPathComponent
    self.line = line
  }
}

struct FailureIssueTests {
  /// A folder of scenarios, which is removed with the last reference to it.
  private final class Folder: Sendable {
    let scenarios: URL
    private let root: URL

    init(_ files: [String: String]) throws {
      root = FileManager.default.temporaryDirectory.appending(path: "FailureIssueTests-\(UUID())")
      scenarios = root.appending(path: "Scenarios")
      try FileManager.default.createDirectory(at: scenarios, withIntermediateDirectories: true)
      for (name, text) in files {
        try text.write(to: scenarios.appending(path: name), atomically: true, encoding: .utf8)
      }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    func first() throws -> ScenarioTest {
      let tests = try Scenarios(in: scenarios)
      return try #require(tests.first)
    }
  }

  private static let posts = """
    title: A post
    model:
      entities:
        Post: {primaryKey: id, attributes: {id: int64, text: string, likes: int64}}
    responses:
      posts: {body: [{id: 1, text: Hello, likes: 2}]}
    steps:
      - {request: Post, urn: posts}
    expect:
      graph:
        Post:
          - id: 1
            text: Goodbye
            likes: 3

    """

  /// The issues that are expected for ``posts``: the report at the first error, and the other error at its line.
  private static let expected = [
    ReceivedIssue(firstLine: "FAIL  a: A post", file: "a.yaml", line: 13),
    ReceivedIssue(firstLine: "Post/1: 'likes' has a different value", file: "a.yaml", line: 14),
  ]

  @Test func swiftTestingShowsEachErrorAtItsLine() async throws {
    let folder = try Folder(["a.yaml": Self.posts])
    let received = Received()
    try await withKnownIssue {
      let outcome = try await folder.first().test()
      #expect(outcome == nil)
    } matching: { issue in
      received.append(issue)
      return true
    }
    #expect(received.issues == Self.expected)
  }

  @Test func xctestShowsEachErrorAtItsLine() async throws {
    let folder = try Folder(["a.yaml": Self.posts])
    let testCase = KeepingTestCase.make()
    let outcome = try await folder.first().test(in: testCase)
    #expect(outcome == nil)
    #expect(testCase.received == Self.expected)
  }

  @Test func anErrorOfTheWholeFileIsOneIssueAtItsFirstLine() async throws {
    let folder = try Folder([
      "a.yaml": Self.posts.replacing("Goodbye", with: "Hello").replacing("likes: 3", with: "likes: 2")
    ])
    let testCase = KeepingTestCase.make()
    #expect(try await folder.first().test(in: testCase) == nil)
    #expect(testCase.received == [ReceivedIssue(firstLine: "NEW   a: A post", file: "a.yaml", line: 1)])
  }

  @Test func aScenarioThatDoesNotFailHasNoIssue() async throws {
    let folder = try Folder([
      "a.yaml": Self.posts.replacing("title: A post", with: "title: A post\nskip: later")
    ])
    let testCase = KeepingTestCase.make()
    #expect(try await folder.first().test(in: testCase) == .skipped(reason: "later"))
    #expect(try await folder.first().test() == .skipped(reason: "later"))
    #expect(testCase.received == [])
  }
}

/// The issues that Swift Testing has matched.
// Unchecked: all mutable state is only accessed while `lock` is held.
private final class Received: @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [ReceivedIssue] = []
  var issues: [ReceivedIssue] { lock.withLock { kept } }

  func append(_ issue: Issue) {
    let message = issue.comments.first?.rawValue ?? "\(issue)"
    let path = issue.sourceLocation?.filePath ?? ""
    let line = issue.sourceLocation?.line ?? 0
    lock.withLock { kept.append(ReceivedIssue(message: message, path: path, line: line)) }
  }
}
