import Foundation
import JSONTree
import RecordEngine

/// The server of a scenario: it answers from the canned responses, and keeps account of what was asked.
///
/// The parameters of a request and its data are one set, compared as text. Every parameter of an address must be there;
/// the address with most parameters answers, and a tie is nobody's guess but an error.
// Unchecked: `served` is read and written under `lock` alone.
final class ScenarioServer: Server, @unchecked Sendable {
  private let baseURL: String
  private let addresses: [CannedAddress]
  private let lock = NSLock()
  /// For each address, how many of its responses have been served.
  private var served: [Int]
  /// Requests that are answered when the scenario says so.
  let held = HeldRequests()

  init(baseURL: String, addresses: [CannedAddress]) {
    self.baseURL = baseURL
    self.addresses = addresses
    served = Array(repeating: 0, count: addresses.count)
  }

  /// A request that no canned response answers, and what would have come near.
  struct UnansweredRequest: Error {
    var message: String
    /// The addresses that come nearest, as written.
    var nearest: [String]
  }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    await held.pass()
    return try lock.withLock { try answer(request) }
  }

  /// The responses that nobody has asked for and that are not optional.
  func unused() -> [CannedResponse] {
    lock.withLock {
      zip(addresses, served).flatMap { address, count in
        address.responses.dropFirst(count).filter { !$0.isOptional }
      }
    }
  }
}

// MARK: - Answering

extension ScenarioServer {
  private func answer(_ request: ServerRequest) throws(UnansweredRequest) -> ServerResponse {
    let asked = try AskedAddress(request, baseURL: baseURL)
    let matching = addresses.indices.filter { asked.isAnswered(by: addresses[$0]) }
    let most = matching.map { addresses[$0].parameters.count }.max() ?? 0
    let best = matching.filter { addresses[$0].parameters.count == most }
    guard let index = best.first else {
      throw UnansweredRequest(
        message: "no response is canned for '\(asked.text)'", nearest: asked.nearest(of: addresses))
    }
    guard best.count == 1 else {
      throw UnansweredRequest(
        message: "'\(asked.text)' is answered by several addresses with as many parameters",
        nearest: best.map { addresses[$0].text })
    }
    return try nextResponse(of: index, asked)
  }

  private func nextResponse(of index: Int, _ asked: AskedAddress) throws(UnansweredRequest) -> ServerResponse
  {
    let responses = addresses[index].responses
    var next = served[index]
    if next > 0, next <= responses.count, responses[next - 1].isRepeated { next -= 1 }
    guard next < responses.count else {
      let (all, have) =
        responses.count == 1 ? ("the only response", "has") : ("all \(responses.count) responses", "have")
      throw UnansweredRequest(
        message:
          "\(all) of '\(addresses[index].text)' \(have) been served, and '\(asked.text)' is requested again",
        nearest: [])
    }
    served[index] = next + 1
    let response = responses[next]
    return ServerResponse(
      .bytes(response.body?.bytes ?? []), status: response.status, headers: response.headers)
  }
}

/// What a request asks for, in the shape of canned addresses.
private struct AskedAddress {
  var method: String
  var path: String
  var parameters: [String: String]
  private let baseURL: String

  /// An address without what stands for the server: with and without it, and the slash behind it, are one address.
  private static func relative(_ address: String, to baseURL: String) -> Substring {
    let rest = address.hasPrefix(baseURL) ? address.dropFirst(baseURL.count) : Substring(address)
    return rest.drop { $0 == "/" }
  }

  init(_ request: ServerRequest, baseURL: String) throws(ScenarioServer.UnansweredRequest) {
    method = request.method
    let urn = Self.relative(request.urn, to: baseURL)
    path = String(urn.prefix { $0 != "?" })
    self.baseURL = baseURL
    do {
      parameters = try QueryParameters.parse(urn.drop { $0 != "?" }.dropFirst())
    } catch {
      throw ScenarioServer.UnansweredRequest(message: "'\(request.urn)': \(error.message)", nearest: [])
    }
    parameters.merge(request.data) { _, data in data }
  }

  /// The address as an author would write it.
  var text: String {
    let query = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    return (method == "GET" ? "" : method + " ") + path + (query.isEmpty ? "" : "?" + query)
  }

  func isAnswered(by address: CannedAddress) -> Bool {
    address.method == method && Self.relative(address.path, to: baseURL) == path
      && address.parameters.allSatisfy { parameters[$0.key] == $0.value }
  }

  /// The same path with other parameters or another method first, then paths that are spelt alike; three at most.
  func nearest(of addresses: [CannedAddress]) -> [String] {
    let samePath = addresses.filter { Self.relative($0.path, to: baseURL) == path }.map(\.text)
    if !samePath.isEmpty { return Array(samePath.prefix(3)) }
    return nearestName(to: path, among: addresses.map(\.path)).map { near in
      Array(addresses.filter { $0.path == near }.map(\.text).prefix(3))
    } ?? Array(addresses.map(\.text).prefix(3))
  }
}

extension CannedResponse.Body {
  /// What is served.
  var bytes: [UInt8] {
    switch self {
    case .value(let value): Array(value.compactText().utf8)
    case .bytes(let bytes): bytes
    }
  }
}
