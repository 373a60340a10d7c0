import Foundation

/// Temporary files and folders that killed processes left behind. A process locks its files and folders while it uses
/// them, so an unlocked one is a leftover.
package enum Leftovers {
  /// Locks a new file or folder until the descriptor and its copies are closed.
  ///
  /// - Returns: false if another process took it for a leftover in the meantime and removes it.
  package static func claim(_ descriptor: Int32) -> Bool {
    // On a file system without locks, nothing is treated as a leftover.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno != EWOULDBLOCK }
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  /// Removes the named files and folders in a folder if they are not locked and belong to this user.
  ///
  /// - Parameter names: the names of possible leftovers.
  package static func remove(_ names: some Sequence<String>, in folder: String) {
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
