import Foundation

/// Where a file is, or is to be made.
struct SQLiteFileLocation {
  /// Why there can be no file.
  enum Problem: Hashable {
    case isNoFile, isFolder
    case folderIsMissing(String)
  }

  let url: URL

  init(_ url: URL) { self.url = url }

  /// What SQLite would not say of the place.
  var problem: Problem? {
    guard url.isFileURL else { return .isNoFile }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      return isFolder.boolValue ? .isFolder : nil
    }
    let folder = url.deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: folder) ? nil : .folderIsMissing(folder)
  }

  /// For its owner alone.
  static let privateMode: mode_t = 0o600

  /// Makes an empty file for its owner alone, where none is. SQLite would let others read what it makes; its log gets the
  /// permissions of the file.
  func makeFile() throws(SQLiteError) {
    // Closing a file takes all locks of the process from it. Who opens it comes by here first, and so has none yet.
    Self.making.lock()
    defer { Self.making.unlock() }
    let file = Foundation.open(url.path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, Self.privateMode)
    if file >= 0 {
      close(file)
    } else if errno != EEXIST {
      throw .cannotOpen("it cannot be made: \(String(cString: strerror(errno)))")
    }
  }

  private static let making = NSLock()
}
