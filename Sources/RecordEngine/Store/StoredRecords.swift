/// Records that existed in a store after a certain number of saves, in any order.
struct StoredRecords: Hashable, Sendable {
  var ids: [RecordID]
  var saves: Int64

  /// Returns true if all records are known to exist still; false if this requires reading them.
  func allExist(at generation: StoreGeneration) -> Bool { generation.lastDeletion <= saves }
}
