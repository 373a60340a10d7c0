/// The data of an entry that a lookup returns. The body is not part of it, because it may be large and is seldom
/// needed.
struct CacheRow: Hashable, Sendable {
  /// The identifier of the entry, which is never reused within a file.
  var id: Int64
  /// The number of files that the cache had used before the file that contains the entry.
  var file = 0
  var entryID: CacheEntryID { CacheEntryID(file: file, entry: id) }
  var response: CachedResponse
  /// The records in the order of the response.
  var records: [RecordID]
  /// The number of saves of the store at a time when it contained all of these records.
  var saves: Int64
  /// The diagnostics of the response.
  var noticed = CachedDiagnostics()
}
