internal import Foundation

/// A file that could not be read or written, and why.
package struct FileProblem: Error, Hashable, Sendable {
  package let path: String
  /// `cannot be written: Permission denied`, in the system's words.
  package let reason: String

  /// One line, with the path.
  package var message: String { "'\(path)' \(reason)" }
}

/// Files as bytes. By the C library, since its errors say why in words for people.
package enum FileBytes {
  /// The bytes of a file; nil if there is none.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8]? {
    var status = stat()
    // To open a pipe would mean to wait for whoever writes to it.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw FileProblem(path: path, reason: "cannot be read: it is a device or a pipe, not a file")
    }
    guard let file = fopen(path, "rb") else {
      if errno == ENOENT { return nil }
      throw problem(path, "cannot be read")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      bytes += buffer.prefix(count)
      guard count < buffer.count else { continue }
      if ferror(file) != 0 { throw problem(path, "cannot be read") }
      return bytes
    }
  }

  /// Writes a temporary file beside the path and renames it, so that no reader ever finds half a file. Makes missing folders.
  ///
  /// The mode of an existing file stays. A symbolic link is replaced, not followed: a checkout of somebody else's must not decide
  /// which file is written.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let folder = FilePath.folder(of: path)
    guard folder.isEmpty || isFolderThere(folder), let file = TemporaryFile(in: folder)
    else { throw problem(path, "cannot be written") }
    // Holds the lock until the file has its name.
    defer { file.close() }
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      fchmod(file.descriptor, status.st_mode & 0o7777)
    }
    guard file.write(bytes), rename(file.path, path) == 0 else {
      let problem = problem(path, "cannot be written")
      unlink(file.path)
      throw problem
    }
  }

  /// Removes a file. Returns false if the file does not exist.
  @discardableResult
  package static func remove(_ path: String) throws(FileProblem) -> Bool {
    if unlink(path) == 0 { return true }
    if errno == ENOENT { return false }
    throw problem(path, "cannot be removed")
  }

  /// Makes a folder and those above it where they are missing. If it is not there then, `errno` says why.
  private static func isFolderThere(_ folder: String) -> Bool {
    if mkdir(folder, 0o777) == 0 { return true }
    if errno == ENOENT {
      let parent = FilePath.folder(of: folder)
      guard !parent.isEmpty, isFolderThere(parent) else { return false }
      return mkdir(folder, 0o777) == 0
    }
    // What is no folder shows when a file is to be made in it.
    return errno == EEXIST
  }

  /// Whether the folder was empty and is gone now.
  package static func removeIfEmpty(_ folder: String) -> Bool { rmdir(folder) == 0 }

  /// The paths of all visible files below a folder, relative to it, in order; none if there is no such folder.
  package static func files(below folder: String) -> [String] {
    guard let paths = FileManager.default.enumerator(atPath: folder) else { return [] }
    var files: [String] = []
    for case let path as String in paths {
      if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
      if exists, !isFolder.boolValue { files.append(path) }
    }
    return files.sorted()
  }

  private static func problem(_ path: String, _ what: String) -> FileProblem {
    FileProblem(path: path, reason: "\(what): \(String(cString: strerror(errno)))")
  }
}
