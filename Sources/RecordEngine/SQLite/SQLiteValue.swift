/// A value that is bound to a parameter of a statement.
package enum SQLiteValue {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
  /// The rows of `"$list"(?)`.
  case list(SQLiteList)
  /// The condition of `holds(?, …)`.
  case condition(SQLiteCondition)
}
