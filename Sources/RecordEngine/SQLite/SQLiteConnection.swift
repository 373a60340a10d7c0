import CSQLite

/// An open database file. It is used by one thread at a time.
package final class SQLiteConnection {
  private let handle: OpaquePointer
  /// Prepared statements by their text.
  private var statements: [String: SQLiteStatement] = [:]
  /// How many statements are kept: those of a schema, and the fetches of an app.
  private let greatestStatementCount = 500

  /// How many statements of each kind were run.
  package private(set) var statementCounts: [SQLiteStatementKind: Int] = [:]

  /// Opens a file, and makes it where it is missing and may be made.
  ///
  /// - Parameters:
  ///   - listWidth: the number of columns of `list(…)`.
  ///   - patience: how long to wait for somebody else who has the file, in milliseconds.
  package init(path: String, mayCreate: Bool, listWidth: Int, patience: Int32) throws(SQLiteError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mayCreate ? SQLITE_OPEN_CREATE : 0)
    var code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      defer { sqlite3_close_v2(handle) }
      throw SQLiteError(code, handle, "")
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience)
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

  /// How many rows the last statement changed.
  package var changes: Int { Int(sqlite3_changes(handle)) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
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
  package func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try run("BEGIN IMMEDIATE")
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
