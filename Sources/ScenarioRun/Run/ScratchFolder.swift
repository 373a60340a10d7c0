package import Foundation
import RecordEngine
import ScenarioFormat

/// A private folder for the files of one scenario, in the system's temporary folder.
package struct ScratchFolder: Sendable {
  private let path: String
  /// The descriptor that holds the folder's lock.
  private let descriptor: Int32
  /// The size of a test file in bytes, which is small compared with a store. If such a file cannot be written, the disk
  /// is full.
  private static let probeSize = 64 * 1024

  private static var parent: String { FileManager.default.temporaryDirectory.path }

  /// The prefix of the folders of all processes.
  private static let prefix = "recordspec-run-"
  /// The prefix of the folders of this process.
  private static let ownPrefix = prefix + UUID().uuidString + "-"
  /// The lock for creating folders. `removeAll()` acquires it and never releases it.
  private static let making = NSLock()

  /// Creates a folder.
  package init() throws(TemporaryFolderProblem) {
    self = try Self.making.withLock { () -> Result<Self, TemporaryFolderProblem> in
      while true {
        let path = FilePath.child(Self.ownPrefix + UUID().uuidString, of: Self.parent)
        if mkdir(path, 0o700) != 0 { return .failure(Self.problem(errno: errno)) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor >= 0, Leftovers.claim(descriptor) {
          return .success(Self(path: path, descriptor: descriptor))
        }
        let reason = errno
        if descriptor >= 0 { close(descriptor) }
        // Another process has removed the folder or is about to remove it.
        guard descriptor >= 0 || reason == ENOENT else { return .failure(Self.problem(errno: reason)) }
      }
    }.get()
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  package func url(of name: String) -> URL { URL(fileURLWithPath: FilePath.child(name, of: path)) }

  /// Checks whether there is room, by writing and removing a file.
  package func check() throws(TemporaryFolderProblem) {
    // `FileBytes` would create a removed folder again.
    guard let file = TemporaryFile(in: path) else { throw Self.problem(errno: errno) }
    let hasRoom = file.write(Array(repeating: 0, count: Self.probeSize))
    let reason = errno
    unlink(file.path)
    file.close()
    guard hasRoom else { throw Self.problem(errno: reason) }
  }

  /// Removes the folder. If that fails, the next run or the system removes it.
  package func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  // MARK: All folders

  /// Removes the folders of this process and prevents it from creating more. Call this method just before the process
  /// ends.
  ///
  /// Gives up after five seconds if another thread is still creating or removing folders.
  package static func removeAll() {
    guard making.lock(before: Date(timeIntervalSinceNow: 5)) else { return }
    for name in names(ownPrefix) {
      let path = FilePath.child(name, of: parent)
      // The folder is renamed first, so that running scenarios cannot put more files into it.
      let moved = path + "-removed"
      try? FileManager.default.removeItem(atPath: rename(path, moved) == 0 ? moved : path)
    }
  }

  /// Removes the folders that killed processes left behind.
  package static func removeLeftovers() { Leftovers.remove(names(prefix), in: parent) }

  private static func names(_ prefix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    return (names ?? []).filter { $0.hasPrefix(prefix) }
  }

  package static func problem(_ reason: String) -> TemporaryFolderProblem {
    TemporaryFolderProblem(path: parent, reason: reason)
  }

  package static func problem(errno: Int32) -> TemporaryFolderProblem {
    problem("cannot be written: \(String(cString: strerror(errno)))")
  }
}

extension TemporaryFolderProblem {
  /// Creates the problem that an error indicates; nil if the folder is not the cause of the error.
  package init?(_ error: any Error) {
    switch error {
    case let error as TemporaryFolderProblem: self = error
    case let error as PersistentStoreError where error.kind == .diskFull:
      self = ScratchFolder.problem(errno: ENOSPC)
    case let error as RecordCacheError where error.kind == .diskFull:
      self = ScratchFolder.problem(errno: ENOSPC)
    case let error as FileProblem: self = ScratchFolder.problem(error.reason)
    default: return nil
    }
  }
}
