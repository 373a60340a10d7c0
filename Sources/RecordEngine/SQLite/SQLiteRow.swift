package import Foundation
import RecordEngineSQLite

/// Values of SQLite, by zero-based column.
package protocol SQLiteCells {
  func kind(_ column: Int32) -> SQLiteKind
  func integer(_ column: Int32) -> Int64
  func double(_ column: Int32) -> Double
  func text(_ column: Int32) -> String
  /// Calls `body` with the bytes of a text or blob, without copying them.
  func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

package enum SQLiteKind { case null, integer, double, text, blob }

extension SQLiteCells {
  package func data(_ column: Int32) -> Data { withBytes(column) { Data($0) } }
}

/// The current row of a statement. It becomes invalid when the statement advances.
package struct SQLiteRow: SQLiteCells {
  let statement: OpaquePointer

  package func kind(_ column: Int32) -> SQLiteKind {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .double
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  package func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_column_blob(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
