import RecordEngineSQLite

/// Rows of the engine that SQL reads as a table, so that one statement can process any number of records.
///
/// `SELECT … FROM "$list"(?1) AS l CROSS JOIN "Post" AS t ON t."$id" = l.c0` joins each row of the list that is bound
/// to `?1`. `l.rowid` is the zero-based index of the row, and `c0`, `c1`, … are its cells. Rows are returned in their
/// order.
///
/// A table with the same name would hide the list. No name in a model contains `$`, so there is no such table.
package final class SQLiteList {
  package let count: Int
  /// Writes one cell. A cell that is not written is NULL.
  let write: (_ row: Int, _ column: Int, _ cell: SQLiteCell) -> Void

  package init(count: Int, write: @escaping (_ row: Int, _ column: Int, _ cell: SQLiteCell) -> Void) {
    self.count = count
    self.write = write
  }

  /// Creates a list of numbers in the column `c0`.
  package convenience init(_ numbers: [Int64]) {
    self.init(count: numbers.count) { row, _, cell in cell.set(numbers[row]) }
  }
}

/// A cell of a list, which passes one value to SQLite.
package struct SQLiteCell {
  fileprivate let context: OpaquePointer?

  package func set(_ value: Int64) { sqlite3_result_int64(context, value) }

  package func set(_ value: Bool) { sqlite3_result_int(context, value ? 1 : 0) }

  /// Sets a number. NaN fails the statement, because SQLite would store NULL instead.
  package func set(_ value: Double) {
    if value.isNaN { return fail("a value is not a number") }
    sqlite3_result_double(context, value)
  }

  package func set(_ value: String) {
    var value = value
    value.withUTF8 { bytes in
      guard let start = bytes.baseAddress else {
        return sqlite3_result_text(context, "", 0, csqlite_static())
      }
      start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
        sqlite3_result_text64(
          context, $0, UInt64(bytes.count), csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  package func set(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return sqlite3_result_zeroblob(context, 0) }
    sqlite3_result_blob64(context, start, UInt64(bytes.count), csqlite_transient())
  }

  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
}

// MARK: - The table-valued function

extension SQLiteList {
  /// The type of the bound pointer, which prevents other pointers from being used as lists.
  static let pointerType: StaticString = "RecordEngine.list"

  /// The value of ``pointerType`` as a C string.
  static var pointerTypeName: UnsafePointer<CChar> {
    UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Registers `"$list"(…)` with a connection, with `width` columns.
  static func register(_ connection: OpaquePointer, width: Int) -> Int32 {
    sqlite3_create_module_v2(
      connection, "$list", module, UnsafeMutableRawPointer(bitPattern: max(width, 1)), nil)
  }

  private struct Table {
    /// The part of SQLite, which must come first.
    var base = sqlite3_vtab()
    var width: Int32
  }

  private struct Cursor {
    /// The part of SQLite, which must come first.
    var base = sqlite3_vtab_cursor()
    // Unretained, because the caller of the statement retains the list until the statement is reset.
    var list: Unmanaged<SQLiteList>?
    var row = 0
    var count = 0
  }

  // Unsafe: written once, before the first read. SQLite only reads it.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    var callbacks = sqlite3_module()
    // Without xCreate, the table exists in every connection without CREATE VIRTUAL TABLE, and is not stored in the
    // file.
    callbacks.xConnect = { connection, width, _, _, table, _ in
      let width = Int(bitPattern: width)
      let columns = (0..<width).map { "c\($0)" }.joined(separator: ",")
      let code = sqlite3_declare_vtab(connection, "CREATE TABLE list(\(columns), list HIDDEN)")
      guard code == SQLITE_OK else { return code }
      let new = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      new.initialize(to: Table(width: Int32(width)))
      table?.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    callbacks.xDisconnect = { table in
      UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self).deallocate()
      return SQLITE_OK
    }
    callbacks.xBestIndex = { table, plan in
      guard let plan, let table = UnsafeRawPointer(table)?.assumingMemoryBound(to: Table.self) else {
        return SQLITE_ERROR
      }
      for index in 0..<Int(plan.pointee.nConstraint) {
        let constraint = plan.pointee.aConstraint[index]
        guard constraint.iColumn == table.pointee.width, constraint.op == UInt8(SQLITE_INDEX_CONSTRAINT_EQ)
        else { continue }
        // Reject plans in which the list is not available in time.
        guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
        plan.pointee.aConstraintUsage[index].argvIndex = 1
        plan.pointee.aConstraintUsage[index].omit = 1
      }
      plan.pointee.estimatedCost = 100
      plan.pointee.estimatedRows = 100
      if plan.pointee.nOrderBy == 1, plan.pointee.aOrderBy[0].iColumn == -1,
        plan.pointee.aOrderBy[0].desc == 0
      {
        plan.pointee.orderByConsumed = 1
      }
      return SQLITE_OK
    }
    callbacks.xOpen = { _, cursor in
      let new = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      new.initialize(to: Cursor())
      cursor?.pointee = UnsafeMutableRawPointer(new).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    callbacks.xClose = { cursor in
      SQLiteList.cursor(cursor)?.deallocate()
      return SQLITE_OK
    }
    callbacks.xFilter = { cursor, _, _, count, values in
      guard let cursor = SQLiteList.cursor(cursor) else { return SQLITE_ERROR }
      let pointer = count == 1 ? sqlite3_value_pointer(values?[0], SQLiteList.pointerTypeName) : nil
      let list = pointer.map { Unmanaged<SQLiteList>.fromOpaque($0) }
      cursor.pointee.list = list
      cursor.pointee.row = 0
      cursor.pointee.count = list?._withUnsafeGuaranteedRef { $0.count } ?? 0
      return SQLITE_OK
    }
    callbacks.xNext = { cursor in
      SQLiteList.cursor(cursor)?.pointee.row += 1
      return SQLITE_OK
    }
    callbacks.xEof = { cursor in
      guard let cursor = SQLiteList.cursor(cursor) else { return 1 }
      return cursor.pointee.row < cursor.pointee.count ? 0 : 1
    }
    callbacks.xColumn = { cursor, context, column in
      guard let cursor = SQLiteList.cursor(cursor), let list = cursor.pointee.list else { return SQLITE_OK }
      let row = cursor.pointee.row
      list._withUnsafeGuaranteedRef { $0.write(row, Int(column), SQLiteCell(context: context)) }
      return SQLITE_OK
    }
    callbacks.xRowid = { cursor, row in
      row?.pointee = Int64(SQLiteList.cursor(cursor)?.pointee.row ?? 0)
      return SQLITE_OK
    }
    module.initialize(to: callbacks)
    return UnsafePointer(module)
  }()

  private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> UnsafeMutablePointer<
    Cursor
  >? {
    UnsafeMutableRawPointer(base)?.assumingMemoryBound(to: Cursor.self)
  }
}
