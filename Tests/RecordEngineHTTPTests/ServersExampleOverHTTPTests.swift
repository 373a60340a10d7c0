import FlyingFox
import RecordEngine
import RecordEngineHTTP
import Testing

/// Tests for the HTTP servers of the article on servers.
struct ServersExampleOverHTTPTests {
  @Test func bodiesHaveTheMediaTypeOfTheServer() async throws {
    try await withLoopbackServer { request in
      let body = String(decoding: try await request.bodyData, as: UTF8.self)
      return .json("\(request.headers[.contentType] ?? "none") \(body)")
    } _: { url in
      let request = ServerRequest(method: "POST", urn: "a", body: .json(["tags": [1, 2]]))
      let response = try await withJSONAPI(baseURL: url).response(to: request)
      #expect(text(response) == #"application/vnd.api+json {"tags":[1,2]}"#)
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
