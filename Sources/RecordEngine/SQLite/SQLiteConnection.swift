import RecordEngineSQLite

/// An open database file. It is used by one thread at a time.
package final class SQLiteConnection {
  private let handle: OpaquePointer
  /// Prepared statements by their text.
  private var statements: [String: SQLiteStatement] = [:]
  /// How many statements are kept: those of a schema, and the fetches of an app.
  private let greatestStatementCount = 500

  /// How many statements of each kind were run.
  package private(set) var statementCounts: [SQLiteStatementKind: Int] = [:]

  /// Opens a file, and makes it where it is missing and may be made. Nobody waits for somebody else who has the file.
  ///
  /// - Parameters:
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
    sqlite3_extended_result_codes(handle, 1)
    // A file says nothing that is run: no functions of a damaged schema, no writing to the schema itself.
    _ = csqlite_set(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_set(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    code = SQLiteList.register(handle, width: listWidth)
    if code == SQLITE_OK { code = SQLiteCondition.register(handle) }
    guard code == SQLITE_OK else { throw SQLiteError(code, handle, "") }
  }

  deinit {
    // Statements have to go before the file is closed for good.
    statements = [:]
    sqlite3_close_v2(handle)
  }

  package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// How many rows were inserted, updated and deleted since the file was opened.
  package var totalChanges: Int { Int(sqlite3_total_changes(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
}

// MARK: - The file itself

extension SQLiteConnection {
  /// The first bytes of the file, as they are: no lock is taken, and nothing is repaired. They are fewer where the file
  /// is shorter.
  ///
  /// The file is read through SQLite's own handle of it. The locks of a file belong to the process, and go when the
  /// process closes any handle of it; SQLite puts off closing its own while it has a lock.
  package func header(count: Int) throws(SQLiteError) -> [UInt8] {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods,
      let readSize = methods.pointee.xFileSize, let read = methods.pointee.xRead
    else { throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file cannot be read") }
    var size: Int64 = 0
    code = readSize(file, &size)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the file has no size") }
    // SQLite takes a single byte for nothing.
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
  /// Takes the file for this connection alone, whatever is in it, so that it can be removed: nothing is read, and closing
  /// the connection writes and removes nothing, because another file may be in the place of this one by then.
  func giveUpFile() throws(SQLiteError) {
    _ = csqlite_set(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file, let lock = file.pointee.pMethods?.pointee.xLock else {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "the file cannot be locked")
    }
    // Who reads in write-ahead logging shares the file, too.
    for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
      let code = lock(file, level)
      guard code == SQLITE_OK else { throw SQLiteError(code: code, message: "the file cannot be locked") }
    }
  }

  /// Lets go of a file that has moved: closing the connection writes and removes nothing.
  func leaveFile() {
    // Its log may have stayed where it was, and whoever opens the file that is there now would take it for that one's. An
    // empty one says nothing. If it cannot be emptied nothing else can be done about it: it may be the other one's by now.
    try? run("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = csqlite_set(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Whether the file is no more where it was opened.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved) == SQLITE_OK
      && hasMoved != 0
  }

  /// Turns write-ahead logging on, and answers the journal mode that the file has now: `wal`, unless its disk cannot.
  ///
  /// With it a transaction writes what it changes once, in order, and a reader of the old finds it whole.
  func logWrites() throws(SQLiteError) -> String {
    var mode = ""
    try query("PRAGMA journal_mode = WAL") { mode = $0.text(0) }
    return mode
  }

  /// The number that a statement answers.
  func integer(_ sql: String) throws(SQLiteError) -> Int64 {
    var result: Int64 = 0
    try query(sql) { result = $0.integer(0) }
    return result
  }
}

// MARK: - Running

extension SQLiteConnection {
  /// Runs a statement whose rows, if it has any, nobody needs.
  package func run(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
    try query(sql, values) { _ in }
  }

  /// Runs a statement, and calls `body` for every row.
  package func query(
    _ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    statementCounts[statement.kind, default: 0] += 1
    try statement.run(values, body)
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    if let known = statements[sql], !known.isRunning { return known }
    if statements.count >= greatestStatementCount { statements = statements.filter { $0.value.isRunning } }
    let statement = try SQLiteStatement(handle, sql)
    statements[sql] = statement
    return statement
  }

  /// Does all of `body` or nothing.
  ///
  /// - Parameter isDeferred: whether SQLite locks the file and writes its first page only with the first change of `body`.
  package func transaction(
    isDeferred: Bool = false, _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    // Exclusive: nobody else may be reading what is made of an empty file. Where the file is held anyway, it is the same
    // as immediate.
    try run(isDeferred ? "BEGIN" : "BEGIN EXCLUSIVE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // SQLite itself has ended the transaction after some errors, such as a full disk.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Prepared statements are of no use after the tables have changed.
  package func forgetStatements() { statements = [:] }
}
