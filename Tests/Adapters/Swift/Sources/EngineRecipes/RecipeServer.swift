import Foundation
import RecordEngine

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server of the recipes, to which the app sends requests in its own way.
struct RecipeServer: Server {
  let baseURL: URL
  let send: RecipeBook.Send

  func response(to request: ServerRequest) async throws -> ServerResponse {
    guard let url = URL(string: request.urn, relativeTo: baseURL) else { throw URLError(.badURL) }
    var sent = URLRequest(url: url)
    sent.httpMethod = request.method
    sent.httpBody = request.body?.encoded
    sent.setValue(request.body?.contentType, forHTTPHeaderField: "Content-Type")
    let (data, response) = try await send(sent)
    return ServerResponse(.bytes(Array(data)), status: response.statusCode)
  }
}
