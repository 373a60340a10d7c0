/// Rows as a store had them when it had seen so many saves.
struct StoredRows: Sendable {
  var rows: [Row]
  var saves: Int64
  /// How many it had seen before the one that these are of.
  var savesBefore: Int64

  /// Whether nothing has been saved since, so that nobody has to read them again.
  func areCurrent(_ generation: StoreGeneration) -> Bool { generation.saves == saves }
}
