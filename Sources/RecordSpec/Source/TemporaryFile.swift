internal import Foundation

/// A file that is written beside another one and then takes its name. It is locked until it is closed.
struct TemporaryFile {
  let path: String
  let descriptor: Int32

  /// The start and the end of the names of temporary files. The name does not depend on the other file's, which may be as long as
  /// the system allows.
  private static let (prefix, suffix) = (".recordspec-", ".tmp")

  /// Makes a file. Returns nil if that fails, for the reason in `errno`.
  init?(in folder: String) {
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

  /// Writes all bytes. Returns false if that fails, for the reason in `errno`.
  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        return false
      }
    }
    // Some file systems report only to `close` that the bytes could not be stored. The copy leaves the lock in place.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 && Foundation.close(copy) == 0
  }

  func close() { Foundation.close(descriptor) }

  /// Removes the temporary files in a folder that killed processes have left.
  static func removeLeftovers(in folder: String) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    Leftovers.remove((names ?? []).filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }, in: folder)
  }
}
