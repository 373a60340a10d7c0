public import Foundation

/// A cache of responses: which records each one became.
///
/// A response that came over HTTP and may be kept (RFC 9111, as a private cache) is remembered by the ids of its records,
/// once these have been saved. While it is fresh, or when the server says that it still holds, the records are taken from
/// the store, and nothing is parsed or populated.
///
/// ```swift
/// let cache = try RecordCache(url: cachesFolder.appendingPathComponent("Posts.cache"))
/// ```
///
/// Nothing that fails in a cache fails a request: it is asked of the server then, and a diagnostic
/// (``DiagnosticCode/cacheRebuilt``, ``DiagnosticCode/cacheUnavailable``) tells of it.
///
/// Rules: `cache.*`.
// Unchecked: everything that changes is read and written under `lock` alone.
public final class RecordCache: @unchecked Sendable {
  /// The file; nil for a cache in memory.
  public let url: URL?
  public let limits: Limits
  let now: @Sendable () -> Date
  private let lock = NSLock()
  /// Nil while there is none, because it could not be made anew.
  private var file: CacheFile?
  /// How many files there have been before: what was found in one of them is looked for in no other.
  private var formerFiles = 0
  private var removalCount = 0
  /// What nobody has been told of yet.
  private var diagnostics: [Diagnostic] = []

  /// A cache in a file, which is made if it is missing.
  ///
  /// **The cache is not encrypted.** Whoever can read the file can read the addresses of requests, headers of responses
  /// and the request headers they depend on, the ids of records, and bodies: whole ones, or the part that a key path for
  /// metadata asks for. The file and those that SQLite puts beside it (`-wal`) can be read and written by their owner
  /// alone (permissions 0600). What is removed is overwritten. Rule: `cache.plain`.
  ///
  /// It belongs to one store: used with another one, or with one that has been written without the cache or put back
  /// from a copy, it answers nothing of what it held, and is emptied with the next response.
  ///
  /// A file that is damaged, or was made by another version, is made anew, and so is one that was removed or replaced
  /// while it is in use. A file of others is not touched. Rule: `cache.damaged`.
  ///
  /// - Parameters:
  ///   - url: the file. It is this cache's alone until nobody holds the cache any more, nor a container with it, nor a result
  ///   whose response object has not been read yet.
  ///   - limits: how much is kept, and for how long.
  ///   - now: what time it is, by which responses age; the clock of the system unless it is said otherwise. Nothing
  ///   else in the engine asks what time it is.
  /// - Throws: ``RecordCacheError`` if the file cannot be opened or made, or is no cache. Half a second is waited for
  ///   another process that has it.
  /// - Complexity: constant.
  public init(
    url: URL, limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }
  ) throws(RecordCacheError) {
    (self.url, self.limits, self.now) = (url, limits, now)
    let opened = try CacheFile.open(url, waits: true)
    file = opened.file
    if let damage = opened.damage { noteRebuilding(damage) }
  }

  /// A cache that lives as long as somebody holds it.
  ///
  /// - Parameters:
  ///   - limits: how much is kept, and for how long.
  ///   - now: what time it is, by which responses age; the clock of the system unless it is said otherwise. Nothing
  ///   else in the engine asks what time it is.
  public init(limits: Limits = Limits(), now: @escaping @Sendable () -> Date = { Date() }) {
    (url, self.limits, self.now) = (nil, limits, now)
  }
}

extension RecordCache {
  /// How much a cache keeps, and for how long.
  /// Rule: `cache.bounds`.
  public struct Limits: Hashable, Sendable {
    /// In bytes: bodies, headers, ids, addresses, and 128 for each entry beside these. Where there are more, those that
    /// were used least recently go. One response that is larger is not kept.
    public var maximumSize: Int
    /// How long after a response came, or was last found to hold, it may be used at all; nil for no limit.
    public var maximumAge: Duration?

    /// 64 MiB and 30 days, unless it is said otherwise.
    public init(maximumSize: Int = 64 << 20, maximumAge: Duration? = .seconds(30 * 24 * 60 * 60)) {
      self.maximumSize = maximumSize
      self.maximumAge = maximumAge
    }
  }

  /// What has gone with a trim.
  public struct Trimmed: Hashable, Sendable {
    /// Entries older than the limit.
    public var oldEntries = 0
    /// Their bytes.
    public var oldBytes = 0
    /// Entries that were used least recently, of a cache that was too large.
    public var unusedEntries = 0
    /// Their bytes.
    public var unusedBytes = 0
  }

  /// How much is kept, in bytes as ``Limits/maximumSize`` counts them.
  ///
  /// - Complexity: constant.
  public var size: Int {
    lock.withLock { file.map { $0.hasMoved ? 0 : Int(clamping: $0.totals.size) } ?? 0 }
  }

  /// Forgets everything, and gives the room back. Responses that are under way are not kept either.
  ///
  /// - Throws: ``RecordCacheError`` if the file can be neither emptied nor removed. Something may be left in it then.
  /// - Complexity: linear in what is kept.
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

  /// Forgets what is older than ``Limits/maximumAge``, then what was used least recently until the rest is no larger than
  /// ``Limits/maximumSize``, and gives the room back. Nothing has to be trimmed to stay within its size.
  ///
  /// - Throws: ``RecordCacheError`` if the file cannot be written. Something may have been forgotten then.
  /// - Complexity: linear in what goes.
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

  /// What came before this time is too old; nil if nothing is.
  private var oldestTime: Date? {
    limits.maximumAge.map {
      now().addingTimeInterval(-Double($0.components.seconds) - Double($0.components.attoseconds) / 1e18)
    }
  }
}

// MARK: - For requests

extension RecordCache {
  /// What may answer a request, newest first: the entries of a key that are not too old, if they are of a store in this
  /// generation.
  ///
  /// - Parameter generation: asked while nobody keeps anything: what is kept is never of a later one.
  func rows(for key: CacheKey, generation: @autoclosure () -> StoreGeneration) -> [CacheRow] {
    rows(of: generation) { file throws(SQLiteError) in try file.rows(for: key) }
  }

  /// As `rows(for:generation:)`, of all keys of an address.
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
      for index in rows.indices { rows[index].file = formerFiles }
      return rows
    }
  }

  /// The body of an entry, which is read when somebody asks for it or the entry goes; nil if the entry has gone in the
  /// meantime.
  func body(of row: CacheRow) -> ResponseBody? {
    using(nil, row) { file throws(SQLiteError) in
      try file.body(of: row.id) { [self] body in
        using((), row) { file throws(SQLiteError) in try file.handOver(row.id) }
        // What could not be read is no body; the next request says why.
        body.take([])
      }
    }
  }

  /// How often `removeAll()` was called.
  var removals: Int { lock.withLock { removalCount } }

  /// Keeps an entry.
  /// Rule: `cache.replaced`.
  ///
  /// - Parameters:
  ///   - generation: the store's generation when the records had been saved, or a later one. Entries of another store go.
  ///   - removals: ``removals`` when the response was asked for. It is not kept if there has been another one since.
  ///   - replaces: which entries of the key it takes the place of: those that the same request might be answered with.
  func keep(
    _ entry: CacheEntry, for key: CacheKey, generation: StoreGeneration, since removals: Int,
    replacing replaces: (CachedResponse) -> Bool
  ) {
    using(()) { file throws(SQLiteError) in
      guard removals == removalCount else { return }
      try file.keep(
        entry, for: key, generation: generation, limit: Int64(limits.maximumSize), replacing: replaces)
    }
  }

  /// The server has said that an entry still holds, with a response that is this now.
  func freshen(_ row: CacheRow, _ response: CachedResponse) {
    using((), row) { file throws(SQLiteError) in
      try file.freshen(row.id, response, limit: Int64(limits.maximumSize))
    }
  }

  /// Notes that a request was answered with an entry.
  func touch(_ row: CacheRow) { using((), row) { file throws(SQLiteError) in try file.touch(row.id) } }

  func remove(_ row: CacheRow) { using((), row) { file throws(SQLiteError) in try file.remove(row.id) } }

  /// Forgets what was kept of an address, whatever it was asked for.
  func remove(url: String) { using(()) { file throws(SQLiteError) in try file.remove(url: url) } }

  /// As `remove(url:)`, for somebody who wants to know whether it is gone.
  ///
  /// - Throws: ``RecordCacheError`` if something may be left.
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

  /// The store has gone from one session to the next, which is as if nothing had happened to those who know.
  func follow(from: StoreGeneration, to: StoreGeneration) {
    using(()) { file throws(SQLiteError) in try file.follow(from: from, to: to) }
  }

  /// What went wrong with the cache and nobody has been told of, for the request that asks.
  func takeDiagnostics() -> [Diagnostic] {
    lock.withLock {
      defer { diagnostics = [] }
      return diagnostics
    }
  }

  /// Calls `body` with nobody else using the file. Answers `fallback` where something is wrong with it.
  ///
  /// - Parameter row: what it is about. If that was found in a file that is another one by now, it has gone with it.
  private func using<Result>(
    _ fallback: Result, _ row: CacheRow? = nil, _ body: (CacheFile) throws(SQLiteError) -> Result
  ) -> Result {
    lock.lock()
    defer { lock.unlock() }
    do throws(RecordCacheError) {
      let file = try openedFile()
      guard row.map({ $0.file == formerFiles }) ?? true else { return fallback }
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

// MARK: - When something is wrong

extension RecordCache {
  /// The file, which may have to be made first. To be called under the lock, as all that follow.
  private func openedFile() throws(RecordCacheError) -> CacheFile {
    let former = file
    if let former {
      if !former.hasMoved { return former }
      // What is written to it from now on would be gone with the process.
      former.leave()
      forgetFile()
    }
    let opened: CacheFile
    if let url {
      // A request does not wait for a file.
      let (file, damage) = try CacheFile.open(url, waits: false)
      if let damage { noteRebuilding(damage) }
      opened = file
    } else {
      opened = try CacheFile.inMemory()
    }
    if former != nil { noteRebuilding("its file was removed or replaced") }
    file = opened
    return opened
  }

  /// Makes the file anew, now or when it is needed next.
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

  /// If it cannot be removed, whoever opens it next finds the damage again.
  private func drop(_ file: CacheFile) throws(RecordCacheError) {
    forgetFile()
    try file.drop()
  }

  private func forgetFile() {
    file = nil
    formerFiles += 1
  }

  private func noteRebuilding(_ reason: String) {
    note(
      .cacheRebuilt,
      "\(RecordCacheError.name(of: url)) could not be used (\(reason)) and is made anew; what it held is gone"
    )
  }

  /// Once, however often it goes wrong before somebody asks.
  private func note(_ code: DiagnosticCode, _ message: String) {
    let diagnostic = Diagnostic(code, message: message)
    if !diagnostics.contains(diagnostic) { diagnostics.append(diagnostic) }
  }
}
