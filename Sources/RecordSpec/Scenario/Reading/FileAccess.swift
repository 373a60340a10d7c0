import Foundation
import RecordModel

/// Paths and files as an author names them: relative to the file that names them, with `/` between the parts.
enum FileAccess {
  enum Kind: Equatable {
    case file, folder, missing
    /// The system does not say what is there, for a reason in its words: `Permission denied`, `File name too long`.
    case unreachable(reason: String)
  }

  static func kind(of path: String) -> Kind {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file }
    switch errno {
    case ENOENT, ENOTDIR, ELOOP: return .missing
    case let code: return .unreachable(reason: String(cString: strerror(code)))
    }
  }

  static func exists(_ path: String) -> Bool { [.file, .folder].contains(kind(of: path)) }

  static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// The path of what `name` names in the file `path`, with `.` and `..` taken out where that is possible.
  static func path(of name: String, namedIn path: String) -> String {
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

  /// The path of a file with the folders before it resolved, but not a symbolic link that the file is itself.
  static func location(of file: String) -> String {
    FilePath.child(FilePath.name(of: file), of: resolved(FilePath.folder(of: file)))
  }

  /// An absolute path without symbolic links, `.` and `..`. Parts that do not exist are taken as they are written.
  static func resolved(_ path: String) -> String {
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

  /// An absolute path as one would type it: relative to the current folder if it leads down from there.
  static func displayed(_ path: String) -> String {
    let here = resolved(".")
    return here != "/" && path.hasPrefix(here + "/") ? String(path.dropFirst(here.count + 1)) : path
  }

  /// What comes nearest to a path at which there is nothing, from the first part on that is not there: each such part gives
  /// way to the nearest name in its folder. Nil if one has none.
  static func nearest(to path: String) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var firstWrong: Int?
    for index in parts.indices where kind(of: parts[...index].joined(separator: "/")) == .missing {
      let folder = parts[..<index].joined(separator: "/")
      let location = index == 0 ? "." : folder.isEmpty ? "/" : folder
      let siblings = (try? FileManager.default.contentsOfDirectory(atPath: location)) ?? []
      // A path from the root has an empty part before it.
      if parts[index].isEmpty { continue }
      guard let near = nearestName(to: parts[index], among: siblings.sorted()) else { return nil }
      parts[index] = near
      firstWrong = firstWrong ?? index
    }
    return firstWrong.map { parts[$0...].joined(separator: "/") }
  }
}

extension Findings {
  /// Returns whether a text can be a path, and reports it otherwise: the system would read the file that is named before a
  /// null character.
  func isPath(_ text: String, at span: SourceSpan) -> Bool {
    guard text.utf8.contains(0) else { return true }
    report(.unreadableFile, at: span, "a path cannot contain a null character")
    return false
  }

  /// Returns whether a file that a scenario names may be read, and reports it otherwise. Symbolic links are resolved first.
  func isInside(_ folders: ReadableFolders, _ path: String, namedBy node: YAMLNode) -> Bool {
    let resolved = FileAccess.resolved(path)
    if folders.contain(resolved) { return true }
    let file = resolved == path ? "'\(path)' is" : "'\(path)' leads to '\(resolved)', which is"
    let folder = ShellText.quoted(FilePath.folder(of: resolved))
    report(
      .outsideFile, at: node.span, "\(file) outside the project's folder '\(folders.root)'",
      advice: "allow its folder with '--allow-outside \(folder)', or with 'allowOutside' in "
        + "'\(ProjectSettings.fileName)' in the project's folder")
    return false
  }

  /// The bytes of a file that a scenario names, reported at the name if they cannot be had.
  func bytes(ofFile path: String, namedBy node: YAMLNode, within folders: ReadableFolders) -> [UInt8]? {
    guard isPath(path, at: node.span), isInside(folders, path, namedBy: node) else { return nil }
    switch FileAccess.kind(of: path) {
    case .folder:
      report(.unreadableFile, at: node.span, "'\(path)' is a folder, not a file")
      return nil
    case .missing where FileAccess.isLink(path):
      report(.unreadableFile, at: node.span, "'\(path)' links to a file that is not there")
      return nil
    case .missing:
      report(
        .unreadableFile, at: node.span, "there is no file '\(path)'",
        advice: FileAccess.nearest(to: path).map { "did you mean '\($0)'?" })
      return nil
    case .file, .unreachable:
      do throws(FileProblem) {
        return try FileBytes.read(path)
      } catch {
        report(.unreadableFile, at: node.span, "the file \(error.message)")
        return nil
      }
    }
  }
}
