import RecordEngineSQLite

/// A condition that SQL cannot express and that calls the engine: `holds(?3, t0."text")`, with the condition bound to
/// `?3`.
package final class SQLiteCondition {
  /// The function that evaluates the condition. An error fails the statement.
  let holds: (SQLiteArguments) throws(SQLiteError) -> Bool

  package init(_ holds: @escaping (_ arguments: SQLiteArguments) throws(SQLiteError) -> Bool) {
    self.holds = holds
  }
}

/// The arguments of a condition.
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

  /// Returns an argument. The first argument of the function is the condition.
  private func value(_ column: Int32) -> OpaquePointer? { values?[Int(column) + 1] }
}

extension SQLiteCondition {
  /// The type of the bound pointer, which prevents other pointers from being used as conditions.
  private static let pointerType: StaticString = "RecordEngine.condition"

  /// The value of ``pointerType`` as a C string.
  static var pointerTypeName: UnsafePointer<CChar> {
    UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Registers `holds(…)` with a connection. The function cannot be called from a schema.
  static func register(_ connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, "holds", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard count > 0,
          let pointer = sqlite3_value_pointer(values?[0], SQLiteCondition.pointerTypeName)
        else { return sqlite3_result_error(context, "holds() was called without a condition", -1) }
        // Unretained, because the caller of the statement retains the condition until the statement is reset.
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
