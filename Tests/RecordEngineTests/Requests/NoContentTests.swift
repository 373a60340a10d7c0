import RecordEngine
import Testing

/// Tests for responses without content. Rule: `response.no-content`.
@Suite struct NoContentTests {
  typealias Fixture = RequestFixture

  private static func result(
    _ method: String, _ status: Int, _ body: ServerResponse.Body
  ) async throws -> RequestResult<Fixture.User> {
    let container = try Fixture.container(TestServer { _ in ServerResponse(body, status: status) })
    return try await container.perform(
      RecordRequest(method: method, urn: "users/7"), context: container.makeContext())
  }

  /// The body of such a status is ignored, even if it is not JSON.
  @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE"], [204, 205])
  func aStatusWithoutContent(method: String, status: Int) async throws {
    for body in [.bytes([]), .json([:]), .json([["id": "7"]]), .bytes(Array("<html>".utf8))]
      as [ServerResponse.Body]
    {
      let result = try await Self.result(method, status, body)
      #expect(result.records.isEmpty && result.changes.isEmpty && result.diagnostics.isEmpty)
      #expect(result.responseObject == nil)
    }
  }

  @Test(
    arguments: ["DELETE", "HEAD"], [.bytes([]), .json([:]), .json([]), .json(nil)] as [ServerResponse.Body])
  func aMethodWithoutContent(method: String, body: ServerResponse.Body) async throws {
    let result = try await Self.result(method, 200, body)
    #expect(result.records.isEmpty && result.changes.isEmpty && result.diagnostics.isEmpty)
  }

  @Test(arguments: ["GET", "POST"]) func otherEmptyBodiesAreReported(method: String) async throws {
    for body in [.bytes([]), .json([]), .json(nil)] as [ServerResponse.Body] {
      let result = try await Self.result(method, 200, body)
      #expect(result.records.isEmpty && result.diagnostics.map(\.code) == [.emptyResultSet])
    }
  }

  @Test func aDeletionMayReturnRecords() async throws {
    let result = try await Self.result("DELETE", 200, .json([["id": "8"]]))
    #expect(result.records.map { $0["id"] } == ["8"])
  }
}
