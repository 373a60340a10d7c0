import Foundation
import RecordEngine

/// A folder for the files of one scenario, in the system's folder for such, that nobody else knows.
struct ScratchFolder {
  private let path: String
  /// Files of this size are small beside a store: where none of them can be written, the disk is full.
  private static let probeSize = 64 * 1024

  private static var parent: String { FileManager.default.temporaryDirectory.path }

  /// - Throws: ``TemporaryFolderProblem``
  init() throws(TemporaryFolderProblem) {
    path = FilePath.child("recordspec-\(UUID().uuidString)", of: Self.parent)
    if mkdir(path, 0o700) != 0 { throw Self.problem(errno: errno) }
  }

  func url(of name: String) -> URL { URL(fileURLWithPath: FilePath.child(name, of: path)) }

  /// Writes and removes a file, to see whether there is room.
  func check() throws(TemporaryFolderProblem) {
    let file = FilePath.child("room", of: path)
    do throws(FileProblem) {
      try FileBytes.write(Array(repeating: 0, count: Self.probeSize), to: file)
      try FileBytes.remove(file)
    } catch {
      throw Self.problem(error.reason)
    }
  }

  /// What cannot be removed is left to the system, whose folder it is.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

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
