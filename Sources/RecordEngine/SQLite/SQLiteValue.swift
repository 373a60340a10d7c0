/// What is bound to a parameter of a statement.
package enum SQLiteValue {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
  /// Rows for `"$list"(?)`.
  case list(SQLiteList)
  /// What `holds(?, …)` asks.
  case condition(SQLiteCondition)
}
