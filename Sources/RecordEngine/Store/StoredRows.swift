/// Rows as they were in a store after a certain number of saves.
struct StoredRows: Sendable {
  var rows: [Row]
  var saves: Int64
  /// The number of saves before the save that wrote the rows.
  var savesBefore: Int64

  /// Returns a Boolean value that indicates whether nothing has been saved since, so that the rows need not be read
  /// again.
  func areCurrent(_ generation: StoreGeneration) -> Bool { generation.saves == saves }
}
