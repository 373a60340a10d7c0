import Foundation
import RecordModel
import Testing

@testable import RecordEngine

/// Tests for storing and removing responses.
@Suite struct RecordCacheTests {
  private static let now = TestClock().now

  private static let entries = [
    CacheEntry.test([], at: -0.1),
    .test(
      [5, 6, 7, 1, .max & 0xFFFF_FFFF_FFFF], body: #"{"meta":{"größe":1}}"#, at: 1.0 / 3, status: 203,
      headers: ["etag": #""a\b""#, "x-nothing": "", "x-größe": "\u{0} \u{1F600}"],
      selecting: ["accept-language": "de", "x-missing": nil],
      noticed: [
        Diagnostic(.valueType, entity: "Größe", property: "a\"b", message: "one"),
        Diagnostic(.valueType, entity: "Größe", property: "a\"b", message: "another"),
        Diagnostic(.emptyResultSet, message: ""),
      ]),
  ]

  @Test(arguments: [true, false]) func whatIsKeptIsFound(inMemory: Bool) throws {
    let folder = try TemporaryFolder()
    var cache: RecordCache? =
      try inMemory ? RecordCache(now: Self.now) : RecordCache(url: folder.file(), now: Self.now)
    for (number, entry) in Self.entries.enumerated() { cache?.keep(entry, for: .test("\(number)")) }
    for _ in 0..<2 {
      for (number, entry) in Self.entries.enumerated() {
        #expect(cache?.entries(for: .test("\(number)")) == [entry])
      }
      #expect(cache?.entries(for: .test("2")) == [])
      #expect(cache?.takeDiagnostics() == [])
      if inMemory { break }
      cache = nil
      cache = try RecordCache(url: folder.file(), now: Self.now)
    }
  }

  /// Rule: `cache.isolation`.
  @Test func keysThatDifferInOneThing() {
    let cache = RecordCache(now: Self.now)
    let keys: [CacheKey] = [
      .test("a"), .test("a\u{0}"), .test("A"), .test("a", method: "POST"), .test("a", entity: "Tag"),
      .test("a", responseKeyPath: ""), .test("a", responseKeyPath: "data"), .test("a", metaDataKeyPath: ""),
      .test("a", metaDataKeyPath: "data"), .test("a", mapping: 0),
    ]
    for (number, key) in keys.enumerated() { cache.keep(.test([Int64(number)]), for: key) }
    for (number, key) in keys.enumerated() { #expect(cache.entries(for: key) == [.test([Int64(number)])]) }
    cache.remove(url: "a")
    #expect(keys.map { cache.entries(for: $0).count } == [0, 1, 1] + keys.dropFirst(3).map { _ in 0 })
  }

  /// Rule: `cache.replaced`.
  @Test func aResponseReplacesThoseOfTheSameRequest() {
    let cache = RecordCache(now: Self.now)
    for (number, language) in ["de", "en", "fr", nil].enumerated() {
      cache.keep(
        .test([Int64(number)], body: "body", at: Double(number), selecting: ["accept-language": language]),
        for: .test("a"), generation: .test, since: 0
      ) { _ in false }
    }
    func found() -> [[Int64]] {
      cache.rows(for: .test("a"), generation: .test).map { $0.records.map(\.serial) }
    }
    #expect(found() == [[3], [2], [1], [0]])
    let size = cache.size
    cache.keep(
      .test([9], body: "BODY", at: 9, selecting: ["accept-language": "en"]), for: .test("a"),
      generation: .test,
      since: 0
    ) {
      $0.selectingHeaders == ["accept-language": "en"]
    }
    #expect(found() == [[9], [3], [2], [0]])
    #expect(cache.size == size)
    // Entries are sorted by the time of the response, and not by the time of storing.
    cache.keep(.test([5], at: -5), for: .test("a"), generation: .test, since: 0) {
      $0.selectingHeaders["accept-language"] == .some(nil)
    }
    #expect(found() == [[9], [2], [0], [5]])
  }

  @Test func aResponseThatStillHolds() throws {
    let cache = RecordCache(now: Self.now)
    cache.keep(.test([1, 2], body: "body", at: 0, headers: ["etag": "1"]), for: .test("a"))
    let row = try #require(cache.rows(for: .test("a"), generation: .test).first)
    let size = cache.size
    let response = CacheEntry.test(at: 60, headers: ["etag": "1", "age": "12"]).response
    cache.freshen(row, response)
    var entry = CacheEntry.test([1, 2], body: "body")
    entry.response = response
    #expect(cache.entries(for: .test("a")) == [entry])
    #expect(cache.size == size + #","age":"12""#.utf8.count)
    cache.remove(row)
    #expect(cache.size == 0 && cache.body(of: row) == nil)
    // Operations on a removed entry have no effect and cause no diagnostic.
    cache.freshen(row, response)
    cache.touch(row)
    cache.remove(row)
    #expect(cache.entries(for: .test("a")) == [] && cache.size == 0 && cache.takeDiagnostics() == [])
  }

  @Test func whatWasUsedLeastRecentlyGoes() throws {
    let folder = try TemporaryFolder()
    let body = String(repeating: "b", count: 1000)
    let limits = RecordCache.Limits(maximumSize: 4 * 1200)
    var cache = try RecordCache(url: folder.file(), limits: limits, now: Self.now)
    func keep(_ url: String) { cache.keep(.test(body: body), for: .test(url)) }
    func kept() -> String {
      ["a", "b", "c", "d", "e", "f", "g"].filter { !cache.rows(for: .test($0), generation: .test).isEmpty }
        .joined()
    }
    func row(_ url: String) throws -> CacheRow {
      try #require(cache.rows(for: .test(url), generation: .test).first)
    }
    for url in ["a", "b", "c", "d"] { keep(url) }
    #expect(kept() == "abcd")
    // A lookup alone does not count as a use.
    _ = try row("a")
    keep("e")
    #expect(kept() == "bcde")
    cache.touch(try row("b"))
    keep("f")
    #expect(kept() == "bdef")
    cache.freshen(try row("d"), try row("d").response)
    cache.touch(try row("b"))
    // The order of uses is preserved when the file is reopened.
    cache = RecordCache(limits: limits, now: Self.now)
    cache = try RecordCache(url: folder.file(), limits: limits, now: Self.now)
    keep("g")
    #expect(kept() == "bdfg")
    #expect(cache.size <= limits.maximumSize)
  }

  /// Uses that the file does not contain yet have an order, too.
  @Test func theUsesSinceTheLastChangeCount() throws {
    let cache = RecordCache(limits: .init(maximumSize: 4 * 1200), now: Self.now)
    func keep(_ url: String, bytes: Int) {
      cache.keep(.test(body: String(repeating: "b", count: bytes)), for: .test(url))
    }
    func row(_ url: String) -> CacheRow? { cache.rows(for: .test(url), generation: .test).first }
    for url in ["a", "b", "c"] { keep(url, bytes: 1000) }
    for url in ["c", "b", "a"] { cache.touch(try #require(row(url))) }
    // The new entry takes the place of two.
    keep("d", bytes: 2500)
    #expect(["a", "b", "c", "d"].filter { row($0) != nil } == ["a", "d"])
  }

  /// The identifiers of records take most of the room of a long list.
  @Test func recordsCountAsContents() {
    let cache = RecordCache(now: Self.now)
    cache.keep(.test([]), for: .test("a"))
    let size = cache.size
    let serials = (0..<1000).map { Int64($0 * $0 * 1_000_003) }
    cache.keep(.test(serials, body: "body"), for: .test("a"))
    let entry = CacheEntry.test(serials, body: "body")
    #expect(cache.size == size + 4 + RecordIDList.bytes(entry.records).count - RecordIDList.bytes([]).count)
  }

  @Test func aKeptResponseHasAnIdentifier() throws {
    let cache = RecordCache(limits: .init(maximumSize: 2000), now: Self.now)
    func keep(_ body: String) -> CacheEntryID? {
      cache.keep(.test(body: body), for: .test("a"), generation: .test, since: 0) { _ in true }
    }
    let id = keep("body")
    #expect(try id == #require(cache.rows(for: .test("a"), generation: .test).first).entryID)
    #expect(keep(String(repeating: "b", count: 2000)) == nil)
  }

  @Test func oneThatIsTooLarge() {
    let cache = RecordCache(limits: .init(maximumSize: 2000), now: Self.now)
    cache.keep(.test(), for: .test("a"))
    cache.keep(.test(), for: .test("b"))
    let size = cache.size
    cache.keep(.test(body: String(repeating: "b", count: 2000)), for: .test("a"))
    // The previous response is out of date, so it is removed even though the new one is too large.
    #expect(cache.rows(for: .test("a"), generation: .test) == [])
    #expect(cache.entries(for: .test("b")) == [.test()] && cache.size == size / 2)
    for limit in [0, -1, .min] {
      let none = RecordCache(limits: .init(maximumSize: limit), now: Self.now)
      none.keep(.test(), for: .test("a"))
      #expect(none.size == 0 && none.takeDiagnostics() == [])
    }
  }

  @Test func whatIsTooOldIsNoAnswerAndGoesWithTheNextTrim() throws {
    let folder = try TemporaryFolder()
    let clock = TestClock()
    let limits = RecordCache.Limits(maximumSize: 5000, maximumAge: .milliseconds(60_500))
    var cache = try RecordCache(url: folder.file(), limits: limits, now: clock.now)
    for (number, time) in [0.0, 0.5, 1].enumerated() {
      cache.keep(.test(body: String(repeating: "b", count: 1000), at: time), for: .test("\(number)"))
    }
    let size = cache.size / 3
    #expect(try cache.trim() == RecordCache.Trimmed())
    func kept() -> [Int] { (0..<3).filter { !cache.rows(for: .test("\($0)"), generation: .test).isEmpty } }
    clock.set(60.5)
    #expect(kept() == [0, 1, 2])
    clock.set(61)
    #expect(kept() == [1, 2])
    #expect(cache.size == 3 * size)
    cache = RecordCache(now: Self.now)
    cache = try RecordCache(
      url: folder.file(), limits: .init(maximumSize: 2 * size - 1, maximumAge: limits.maximumAge),
      now: clock.now)
    #expect(
      try cache.trim()
        == RecordCache.Trimmed(oldEntries: 1, oldBytes: size, unusedEntries: 1, unusedBytes: size))
    #expect(kept() == [2] && cache.size == size)
    cache = RecordCache(now: Self.now)
    clock.set(1e9)
    cache = try RecordCache(url: folder.file(), limits: .init(maximumAge: nil), now: clock.now)
    #expect(kept() == [2])
  }

  @Test func everythingGoes() throws {
    let folder = try TemporaryFolder()
    let cache = try RecordCache(url: folder.file(), now: Self.now)
    let secret = "a secret that must not be found"
    for number in 0..<50 {
      cache.keep(.test(body: String(repeating: secret, count: 3000)), for: .test("\(number) \(secret)"))
    }
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.file(name)) }
    #expect(try bytes("test.store").count + bytes("test.store-wal").count > 4_000_000)
    try cache.removeAll()
    #expect(cache.size == 0 && cache.entries(for: .test("1 \(secret)")) == [])
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      #expect(try bytes(name).count < 100_000, "\(name)")
      #expect(try bytes(name).range(of: Data(secret.utf8)) == nil, "\(name)")
    }
    cache.keep(.test(), for: .test("a"))
    #expect(cache.entries(for: .test("a")) == [.test()])
  }

  /// The file does not grow with removed entries.
  @Test func theFileStaysWithinBounds() throws {
    let folder = try TemporaryFolder()
    let cache = try RecordCache(url: folder.file(), limits: .init(maximumSize: 1 << 20), now: Self.now)
    var random = RandomNumbers(seed: 1)
    for number in 0..<400 {
      let body = String(repeating: "b", count: random.number(0...60_000))
      cache.keep(.test(Array(0..<100), body: body), for: .test("\(number)"))
      #expect(cache.size <= 1 << 20)
    }
    #expect(cache.size > 900_000)
    let sizes = try ["test.store", "test.store-wal"].map { try Data(contentsOf: folder.file($0)).count }
    #expect(sizes[0] < 1_700_000 && sizes[1] < 9_000_000, "\(sizes)")
  }

  @Test func manyTasks() async throws {
    let folder = try TemporaryFolder()
    let cache = try RecordCache(url: folder.file(), limits: .init(maximumSize: 60_000), now: Self.now)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          var random = RandomNumbers(seed: UInt64(task))
          for round in 0..<60 {
            let number = random.number(0...20)
            let entry = CacheEntry.test([Int64(number)], body: String(repeating: "\(number)", count: 2000))
            switch random.number(0...5) {
            case 0...1: cache.keep(entry, for: .test("\(number)"))
            case 2: for row in cache.rows(for: .test("\(number)"), generation: .test) { cache.touch(row) }
            case 3 where round % 10 == 0: _ = try? cache.trim()
            case 4 where round % 30 == 0: try? cache.removeAll()
            default: for found in cache.entries(for: .test("\(number)")) { #expect(found == entry) }
            }
          }
        }
      }
    }
    #expect(cache.takeDiagnostics() == [] && cache.size <= 60_000)
  }

  @Test func theLastUsesAreWrittenWhenTheCacheIsClosed() throws {
    let folder = try TemporaryFolder()
    let body = String(repeating: "b", count: 1000)
    let limits = RecordCache.Limits(maximumSize: 2 * 1200)
    func use(_ body: (RecordCache) throws -> Void) throws {
      try body(RecordCache(url: folder.file(), limits: limits, now: Self.now))
    }
    try use { cache in
      for url in ["a", "b"] { cache.keep(.test(body: body), for: .test(url)) }
      cache.touch(try #require(cache.rows(for: .test("a"), generation: .test).first))
    }
    try use { cache in
      cache.keep(.test(body: body), for: .test("c"))
      let kept = ["a", "b", "c"].filter { !cache.rows(for: .test($0), generation: .test).isEmpty }
      #expect(kept == ["a", "c"])
    }
  }

  /// A written use does not become the latest one again with the next write.
  @Test func aUseIsWrittenOnce() throws {
    let body = String(repeating: "b", count: 1000)
    let cache = RecordCache(limits: .init(maximumSize: 2 * 1200), now: Self.now)
    func row(_ url: String) throws -> CacheRow {
      try #require(cache.rows(for: .test(url), generation: .test).first)
    }
    for url in ["a", "b"] { cache.keep(.test(body: body), for: .test(url)) }
    cache.touch(try row("a"))
    for url in ["b", "a"] { cache.freshen(try row(url), try row(url).response) }
    cache.keep(.test(body: body), for: .test("c"))
    #expect(["a", "b", "c"].filter { !cache.rows(for: .test($0), generation: .test).isEmpty } == ["a", "c"])
  }

  /// A response that varies with a header of each request would otherwise fill the cache.
  @Test func oneAddressHasALimitedNumberOfResponses() {
    let cache = RecordCache(now: Self.now)
    let count = CacheFile.greatestVariantCount + 3
    for number in 0..<count {
      cache.keep(
        .test([Int64(number)], at: Double(number), selecting: ["token": "\(number)"]), for: .test("a"),
        generation: .test, since: 0
      ) { _ in false }
    }
    let kept = cache.rows(for: .test("a"), generation: .test).flatMap { $0.records.map(\.serial) }
    #expect(kept == (3..<Int64(count)).reversed())
  }

  @Test func theLimitIsReachedExactly() throws {
    func fill(_ limit: Int) -> RecordCache {
      let cache = RecordCache(limits: .init(maximumSize: limit), now: Self.now)
      for url in ["a", "b"] {
        cache.keep(.test(body: "body", at: 0, headers: ["etag": "1"]), for: .test(url))
      }
      return cache
    }
    func kept(_ cache: RecordCache) -> [String] {
      ["a", "b"].filter { !cache.rows(for: .test($0), generation: .test).isEmpty }
    }
    let size = fill(10_000).size
    #expect(kept(fill(size)) == ["a", "b"])
    #expect(kept(fill(size - 1)) == ["b"])
    #expect(kept(fill(size / 2)) == ["b"])
    #expect(kept(fill(size / 2 - 1)) == [])
    // A confirmed entry can grow.
    let cache = fill(size)
    let row = try #require(cache.rows(for: .test("b"), generation: .test).first)
    cache.freshen(row, CacheEntry.test(at: 60, headers: ["etag": "12"]).response)
    #expect(kept(cache) == ["b"])
  }
}

/// A clock that advances only when it is set.
// Unchecked: `time` is accessed only under `lock`.
final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var time = Date(timeIntervalSinceReferenceDate: 0)

  func set(_ seconds: Double) { lock.withLock { time = Date(timeIntervalSinceReferenceDate: seconds) } }

  var now: @Sendable () -> Date { { self.lock.withLock { self.time } } }
}
