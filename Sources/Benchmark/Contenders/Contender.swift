/// One way to keep the feed in a database file.
protocol Contender {
  /// Opens a file, or makes it with its tables.
  init(path: String) throws

  /// Stores a whole response, all of it or nothing.
  mutating func importResponse(_ bytes: [UInt8]) async throws

  /// The rows inserted, updated and deleted since the file was opened.
  func changedRows() throws -> Int

  /// Reads all columns of the posts in a language, and answers how many posts there are.
  func fetch(language: String) async throws -> Int

  func close() throws

  /// What a closed file holds.
  static func digest(path: String) throws -> GraphDigest
}

/// What was stored is not what it should be, or could not be stored.
struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// What all contenders ask of SQLite, as the engine does: the write-ahead log, no wait for the disk at each commit, one
/// process alone, and room for the pages of a large transaction.
let connectionSettings = """
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -32768;
  PRAGMA temp_store = MEMORY;
  PRAGMA secure_delete = OFF;
  PRAGMA foreign_keys = OFF;
  """
