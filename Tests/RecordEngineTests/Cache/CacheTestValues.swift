import Foundation
import JSONTree

@testable import RecordEngine

/// Values for the tests of the cache.
extension CacheKey {
  static func test(
    _ url: String, method: String = "GET", entity: EntityName = "Post", responseKeyPath: String? = nil,
    metaDataKeyPath: String? = nil, mapping: UInt64 = .max
  ) -> CacheKey {
    CacheKey(
      method: method, url: ScalarString(url), entity: entity,
      responseKeyPath: responseKeyPath.map { ScalarString($0) },
      metaDataKeyPath: metaDataKeyPath.map { ScalarString($0) }, mapping: mapping)
  }
}

extension CacheEntry {
  static func test(
    _ serials: [Int64] = [1, 2, 3], body: String = "", at time: Double = 0, status: Int = 200,
    headers: [String: String] = [:], selecting: [String: String?] = [:], saves: Int64 = 0,
    noticed: [Diagnostic] = []
  ) -> CacheEntry {
    CacheEntry(
      response: CachedResponse(
        status: status, headers: headers, requestTime: Date(timeIntervalSinceReferenceDate: time - 1),
        responseTime: Date(timeIntervalSinceReferenceDate: time),
        selectingHeaders: selecting.mapValues { $0.map { ScalarString($0) } }),
      records: serials.map { RecordID(tree: 0, serial: $0) }, saves: saves,
      noticed: CachedDiagnostics(noticed), body: Array(body.utf8))
  }
}

extension StoreGeneration {
  static let test = StoreGeneration(session: 0xFFFF_0000_FFFF_0000, saves: 7)
}

extension RecordCache {
  /// Stores an entry in place of all other entries of the key.
  func keep(_ entry: CacheEntry, for key: CacheKey, generation: StoreGeneration = .test) {
    keep(entry, for: key, generation: generation, since: removals) { _ in true }
  }

  /// Returns the entries that a lookup finds, with their bodies.
  func entries(for key: CacheKey, generation: StoreGeneration = .test) -> [CacheEntry] {
    rows(for: key, generation: generation).compactMap { row in
      body(of: row).map {
        CacheEntry(
          response: row.response, records: row.records, saves: row.saves, noticed: row.noticed, body: $0.bytes
        )
      }
    }
  }
}
