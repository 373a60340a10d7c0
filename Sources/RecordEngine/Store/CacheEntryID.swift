/// The identifier of an entry of a record cache. Entries of different caches can have the same identifier.
package struct CacheEntryID: Hashable, Sendable {
  /// The number of files that the cache had used before the file that contains the entry.
  let file: Int
  /// The identifier of the entry within this file, which is never reused.
  let entry: Int64
}
