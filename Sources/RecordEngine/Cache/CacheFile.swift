import Foundation
import JSONTree

/// A cache file. Only one thread at a time may use it.
///
/// Call `drop()` after an error that indicates damage (`isDamage`). A call that throws has changed nothing.
final class CacheFile {
  /// The URL of the file, or nil for a cache in memory.
  let url: URL?
  let connection: SQLiteConnection

  /// The data that describes the file as a whole.
  struct Totals: Hashable {
    /// The session of the store that the entries belong to, or nil if no entry has been stored yet.
    var session: UInt64?
    /// The number of saves of that store when the last entry was stored.
    var saves: Int64 = 0
    /// The next number for an entry or a use.
    var next: Int64 = 1
    /// The size of all entries in bytes.
    var size: Int64 = 0

    /// The limit below which all numbers in a file are, so that the sum of two cannot overflow.
    static let limit: Int64 = 1 << 60
  }

  private(set) var totals: Totals
  /// The bodies that were returned and may not have been read yet, by the id of their entry.
  var bodies: [Int64: HandedOutBody] = [:]
  /// The number of `bodies` at which those that are no longer used are removed.
  var bodyLimit = 64
  private var savedTotals: Totals
  /// The latest use of each entry that the file does not contain yet, by id. A hit writes nothing.
  private var uses: [Int64: Int64] = [:]
  /// The maximum number of uses that are collected before they are written.
  private static let greatestUseCount = 1000

  /// Creates a cache file.
  ///
  /// - Parameter connection: a connection to a file that `CacheFile+Opening` has created or checked.
  init(_ connection: SQLiteConnection, _ url: URL?, _ totals: Totals) {
    self.connection = connection
    self.url = url
    self.totals = totals
    savedTotals = totals
  }

  // A failure is ignored, because the latest uses only determine which entries are removed first.
  deinit { try? writeUses() }

  /// The maximum number of entries with the same key, which differ in the headers that their responses vary with. Each
  /// lookup reads all of them, and each renewal of a token would leave one behind.
  static let greatestVariantCount = 16

  /// The size in bytes of an entry without its contents.
  static let overhead: Int64 = 128
}

extension CacheFile {
  /// A number of entries and bytes.
  struct Amount: Hashable {
    var entries = 0
    var bytes: Int64 = 0
  }

  /// Returns a Boolean value that indicates whether an error makes the file unusable. The tables have been checked, so
  /// that a statement fails only if the file has contents that the engine never writes.
  static func isDamage(_ error: SQLiteError) -> Bool {
    [.damaged, .foreign, .statement].contains(error.kind)
  }
}

// MARK: - Store generation

extension CacheFile {
  /// Returns a Boolean value that indicates whether the entries belong to the session of a generation and are not newer
  /// than the generation. Rule: `cache.state`.
  func belongs(to generation: StoreGeneration) -> Bool {
    totals.session == generation.session && totals.saves <= generation.saves
  }

  /// Assigns the entries to the new session of their store. Does nothing if they belong to another store.
  func follow(from: StoreGeneration, to: StoreGeneration) throws(SQLiteError) {
    guard belongs(to: from) else { return }
    try write { totals in totals.session = to.session }
  }
}

// MARK: - Reading

extension CacheFile {
  /// Returns the entries of a key, newest first.
  func rows(for key: CacheKey) throws(SQLiteError) -> [CacheRow] {
    try rows(where: Self.keyCondition, Self.values(of: key))
  }

  /// Returns all entries of an address, newest first.
  func rows(url: String) throws(SQLiteError) -> [CacheRow] { try rows(where: "url = ?1", [.text(url)]) }

  private func rows(where condition: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [CacheRow] {
    var rows: [CacheRow] = []
    try connection.query(
      "SELECT id, status, headers, selecting, requestTime, responseTime, records, saves, noticed FROM entry "
        + "WHERE \(condition) ORDER BY responseTime DESC, id DESC", values
    ) { row throws(SQLiteError) in
      rows.append(try CacheRow(row))
      // With a greater number, records that have been deleted since would count as existing.
      guard 0...totals.saves ~= row.integer(7) else { throw .damaged("an entry is of no save") }
    }
    return rows
  }

  private static let keyCondition =
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
  /// Stores an entry, and removes the least recently used entries until all entries fit.
  ///
  /// - Parameters:
  ///   - generation: the generation of the store after the records were saved. Entries of another store are removed.
  ///   - limit: the maximum size of all entries in bytes. A larger entry is not stored, but still removes the entries
  ///     that it replaces.
  ///   - replaces: a closure that returns whether the entry replaces an entry with the same key.
  /// - Returns: the identifier of the entry, or nil if it is larger than the limit.
  @discardableResult
  func keep(
    _ entry: CacheEntry, for key: CacheKey, generation: StoreGeneration, limit: Int64,
    replacing replaces: (CachedResponse) -> Bool
  ) throws(SQLiteError) -> Int64? {
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
    var stored: Int64?
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
        "SELECT id FROM entry WHERE \(Self.keyCondition) ORDER BY used DESC "
          + "LIMIT -1 OFFSET \(Self.greatestVariantCount)", Self.values(of: key))
      try remove(surplus, &totals)
      stored = id
    }
    return stored
  }

  /// Updates the status, headers and times of an entry, and keeps its records and body. Does nothing if the entry no
  /// longer exists.
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

  /// Marks an entry as used. The use is written with the next change of the file.
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

  /// Removes all entries of an address.
  func remove(url: String) throws(SQLiteError) {
    let ids = try ids("SELECT id FROM entry WHERE url = ?1", [.text(url)])
    guard !ids.isEmpty else { return }
    try write { totals throws(SQLiteError) in try remove(ids, &totals) }
  }

  /// Removes all entries from the file and its log.
  func removeAll() throws(SQLiteError) {
    try write { totals throws(SQLiteError) in try removeAll(&totals) }
    try shrink()
  }

  /// Removes the entries that have not arrived or been confirmed since a time, then the least recently used entries
  /// until the rest fits.
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

  /// Runs `body` in a transaction, then writes the collected uses and the changed totals. Changes nothing if an error
  /// is thrown.
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

  /// Removes those of the entries that exist.
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

  /// Removes the least recently used entries until the rest fits.
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
      // A damaged index may contain entries that do not exist.
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

  /// Returns free pages to the file system, and empties the log, which still contains the removed data.
  private func shrink() throws(SQLiteError) {
    try connection.run("PRAGMA incremental_vacuum")
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}
