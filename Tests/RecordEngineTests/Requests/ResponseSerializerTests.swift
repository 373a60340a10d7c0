import Foundation
import RecordEngine
import Testing

/// Tests for responses that other code has loaded. Rules: `serializer.entity`, `serializer.invalid`, `serializer.save`.
@Suite struct ResponseSerializerTests {
  typealias Fixture = RequestFixture

  private static let url = URL(string: "https://api.test/posts?kind=new")

  @Test func aTransportErrorPassesThrough() async throws {
    let container = try Fixture.container(nil)
    let serializer = try container.makeSerializer([("posts", "Post")])
    await #expect(throws: URLError.self) {
      try await serializer.records(
        from: Array("<html>".utf8), url: nil, error: URLError(.timedOut), context: container.makeContext())
    }
  }

  @Test func dataBecomesRecordsWithoutAServer() async throws {
    let container = try Fixture.container(nil)
    let context = container.makeContext()
    let serializer = try container.makeSerializer([
      ("posts", "User"), ("posts?kind=", "Post"), ("kind=new", "User"),
    ])
    let result = try await serializer.records(
      from: Data(#"{"data": [{"id": "1", "text": "a"}]}"#.utf8), url: Self.url, context: context)
    let post = try #require(result.records.first as? Fixture.Post)
    #expect(post.text == "a")
    #expect(try container.makeContext().fetch(RecordFetchRequest("Post")).count == 1)
  }

  @Test func ofFragmentsOfOneLengthTheFirstCounts() async throws {
    let container = try Fixture.container(nil)
    let serializer = try container.makeSerializer([("posts", "Post"), ("=new", "User"), ("kind=", "User")])
    let result = try await serializer.records(
      from: Array(#"{"data": []}"#.utf8), url: Self.url, context: container.makeContext())
    #expect(result.diagnostics.map(\.entity) == ["Post"])
  }

  @Test func theTextOfWhatIsNoJSONIsTold() async throws {
    let container = try Fixture.container(nil)
    let serializer = try container.makeSerializer([("posts", "Post")])
    do {
      _ = try await serializer.records(
        from: Array("<html>".utf8), url: Self.url, context: container.makeContext())
      Issue.record("a response that is not JSON has to fail")
    } catch let failure as RequestFailure {
      #expect(failure.primary.code.referenceNumber == 6)
      #expect(failure.responseText == "<html>")
      #expect(failure.initialEntity == "Post")
    }
  }

  @Test func namesAreChecked() async throws {
    let container = try Fixture.container(nil)
    #expect(
      await Fixture.code { _ = try container.makeSerializer([("posts", "Pots")]) } == .invalidEntity)
    let serializer = try container.makeSerializer([("users", "User")])
    #expect(
      await Fixture.code {
        _ = try await serializer.records(from: [UInt8](), url: Self.url, context: container.makeContext())
      } == .invalidEntity)
  }
}
