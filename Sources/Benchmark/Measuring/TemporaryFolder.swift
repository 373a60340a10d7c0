import Foundation

/// A temporary folder for the files of one run.
struct TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("recordspec-bench-\(getpid())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Returns the path for a new file. Removes an earlier file of the name, and the files that SQLite keeps beside it.
  func newFile(_ name: String) throws -> String {
    for suffix in ["", "-wal", "-shm"] {
      let path = url.appendingPathComponent(name + suffix).path
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    return url.appendingPathComponent(name).path
  }

  /// Removes the folder. Errors are ignored, because the folder is temporary.
  func remove() { try? FileManager.default.removeItem(at: url) }
}
