/// What a lookup finds of an entry: all but its body, which may be large and is seldom needed.
struct CacheRow: Hashable, Sendable {
  /// No other entry ever has the same in one file.
  var id: Int64
  /// Which of the files that a cache has had it was found in.
  var file = 0
  var response: CachedResponse
  /// The records of the response, in its order.
  var records: [RecordID]
  /// How many saves the store had seen when it had all of them.
  var saves: Int64
  var noticed = CachedDiagnostics()
}
