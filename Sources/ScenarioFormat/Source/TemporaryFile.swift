import Foundation

/// A temporary file that is written beside another file and then takes that file's name. It is locked until it is
/// closed.
package struct TemporaryFile {
  package let path: String
  package let descriptor: Int32

  /// The prefix and the suffix of the names of temporary files. The names do not contain the name of the other file,
  /// which may have the maximum length.
  private static let (prefix, suffix) = (".recordspec-", ".tmp")

  /// Creates a file in a folder. Returns nil if that fails, with the reason in `errno`.
  package init?(in folder: String) {
    while true {
      let path = FilePath.child(Self.prefix + UUID().uuidString + Self.suffix, of: folder)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return nil }
      if Leftovers.claim(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      Foundation.close(descriptor)
    }
  }

  /// Writes all bytes. Returns false if that fails, with the reason in `errno`.
  package func write(_ bytes: [UInt8]) -> Bool {
    guard TextOutput.write(bytes, to: descriptor) == nil else { return false }
    // Some file systems report a failed write only on `close`. Closing a copy keeps the lock.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 && Foundation.close(copy) == 0
  }

  package func close() { Foundation.close(descriptor) }

  /// Removes the temporary files that killed processes left in a folder.
  package static func removeLeftovers(in folder: String) {
    let names = FileBytes.names(in: folder).filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
    Leftovers.remove(names, in: folder)
  }

  /// Removes the temporary files that killed processes left in a folder and below it.
  package static func removeLeftovers(below folder: String) {
    removeLeftovers(in: folder)
    guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
    while let name = paths.nextObject() as? String {
      if paths.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
        removeLeftovers(in: FilePath.child(name, of: folder))
      }
    }
  }
}
