import Foundation
import JSONTree
import Testing

@testable import RecordEngine

/// Tests that compare the file of the cache with a list that is searched linearly.
@Suite struct CacheLawsTests {
  @Test(arguments: randomSeeds(40)) func theFileAgreesWithAList(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = RandomNumbers(seed: seed)
    // Either many variants of one request, or a few variants of several requests.
    let isWide = random.chance(30)
    let limit = isWide ? 1_000_000 : Int64(random.number(1000...20_000))
    var file: CacheFile? = try CacheFile.open(folder.file(), waits: false).file
    var list = ObviousCache()
    var generation = StoreGeneration.test
    let keys =
      isWide
      ? [CacheKey.test("a")]
      : ["a", "b", "c"].flatMap { url in
        [CacheKey.test(url), .test(url, entity: "Tag"), .test(url, responseKeyPath: "data")]
      }
    for step in 0..<120 {
      let key = keys[random.number(0...keys.count - 1)]
      let row = try file?.rows(for: key).first
      switch random.number(0...13) {
      case 0...4:
        let entry = Self.entry(&random, at: Double(step))
        let replaced = isWide ? "fr" : random.pick(["de", "en", nil] as [ScalarString?])
        try file?.keep(entry, for: key, generation: generation, limit: limit) {
          $0.selectingHeaders["accept-language"] == replaced
        }
        list.keep(entry, key, generation, limit) { $0.selectingHeaders["accept-language"] == replaced }
      case 5...6:
        guard let row else { continue }
        try file?.touch(row.id)
        list.touch(row.id)
      case 7:
        guard let row else { continue }
        let response = Self.entry(&random, at: Double(step)).response
        try file?.freshen(row.id, response, limit: limit)
        list.freshen(row.id, response, limit)
      case 8:
        guard let row else { continue }
        try file?.remove(row.id)
        list.entries.removeAll { $0.id == row.id }
      case 9 where random.chance(isWide ? 5 : 30):
        try file?.remove(url: key.url.string)
        list.entries.removeAll { $0.key.url == key.url }
      case 9 where random.chance(10):
        try file?.removeAll()
        list.removeAll()
      case 10:
        let limit = isWide ? limit : Int64(random.number(0...20_000))
        let time = isWide || random.chance(50) ? nil : Double(step - 30)
        let trimmed = try file?.trim(to: limit, since: time.map { Date(timeIntervalSinceReferenceDate: $0) })
        let expected = list.trim(limit, time)
        #expect(trimmed?.old == expected.old && trimmed?.unused == expected.unused, "step \(step)")
      case 11:
        file = nil
        file = try CacheFile.open(folder.file(), waits: false).file
      case 12:
        generation.saves += 1
        if random.chance(20) {
          let next = StoreGeneration(session: generation.session &+ 1, saves: generation.saves)
          try file?.follow(from: generation, to: next)
          list.follow(generation, next)
          generation = next
        }
      default:
        // An older state of the store, or another store.
        if random.chance(10) { generation = StoreGeneration(session: generation.session, saves: 3) }
        if random.chance(5) { generation.session &+= 1000 }
      }
      #expect(file?.belongs(to: generation) == list.belongs(generation), "step \(step)")
      #expect(file?.totals.size == list.size, "step \(step)")
      for key in keys {
        let found = try file?.rows(for: key)
        let expected = list.rows(key)
        #expect(found == expected.map(\.row), "step \(step)")
        #expect(try found?.map { try file?.bytes(of: $0.id) } == expected.map(\.body), "step \(step)")
      }
      for url in Set(keys.map(\.url.string)) {
        #expect(try file?.rows(url: url) == list.rows(url: url).map(\.row), "step \(step)")
      }
    }
    #expect(try file?.connection.integer("SELECT count(*) FROM entry") == Int64(list.entries.count))
    #expect(
      try file?.connection.integer("SELECT count(*) FROM body")
        == Int64(list.entries.count { !$0.body.isEmpty }))
  }

  private static func entry(_ random: inout RandomNumbers, at time: Double) -> CacheEntry {
    .test(
      (0..<random.number(0...5)).map { _ in Int64(random.number(0...1000)) },
      body: String(repeating: "b", count: random.chance(30) ? 0 : random.number(1...4000)),
      // Some responses are received at the same time, and some have an earlier time than their predecessors.
      at: (time / 4).rounded() - (random.chance(10) ? 20 : 0),
      headers: random.chance(50) ? ["etag": "\(time)"] : [:],
      selecting: random.chance(70) ? ["accept-language": random.pick(["de", "en"])] : [:])
  }
}

/// A cache as a list, with the least recently used entries first.
private struct ObviousCache {
  struct Entry {
    var id: Int64
    var key: CacheKey
    var row: CacheRow
    var body: [UInt8]

    var size: Int64 {
      let key = [
        key.url.string, key.method, key.entity.rawValue, key.responseKeyPath?.string ?? "",
        key.metaDataKeyPath?.string ?? "",
      ]
      let texts = key + [row.response.headersText, row.response.selectingHeadersText]
      return Int64(128 + body.count + RecordIDList.bytes(row.records).count + texts.joined().utf8.count)
    }
  }

  var entries: [Entry] = []
  private var session: UInt64?
  private var saves: Int64 = 0
  /// The next number of an entry or a use.
  private var next: Int64 = 1

  var size: Int64 { entries.reduce(0) { $0 + $1.size } }

  func rows(_ key: CacheKey) -> [Entry] { rows { $0.key == key } }
  func rows(url: String) -> [Entry] { rows { $0.key.url.string == url } }

  private func rows(_ isWanted: (Entry) -> Bool) -> [Entry] {
    entries.filter(isWanted).sorted {
      ($0.row.response.responseTime, $0.id) > ($1.row.response.responseTime, $1.id)
    }
  }

  func belongs(_ generation: StoreGeneration) -> Bool {
    session == generation.session && saves <= generation.saves
  }

  mutating func follow(_ from: StoreGeneration, _ to: StoreGeneration) {
    if belongs(from) { session = to.session }
  }

  mutating func removeAll() { (entries, saves) = ([], 0) }

  mutating func keep(
    _ entry: CacheEntry, _ key: CacheKey, _ generation: StoreGeneration, _ limit: Int64,
    _ replaces: (CachedResponse) -> Bool
  ) {
    if !belongs(generation) { (entries, session, saves) = ([], generation.session, 0) }
    entries.removeAll { $0.key == key && replaces($0.row.response) }
    let row = CacheRow(id: next, response: entry.response, records: entry.records, saves: entry.saves)
    let new = Entry(id: next, key: key, row: row, body: entry.body)
    guard new.size <= limit else { return }
    while size > limit - new.size { entries.removeFirst() }
    entries.append(new)
    for entry in entries.filter({ $0.key == key }).dropLast(16) { entries.removeAll { $0.id == entry.id } }
    next += 1
    saves = generation.saves
  }

  mutating func touch(_ id: Int64) {
    next += 1
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries.append(entries.remove(at: index))
  }

  mutating func freshen(_ id: Int64, _ response: CachedResponse, _ limit: Int64) {
    touch(id)
    guard let last = entries.indices.last else { return }
    entries[last].row.response = response
    while size > limit { entries.removeFirst() }
  }

  mutating func trim(_ limit: Int64, _ time: Double?) -> (old: CacheFile.Amount, unused: CacheFile.Amount) {
    var (old, unused) = (CacheFile.Amount(), CacheFile.Amount())
    for entry in entries
    where time.map({ entry.row.response.responseTime.timeIntervalSinceReferenceDate < $0 }) ?? false {
      old.entries += 1
      old.bytes += entry.size
      entries.removeAll { $0.id == entry.id }
    }
    while size > limit {
      let first = entries.removeFirst()
      unused.entries += 1
      unused.bytes += first.size
    }
    return (old, unused)
  }
}
