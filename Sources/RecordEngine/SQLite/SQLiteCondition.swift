import RecordEngineSQLite

/// A condition that SQL cannot state and asks the engine for: `holds(?3, t0."text")`, where the condition is bound to
/// `?3`.
package final class SQLiteCondition {
  /// An error fails the statement.
  let holds: (SQLiteArguments) throws(SQLiteError) -> Bool

  package init(_ holds: @escaping (_ arguments: SQLiteArguments) throws(SQLiteError) -> Bool) {
    self.holds = holds
  }
}

/// The values that a condition is asked about.
package struct SQLiteArguments: SQLiteCells {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?

  package func kind(_ column: Int32) -> SQLiteKind {
    switch sqlite3_value_type(value(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .double
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package func integer(_ column: Int32) -> Int64 { sqlite3_value_int64(value(column)) }

  package func double(_ column: Int32) -> Double { sqlite3_value_double(value(column)) }

  package func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_value_text(value(column)) else { return "" }
    let count = Int(sqlite3_value_bytes(value(column)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = sqlite3_value_blob(value(column))
    let count = Int(sqlite3_value_bytes(value(column)))
    return body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// The condition itself stands before them.
  private func value(_ column: Int32) -> OpaquePointer? { values?[Int(column) + 1] }
}

extension SQLiteCondition {
  /// What a bound pointer has to be said to be, so that no other pointer is taken for a condition.
  private static let pointerType: StaticString = "RecordEngine.condition"

  /// The type of `pointerType` as C has it.
  static var pointerTypeName: UnsafePointer<CChar> {
    UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Makes `holds(…)` known to a connection. It cannot be called from a schema.
  static func register(_ connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, "holds", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard count > 0,
          let pointer = sqlite3_value_pointer(values?[0], SQLiteCondition.pointerTypeName)
        else { return sqlite3_result_error(context, "holds() is asked without a condition", -1) }
        // Unretained: whoever runs the statement keeps the condition until it is reset.
        let condition = Unmanaged<SQLiteCondition>.fromOpaque(pointer).takeUnretainedValue()
        do throws(SQLiteError) {
          sqlite3_result_int(context, try condition.holds(SQLiteArguments(values: values)) ? 1 : 0)
        } catch {
          sqlite3_result_error(context, error.message, -1)
          sqlite3_result_error_code(context, error.extendedCode)
        }
      }, nil, nil, nil)
  }
}
