import RecordEngineSQLite

/// A connection to SQLite without additions.
final class RawDatabase {
  private let connection: OpaquePointer

  init(path: String) throws {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
    guard let connection, code == SQLITE_OK else {
      sqlite3_close(connection)
      throw BenchmarkFailure("\(path): \(String(cString: sqlite3_errstr(code)))")
    }
    self.connection = connection
  }

  /// Closes the connection. All prepared statements must be finalized before.
  func close() throws { try check(sqlite3_close(connection)) }

  func execute(_ sql: String) throws { try check(sqlite3_exec(connection, sql, nil, nil, nil)) }

  func prepare(_ sql: String) throws -> RawStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw BenchmarkFailure("no statement: \(sql)") }
    return RawStatement(statement)
  }

  var totalChanges: Int { Int(sqlite3_total_changes64(connection)) }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
    }
  }
}

/// A prepared statement. Columns are numbered from 0 and parameters from 1, as in SQLite.
struct RawStatement {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  func finalize() { sqlite3_finalize(pointer) }

  func bind(_ value: Int64, at parameter: Int32) { sqlite3_bind_int64(pointer, parameter, value) }

  func bind(_ value: Double, at parameter: Int32) { sqlite3_bind_double(pointer, parameter, value) }

  func bindNull(at parameter: Int32) { sqlite3_bind_null(pointer, parameter) }

  /// Binds bytes without a copy. They must stay valid until the statement is reset.
  func bind(_ text: UnsafeBufferPointer<UInt8>, at parameter: Int32) {
    text.withMemoryRebound(to: CChar.self) { text in
      _ = sqlite3_bind_text(pointer, parameter, text.baseAddress, Int32(text.count), nil)
    }
  }

  /// Binds a copy of the bytes.
  func bind(copy text: [UInt8], at parameter: Int32) {
    text.withUnsafeBytes { text in
      _ = sqlite3_bind_text(
        pointer, parameter, text.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(text.count),
        csqlite_transient())
    }
  }

  /// Steps to the next row. Returns whether there is one.
  func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw BenchmarkFailure("SQLite: \(String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer))))")
    }
  }

  func reset() { sqlite3_reset(pointer) }

  /// Steps a statement that returns no rows, and resets it.
  func run() throws {
    _ = try step()
    reset()
  }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }
  func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  /// Returns the text of a column, which is valid until the next step.
  func text(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: sqlite3_column_text(pointer, column), count: Int(sqlite3_column_bytes(pointer, column)))
  }
}

extension RawDatabase {
  /// Returns the digest of a file. Runs one query for each table, which selects the columns of ``FeedTable`` in their
  /// order.
  static func digest(path: String, queries: [FeedTable: String]) throws -> GraphDigest {
    let database = try RawDatabase(path: path)
    var digest = GraphDigest()
    for table in FeedTable.allCases {
      guard let query = queries[table] else { continue }
      let statement = try database.prepare(query)
      defer { statement.finalize() }
      while try statement.step() {
        var row = RowDigest()
        for (position, column) in table.columns.enumerated() {
          let index = Int32(position)
          let isNull = statement.isNull(index)
          switch column.kind {
          case .integer: row.append(isNull ? nil : statement.integer(index))
          case .double: row.append(isNull ? nil : statement.double(index))
          case .text: row.append(isNull ? nil : String(decoding: statement.text(index), as: UTF8.self))
          }
        }
        digest.add(row, to: table)
      }
    }
    try database.close()
    return digest
  }
}
