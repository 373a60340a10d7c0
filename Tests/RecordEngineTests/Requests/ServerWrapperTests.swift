import Foundation
import RecordEngine
import Testing

/// Tests for servers that wrap other servers. Rules: `cache.store`, `request.page`, `request.page.loop`.
@Suite struct ServerWrapperTests {
  /// The example in the documentation of `ServerWrapper`.
  private struct PatientServer: ServerWrapper {
    let server: any Server

    func response(to request: ServerRequest) async throws -> ServerResponse {
      let response = try await server.response(to: request)
      guard response.status == 503 else { return response }
      return try await server.response(to: request)
    }
  }

  /// A server that implements every requirement of the protocol.
  private final class WholeServer: Server {
    let asked: TestServer
    init(_ answer: @escaping @Sendable (ServerRequest) async throws -> ServerResponse) {
      asked = TestServer(answer)
    }

    func response(to request: ServerRequest) async throws -> ServerResponse {
      try await asked.response(to: request)
    }
    var paging: Paging? { .address(at: "next") }
    func description(of request: ServerRequest) -> ServerRequest? {
      ServerRequest(urn: address(of: request), headers: ["X-Sent": "1"])
    }
    func address(of request: ServerRequest) -> String {
      request.urn.hasPrefix("https:") ? request.urn : "https://api.test/" + request.urn
    }
  }

  private struct Plain: ServerWrapper { let server: any Server }

  @Test func whatAWrapperDoesNotSayIsTheOtherServers() async throws {
    let whole = WholeServer { ServerResponse(.json(.string($0.urn)), status: 203) }
    let server: any Server = Plain(server: PatientServer(server: whole))
    let request = ServerRequest(urn: "posts")
    let response = try await server.response(to: request)
    #expect(response.status == 203)
    #expect(try response.responseObject?.string == "posts")
    #expect(server.paging != nil)
    #expect(
      try await server.description(of: request)
        == ServerRequest(urn: "https://api.test/posts", headers: ["X-Sent": "1"]))
    #expect(server.address(of: request) == "https://api.test/posts")
  }

  @Test func cachingAndPagesAreAsWithoutIt() async throws {
    let whole = WholeServer { request in
      ServerResponse(
        .json(["data": [["id": "1"]], "next": "https://api.test/posts"]),
        headers: ["Cache-Control": "max-age=60"])
    }
    let container = try PersistentContainer(
      model: try RequestFixture.model(),
      configuration: .init(server: PatientServer(server: whole), cache: RecordCache(now: { moment(0) })))
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    let request = RecordRequest<Record>(entity: "Post", urn: "posts", options: options)
    let context = container.makeContext()
    #expect(try await container.perform(request, context: context).served == .network)
    #expect(try await container.perform(request, context: context).served == .cache)
    // The next page is the same page: its address differs only in notation.
    let pages = container.pages(request, context: context)
    #expect(try await pages.nextPage()?.served == .cache)
    #expect(await RequestFixture.code { _ = try await pages.nextPage() } == .pageLoop)
    #expect(whole.asked.requests.count == 1)
  }
}
