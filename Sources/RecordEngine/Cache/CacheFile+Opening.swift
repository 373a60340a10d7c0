import Foundation

extension CacheFile {
  /// The application ID in the header of the SQLite file: `RECC`.
  static let applicationID: Int64 = 0x5245_4343
  /// The version of the format that this engine writes. A file with another version is created again.
  static let formatVersion: Int64 = 1

  /// The tables and indexes in the order of their creation.
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
    // Bodies have their own table, so that reading or updating an entry does not read megabytes.
    SQLiteLayout.Object(
      name: "body", sql: "CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)"),
  ]

  /// The page size in bytes. It is larger than the default of SQLite because bodies are large: a megabyte takes 128
  /// pages.
  private static let pageSize = 8192

  /// Creates a cache in memory.
  static func inMemory() throws(RecordCacheError) -> CacheFile {
    do throws(SQLiteError) {
      return try CacheFile(
        checking: SQLiteConnection(path: ":memory:", mayCreate: true, listWidth: 2), nil, .endOfProcess)
    } catch {
      throw RecordCacheError(error, nil)
    }
  }

  /// Opens a cache file. Creates the file if it is missing, and creates it again if it is damaged or has another
  /// version.
  ///
  /// - Parameters:
  ///   - waits: a Boolean value that indicates whether to wait up to half a second for another process or cache that
  ///     uses the file.
  ///   - durability: the events that the transactions survive.
  /// - Returns: the file, and the damage of the former file if it had to be created again.
  static func open(
    _ url: URL, waits: Bool, durability: FileDurability = .powerFailure
  ) throws(RecordCacheError) -> (file: CacheFile, damage: String?) {
    if let problem = SQLiteFileLocation(url).problem { throw RecordCacheError(problem, url) }
    let isLocked = { (error: RecordCacheError) in waits && error.kind == .locked }
    return try SQLiteWaiting.untilFree(isLocked) { () throws(RecordCacheError) in
      openings.lock()
      defer { openings.unlock() }
      do throws(SQLiteError) {
        return try attempt(url, durability)
      } catch {
        throw RecordCacheError(error, url)
      }
    }
  }

  /// The lock that is held while a file is created and opened. Closing a file that this process has just created would
  /// release the lock of another cache of this process that has opened the file in the meantime.
  private static let openings = NSLock()

  private static func attempt(
    _ url: URL, _ durability: FileDurability
  ) throws(SQLiteError) -> (file: CacheFile, damage: String?) {
    let connection = try connect(url)
    do throws(SQLiteError) {
      return (try CacheFile(checking: connection, url, durability), nil)
    } catch {
      guard isDamage(error) else { throw error }
      try remove(connection, url)
      return (try CacheFile(checking: connect(url), url, durability), error.message)
    }
  }

  /// A Boolean value that indicates whether the file has been removed or replaced since it was opened.
  var hasMoved: Bool { connection.hasMoved }

  /// Releases a file that has been removed or replaced, and leaves the file that is now at its path unchanged. This
  /// object must not be used afterwards.
  func leave() {
    handOverWhatCanBeRead()
    forgetUses()
    connection.leaveFile()
  }

  /// Removes the file of this cache because it is unusable. This object must not be used afterwards.
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

// MARK: - File

extension CacheFile {
  /// Opens a connection to a file that is new or has the header of a cache file. Reads only the header.
  private static func connect(_ url: URL) throws(SQLiteError) -> SQLiteConnection {
    try SQLiteFileLocation(url).makeFile()
    let connection = try SQLiteConnection(path: url.path, mayCreate: false, listWidth: 2)
    let bytes = try connection.header(count: SQLiteHeader.length)
    // Files of other applications must not be changed. Reading a database would repair it after a crash.
    guard bytes.isEmpty || SQLiteHeader(bytes)?.applicationID == applicationID else { throw .foreign }
    guard !connection.isReadOnly else { throw .readOnly("the file is read-only") }
    for path in paths(url) where chmod(path, SQLiteFileLocation.privateMode) != 0 && errno != ENOENT {
      throw .cannotOpen("others may read '\(path)': \(String(cString: strerror(errno)))")
    }
    return connection
  }

  /// Returns the paths of the file and of the files that SQLite creates next to it.
  private static func paths(_ url: URL) -> [String] {
    ["", "-wal", "-shm", "-journal"].map { url.path + $0 }
  }

  /// Removes a file and the files next to it. Throws if another connection uses the file.
  private static func remove(_ connection: SQLiteConnection, _ url: URL) throws(SQLiteError) {
    try connection.giveUpFile()
    for path in paths(url) where unlink(path) != 0 && errno != ENOENT {
      throw .cannotOpen("the file is damaged and cannot be removed: \(String(cString: strerror(errno)))")
    }
  }

  /// Creates the tables of an empty file, or checks those of an existing file.
  private convenience init(
    checking connection: SQLiteConnection, _ url: URL?, _ durability: FileDurability
  ) throws(SQLiteError) {
    for setting in [
      // The lock is acquired with the first read and held as long as the cache is open.
      "locking_mode = EXCLUSIVE",
      durability.setting, "temp_store = MEMORY",
      // Removed data is overwritten because it may be confidential. Overwriting is free where pages are reused.
      // Removing 60 MB at once takes a second instead of a hundredth of a second.
      "secure_delete = ON",
      // Invalid pages are detected when they are read.
      "cell_size_check = ON",
      // The size in bytes to which the log file is reduced when it starts again.
      "journal_size_limit = 4194304",
      // The page size applies only to an empty file.
      "page_size = \(Self.pageSize)",
    ] {
      try connection.run("PRAGMA \(setting)")
    }
    // SQLite has rolled back the creation of a process that ended during it. The file is then empty.
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 { try Self.create(connection) }
    // The file may have been removed while this process waited for it.
    if connection.hasMoved {
      throw .locked("another process has just replaced the file")
    }
    let mode = try connection.logWrites()
    guard mode == (url == nil ? "memory" : "wal") else {
      throw .cannotOpen("its disk does not support write-ahead logging (the journal mode is '\(mode)')")
    }
    try self.init(connection, url, Self.check(connection))
  }

  private static func create(_ connection: SQLiteConnection) throws(SQLiteError) {
    // Another process may read the empty file at the moment of the commit. It releases the file at once.
    try connection.run("PRAGMA busy_timeout = 500")
    defer { try? connection.run("PRAGMA busy_timeout = 0") }
    try connection.transaction(isDeferred: true) { () throws(SQLiteError) in
      // This pragma sets a mode of the empty file and writes its first page. In a separate transaction, a process that
      // is killed after it would leave a file that is not marked as a cache.
      try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
      guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
        // The next attempt opens the file that the other process has created.
        throw .locked("another process has just created the file")
      }
      try connection.run("PRAGMA application_id = \(applicationID)")
      try connection.run("PRAGMA user_version = \(formatVersion)")
      for object in objects { try connection.run(object.sql) }
      try connection.run("INSERT INTO totals VALUES (NULL, 0, 1, 0)")
    }
    connection.forgetStatements()
  }

  /// Checks that the file has the format that this engine creates, and returns its totals.
  private static func check(_ connection: SQLiteConnection) throws(SQLiteError) -> Totals {
    let version = try connection.integer("PRAGMA user_version")
    guard version == formatVersion else {
      throw .damaged("its format is \(version), and this version supports \(formatVersion)")
    }
    var found: [SQLiteLayout.Object] = []
    try connection.query("SELECT name, sql FROM sqlite_schema ORDER BY rowid") {
      found.append(SQLiteLayout.Object(name: $0.text(0), sql: $0.text(1)))
    }
    guard found == objects else { throw .damaged("its tables differ") }
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
