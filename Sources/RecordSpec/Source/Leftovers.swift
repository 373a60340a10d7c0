internal import Foundation

/// Temporary files and folders, which a process that was killed leaves behind. Each is locked as long as its process uses it:
/// one that nobody holds is a leftover.
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

  /// Removes what nobody holds of these files and folders of a folder.
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
