/// What the cache keeps of one response.
struct CacheEntry: Hashable, Sendable {
  var response: CachedResponse
  /// The records of the response, in its order.
  var records: [RecordID]
  /// How many saves the store had seen when it had all of them.
  var saves: Int64
  var noticed = CachedDiagnostics()
  /// The response object, as JSON text: the whole of it, or an object that has nothing but its metadata. Empty where the
  /// response had no body.
  var body: [UInt8]
}
