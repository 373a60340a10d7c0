internal import Foundation

/// A file that could not be read or written, and why.
package struct FileProblem: Error, Hashable, Sendable {
  package let path: String
  /// One line, with the path.
  package let message: String
}

/// Files as bytes.
package enum FileBytes {
  /// The bytes of a file; nil if there is none.
  package static func read(_ path: String) throws(FileProblem) -> [UInt8]? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw problem(path, "cannot be read", error)
    }
  }

  /// Writes beside the file and renames, so that nobody ever finds half of it. Makes the folders on the way.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileProblem) {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    let process = ProcessInfo.processInfo.processIdentifier
    let temporary = (folder as NSString).appendingPathComponent(".\(name).\(process).tmp")
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: temporary))
    } catch {
      throw problem(path, "cannot be written", error)
    }
    guard rename(temporary, path) == 0 else {
      let reason = String(cString: strerror(errno))
      try? FileManager.default.removeItem(atPath: temporary)
      throw FileProblem(path: path, message: "'\(path)' cannot be written: \(reason)")
    }
  }

  package static func remove(_ path: String) throws(FileProblem) {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw problem(path, "cannot be removed", error)
    }
  }

  /// Whether the folder was empty and is gone now.
  package static func removeIfEmpty(_ folder: String) -> Bool {
    guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true else {
      return false
    }
    return (try? FileManager.default.removeItem(atPath: folder)) != nil
  }

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

  private static func problem(_ path: String, _ what: String, _ error: any Error) -> FileProblem {
    FileProblem(path: path, message: "'\(path)' \(what): \(error.localizedDescription)")
  }
}
