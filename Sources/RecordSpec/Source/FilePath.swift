/// The parts of paths, with `/` between them. The file system is not asked.
package enum FilePath {
  /// The folder that a file or folder lies in: empty for a name alone, and `/` for `/`.
  ///
  /// Foundation's function for this traps on Linux if the path is one character, or one and a slash.
  package static func folder(of path: String) -> String {
    var folder = Substring(path).utf8
    func dropSlashes() { while folder.last == UInt8(ascii: "/") { folder.removeLast() } }
    dropSlashes()
    while let last = folder.last, last != UInt8(ascii: "/") { folder.removeLast() }
    dropSlashes()
    return folder.isEmpty && path.hasPrefix("/") ? "/" : String(Substring(folder))
  }

  /// The name of a file or folder in its folder; empty for `/`.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  package static func child(_ name: String, of folder: String) -> String {
    folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
  }

  /// Returns whether a path is a folder's or below it. Both are absolute, without symbolic links.
  static func isBelow(_ folder: String, _ path: String) -> Bool {
    (path + "/").utf8.starts(with: child("", of: folder).utf8)
  }

  /// A path without empty parts, `.` and the slash at its end.
  package static func simplified(_ path: String) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    if path.hasPrefix("/") { return "/" + parts }
    return parts.isEmpty && !path.isEmpty ? "." : parts
  }
}
