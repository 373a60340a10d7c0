import FlyingFox
import RecordEngine
import RecordEngineHTTP
import Testing

/// Tests for the HTTP servers of the article on servers.
struct ServersExampleOverHTTPTests {
  @Test func aBodyIsWhatTheParameterSays() async throws {
    try await withLoopbackServer { request in
      .json(String(decoding: try await request.bodyData, as: UTF8.self))
    } _: { url in
      let server = withBodies(baseURL: url)
      let nested = ServerRequest(method: "POST", urn: "a", data: ["json": #"{"tags": [1, 2]}"#])
      let sentNested = try await server.response(to: nested)
      #expect(text(sentNested) == #"{"tags": [1, 2]}"#)
      let flat = ServerRequest(method: "POST", urn: "a", data: ["name": "Ada"])
      let sentFlat = try await server.response(to: flat)
      #expect(text(sentFlat) == #"{"name":"Ada"}"#)
    }
  }

  @Test func aSessionTimesOut() async throws {
    try await withLoopbackServer { request in
      request.headers[.authorization] == "1" ? Response(statusCode: .unauthorized) : .json("[]")
    } _: { url in
      _ = await #expect(throws: SessionTimeout.self) {
        try await withSession(Session(), baseURL: url).response(to: ServerRequest(urn: "a"))
      }
    }
  }
}
