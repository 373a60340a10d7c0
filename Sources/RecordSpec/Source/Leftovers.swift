internal import Foundation

/// Temporary files and folders of killed processes. Each is locked while in use. An unlocked one was left by a killed process.
enum Leftovers {
  /// Locks a file or folder that was just made, until the descriptor and its copies are closed.
  ///
  /// - Returns: false if another process took it for a leftover meanwhile, and removes it.
  static func claim(_ descriptor: Int32) -> Bool {
    // A file system without locks: nothing there is ever taken for a leftover.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes those of the files and folders in a folder that are not locked.
  ///
  /// - Parameter names: those that may be leftovers, by their names. Only what belongs to this user is looked at.
  static func remove(_ names: some Sequence<String>, in folder: String) {
    for name in names {
      let path = FilePath.child(name, of: folder)
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }
}
