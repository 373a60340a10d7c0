import Foundation
import JSONTree
import RecordModel

@testable import RecordEngine

/// Modified cache files (``EditedFile``): their entries are found or lost, and the caches continue to work.
struct CacheTarget: FuzzTarget {
  private let file: EditedFile

  private static let generation = StoreGeneration(session: 0xFFFF_0000_FFFF_0000, saves: 7)
  private static let entryCount = 6

  init() throws {
    file = try EditedFile("edited.cache") { url in
      let cache = try Self.open(url)
      for number in 0..<Self.entryCount { Self.keep(number, in: cache, size: number * number * 100) }
    }
  }

  func check(_ input: [UInt8]) {
    file.edited(by: EditedFile.edits(input)) {
      do throws(RecordCacheError) {
        try use(try Self.open(file.url))
      } catch {
        expect(error.message.contains(file.url.path), "the file is not named: \(error.message)")
      }
    }
  }

  private func use(_ cache: RecordCache) throws(RecordCacheError) {
    for number in 0..<Self.entryCount {
      for row in cache.rows(for: Self.key(number), generation: Self.generation) {
        _ = cache.body(of: row)?.bytes
        cache.touch(row)
        if number.isMultiple(of: 2) { cache.freshen(row, Self.entry(number, size: 10).response) }
      }
      Self.keep(number * 2, in: cache, size: 1000)
    }
    _ = try cache.trim()
    // By now all damage has been found, and the cache has been recreated.
    Self.keep(1, in: cache, size: 1)
    if cache.rows(for: Self.key(1), generation: Self.generation).isEmpty { Self.keep(1, in: cache, size: 1) }
    expect(
      !cache.rows(for: Self.key(1), generation: Self.generation).isEmpty,
      "the cache does not keep anything any more")
    try cache.removeAll()
    for diagnostic in cache.takeDiagnostics() {
      expect(
        diagnostic.code == .cacheRebuilt && diagnostic.message.contains(file.url.path),
        "\(diagnostic.code): \(diagnostic.message)")
    }
  }

  private static func open(_ url: URL) throws(RecordCacheError) -> RecordCache {
    try RecordCache(
      url: url, limits: .init(maximumSize: 50_000), now: { Date(timeIntervalSinceReferenceDate: 60) })
  }

  private static func keep(_ number: Int, in cache: RecordCache, size: Int) {
    cache.keep(entry(number, size: size), for: key(number), generation: generation, since: cache.removals) {
      _ in true
    }
  }

  private static func key(_ number: Int) -> CacheKey {
    CacheKey(
      method: "GET", url: ScalarString("https://api.test/\(number)"), entity: "Post", responseKeyPath: nil,
      metaDataKeyPath: nil, mapping: .max)
  }

  private static func entry(_ number: Int, size: Int) -> CacheEntry {
    CacheEntry(
      response: CachedResponse(
        status: 200, headers: ["etag": "\"\(number)\"", "vary": "accept"],
        requestTime: Date(timeIntervalSinceReferenceDate: 0),
        responseTime: Date(timeIntervalSinceReferenceDate: 1),
        selectingHeaders: ["accept": ScalarString("a, b")]),
      records: (0...Int64(number)).map { RecordID(tree: TreeIndex(0), serial: $0 + 1) }, saves: 7,
      noticed: CachedDiagnostics(),
      body: Array(repeating: UInt8(ascii: " "), count: size) + Array("{}".utf8))
  }
}
