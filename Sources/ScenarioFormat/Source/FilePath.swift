/// Functions on paths with `/` as separator. They do not access the file system.
package enum FilePath {
  /// Returns the folder that contains a file or folder: an empty string for a bare name, and `/` for `/`.
  ///
  /// Foundation's equivalent traps on Linux for paths of one character, or of one character and a slash.
  package static func folder(of path: String) -> String {
    var folder = Substring(path).utf8
    func dropSlashes() { while folder.last == UInt8(ascii: "/") { folder.removeLast() } }
    dropSlashes()
    while let last = folder.last, last != UInt8(ascii: "/") { folder.removeLast() }
    dropSlashes()
    return folder.isEmpty && path.hasPrefix("/") ? "/" : String(Substring(folder))
  }

  /// Returns the last component of a path; empty for `/`.
  package static func name(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? ""
  }

  package static func child(_ name: String, of folder: String) -> String {
    folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
  }

  /// Returns a Boolean value that indicates whether a path is a folder or below it. Both must be absolute and without
  /// symbolic links.
  package static func isBelow(_ folder: String, _ path: String) -> Bool {
    (path + "/").utf8.starts(with: child("", of: folder).utf8)
  }

  /// Returns a path without empty components, `.` components and a trailing slash. A relative path with no other
  /// components becomes `.`.
  package static func simplified(_ path: String) -> String {
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init).filter { $0 != "." }
      .joined(separator: "/")
    if path.hasPrefix("/") { return "/" + parts }
    return parts.isEmpty && !path.isEmpty ? "." : parts
  }
}
