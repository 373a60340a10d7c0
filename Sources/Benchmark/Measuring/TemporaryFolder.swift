import Foundation

/// A folder of its own for the files of one run.
struct TemporaryFolder {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("recordspec-bench-\(getpid())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// The path of a file; what is left of one of this name is removed, what SQLite keeps beside it too.
  func newFile(_ name: String) throws -> String {
    for suffix in ["", "-wal", "-shm"] {
      let path = url.appendingPathComponent(name + suffix).path
      if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    }
    return url.appendingPathComponent(name).path
  }

  /// Best effort: a folder of temporary files may stay.
  func remove() { try? FileManager.default.removeItem(at: url) }
}
