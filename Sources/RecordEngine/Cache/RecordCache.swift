public import Foundation

/// A cache that remembers the records of each response.
///
/// The cache stores the ids of the records after these have been saved, if RFC 9111 allows a private cache to store the
/// response. While the response is fresh, or after the server has confirmed it, the records are read from the store.
/// Nothing is parsed or populated.
///
/// ```swift
/// let cache = try RecordCache(url: cachesFolder.appendingPathComponent("Posts.cache"))
/// ```
///
/// A failure of the cache never fails a request. The server is asked instead, and a diagnostic
/// (``DiagnosticCode/cacheRebuilt``, ``DiagnosticCode/cacheUnavailable``) reports the failure.
///
/// Rules: `cache.*`.
// Unchecked: all mutable state is accessed only under `lock`.
public final class RecordCache: @unchecked Sendable {
  /// The URL of the file, or nil for a cache in memory.
  public let url: URL?
  /// The maximum size of the cache and the maximum age of its responses.
  public let limits: Limits
  /// The clock that determines the age of responses.
  let now: @Sendable () -> Date
  private let durability: FileDurability
  private let lock = NSLock()
  /// The file, or nil if none is open: before the first use of a cache in memory, and after a file could not be created
  /// again.
  private(set) var file: CacheFile?
  /// The number of files that the cache has used before. An entry of one of them is not looked up in the current file.
  private var formerFileCount = 0
  private var removalCount = 0
  /// The diagnostics that have not been reported yet.
  private var diagnostics: [Diagnostic] = []

  /// Creates a cache in a file. Creates the file if it is missing.
  ///
  /// **The cache is not encrypted.** Anyone who can read the file can read the following data:
  ///
  /// - the addresses of requests
  /// - the headers of responses, and the request headers that the responses vary with
  /// - the ids of records
  /// - the bodies of responses: whole bodies, or the part at the key path for metadata
  ///
  /// Only the owner can read and write the file and the files that SQLite creates next to it, such as `-wal`
  /// (permissions 0600). Removed data is overwritten. Rule: `cache.plain`.
  ///
  /// A cache belongs to one store. It does not use its entries with another store, or with a store that was written
  /// without the cache or restored from a copy. The next response then empties the cache.
  ///
  /// The file is created again if it is damaged or was created by another version, or if it is removed or replaced
  /// while it is in use. A file that is not a cache is not changed. Rule: `cache.damaged`.
  ///
  /// - Parameters:
  ///   - url: the URL of the file. The cache uses the file exclusively until the cache, all containers with the cache,
  ///     and all results whose response object has not been read are released.
  ///   - limits: the maximum size of the cache and the maximum age of its responses.
  ///   - now: a closure that returns the current time, which determines the age of responses. By default, this is the
  ///     time of the system clock. The engine uses the current time for nothing else.
  /// - Throws: ``RecordCacheError`` if the file cannot be opened or created, or if it is not a cache. If another
  ///   process uses the file, the initializer waits half a second for it.
  /// - Complexity: O(1).
  public convenience init(
    url: URL, limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }
  ) throws(RecordCacheError) {
    try self.init(url: url, limits: limits, durability: .powerFailure, now: now)
  }

  /// Creates a cache in a file whose transactions survive the given events.
  package init(
    url: URL, limits: Limits, durability: FileDurability, now: @escaping @Sendable () -> Date
  ) throws(RecordCacheError) {
    (self.url, self.limits, self.durability, self.now) = (url, limits, durability, now)
    let opened = try CacheFile.open(url, waits: true, durability: durability)
    file = opened.file
    if let damage = opened.damage { noteRebuilding(damage) }
  }

  /// Creates a cache in memory, which exists until it is released.
  ///
  /// - Parameters:
  ///   - limits: the maximum size of the cache and the maximum age of its responses.
  ///   - now: a closure that returns the current time, which determines the age of responses. By default, this is the
  ///     time of the system clock. The engine uses the current time for nothing else.
  public init(limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }) {
    (url, self.limits, durability, self.now) = (nil, limits, .endOfProcess, now)
  }
}

extension RecordCache {
  /// The maximum size of a cache and the maximum age of its responses. Rule: `cache.bounds`.
  public struct Limits: Hashable, Sendable {
    /// The maximum size in bytes: bodies, headers, ids and addresses, and 128 additional bytes for each entry. If the
    /// cache is larger, the least recently used entries are removed. A response that is larger than this size is not
    /// cached.
    public var maximumSize: Int
    /// The maximum time since a response arrived or was last confirmed, or nil for no limit. An older response is not
    /// used.
    public var maximumAge: Duration?

    /// Creates limits. By default, the maximum size is 64 MiB and the maximum age is 30 days.
    public init(maximumSize: Int = 64 << 20, maximumAge: Duration? = .seconds(30 * 24 * 60 * 60)) {
      self.maximumSize = maximumSize
      self.maximumAge = maximumAge
    }
  }

  /// The entries that ``RecordCache/trim()`` has removed.
  public struct Trimmed: Hashable, Sendable {
    /// The number of entries that were older than the maximum age.
    public var oldEntries = 0
    /// The size of these entries in bytes.
    public var oldBytes = 0
    /// The number of least recently used entries that were removed because the cache was too large.
    public var unusedEntries = 0
    /// The size of these entries in bytes.
    public var unusedBytes = 0
  }

  /// The size of all entries in bytes, as ``Limits/maximumSize`` counts them.
  ///
  /// - Complexity: O(1).
  public var size: Int {
    lock.withLock { file.map { $0.hasMoved ? 0 : Int(clamping: $0.totals.size) } ?? 0 }
  }

  /// Removes all entries and frees their space. The responses to requests that are in flight are not cached either.
  ///
  /// - Throws: ``RecordCacheError`` if the file can be neither emptied nor removed. The file may then still contain
  ///   entries.
  /// - Complexity: O(*n*), where *n* is the size of the cache.
  public func removeAll() throws(RecordCacheError) {
    lock.lock()
    defer { lock.unlock() }
    removalCount += 1
    let file = try openedFile()
    do throws(SQLiteError) {
      try file.removeAll()
    } catch {
      try drop(file)
      _ = try openedFile()
    }
  }

  /// Removes the entries that are older than ``Limits/maximumAge``, then the least recently used entries until the rest
  /// is no larger than ``Limits/maximumSize``, and frees their space. The cache stays within its maximum size without
  /// this method.
  ///
  /// - Returns: the number and size of the removed entries.
  /// - Throws: ``RecordCacheError`` if the file cannot be written. Entries may have been removed nevertheless.
  /// - Complexity: O(*n*), where *n* is the size of the removed entries.
  @discardableResult
  public func trim() throws(RecordCacheError) -> Trimmed {
    lock.lock()
    defer { lock.unlock() }
    let file = try openedFile()
    do throws(SQLiteError) {
      let (old, unused) = try file.trim(to: Int64(limits.maximumSize), since: oldestTime)
      return Trimmed(
        oldEntries: old.entries, oldBytes: Int(old.bytes), unusedEntries: unused.entries,
        unusedBytes: Int(unused.bytes))
    } catch {
      guard CacheFile.isDamage(error) else { throw RecordCacheError(error, url) }
      rebuild(error.message)
      _ = try openedFile()
      return Trimmed()
    }
  }

  /// The time before which a response is too old, or nil if there is no maximum age.
  private var oldestTime: Date? {
    limits.maximumAge.map {
      now().addingTimeInterval(-Double($0.components.seconds) - Double($0.components.attoseconds) / 1e18)
    }
  }
}

// MARK: - Requests

extension RecordCache {
  /// Returns the entries of a key that may answer a request, newest first. The result is empty if the entries do not
  /// belong to the store, and contains no entries that are too old.
  ///
  /// - Parameter generation: the generation of the store. It is read under the lock, so that no entry has a later
  ///   generation.
  func rows(for key: CacheKey, generation: @autoclosure () -> StoreGeneration) -> [CacheRow] {
    rows(of: generation) { file throws(SQLiteError) in try file.rows(for: key) }
  }

  /// Returns the entries of an address with any key, like `rows(for:generation:)`.
  func rows(url: String, generation: @autoclosure () -> StoreGeneration) -> [CacheRow] {
    rows(of: generation) { file throws(SQLiteError) in try file.rows(url: url) }
  }

  private func rows(
    of generation: () -> StoreGeneration, _ rows: (CacheFile) throws(SQLiteError) -> [CacheRow]
  ) -> [CacheRow] {
    using([]) { file throws(SQLiteError) in
      guard file.belongs(to: generation()) else { return [] }
      let oldest = oldestTime
      var rows = try rows(file)
      rows.removeAll { row in oldest.map { row.response.responseTime < $0 } ?? false }
      for index in rows.indices { rows[index].file = formerFileCount }
      return rows
    }
  }

  /// Returns the body of an entry, or nil if the entry has been removed in the meantime. The body is read on first
  /// access, or before the entry is removed.
  func body(of row: CacheRow) -> ResponseBody? {
    using(nil, row) { file throws(SQLiteError) in
      try file.body(of: row.id) { [self] body in
        using((), row) { file throws(SQLiteError) in try file.handOver(row.id) }
        // A body that could not be read is empty. The next request reports the reason.
        body.take([])
      }
    }
  }

  /// The number of calls of `removeAll()`.
  var removals: Int { lock.withLock { removalCount } }

  /// Stores an entry. Rule: `cache.replaced`.
  ///
  /// - Parameters:
  ///   - generation: the generation of the store after the records were saved, or a later one. Entries of another store
  ///     are removed.
  ///   - removals: the value of ``removals`` when the response was requested. The entry is not stored if the value has
  ///     changed.
  ///   - replaces: a closure that returns whether the entry replaces an entry with the same key. It should return true
  ///     for those that the same request could use.
  /// - Returns: the identifier of the entry, or nil if it was not stored.
  @discardableResult
  func keep(
    _ entry: CacheEntry, for key: CacheKey, generation: StoreGeneration, since removals: Int,
    replacing replaces: (CachedResponse) -> Bool
  ) -> CacheEntryID? {
    using(nil) { file throws(SQLiteError) in
      guard removals == removalCount else { return nil }
      let id = try file.keep(
        entry, for: key, generation: generation, limit: Int64(limits.maximumSize), replacing: replaces)
      return id.map { CacheEntryID(file: formerFileCount, entry: $0) }
    }
  }

  /// Updates an entry with the response that results from its confirmation by the server.
  func freshen(_ row: CacheRow, _ response: CachedResponse) {
    using((), row) { file throws(SQLiteError) in
      try file.freshen(row.id, response, limit: Int64(limits.maximumSize))
    }
  }

  /// Marks an entry as used by a request.
  func touch(_ row: CacheRow) { using((), row) { file throws(SQLiteError) in try file.touch(row.id) } }

  func remove(_ row: CacheRow) { using((), row) { file throws(SQLiteError) in try file.remove(row.id) } }

  /// Removes all entries of an address.
  func remove(url: String) { using(()) { file throws(SQLiteError) in try file.remove(url: url) } }

  /// Removes all entries of an address like `remove(url:)`, and throws if that fails.
  ///
  /// - Throws: ``RecordCacheError`` if entries may remain.
  func forget(url: String) throws(RecordCacheError) {
    lock.lock()
    defer { lock.unlock() }
    let file = try openedFile()
    do throws(SQLiteError) {
      try file.remove(url: url)
    } catch {
      guard CacheFile.isDamage(error) else { throw RecordCacheError(error, self.url) }
      try drop(file)
      noteRebuilding(error.message)
      _ = try openedFile()
    }
  }

  /// Assigns the entries to the new session of their store, so that they stay valid.
  func follow(from: StoreGeneration, to: StoreGeneration) {
    using(()) { file throws(SQLiteError) in try file.follow(from: from, to: to) }
  }

  /// Returns and removes the diagnostics that have not been reported yet.
  func takeDiagnostics() -> [Diagnostic] {
    lock.withLock {
      defer { diagnostics = [] }
      return diagnostics
    }
  }

  /// Returns the result of `body`, which has exclusive access to the file. Returns `fallback` if the file cannot be
  /// used.
  ///
  /// - Parameter row: the entry that `body` uses. If it belongs to a former file, the result is `fallback`.
  private func using<Result>(
    _ fallback: Result, _ row: CacheRow? = nil, _ body: (CacheFile) throws(SQLiteError) -> Result
  ) -> Result {
    lock.lock()
    defer { lock.unlock() }
    do throws(RecordCacheError) {
      let file = try openedFile()
      guard row.map({ $0.file == formerFileCount }) ?? true else { return fallback }
      do throws(SQLiteError) {
        return try body(file)
      } catch {
        guard CacheFile.isDamage(error) else { throw RecordCacheError(error, url) }
        rebuild(error.message)
      }
    } catch {
      note(.cacheUnavailable, error.message)
    }
    return fallback
  }
}

// MARK: - Recovery

extension RecordCache {
  /// Returns the file, which is opened or created if necessary. This method and those below require the lock.
  private func openedFile() throws(RecordCacheError) -> CacheFile {
    let former = file
    if let former {
      if !former.hasMoved { return former }
      // Data that is written to the removed file would be lost at the end of the process.
      former.leave()
      forgetFile()
    }
    let opened: CacheFile
    if let url {
      // A request does not wait for a locked file.
      let (file, damage) = try CacheFile.open(url, waits: false, durability: durability)
      if let damage { noteRebuilding(damage) }
      opened = file
    } else {
      opened = try CacheFile.inMemory()
    }
    if former != nil { noteRebuilding("its file was removed or replaced") }
    file = opened
    return opened
  }

  /// Creates the file again, now or on the next access.
  private func rebuild(_ reason: String) {
    do throws(RecordCacheError) {
      if let file { try drop(file) }
    } catch {
      return note(.cacheUnavailable, error.message)
    }
    noteRebuilding(reason)
    do throws(RecordCacheError) {
      _ = try openedFile()
    } catch {
      note(.cacheUnavailable, error.message)
    }
  }

  /// Closes and removes the file. If it cannot be removed, the damage is found again when it is opened next.
  private func drop(_ file: CacheFile) throws(RecordCacheError) {
    forgetFile()
    try file.drop()
  }

  private func forgetFile() {
    file = nil
    formerFileCount += 1
  }

  private func noteRebuilding(_ reason: String) {
    note(
      .cacheRebuilt,
      "\(RecordCacheError.name(of: url)) could not be used (\(reason)) and was recreated; its content is lost"
    )
  }

  /// Adds a diagnostic unless the same one has not been reported yet.
  private func note(_ code: DiagnosticCode, _ message: String) {
    let diagnostic = Diagnostic(code, message: message)
    if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
  }
}
