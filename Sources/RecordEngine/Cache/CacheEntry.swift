/// The data that the cache stores for one response.
struct CacheEntry: Hashable, Sendable {
  var response: CachedResponse
  /// The records in the order of the response.
  var records: [RecordID]
  /// The number of saves of the store at a time when it contained all of these records.
  var saves: Int64
  /// The diagnostics of the response.
  var noticed = CachedDiagnostics()
  /// The response object as JSON text: the whole object, or an object that contains only its metadata. Empty if the
  /// response has no body, or no value at the key path for metadata.
  var body: [UInt8]
}
