import Foundation
import RecordEngine

/// A folder for the files of one scenario, in the system's folder for such, that nobody else knows.
package struct ScratchFolder: Sendable {
  private let path: String
  /// Holds the folder's lock.
  private let descriptor: Int32
  /// Files of this size are small beside a store: where none of them can be written, the disk is full.
  private static let probeSize = 64 * 1024

  private static var parent: String { FileManager.default.temporaryDirectory.path }

  /// What the folders of all processes begin with.
  private static let prefix = "recordspec-run-"
  /// What the folders of this process begin with.
  private static let ownPrefix = prefix + UUID().uuidString + "-"
  /// Serialises making folders; never released once `removeAll()` has begun.
  private static let making = NSLock()

  /// - Throws: ``TemporaryFolderProblem``
  init() throws(TemporaryFolderProblem) {
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
        // Another process has removed it, or is about to.
        guard descriptor >= 0 || reason == ENOENT else { return .failure(Self.problem(errno: reason)) }
      }
    }.get()
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  func url(of name: String) -> URL { URL(fileURLWithPath: FilePath.child(name, of: path)) }

  /// Writes and removes a file, to see whether there is room.
  func check() throws(TemporaryFolderProblem) {
    // FileBytes would make a folder that is gone again.
    guard let file = TemporaryFile(in: path) else { throw Self.problem(errno: errno) }
    let hasRoom = file.write(Array(repeating: 0, count: Self.probeSize))
    let reason = errno
    unlink(file.path)
    file.close()
    guard hasRoom else { throw Self.problem(errno: reason) }
  }

  /// What cannot be removed is left to the next run, and to the system, whose folder it is.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  // MARK: All of them

  /// Removes the folders of this process, which makes no others from now on. Call it just before the process ends.
  ///
  /// Returns after five seconds if another thread is still making or removing folders.
  package static func removeAll() {
    guard making.lock(before: Date(timeIntervalSinceNow: 5)) else { return }
    for name in names(ownPrefix) {
      let path = FilePath.child(name, of: parent)
      // Under another name first, so that scenarios that go on can put no more files into it.
      let moved = path + "-removed"
      try? FileManager.default.removeItem(atPath: rename(path, moved) == 0 ? moved : path)
    }
  }

  /// Removes the folders that killed processes have left.
  package static func removeLeftovers() { Leftovers.remove(names(prefix), in: parent) }

  private static func names(_ prefix: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: parent)
    return (names ?? []).filter { $0.hasPrefix(prefix) }
  }

  static func problem(_ reason: String) -> TemporaryFolderProblem {
    TemporaryFolderProblem(path: parent, reason: reason)
  }

  static func problem(errno: Int32) -> TemporaryFolderProblem {
    problem("cannot be written: \(String(cString: strerror(errno)))")
  }
}

extension TemporaryFolderProblem {
  /// What kept a file in the folder from being opened; nil if it is another matter than the folder.
  init?(_ error: any Error) {
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
