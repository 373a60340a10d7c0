import Foundation
import JSONTree
import RecordEngine
import RecordModel
package import ScenarioComparison
import ScenarioFormat

/// The reader of a dump that is an SQLite file. Its schema has the key of each table, and the references.
///
/// Text and numbers become the same JSON values, and data becomes text in Base64. The internal tables of SQLite, GRDB, Room and
/// Android are left out, and so are the tables of full-text search.
package enum SQLiteDump {
  private static let internalTables = ["grdb_migrations", "room_master_table", "android_metadata"]

  /// Reads all rows of all tables.
  ///
  /// - Complexity: linear in the size of the file.
  package static func read(_ path: String) throws(Breakage) -> TableDump {
    guard FileManager.default.fileExists(atPath: path) else {
      throw Breakage(
        "the dump is '\(path)', and there is no such file", advice: "return the full path of the store's file"
      )
    }
    do {
      let connection = try SQLiteConnection(path: path, mayCreate: false, listWidth: 1)
      // The app may still be writing for a moment.
      try connection.run("PRAGMA busy_timeout = 2000")
      var tables: [TableDump.Table] = []
      var foreignKeys: [ForeignKey] = []
      try connection.transaction(isDeferred: true) { () throws(SQLiteError) in
        for name in try names(connection) {
          tables.append(try table(name, connection))
          foreignKeys += try self.foreignKeys(of: name, connection)
        }
      }
      return TableDump(tables.withReferences(foreignKeys))
    } catch {
      throw Breakage(
        "the dump '\(path)' cannot be read: \(error.message)",
        advice: "return the path of an SQLite file, or the rows under 'tables'")
    }
  }

  private static func names(_ connection: SQLiteConnection) throws(SQLiteError) -> [String] {
    var names: [String] = []
    try connection.query(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name"
    ) { names.append($0.text(0)) }
    return names.filter { !$0.hasPrefix("sqlite_") && !internalTables.contains($0) }
  }

  private static func table(
    _ name: String, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> TableDump.Table {
    var columns: [PropertyName] = []
    var key: [(position: Int64, column: PropertyName)] = []
    // Generated columns included, hidden columns of virtual tables not.
    try connection.query(
      "SELECT name, pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid", [.text(name)]
    ) { row in
      columns.append(PropertyName(row.text(0)))
      if row.integer(1) > 0 { key.append((row.integer(1), PropertyName(row.text(0)))) }
    }
    var rule = TableRule(EntityName(name))
    rule.key = key.sorted { $0.position < $1.position }.map(\.column)
    var rows: [JSONObject] = []
    let list = columns.map { quoted($0.rawValue) }.joined(separator: ", ")
    try connection.query("SELECT \(list) FROM \(quoted(name))") { row in
      rows.append(
        JSONObject(columns.enumerated().map { ($1.rawValue, value(Int32($0), of: row)) }))
    }
    return TableDump.Table(EntityName(name), columns: columns, rows: rows, schema: rule)
  }

  private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }

  /// Returns the references of single columns of a table. One of several columns has several rows with the same id.
  private static func foreignKeys(
    of name: String, _ connection: SQLiteConnection
  ) throws(SQLiteError) -> [ForeignKey] {
    var keys: [ForeignKey] = []
    try connection.query(
      """
      SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)
      GROUP BY id HAVING count(*) = 1 ORDER BY id
      """, [.text(name)]
    ) { row in
      keys.append(
        ForeignKey(
          table: EntityName(name), column: PropertyName(row.text(0)), destination: EntityName(row.text(1)),
          target: row.kind(2) == .null ? nil : PropertyName(row.text(2))))
    }
    return keys
  }

  private static func value(_ column: Int32, of row: SQLiteRow) -> JSONValue {
    switch row.kind(column) {
    case .null: .null
    case .integer: .number(JSONNumber(row.integer(column)))
    case .double: JSONNumber(row.double(column)).map(JSONValue.number) ?? .string("\(row.double(column))")
    case .text: .string(row.text(column))
    case .blob: .string(row.data(column).base64EncodedString())
    }
  }
}

/// A reference of one column in a schema.
private struct ForeignKey {
  let table: EntityName
  let column: PropertyName
  let destination: EntityName
  /// The column that it refers to; nil for the primary key.
  let target: PropertyName?
}

extension [TableDump.Table] {
  /// Returns the tables with the references that lead to the only column of a primary key. Others are compared as values.
  fileprivate func withReferences(_ foreignKeys: [ForeignKey]) -> [TableDump.Table] {
    let keys = Dictionary(
      map { ($0.name, $0.schema?.key ?? []) }, uniquingKeysWith: { first, _ in first })
    var tables = self
    for foreign in foreignKeys {
      let key = keys[foreign.destination] ?? []
      guard key.count == 1, foreign.target == nil || foreign.target == key[0],
        let index = tables.firstIndex(where: { $0.name == foreign.table })
      else { continue }
      tables[index].schema?.references[foreign.column] = foreign.destination
    }
    return tables
  }
}
