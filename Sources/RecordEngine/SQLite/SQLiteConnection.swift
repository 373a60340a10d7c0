import RecordEngineSQLite

/// A connection to a database file. It must be used by one thread at a time.
package final class SQLiteConnection {
  private let handle: OpaquePointer
  /// The prepared statements by their text.
  private var statements: [String: SQLiteStatement] = [:]
  /// The maximum number of prepared statements: those of a schema, and the fetches of an app.
  private let greatestStatementCount = 500

  /// The number of executed statements of each kind.
  package private(set) var statementCounts: [SQLiteStatementKind: Int] = [:]

  /// Opens a file. Does not wait if another process has locked it.
  ///
  /// - Parameters:
  ///   - mayCreate: a Boolean value that indicates whether to create the file if it is missing.
  ///   - listWidth: the number of columns of `"$list"(…)`.
  package init(path: String, mayCreate: Bool, listWidth: Int) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mayCreate ? SQLITE_OPEN_CREATE : 0)
    var code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteError(code, handle, "")
    }
    self.handle = handle
    // Code in the file must not run: a damaged schema cannot call functions, and statements cannot change the schema
    // directly.
    _ = csqlite_set(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_set(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    code = SQLiteList.register(handle, width: listWidth)
    if code == SQLITE_OK { code = SQLiteCondition.register(handle) }
    guard code == SQLITE_OK else { throw SQLiteError(code, handle, "") }
  }

  deinit {
    // SQLite closes the connection when the last of its statements is finalized.
    sqlite3_close_v2(handle)
  }

  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The number of rows that were inserted, updated and deleted since the file was opened.
  package var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

// MARK: - File access

extension SQLiteConnection {
  /// Returns the first bytes of the file, or fewer if the file is shorter. Takes no lock and repairs nothing.
  ///
  /// The file is read through the file handle of SQLite. File locks belong to the process, and are released when the
  /// process closes any handle of the file. SQLite defers closing its handle while it holds a lock.
  package func header(count: Int) throws(SQLiteError) -> [UInt8] {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      let readSize = methods.pointee.xFileSize, let read = methods.pointee.xRead
    else { throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file cannot be read") }
    var size: Int64 = 0
    code = readSize(file, &size)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the file has no size") }
    // SQLite reports a file of one byte as empty, so read at least one byte.
    var bytes = [UInt8](repeating: 0, count: min(count, max(1, Int(clamping: size))))
    code = read(file, &bytes, Int32(bytes.count), 0)
    if size == 0, code & 0xFF == SQLITE_IOERR { return [] }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the beginning of the file cannot be read")
    }
    return bytes
  }
}

extension SQLiteConnection {
  /// Locks the file exclusively, whatever it contains, so that the caller can remove it. Reads nothing. Closing the
  /// connection then writes and removes nothing, because another file may have replaced this one by then.
  func giveUpFile() throws(SQLiteError) {
    _ = csqlite_set(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let lock = file.pointee.pMethods?.pointee.xLock else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file cannot be locked")
    }
    // Readers of a file with write-ahead logging hold a shared lock, too.
    for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
      let code = lock(file, level)
      guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the file cannot be locked") }
    }
  }

  /// Abandons a file that has been moved. Closing the connection then writes and removes nothing.
  func leaveFile() {
    // The log may still be at the old path. Another process that opens a new file at this path would use the log for
    // it, unless the log is empty. A failure is ignored, because the log may already belong to the new file.
    try? run("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = csqlite_set(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// A Boolean value that indicates whether the file is no longer at the path where it was opened.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  /// Turns on write-ahead logging. Returns the resulting journal mode: `wal`, unless the disk does not support it.
  ///
  /// With write-ahead logging, a transaction writes each change once, sequentially. Readers of the previous state see
  /// it completely.
  func logWrites() throws(SQLiteError) -> String {
    var mode = ""
    try query("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
    return mode
  }

  /// Returns the number that a statement selects.
  func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    var result: Int64 = 0
    try query(sql) { result = $0.integer(0) }
    return result
  }
}

// MARK: - Running

extension SQLiteConnection {
  /// Runs a statement, and ignores its rows.
  package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
    try query(sql, values) { _ in }
  }

  /// Runs a statement, and calls `body` for each row.
  package func query(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    statementCounts[statement.kind, default: 0] += 1
    try statement.run(values, body)
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql], !known.isRunning { return known }
    if statements.count >= greatestStatementCount { forgetStatements() }
    let statement = try SQLiteStatement(handle, sql)
    statements[sql] = statement
    return statement
  }

  /// Performs all changes of `body`, or none.
  ///
  /// - Parameter isDeferred: a Boolean value that indicates whether SQLite locks the file and writes its first page
  ///   only with the first change of `body`.
  package func transaction(
    isDeferred: Bool = false, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // Exclusive, so that no other process reads an empty file while its tables are created. If the file is already
    // locked, this is the same as immediate.
    try run(isDeferred ? "BEGIN" : "BEGIN EXCLUSIVE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite has already ended the transaction after some errors, such as a full disk.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Removes the prepared statements, because they are invalid after a change of the tables.
  package func forgetStatements() { statements = [:] }
}
