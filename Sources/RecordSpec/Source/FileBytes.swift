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

  /// Writes beside the file and renames, so that nobody ever finds half of it. Makes the folders on the way. The mode of a file
  /// that is there stays, and so does a symbolic link: the file that it leads to is written.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let target = target(of: path)
    let folder = FilePath.folder(of: target)
    guard folder.isEmpty || isFolderThere(folder), let (descriptor, temporary) = makeTemporaryFile(in: folder)
    else { throw problem(path, "cannot be written") }
    // Holds the lock until the file has its name.
    defer { close(descriptor) }
    var status = stat()
    if stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o7777) }
    let copy = dup(descriptor)
    guard let file = fdopen(copy, "wb") else {
      let problem = problem(path, "cannot be written")
      close(copy)
      unlink(temporary)
      throw problem
    }
    let count = fwrite(bytes, 1, bytes.count, file)
    // What is still on its way may fail when the file is closed.
    guard fclose(file) == 0, count == bytes.count, rename(temporary, target) == 0 else {
      let problem = problem(path, "cannot be written")
      unlink(temporary)
      throw problem
    }
  }

  /// What a symbolic link leads to, if anything is there; otherwise the path itself.
  private static func target(of path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  // MARK: Temporary files

  /// What the names of temporary files begin and end with. Any name of a file may be longer.
  private static let (temporaryPrefix, temporarySuffix) = (".recordspec-", ".tmp")

  /// Makes a file that is locked until its descriptor is closed. Nil if that cannot be done, for the reason in `errno`.
  private static func makeTemporaryFile(in folder: String) -> (descriptor: Int32, path: String)? {
    while true {
      let name = temporaryPrefix + UUID().uuidString + temporarySuffix
      let path = FilePath.child(name, of: folder)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return nil }
      if Leftovers.claim(descriptor) { return (descriptor, path) }
      close(descriptor)
    }
  }

  /// Removes the temporary files in a folder that processes have left which were killed.
  static func removeLeftovers(in folder: String) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)
    Leftovers.remove(
      (names ?? []).filter { $0.hasPrefix(temporaryPrefix) && $0.hasSuffix(temporarySuffix) }, in: folder)
  }

  /// Removes a file. One that is gone already is none to remove.
  ///
  /// - Returns: false if there is no such file.
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
