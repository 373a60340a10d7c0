import RecordModel

/// The tables of an app's own store.
extension FormatMapping {
  package static let table = FormatMapping(
    "table", of: "a table",
    [
      .optional(
        "key", .either([.string, .strings]),
        default: "that of an SQLite schema, with its references; `none` for other dumps",
        "The column of the key, or a list of columns. Rows without a key are labeled by their content."),
      .optional(
        "id", .string,
        "The column with ids that the store assigns. They can differ from run to run, so they are not compared."
      ),
      .optional(
        "references", .entries(.string, of: .any),
        "The tables that columns refer to. The values of these columns are replaced by the labels of the rows."
      ),
      .optional("ignore", .strings, "The columns that are not compared."),
      .optional(
        "types", .entries(.choice(ColumnType.self), of: .any),
        "The meaning of columns that clients store in different forms."),
    ])

  /// The value of `tables`: for each table its key column, its key columns, `none`, `ignore`, or a mapping.
  static let tables = FormatValue.entries(
    .either([.string, .list(.string, isEmptyAllowed: false), .mapping(.table)]), of: .any)

  /// The keys of a scenario that only the engine understands.
  static let engineKeys = [
    "covers", "model", "customize", "servers", "sessionTimeout", "paging", "cache", "store", "defaults",
    "options",
  ]

  /// The keys of an expectation that an app's own store answers.
  static let rowKeys = ["graph", "failure", "inserted", "updated", "deleted", "requests"]

  static let expectationOfCall = expectation.named(
    "expectationOfCall", without: expectation.keyNames.filter { !rowKeys.contains($0) })
}
