/// Records that were in the store when it had seen so many saves, in an order of their own.
struct StoredRecords: Hashable, Sendable {
  var ids: [RecordID]
  var saves: Int64

  /// Whether all of them are there still; false if nobody knows without asking for them.
  func areThere(_ generation: StoreGeneration) -> Bool { generation.lastDeletion <= saves }
}
