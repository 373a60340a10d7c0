import Foundation

extension CacheFile {
  /// `RECC`, at the place where an SQLite file says whose it is.
  static let applicationID: Int64 = 0x5245_4343
  /// The version of what this engine writes. A file of another one is made anew.
  static let formatVersion: Int64 = 1

  /// In the order in which they are made.
  private static let objects = [
    SQLiteLayout.Object(
      name: "totals",
      sql: "CREATE TABLE totals (session INTEGER, saves INTEGER NOT NULL, next INTEGER NOT NULL, "
        + "size INTEGER NOT NULL)"),
    SQLiteLayout.Object(
      name: "entry",
      sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY, url TEXT NOT NULL, method TEXT NOT NULL, "
        + "entity TEXT NOT NULL, responseKeyPath TEXT, metaDataKeyPath TEXT, mapping INTEGER NOT NULL, "
        + "status INTEGER NOT NULL, headers TEXT NOT NULL, "
        + "selecting TEXT NOT NULL, requestTime REAL NOT NULL, responseTime REAL NOT NULL, "
        + "records BLOB NOT NULL, saves INTEGER NOT NULL, noticed TEXT NOT NULL, used INTEGER NOT NULL, "
        + "size INTEGER NOT NULL)"),
    SQLiteLayout.Object(name: "entry_url", sql: "CREATE INDEX entry_url ON entry (url)"),
    SQLiteLayout.Object(name: "entry_used", sql: "CREATE INDEX entry_used ON entry (used, size)"),
    SQLiteLayout.Object(name: "entry_time", sql: "CREATE INDEX entry_time ON entry (responseTime)"),
    // Apart, so that who reads or changes an entry does not pass by a megabyte.
    SQLiteLayout.Object(
      name: "body", sql: "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"),
  ]

  /// In bytes. Larger than SQLite's own, because bodies are: a megabyte is 128 pages.
  private static let pageSize = 8192

  /// A cache in memory.
  static func inMemory() throws(RecordCacheError) -> CacheFile {
    do throws(SQLiteError) {
      return try CacheFile(checking: SQLiteConnection(path: ":memory:", mayCreate: true, listWidth: 2), nil)
    } catch {
      throw RecordCacheError(error, nil)
    }
  }

  /// A cache in a file, which is made if it is missing. One that is damaged or of another version is made anew.
  ///
  /// - Parameter waits: whether to wait for half a second for another process that has the file.
  /// - Returns: the file, and what was wrong with the former one, if it had to be made anew.
  static func open(_ url: URL, waits: Bool) throws(RecordCacheError) -> (file: CacheFile, damage: String?) {
    if let problem = SQLiteFileLocation(url).problem { throw RecordCacheError(problem, url) }
    let isTaken = { (error: RecordCacheError) in waits && error.kind == .locked }
    return try SQLiteWaiting.untilFree(isTaken) { () throws(RecordCacheError) in
      openings.lock()
      defer { openings.unlock() }
      do throws(SQLiteError) {
        return try attempt(url)
      } catch {
        throw RecordCacheError(error, url)
      }
    }
  }

  /// Held while a file is made and opened: closing a file that this process has just made would take a lock from another
  /// cache of the process that has opened it in between.
  private static let openings = NSLock()

  private static func attempt(_ url: URL) throws(SQLiteError) -> (file: CacheFile, damage: String?) {
    let connection = try connect(url)
    do throws(SQLiteError) {
      return (try CacheFile(checking: connection, url), nil)
    } catch {
      guard isDamage(error) else { throw error }
      try remove(connection, url)
      return (try CacheFile(checking: connect(url), url), error.message)
    }
  }

  /// Whether the file is no more where it was opened: it was removed, or another one is there.
  var hasMoved: Bool { connection.hasMoved }

  /// Lets go of a file that has moved, and leaves alone what stands in its place. It must not be used again.
  func leave() {
    handOverWhatCanBeRead()
    forgetUses()
    connection.leaveFile()
  }

  /// Removes the file of this cache, which is of no use any more. The cache must not be used again.
  func drop() throws(RecordCacheError) {
    handOverWhatCanBeRead()
    guard let url else { return }
    forgetUses()
    do throws(SQLiteError) {
      try Self.remove(connection, url)
    } catch {
      throw RecordCacheError(error, url)
    }
  }
}

// MARK: - The file itself

extension CacheFile {
  /// A connection to a file that is new, or is a cache's as far as its header says so. Nothing has been read yet.
  private static func connect(_ url: URL) throws(SQLiteError) -> SQLiteConnection {
    try SQLiteFileLocation(url).makeFile()
    let connection = try SQLiteConnection(path: url.path, mayCreate: false, listWidth: 2)
    let bytes = try connection.header(count: SQLiteHeader.length)
    // A file of others is not touched: to read a database is to repair it after a crash.
    guard bytes.isEmpty || SQLiteHeader(bytes)?.applicationID == applicationID else { throw .foreign }
    guard !connection.isReadOnly else { throw .readOnly("the file can be read and not written") }
    for path in paths(url) where chmod(path, SQLiteFileLocation.privateMode) != 0 && errno != ENOENT {
      throw .cannotOpen("others may read '\(path)': \(String(cString: strerror(errno)))")
    }
    return connection
  }

  /// The file and what SQLite puts beside it.
  private static func paths(_ url: URL) -> [String] {
    ["", "-wal", "-shm", "-journal"].map { url.path + $0 }
  }

  /// Removes a file that nobody else has, with what stands beside it.
  private static func remove(_ connection: SQLiteConnection, _ url: URL) throws(SQLiteError) {
    try connection.giveUpFile()
    for path in paths(url) where unlink(path) != 0 && errno != ENOENT {
      throw .cannotOpen("it is damaged and cannot be removed: \(String(cString: strerror(errno)))")
    }
  }

  /// Makes the tables of an empty file, and checks those of another one.
  private convenience init(checking connection: SQLiteConnection, _ url: URL?) throws(SQLiteError) {
    for setting in [
      // Taken with the first read, and held as long as the cache is open.
      "locking_mode = EXCLUSIVE",
      // A power failure can take the last entries, whole.
      "synchronous = NORMAL", "temp_store = MEMORY",
      // What is removed is overwritten: it may be nobody's business any more. Where pages are used again, that costs
      // nothing; to remove 60 MB at once takes a second, instead of a hundredth of one.
      "secure_delete = ON",
      // A page that cannot be is found where it is read.
      "cell_size_check = ON",
      // In bytes: what the log keeps of the disk when it begins anew.
      "journal_size_limit = 4194304",
      // Of an empty file alone.
      "page_size = \(Self.pageSize)",
    ] {
      try connection.run("PRAGMA \(setting)")
    }
    // Who ended while making the file has left none of it, once SQLite has read it.
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { try Self.create(connection) }
    // It may have been removed while somebody was waiting for it.
    if url != nil, connection.hasMoved {
      throw .locked("somebody else has made the file anew in this moment")
    }
    let mode = try connection.logWrites()
    guard mode == (url == nil ? "memory" : "wal") else {
      throw .cannotOpen("its disk does not do write-ahead logging (the journal mode is '\(mode)')")
    }
    try self.init(connection, url, Self.check(connection))
  }

  private static func create(_ connection: SQLiteConnection) throws(SQLiteError) {
    // Another process may look at the empty file just when it is to be committed. It lets go at once.
    try connection.run("PRAGMA busy_timeout = 500")
    defer { try? connection.run("PRAGMA busy_timeout = 0") }
    try connection.transaction(isDeferred: true) { () throws(SQLiteError) in
      // Sets a mode of the empty file and writes its first page. If that were a transaction of its own, a process killed after
      // it would leave a file that does not say it is a cache.
      try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
      guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        // It is another file at the next attempt.
        throw .locked("somebody else has made the file in this moment")
      }
      try connection.run("PRAGMA application_id = \(applicationID)")
      try connection.run("PRAGMA user_version = \(formatVersion)")
      for object in objects { try connection.run(object.sql) }
      try connection.run("INSERT INTO totals VALUES (NULL, 0, 1, 0)")
    }
    connection.forgetStatements()
  }

  /// The file has to be what this engine makes.
  private static func check(_ connection: SQLiteConnection) throws(SQLiteError) -> Totals {
    let version = try connection.integer("PRAGMA user_version")
    guard version == formatVersion else {
      throw .damaged("its format is \(version), and \(formatVersion) is known here")
    }
    var found: [SQLiteLayout.Object] = []
    try connection.query("SELECT name, sql FROM sqlite_schema ORDER BY rowid") {
      found.append(SQLiteLayout.Object(name: $0.text(0), sql: $0.text(1)))
    }
    guard found == objects else { throw .damaged("its tables are others") }
    var totals: [Totals] = []
    try connection.query("SELECT session, saves, next, size FROM totals") { row throws(SQLiteError) in
      let numbers = (1...3).map { row.integer($0) }
      guard numbers.allSatisfy({ 0..<Totals.limit ~= $0 }) else { throw .damaged("its totals are wrong") }
      totals.append(
        Totals(
          session: row.kind(0) == .integer ? UInt64(bitPattern: row.integer(0)) : nil, saves: numbers[0],
          next: numbers[1], size: numbers[2]))
    }
    guard totals.count == 1 else { throw .damaged("its totals are missing") }
    guard try connection.integer("SELECT max(id) FROM entry") < totals[0].next else {
      throw .damaged("its numbers are wrong")
    }
    return totals[0]
  }
}
