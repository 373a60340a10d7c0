import Foundation
import JSONTree
import RecordEngine
import RecordEngineHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The example programs of the article on servers. A test compares them with the article.

func overHTTP(token: String, baseURL: URL) -> HTTPServer {
  // Servers begin
  let server = HTTPServer(
    baseURL: baseURL, headers: ["Accept": "application/vnd.github+json"], timeout: .seconds(20),
    paging: .linkHeader(),
    prepare: { request in request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") })
  // Servers end
  return server
}

func withJSONAPI(baseURL: URL) -> HTTPServer {
  // Servers begin
  let server = HTTPServer(
    baseURL: baseURL,
    headers: ["Accept": "application/vnd.api+json", "Content-Type": "application/vnd.api+json"])
  // Servers end
  return server
}

actor Session {
  var token = "1"
}

func withSession(_ session: Session, baseURL: URL) -> HTTPServer {
  // Servers begin
  let server = HTTPServer(
    baseURL: baseURL,
    prepare: { request in request.setValue(await session.token, forHTTPHeaderField: "Authorization") },
    isSessionTimeout: { response in response.status == 401 })
  // Servers end
  return server
}

func fromFiles(folder: URL) -> JSONServer {
  // Servers begin
  let server = JSONServer(
    folder: folder,
    files: [
      "users": "Users.json", "users/7/posts": "Posts.json", "feed": "Feed.json", "feed?page=2": "More.json",
    ],
    delay: .milliseconds(300), paging: .address(at: "links.next"))
  // Servers end
  return server
}

func fromValues() -> CannedServer {
  // Servers begin
  let server = CannedServer([
    "feed": ["data": [["id": 1, "text": "Low tide", "user": ["id": 7]]], "total": 1],
    "users/7": ["id": 7, "name": "Ada"],
  ])
  // Servers end
  return server
}

// Servers begin
/// Sends a request to a second server if the first one cannot be reached.
struct FallbackServer: ServerWrapper {
  let server: any Server
  let second: any Server

  func response(to request: ServerRequest) async throws -> ServerResponse {
    do {
      return try await server.response(to: request)
    } catch is URLError {
      return try await second.response(to: request)
    }
  }
}
// Servers end

// Servers begin
/// Fails for responses that report an error only in their body: `{"error": {"code": 17, "message": "…"}}`.
struct HonestServer: ServerWrapper {
  struct Refusal: Error {
    let code: Int64?
    let message: String
  }

  let server: any Server

  func response(to request: ServerRequest) async throws -> ServerResponse {
    let response = try await server.response(to: request)
    // A body that is not JSON is returned: the request then fails with the position of the syntax error.
    guard let error = try? response.responseObject?["error"], !error.isNull else { return response }
    let (code, message) = (error["code"]?.number?.int64Value, error["message"]?.string ?? "no reason is said")
    if code == 17 { throw SessionTimeout(message) }
    throw Refusal(code: code, message: message)
  }
}
// Servers end

// Servers begin
/// Answers `feed` with 20 posts. The `Link` header contains the address of the next 20, `feed?from=20`.
struct FeedServer: Server {
  let posts: [JSONValue]

  func response(to request: ServerRequest) async throws -> ServerResponse {
    let address = URLComponents(string: request.urn)
    let first = address?.queryItems?.first { $0.name == "from" }?.value.flatMap { Int($0) } ?? 0
    guard address?.path == "feed", posts.indices.contains(first) else {
      return ServerResponse(.json(["message": "there is no such page"]), status: 404)
    }
    let page = posts[first...].prefix(20)
    var headers = ["X-Total-Count": "\(posts.count)"]
    if page.endIndex < posts.endIndex { headers["Link"] = "<feed?from=\(page.endIndex)>; rel=\"next\"" }
    return ServerResponse(.json(.array(Array(page))), headers: headers)
  }

  var paging: Paging? { .linkHeader(totalHeader: "X-Total-Count") }
}
// Servers end

// Servers begin
extension Paging {
  /// `{"more": true, "posts": […]}`: requests the next page by the time of the last post.
  static var byTime: Paging {
    Paging { page in
      guard let time = page.responseObject?["posts"]?[page.count - 1]?["time"]?.string,
        page.responseObject?["more"]?.boolean == true
      else { return PageManager() }
      var next = page.request
      next.query["before"] = time
      return PageManager(nextPage: next)
    }
  }
}
// Servers end
