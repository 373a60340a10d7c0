import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The description of the tables of an app's store for a new scenario: the key of each table, from its schema or its rows.
struct GuessedTables {
  /// The value of `tables:`.
  private(set) var value = JSONObject()
  /// The reason for each guess that the rows do not support, by table.
  private(set) var comments: [String: String] = [:]

  init(_ dump: TableDump) {
    for table in dump.tables {
      let name = table.name.rawValue
      let key: [PropertyName]
      if let schema = table.schema {
        key = schema.key
      } else if table.rows.isEmpty {
        key = ["id"]
        comments[name] = "guessed: the table has no rows"
      } else {
        key = Self.key(of: table)
        if key.isEmpty { comments[name] = "guessed: no column is different in all rows" }
      }
      value[name] =
        switch key.count {
        case 0: "none"
        case 1: .string(key[0].rawValue)
        default: .array(key.map { .string($0.rawValue) })
        }
    }
  }

  /// Returns the columns that identify the rows of a table; empty if there are none.
  private static func key(of table: TableDump.Table) -> [PropertyName] {
    let columns = table.columns
    let usual = ["id", "uuid", "guid", "_id", "\(table.name)_id", "\(table.name)Id", "key", "slug", "name"]
    let single = usual.compactMap { name in columns.first { $0.rawValue.lowercased() == name.lowercased() } }
    if let column = single.first(where: { isUnique([$0], in: table) }) { return [column] }
    // The rows of a join table have the keys of two others.
    let references = columns.filter { $0.rawValue.hasSuffix("_id") || $0.rawValue.hasSuffix("Id") }
    for candidate in [references, columns] where candidate.count > 1 && isUnique(candidate, in: table) {
      return candidate
    }
    return []
  }

  private static func isUnique(_ columns: [PropertyName], in table: TableDump.Table) -> Bool {
    var seen: Set<[JSONValue]> = []
    return table.rows.allSatisfy { row in
      let values = columns.map { row[$0.rawValue] ?? .null }
      return !values.contains(.null) && seen.insert(values).inserted
    }
  }
}
