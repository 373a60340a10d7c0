import CSQLite
package import Foundation

/// A condition that SQL cannot state and asks the engine for: `holds(?3, t0."text")`, where the condition is bound to
/// `?3`.
package final class SQLiteCondition {
  let holds: (SQLiteArguments) -> Bool

  package init(_ holds: @escaping (_ arguments: SQLiteArguments) -> Bool) { self.holds = holds }
}

/// The values that a condition is asked about, from 0.
package struct SQLiteArguments {
  fileprivate let values: UnsafeMutablePointer<OpaquePointer?>?

  package func kind(_ index: Int) -> SQLiteRow.Kind {
    switch sqlite3_value_type(value(index)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .double
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package func integer(_ index: Int) -> Int64 { sqlite3_value_int64(value(index)) }

  package func double(_ index: Int) -> Double { sqlite3_value_double(value(index)) }

  package func text(_ index: Int) -> String {
    guard let bytes = sqlite3_value_text(value(index)) else { return "" }
    let count = Int(sqlite3_value_bytes(value(index)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  package func data(_ index: Int) -> Data {
    guard let bytes = sqlite3_value_blob(value(index)) else { return Data() }
    return Data(bytes: bytes, count: Int(sqlite3_value_bytes(value(index))))
  }

  /// The condition itself stands before them.
  private func value(_ index: Int) -> OpaquePointer? { values?[index + 1] }
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
        let holds = Unmanaged<SQLiteCondition>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
          $0.holds(SQLiteArguments(values: values))
        }
        sqlite3_result_int(context, holds ? 1 : 0)
      }, nil, nil, nil)
  }
}
