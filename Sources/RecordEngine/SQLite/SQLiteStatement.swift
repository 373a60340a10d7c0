import RecordEngineSQLite

/// A prepared statement, which can be run many times.
final class SQLiteStatement {
  let kind: SQLiteStatementKind
  private let connection: OpaquePointer
  private let handle: OpaquePointer
  /// A Boolean value that indicates whether the statement is running. It cannot be run again meanwhile.
  private(set) var isRunning = false

  init(_ connection: OpaquePointer, _ sql: String) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code, connection, sql) }
    guard let handle else { throw SQLiteError(code: SQLITE_MISUSE, message: "an empty statement") }
    self.handle = handle
    self.connection = connection
    kind = SQLiteStatementKind(sql)
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs the statement to the end, and calls `body` for each row.
  func run(_ values: [SQLiteValue], _ body: (SQLiteRow) throws(SQLiteError) -> Void) throws(SQLiteError) {
    isRunning = true
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
      isRunning = false
    }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    // The lists and conditions must live until the statement is reset.
    try withExtendedLifetime(values) { () throws(SQLiteError) in
      let row = SQLiteRow(statement: handle)
      while true {
        let code = sqlite3_step(handle)
        if code == SQLITE_DONE { return }
        guard code == SQLITE_ROW else { throw error(code) }
        try body(row)
      }
    }
  }

  private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(handle, index)
    case .integer(let value): code = sqlite3_bind_int64(handle, index, value)
    case .double(let value): code = sqlite3_bind_double(handle, index, value)
    case .text(var value):
      code = value.withUTF8 { bytes in
        guard let start = bytes.baseAddress else {
          return sqlite3_bind_text(handle, index, "", 0, csqlite_static())
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            handle, index, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      code =
        bytes.isEmpty
        ? sqlite3_bind_zeroblob(handle, index, 0)
        : sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), csqlite_transient())
    case .list(let list):
      code = sqlite3_bind_pointer(
        handle, index, Unmanaged.passUnretained(list).toOpaque(), SQLiteList.pointerTypeName, nil)
    case .condition(let condition):
      code = sqlite3_bind_pointer(
        handle, index, Unmanaged.passUnretained(condition).toOpaque(), SQLiteCondition.pointerTypeName, nil)
    }
    guard code == SQLITE_OK else { throw error(code) }
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code, connection, sqlite3_sql(handle).map { String(cString: $0) } ?? "")
  }
}

extension SQLiteError {
  init(_ code: Int32, _ connection: OpaquePointer?, _ sql: String) {
    let extended = sqlite3_extended_errcode(connection)
    let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
    self.init(
      code: extended & 0xFF == code & 0xFF ? extended : code,
      message: sql.isEmpty || code & 0xFF != SQLITE_ERROR ? message : "\(message), in: \(sql)",
      systemCode: code & 0xFF == SQLITE_IOERR ? Self.systemCode(connection) : 0)
  }

  /// Returns the last error code of the system for the file or its log.
  private static func systemCode(_ connection: OpaquePointer?) -> Int32 {
    for operation in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      var code: Int32 = 0
      if sqlite3_file_control(connection, "main", operation, &file) == SQLITE_OK, let file,
        let ask = file.pointee.pMethods?.pointee.xFileControl,
        ask(file, SQLITE_FCNTL_LAST_ERRNO, &code) == SQLITE_OK, code != 0
      {
        return code
      }
    }
    return sqlite3_system_errno(connection)
  }
}

/// The kind of a statement, for counting.
package enum SQLiteStatementKind: String, Hashable, Sendable, CaseIterable {
  case select, insert, update, delete, other

  init(_ sql: String) {
    let word = sql.prefix { $0 != " " }.lowercased()
    self = SQLiteStatementKind(rawValue: word) ?? .other
  }
}
