import Foundation
import RecordModel

/// Functions on paths and files as authors name them: relative to the file that names them, with `/` as separator.
package enum FileAccess {
  package enum Kind: Equatable {
    case file, folder, missing
    /// A path that cannot be reached, for a reason in the system's words: `Permission denied`, `File name too long`.
    case unreachable(reason: String)
  }

  package static func kind(of path: String) -> Kind {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file }
    switch errno {
    case ENOENT, ENOTDIR, ELOOP: return .missing
    case let code: return .unreachable(reason: String(cString: strerror(code)))
    }
  }

  package static func exists(_ path: String) -> Bool { [.file, .folder].contains(kind(of: path)) }

  package static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Returns the path that `name` means in the file at `path`, with `.` and `..` removed where possible.
  package static func path(of name: String, namedIn path: String) -> String {
    if name.hasPrefix("/") { return name }
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(String.init)
    for part in name.split(separator: "/") {
      if part == "." { continue }
      if part == "..", let last = parts.last, last != "..", last != ".", !last.isEmpty {
        parts.removeLast()
      } else {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// Returns the path of a file with its folder resolved. If the file itself is a symbolic link, it is not resolved.
  package static func location(of file: String) -> String {
    FilePath.child(FilePath.name(of: file), of: resolved(FilePath.folder(of: file)))
  }

  /// Returns an absolute path without `.` and `..`. Symbolic links are kept.
  package static func absolute(_ path: String) -> String {
    // A relative URL would lose the components before '..' that the current folder has.
    URL(fileURLWithPath: path).absoluteURL.standardized.path
  }

  /// Returns an absolute path without symbolic links, `.` and `..`. Components that do not exist are kept as written.
  package static func resolved(_ path: String) -> String {
    if let found = realpath(path, nil) {
      defer { free(found) }
      return String(cString: found)
    }
    let base = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    var parts = (base + "/" + path).split(separator: "/").map(String.init)
    var missing: [String] = []
    while true {
      if let found = realpath("/" + parts.joined(separator: "/"), nil) {
        defer { free(found) }
        parts = String(cString: found).split(separator: "/").map(String.init)
        break
      }
      guard let last = parts.popLast() else { break }
      missing.append(last)
    }
    for part in missing.reversed() where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the path of a file relative to a folder. Either need not exist.
  package static func relative(_ path: String, to folder: String) -> String {
    let path = location(of: path).split(separator: "/")
    let folder = resolved(folder).split(separator: "/")
    let common = zip(path, folder).prefix { $0 == $1 }.count
    let up = Array(repeating: "..", count: folder.count - common)
    return (up + path.dropFirst(common).map(String.init)).joined(separator: "/")
  }

  /// Returns an absolute path as the user would type it: relative to the current folder if it is below that folder.
  package static func displayed(_ path: String) -> String {
    let here = resolved(".")
    return here != "/" && path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// Returns the relative path of a file that exists if its name is relative to a folder above, such as the project's.
  /// Returns nil if there is no such file.
  ///
  /// - Parameters:
  ///   - name: the path in a file, such as `Recordings/books.json`.
  ///   - path: the path of the missing file, such as `Scenarios/Recordings/books.json`.
  private static func pathFromAbove(to name: String, at path: String) -> String? {
    let path = absolute(path)
    guard !name.hasPrefix("/"), !name.hasPrefix("."), path.hasSuffix("/" + name) else { return nil }
    var folders = path.dropLast(name.count + 1).split(separator: "/")
    for count in 1...4 where folders.popLast() != nil {
      if kind(of: "/" + (folders + [Substring(name)]).joined(separator: "/")) == .file {
        return String(repeating: "../", count: count) + name
      }
    }
    return nil
  }

  /// Returns advice for a path that does not exist; nil if there is none.
  ///
  /// - Parameters:
  ///   - name: the path in the file that names it; nil if no file names it.
  ///   - used: the files that are already named. Others are suggested first.
  fileprivate static func advice(
    forMissing path: String, named name: String?, besides used: Set<String>
  ) -> String? {
    if let name, name.contains("\\") { return "write '\(name.replacing("\\", with: "/"))'" }
    if let above = name.flatMap({ pathFromAbove(to: $0, at: path) }) {
      return "paths are relative to the file that names them; write '\(above)'"
    }
    if let near = nearest(to: path, besides: used) ?? nearest(to: path) { return "did you mean '\(near)'?" }
    return name.flatMap { adviceAboutFolder(of: path, isAbsolute: $0.hasPrefix("/")) }
  }

  /// Returns advice that names the first folder that does not exist, or the files of the same kind beside a file that does
  /// not exist; nil if there are none.
  ///
  /// - Parameter isAbsolute: a Boolean value that indicates whether the path is written as an absolute one.
  private static func adviceAboutFolder(of path: String, isAbsolute: Bool) -> String? {
    var folder = FilePath.folder(of: path)
    var missing: String?
    while !folder.isEmpty, folder != "/", kind(of: folder) != .folder {
      missing = folder
      folder = FilePath.folder(of: folder)
    }
    if let missing {
      let base = isAbsolute ? "" : "; the path is relative to the file that names it"
      return "there is no folder '\(missing)'" + base
    }
    let ending = FilePath.name(of: path).drop { $0 != "." }
    let files = FileBytes.names(in: folder).filter { file in
      !ending.isEmpty && !file.hasPrefix(".") && file.hasSuffix(ending)
        && kind(of: FilePath.child(file, of: folder)) == .file
    }.sorted()
    return files.isEmpty ? nil : "its folder contains \(shortenedList(files, limit: 5))"
  }

  /// Returns a suggestion for a path that does not exist. Each missing component is replaced by the nearest name in its
  /// folder, and the result begins with the first of them. Returns nil if a component has no near name.
  ///
  /// - Parameter used: the paths of files that are not suggested.
  package static func nearest(to path: String, besides used: Set<String> = []) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var firstWrong: Int?
    for index in parts.indices where kind(of: parts[...index].joined(separator: "/")) == .missing {
      let folder = parts[..<index].joined(separator: "/")
      let siblings = FileBytes.names(in: folder.isEmpty && index > 0 ? "/" : folder)
      // An absolute path begins with an empty component.
      if parts[index].isEmpty { continue }
      let others = siblings.filter { !used.contains((parts[..<index] + [$0]).joined(separator: "/")) }
      guard let near = nearestName(to: parts[index], among: others.sorted()) else { return nil }
      parts[index] = near
      firstWrong = firstWrong ?? index
    }
    return firstWrong.map { parts[$0...].joined(separator: "/") }
  }
}

extension Findings {
  /// Returns a Boolean value that indicates whether a text can be a path. Reports a null character, because the system
  /// would read the file that is named before it.
  package func isPath(_ text: String, at location: AuthorDiagnostic.Location) -> Bool {
    guard text.utf8.contains(0) else { return true }
    report(.unreadableFile, at: location, "a path cannot contain a null character")
    return false
  }

  /// Returns a Boolean value that indicates whether a scenario may read a file. Symbolic links are resolved first.
  /// Reports a file outside the folders.
  func isInside(
    _ folders: ReadableFolders, _ path: String, namedAt location: AuthorDiagnostic.Location
  ) -> Bool {
    let resolved = FileAccess.resolved(path)
    if folders.contain(resolved) { return true }
    // Without a symbolic link, the path only has to be made absolute.
    let isLink = FileAccess.absolute(path) != resolved
    let file = isLink ? "'\(path)' leads through a symbolic link to '\(resolved)', which is" : "'\(path)' is"
    let folder = ShellText.quoted(FilePath.folder(of: resolved))
    report(
      .outsideFile, at: location, "\(file) outside the project's folder '\(folders.root)'",
      advice: "allow its folder with '--allow-outside \(folder)', or with 'allowOutside' in "
        + "'\(ProjectSettings.fileName)' in the project's folder")
    return false
  }

  /// Returns the bytes of a file that a scenario names. Reports a file that cannot be read and returns nil.
  ///
  /// - Parameters:
  ///   - name: the path in the scenario, which is relative to the scenario; nil if no scenario names the file.
  ///   - used: the files that the scenario names elsewhere, which are suggested last.
  package func bytes(
    ofFile path: String, named name: String? = nil, namedAt location: AuthorDiagnostic.Location,
    within folders: ReadableFolders, besides used: @autoclosure () -> Set<String> = []
  ) -> [UInt8]? {
    stampedFile(path, namedAt: location, within: folders).flatMap {
      bytes(of: $0, named: name, namedAt: location, besides: used())
    }
  }

  /// Returns a file that a scenario names, with its stamp, whether or not it exists. Reports a file that the scenario may
  /// not read and returns nil.
  func stampedFile(
    _ path: String, namedAt location: AuthorDiagnostic.Location, within folders: ReadableFolders
  ) -> StampedFile? {
    guard isPath(path, at: location) else { return nil }
    let file = noteFile(path)
    return isInside(folders, path, namedAt: location) ? file : nil
  }

  /// Returns the bytes of a file that a scenario may read. Reports a file that cannot be read and returns nil.
  ///
  /// - Parameters:
  ///   - name: the path in the scenario; nil if no scenario names the file.
  ///   - used: the files that the scenario names elsewhere, which are suggested last.
  package func bytes(
    of file: StampedFile, named name: String?, namedAt location: AuthorDiagnostic.Location,
    besides used: @autoclosure () -> Set<String> = []
  ) -> [UInt8]? {
    let path = file.path
    switch FileAccess.kind(of: path) {
    case .folder:
      report(.unreadableFile, at: location, "'\(path)' is a folder, not a file")
      return nil
    case .missing where FileAccess.isLink(path):
      report(.unreadableFile, at: location, "'\(path)' is a symbolic link to a file that does not exist")
      return nil
    case .missing:
      report(
        .unreadableFile, at: location, "the file '\(path)' does not exist",
        advice: FileAccess.advice(forMissing: path, named: name, besides: used()))
      return nil
    case .file, .unreachable:
      do throws(FileProblem) {
        let bytes = try FileBytes.read(path)
        if let bytes { sources.append(SourceBytes(path: path, bytes: bytes)) }
        return bytes
      } catch {
        report(.unreadableFile, at: location, "the file \(error.message)")
        return nil
      }
    }
  }
}
