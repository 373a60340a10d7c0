import Foundation

/// An error that indicates that a file could not be read or written.
package struct FileProblem: Error, Hashable, Sendable {
  package let path: String
  /// The reason, with the system's message if there is one: `cannot be written: Permission denied`.
  package let reason: String
  /// A Boolean value that indicates whether a new file was not written because the path exists.
  package var isExistingFile: Bool

  package init(path: String, reason: String, isExistingFile: Bool = false) {
    (self.path, self.reason, self.isExistingFile) = (path, reason, isExistingFile)
  }

  /// The message on one line, with the path.
  package var message: String { "'\(path)' \(reason)" }
}

/// Access to files as bytes. It uses the C library, whose error messages are readable.
package enum FileBytes {
  /// Returns the bytes of a file; nil if the file does not exist.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8]? {
    guard let descriptor = try openForReading(path) else { return nil }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    // A file is read at once, unless it is large or grows while it is read.
    var bytes = try part(of: descriptor, atMost: min(max(0, Int(status.st_size)) + 1, 1 << 26), path)
    while true {
      let more = try part(of: descriptor, atMost: max(4096, bytes.count), path)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  /// Returns a part of a file; fewer bytes if the file ends before. Nil if the file does not exist.
  package static func read(_ path: String, at offset: Int, count: Int) throws(FileProblem) -> [UInt8]? {
    guard let descriptor = try openForReading(path) else { return nil }
    defer { close(descriptor) }
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw problem(path, "cannot be read") }
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try part(of: descriptor, atMost: count - bytes.count, path)
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// Returns the size of a file; 0 if it does not exist.
  package static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The reason why a device or a pipe cannot be read.
  package static let notFileReason = "cannot be read: it is a device or a pipe, not a file"

  /// Opens a file, and returns its descriptor; nil if the file does not exist.
  static func openForReading(_ path: String) throws(FileProblem) -> Int32? {
    var status = stat()
    // Opening a pipe would block until another process writes to it.
    if stat(path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
      throw FileProblem(path: path, reason: notFileReason)
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw problem(path, "cannot be read")
    }
    return descriptor
  }

  /// Returns the next bytes of a file; none at its end.
  package static func part(
    of descriptor: Int32, atMost limit: Int, _ path: String
  ) throws(FileProblem) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      repeat {
        count = Foundation.read(descriptor, buffer.baseAddress, limit)
      } while count < 0 && errno == EINTR
      initialized = max(0, count)
    }
    if count < 0 { throw problem(path, "cannot be read") }
    return bytes
  }

  /// Writes the bytes to a temporary file beside the path and renames it, so that no reader finds a partial file.
  /// Creates missing folders.
  ///
  /// Keeps the mode of an existing file. Replaces a symbolic link instead of following it: a link in an untrusted
  /// checkout must not decide which file is written.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let folder = FilePath.folder(of: path)
    guard folder.isEmpty || makeFolder(folder), let file = TemporaryFile(in: folder)
    else { throw problem(path, "cannot be written") }
    // Keeps the file locked until it has its final name.
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

  /// Creates a folder and its missing parents. Returns false if the folder does not exist then, with the reason in
  /// `errno`.
  private static func makeFolder(_ folder: String) -> Bool {
    if mkdir(folder, 0o777) == 0 { return true }
    if errno == ENOENT {
      let parent = FilePath.folder(of: folder)
      guard !parent.isEmpty, makeFolder(parent) else { return false }
      return mkdir(folder, 0o777) == 0
    }
    // If the path is a file, creating a file below it fails later.
    return errno == EEXIST
  }

  /// Removes a folder if it is empty. Returns a Boolean value that indicates whether it was removed.
  package static func removeIfEmpty(_ folder: String) -> Bool { rmdir(folder) == 0 }

  /// Returns the names of the files and folders in a folder; none if it cannot be read. The empty path is the current folder.
  package static func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
  }

  /// Returns the sorted paths of all visible files below a folder, relative to it. Returns an empty array if the folder
  /// does not exist.
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

  /// Returns the first folder that cannot be listed: the given one or a visible one below it. Returns nil if all can be
  /// listed.
  package static func unreadableFolder(in folder: String) -> FileProblem? {
    guard let stream = opendir(folder) else { return problem(folder, "cannot be read") }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
      errno = 0
    }
    let problem = errno == 0 ? nil : problem(folder, "cannot be read")
    closedir(stream)
    if let problem { return problem }
    for name in names.sorted() {
      let path = folder + "/" + name
      var status = stat()
      guard lstat(path, &status) == 0 else {
        if errno == ENOENT { continue }
        return self.problem(path, "cannot be read")
      }
      guard status.st_mode & S_IFMT == S_IFDIR else { continue }
      if let problem = unreadableFolder(in: path) { return problem }
    }
    return nil
  }

  package static func problem(_ path: String, _ what: String) -> FileProblem {
    FileProblem(path: path, reason: "\(what): \(String(cString: strerror(errno)))")
  }
}
