import Foundation
import JSONTree
import RecordEngine
import RecordModel

/// Cached responses, with a store. Each response and its record contain the number of a round.
struct KeptResponses {
  private let container: PersistentContainer

  private static let addressCount = 12

  /// Opens a cache and its store.
  ///
  /// - Parameter url: the file of the cache. The file of the store is in the same folder.
  init(_ url: URL) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Item", primaryKey: "id",
        attributes: [AttributeDescription("id", .int64), AttributeDescription("text", .string)])
    ])
    container = try PersistentContainer(
      model: model,
      configuration: .init(
        store: .file(url.appendingPathExtension("store")), server: RoundServer(), cache: RecordCache(url: url)
      ))
  }

  /// Requests one address after the other, until an error occurs.
  func keep() async throws {
    var round = try await rounds().max() ?? 0
    while true {
      round += 1
      var options = Self.options
      options.headers = ["Round": "\(round)", "Cache-Control": "no-cache"]
      _ = try await container.request(
        "Item", urn: "\(round % Self.addressCount)", options: options, context: container.makeContext())
      CrashingSaver.say("\(round)")
    }
  }

  /// Returns the rounds of the cached responses.
  func rounds() async throws -> [Int] {
    var rounds: [Int] = []
    for address in 0..<Self.addressCount {
      guard
        let result = try? await container.request(
          "Item", urn: "\(address)", options: Self.options, context: container.makeContext())
      else { continue }
      guard !result.diagnostics.contains(where: { $0.code == .cacheRebuilt }) else {
        throw Mixture(text: "\(result.diagnostics)")
      }
      let stored: String? = result.records.first?["text"]
      // A later response for the same record may have been saved but not cached.
      guard let kept = Self.round(of: result.responseObject?[0]?["text"]?.string, address),
        let saved = Self.round(of: stored, address), kept <= saved
      else { throw Mixture(text: "the response of \(address) was never stored") }
      rounds.append(saved)
    }
    return rounds
  }

  /// Returns the round of a text; nil if the text is incomplete.
  private static func round(of text: String?, _ address: Int) -> Int? {
    guard let text, let round = text.split(separator: " ").first.flatMap({ Int($0) }) else { return nil }
    return text == RoundServer.text(round) && round % addressCount == address ? round : nil
  }

  private static var options: RequestOptions {
    var options = RequestOptions()
    options.isRecordLevelCachingEnabled = true
    return options
  }

  private struct Mixture: Error, CustomStringConvertible {
    var text: String

    var description: String { text }
  }
}

/// A server that responds only to requests that specify their round.
private struct RoundServer: Server {
  struct Offline: Error {}

  static func text(_ round: Int) -> String { String(repeating: "\(round) ", count: 2000) }

  func response(to request: ServerRequest) async throws -> ServerResponse {
    guard let round = request.headers["Round"].flatMap({ Int($0) }), let id = Int64(request.urn) else {
      throw Offline()
    }
    let item: JSONValue = ["id": .number(JSONNumber(id)), "text": .string(Self.text(round))]
    return ServerResponse(.json([item]), headers: ["Cache-Control": "max-age=1000000"])
  }

  func description(of request: ServerRequest) async -> ServerRequest? { request.normalized }
}
