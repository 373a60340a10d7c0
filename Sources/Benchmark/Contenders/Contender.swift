/// One way to store the feed in a database file.
protocol Contender {
  /// Opens a file, or creates it with its tables.
  init(path: String) throws

  /// Stores a whole response in one transaction.
  mutating func importResponse(_ bytes: [UInt8]) async throws

  /// Returns the number of rows inserted, updated and deleted since the file was opened.
  func changedRows() throws -> Int

  /// Reads all columns of the posts in a language, and returns the number of posts.
  func fetch(language: String) async throws -> Int

  func close() throws

  /// Returns the digest of a closed file.
  static func digest(path: String) throws -> GraphDigest
}

/// An error for stored data that is wrong or cannot be stored.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// The SQLite settings of all contenders, which are those of the engine: the write-ahead log, no wait for the disk at
/// each commit, exclusive access by one process, and space for the pages of a large transaction.
let connectionSettings = """
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;
  PRAGMA secure_delete = OFF;
  PRAGMA foreign_keys = OFF;
  """
