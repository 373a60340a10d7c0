import Foundation
import JSONTree

/// A cache's file. It is used by one thread at a time.
///
/// What fails with damage (`isDamage`) is to be followed by `drop()`. Whatever fails has done nothing.
final class CacheFile {
  /// Nil for one in memory.
  let url: URL?
  let connection: SQLiteConnection

  /// What the file says of itself as a whole.
  struct Totals: Hashable {
    /// The session of the store that the entries belong to; nil as long as there was none.
    var session: UInt64?
    /// How many saves that store had seen when the last entry was kept.
    var saves: Int64 = 0
    /// The next number for an entry or a use.
    var next: Int64 = 1
    /// In bytes.
    var size: Int64 = 0

    /// No number of a file is as large, so that a sum of two can be.
    static let limit: Int64 = 1 << 60
  }

  private(set) var totals: Totals
  /// The bodies that have been handed out and may not have been read, by the ids of their entries.
  var bodies: [Int64: HandedOutBody] = [:]
  /// How many of them there may be before those that nobody needs are looked for.
  var bodyLimit = 64
  private var savedTotals: Totals
  /// The last use of entries that the file does not know of yet, by id: a hit writes nothing.
  private var uses: [Int64: Int64] = [:]
  /// How many are kept at most before they are written.
  private static let greatestUseCount = 1000

  /// - Parameter connection: to a file that is a cache's as `CacheFile+Opening` makes and checks it.
  init(_ connection: SQLiteConnection, _ url: URL?, _ totals: Totals) {
    self.connection = connection
    self.url = url
    self.totals = totals
    savedTotals = totals
  }

  // Which entries were used last is worth a try and nothing more.
  deinit { try? writeUses() }

  /// How many entries of one key are kept, which differ in the headers that they depend on: each lookup reads all of them,
  /// and tokens that are renewed would leave one behind each time.
  static let greatestVariantCount = 16

  /// What it costs to keep an entry beside what is in it.
  static let overhead: Int64 = 128
}

extension CacheFile {
  /// How many entries and bytes.
  struct Amount: Hashable {
    var entries = 0
    var bytes: Int64 = 0
  }

  /// Whether the file is of no use any more. Its tables have been found to be what they should be, so that a statement
  /// that does not fit them has met what nobody writes.
  static func isDamage(_ error: SQLiteError) -> Bool {
    [.damaged, .foreign, .statement].contains(error.kind)
  }
}

// MARK: - Whose it is

extension CacheFile {
  /// Whether the entries are of a store in this generation.
  /// Rule: `cache.state`.
  func belongs(to generation: StoreGeneration) -> Bool {
    totals.session == generation.session && totals.saves <= generation.saves
  }

  /// The store that the entries belong to is in another session now.
  func follow(from: StoreGeneration, to: StoreGeneration) throws(SQLiteError) {
    guard belongs(to: from) else { return }
    try write { totals in totals.session = to.session }
  }
}

// MARK: - Reading

extension CacheFile {
  /// The entries of a key, newest first.
  func rows(for key: CacheKey) throws(SQLiteError) -> [CacheRow] {
    try rows(where: Self.isOfKey, Self.values(of: key))
  }

  /// The entries of an address, whatever else their keys say, newest first.
  func rows(url: String) throws(SQLiteError) -> [CacheRow] { try rows(where: "url = ?1", [.text(url)]) }

  private func rows(where condition: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [CacheRow] {
    var rows: [CacheRow] = []
    try connection.query(
      "SELECT id, status, headers, selecting, requestTime, responseTime, records, saves, noticed FROM entry "
        + "WHERE \(condition) ORDER BY responseTime DESC, id DESC", values
    ) { row throws(SQLiteError) in
      rows.append(try CacheRow(row))
      // A greater number would have records be there that have been deleted since.
      guard 0...totals.saves ~= row.integer(7) else { throw .damaged("an entry is of no save") }
    }
    return rows
  }

  private static let isOfKey =
    "url = ?1 AND method = ?2 AND entity = ?3 AND responseKeyPath IS ?4 AND metaDataKeyPath IS ?5 "
    + "AND mapping = ?6"

  private static func values(of key: CacheKey) -> [SQLiteValue] {
    [
      .text(key.url.string), .text(key.method), .text(key.entity.rawValue),
      (key.responseKeyPath?.string).map(SQLiteValue.text) ?? .null,
      (key.metaDataKeyPath?.string).map(SQLiteValue.text) ?? .null,
      .integer(Int64(bitPattern: key.mapping)),
    ]
  }
}

extension CacheRow {
  fileprivate init(_ row: SQLiteRow) throws(SQLiteError) {
    let kinds: [SQLiteKind] = [.integer, .integer, .text, .text, .double, .double, .blob, .integer, .text]
    guard kinds.indices.allSatisfy({ row.kind(Int32($0)) == kinds[$0] }),
      let headers = CachedResponse.headers(row.text(2)),
      let selectingHeaders = CachedResponse.selectingHeaders(row.text(3)),
      let records = row.withBytes(6, RecordIDList.ids), let noticed = CachedDiagnostics(text: row.text(8)),
      let status = Int(exactly: row.integer(1))
    else { throw .damaged("an entry cannot be read") }
    self.init(
      id: row.integer(0),
      response: CachedResponse(
        status: status, headers: headers,
        requestTime: Date(timeIntervalSinceReferenceDate: row.double(4)),
        responseTime: Date(timeIntervalSinceReferenceDate: row.double(5)),
        selectingHeaders: selectingHeaders), records: records, saves: row.integer(7), noticed: noticed)
  }
}

// MARK: - Writing

extension CacheFile {
  /// Keeps an entry, and lets the entries go that were used least recently until all fit.
  ///
  /// - Parameters:
  ///   - generation: the store's, when the records had been saved. Entries of another store go.
  ///   - limit: how many bytes all entries together may have. One that is larger takes the place of the former ones and
  ///   is not kept.
  ///   - replaces: which entries of the key it takes the place of.
  func keep(
    _ entry: CacheEntry, for key: CacheKey, generation: StoreGeneration, limit: Int64,
    replacing replaces: (CachedResponse) -> Bool
  ) throws(SQLiteError) {
    let former = try belongs(to: generation) ? rows(for: key).filter { replaces($0.response) }.map(\.id) : []
    let (headers, selecting) = (entry.response.headersText, entry.response.selectingHeadersText)
    let (records, noticed) = (RecordIDList.bytes(entry.records), entry.noticed.text)
    let address = [
      key.url.string, key.method, key.entity.rawValue, key.responseKeyPath?.string,
      key.metaDataKeyPath?.string,
    ]
    let texts = [headers, selecting, noticed] + address
    let size =
      Self.overhead + Int64(entry.body.count + records.count)
      + Int64(texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) })
    try write { totals throws(SQLiteError) in
      if !belongs(to: generation) {
        try removeAll(&totals)
        totals.session = generation.session
      }
      try remove(former, &totals)
      guard size <= limit else { return }
      _ = try evict(until: limit - size, &totals)
      let id = totals.next
      try connection.query(
        "INSERT INTO entry VALUES (?7, ?1, ?2, ?3, ?4, ?5, ?6, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?7, ?16)",
        Self.values(of: key) + [
          .integer(id), .integer(Int64(entry.response.status)), .text(headers), .text(selecting),
          .double(entry.response.requestTime.timeIntervalSinceReferenceDate),
          .double(entry.response.responseTime.timeIntervalSinceReferenceDate), .blob(records),
          .integer(entry.saves), .text(noticed), .integer(size),
        ]
      ) { _ in }
      if !entry.body.isEmpty {
        try connection.run("INSERT INTO body VALUES (?1, ?2)", .integer(id), .blob(entry.body))
      }
      (totals.next, totals.size, totals.saves) = (id + 1, totals.size + size, generation.saves)
      let surplus = try ids(
        "SELECT id FROM entry WHERE \(Self.isOfKey) ORDER BY used DESC "
          + "LIMIT -1 OFFSET \(Self.greatestVariantCount)", Self.values(of: key))
      try remove(surplus, &totals)
    }
  }

  /// Says otherwise what the response is, of which all else holds. Does nothing if the entry is gone.
  func freshen(_ id: Int64, _ response: CachedResponse, limit: Int64) throws(SQLiteError) {
    let (headers, selecting) = (response.headersText, response.selectingHeadersText)
    var growth: Int64?
    try connection.query("SELECT headers, selecting FROM entry WHERE id = ?1", [.integer(id)]) { row in
      growth =
        Int64(headers.utf8.count + selecting.utf8.count)
        - Int64(row.text(0).utf8.count + row.text(1).utf8.count)
    }
    guard let growth else { return }
    try write { totals throws(SQLiteError) in
      try connection.run(
        "UPDATE entry SET status = ?2, headers = ?3, selecting = ?4, requestTime = ?5, responseTime = ?6, "
          + "used = ?7, size = size + ?8 WHERE id = ?1", .integer(id), .integer(Int64(response.status)),
        .text(headers), .text(selecting), .double(response.requestTime.timeIntervalSinceReferenceDate),
        .double(response.responseTime.timeIntervalSinceReferenceDate), .integer(totals.next), .integer(growth)
      )
      totals.next += 1
      totals.size += growth
      _ = try evict(until: limit, &totals)
    }
  }

  /// Notes that an entry was used. It is written with whatever is written next.
  func touch(_ id: Int64) throws(SQLiteError) {
    uses[id] = totals.next
    totals.next += 1
    if uses.count >= Self.greatestUseCount { try writeUses() }
  }

  func forgetUses() { uses = [:] }

  func writeUses() throws(SQLiteError) {
    if !uses.isEmpty { try write { _ in } }
  }

  func remove(_ id: Int64) throws(SQLiteError) {
    try write { totals throws(SQLiteError) in try remove([id], &totals) }
  }

  /// Removes all entries of an address, whatever else their keys say.
  func remove(url: String) throws(SQLiteError) {
    let ids = try ids("SELECT id FROM entry WHERE url = ?1", [.text(url)])
    guard !ids.isEmpty else { return }
    try write { totals throws(SQLiteError) in try remove(ids, &totals) }
  }

  /// Removes everything, from the file and its log.
  func removeAll() throws(SQLiteError) {
    try write { totals throws(SQLiteError) in try removeAll(&totals) }
    try shrink()
  }

  /// Removes what was not found to hold since a time, then what was used least recently until the rest fits.
  func trim(to limit: Int64, since time: Date?) throws(SQLiteError) -> (old: Amount, unused: Amount) {
    var (old, unused) = (Amount(), Amount())
    let oldIDs =
      try time.map { time throws(SQLiteError) in
        try ids(
          "SELECT id FROM entry WHERE responseTime < ?1", [.double(time.timeIntervalSinceReferenceDate)])
      } ?? []
    try write { totals throws(SQLiteError) in
      old = try remove(oldIDs, &totals)
      unused = try evict(until: limit, &totals)
    }
    if old.entries + unused.entries > 0 { try shrink() }
    return (old, unused)
  }

  // MARK: Within a transaction

  /// Does all of `body`, and writes what entries were used and what it says of the totals; or does nothing.
  private func write(_ body: (inout Totals) throws(SQLiteError) -> Void) throws(SQLiteError) {
    var totals = totals
    try connection.transaction { () throws(SQLiteError) in
      if !uses.isEmpty {
        let uses = uses.sorted { $0.key < $1.key }
        let list = SQLiteList(count: uses.count) { row, column, cell in
          cell.set(column == 0 ? uses[row].key : uses[row].value)
        }
        try connection.run(
          "UPDATE entry SET used = l.c1 FROM \"$list\"(?1) AS l WHERE entry.id = l.c0", .list(list))
      }
      try body(&totals)
      guard 0..<Totals.limit ~= totals.size, totals.next < Totals.limit else {
        throw .damaged("the sizes of entries are wrong")
      }
      guard totals != savedTotals else { return }
      try connection.run(
        "UPDATE totals SET session = ?1, saves = ?2, next = ?3, size = ?4",
        totals.session.map { .integer(Int64(bitPattern: $0)) } ?? .null, .integer(totals.saves),
        .integer(totals.next), .integer(totals.size))
    }
    self.totals = totals
    savedTotals = totals
    uses = [:]
  }

  private func removeAll(_ totals: inout Totals) throws(SQLiteError) {
    for id in bodies.keys.sorted() { try handOver(id) }
    try connection.run("DELETE FROM body")
    try connection.run("DELETE FROM entry")
    totals.size = 0
    totals.saves = 0
  }

  /// Those of the entries that are there.
  @discardableResult
  private func remove(_ ids: [Int64], _ totals: inout Totals) throws(SQLiteError) -> Amount {
    var amount = Amount()
    guard !ids.isEmpty else { return amount }
    for id in ids { try handOver(id) }
    let list = SQLiteValue.list(SQLiteList(ids))
    try connection.query(
      "DELETE FROM entry WHERE id IN (SELECT c0 FROM \"$list\"(?1)) RETURNING size", [list]
    ) { row throws(SQLiteError) in
      guard row.kind(0) == .integer, 0...totals.size - amount.bytes ~= row.integer(0) else {
        throw .damaged("the size of an entry is wrong")
      }
      amount.entries += 1
      amount.bytes += row.integer(0)
    }
    try connection.run("DELETE FROM body WHERE id IN (SELECT c0 FROM \"$list\"(?1))", list)
    totals.size -= amount.bytes
    return amount
  }

  /// Removes what was used least recently until the rest fits.
  private func evict(until limit: Int64, _ totals: inout Totals) throws(SQLiteError) -> Amount {
    var amount = Amount()
    while totals.size > max(limit, 0) {
      var (ids, freed): ([Int64], Int64) = ([], 0)
      try connection.query("SELECT id, size FROM entry ORDER BY used, id LIMIT 64") {
        row throws(SQLiteError) in
        guard totals.size - freed > limit else { return }
        guard row.kind(1) == .integer, 0...totals.size - freed ~= row.integer(1) else {
          throw .damaged("the size of an entry is wrong")
        }
        ids.append(row.integer(0))
        freed += row.integer(1)
      }
      guard !ids.isEmpty else { throw .damaged("the sizes of entries do not add up") }
      let removed = try remove(ids, &totals)
      // An index may speak of entries that are none.
      guard removed.entries == ids.count else { throw .damaged("the uses of entries are wrong") }
      amount.entries += removed.entries
      amount.bytes += removed.bytes
    }
    return amount
  }

  private func ids(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [Int64] {
    var ids: [Int64] = []
    try connection.query(sql, values) { ids.append($0.integer(0)) }
    return ids
  }

  /// Gives free pages back, and empties the log, which has what was removed from the file.
  private func shrink() throws(SQLiteError) {
    try connection.run("PRAGMA incremental_vacuum")
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
