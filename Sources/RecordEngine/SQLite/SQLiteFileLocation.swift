import Foundation

/// The location of an existing or new file.
struct SQLiteFileLocation {
  /// The reason why a location cannot contain a file.
  enum Problem: Hashable {
    case isNoFile, isFolder
    case folderIsMissing(String)
  }

  let url: URL

  init(_ url: URL) { self.url = url }

  /// The problem of the location, in more detail than SQLite reports; nil if there is none.
  var problem: Problem? {
    guard url.isFileURL else { return .isNoFile }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) {
      return isFolder.boolValue ? .isFolder : nil
    }
    let folder = url.deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: folder) ? nil : .folderIsMissing(folder)
  }

  /// The permissions that restrict access to the owner.
  static let privateMode: mode_t = 0o600

  /// Creates an empty file that only its owner can access, unless a file exists. A file that SQLite creates would be
  /// readable by other users. The log gets the permissions of the file.
  func makeFile() throws(SQLiteError) {
    // Closing a file releases all locks of the process on it. Every opening of the file goes through this method first,
    // so no lock is held yet.
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
