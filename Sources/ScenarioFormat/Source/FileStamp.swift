import Foundation

/// The state of a file or folder as the file system describes it. Saving or replacing a file changes its stamp, and so do
/// creating, removing and renaming the entries of a folder.
package struct FileStamp: Hashable, Sendable {
  private let seconds: Int
  private let nanoseconds: Int
  private let size: Int
  /// The number of the file in its file system. Most editors save by renaming a new file.
  private let inode: UInt64

  package init(seconds: Int, nanoseconds: Int = 0, size: Int = 0, inode: UInt64 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
    self.size = size
    self.inode = inode
  }

  /// Creates the stamp of a file or folder; nil if it does not exist or cannot be reached. Follows symbolic links.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    // The members of `timespec`. The compiler does not find their names if Swift's libraries are linked statically.
    let (seconds, nanoseconds) = withUnsafeBytes(of: modified) {
      ($0.load(as: time_t.self), $0.load(fromByteOffset: MemoryLayout<time_t>.size, as: Int.self))
    }
    self.init(
      seconds: Int(seconds), nanoseconds: nanoseconds, size: Int(status.st_size), inode: UInt64(status.st_ino)
    )
  }
}

/// A file or folder with its stamp from before it was read, so that a later change is never missed.
package struct StampedFile: Hashable, Sendable {
  /// The path as the user would type it.
  package let path: String
  /// The stamp; nil if the file did not exist.
  package let stamp: FileStamp?

  package init(_ path: String, stamp: FileStamp?) {
    self.path = path
    self.stamp = stamp
  }

  /// Stamps a file that is about to be read.
  package init(_ path: String) { self.init(path, stamp: FileStamp(of: path)) }
}
