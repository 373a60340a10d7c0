import Foundation
import JSONTree
import RecordEngine
import RecordEngineHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The programs of the article about servers, which a test compares with it to the letter.

func overHTTP(token: String, baseURL: URL) -> HTTPServer {
  // Servers begin
  let server = HTTPServer(
    baseURL: baseURL, headers: ["Accept": "application/vnd.github+json"], timeout: .seconds(20),
    paging: .linkHeader(),
    prepare: { request in request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") })
  // Servers end
  return server
}

func withBodies(baseURL: URL) -> HTTPServer {
  // Servers begin
  let server = HTTPServer(
    baseURL: baseURL, bodyFormat: .json,
    prepare: { request in
      // {"json": "{\"tags\": [1, 2]}"} becomes {"tags": [1, 2]}
      guard let body = request.httpBody,
        let json = try JSONDecoder().decode([String: String].self, from: body)["json"]
      else { return }
      request.httpBody = Data(json.utf8)
    })
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

// Servers begin
/// Answers from one server, and from another one when that cannot be reached.
struct FallbackServer: Server {
  let first: any Server
  let second: any Server

  func response(to request: ServerRequest) async throws -> ServerResponse {
    do {
      return try await first.response(to: request)
    } catch is URLError {
      return try await second.response(to: request)
    }
  }

  var paging: Paging? { first.paging }
}
// Servers end

// Servers begin
/// Answers `feed`, with 20 posts, and names the address of the next 20 in the header `Link`, `feed?from=20`.
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
  /// `{"more": true, "posts": […]}`: the next page is asked for by the time of its last post.
  static var byTime: Paging {
    Paging { page in
      guard let time = page.responseObject?["posts"]?[page.count - 1]?["time"]?.string,
        page.responseObject?["more"]?.boolean == true
      else { return PageManager() }
      var next = page.request
      next.data["before"] = time
      return PageManager(nextPage: next)
    }
  }
}
// Servers end
