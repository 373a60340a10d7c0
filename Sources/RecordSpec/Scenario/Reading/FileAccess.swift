import Foundation
import RecordModel

/// Paths and files as an author names them: relative to the file that names them, with `/` between the parts.
enum FileAccess {
  enum Kind { case file, folder, missing }

  static func kind(of path: String) -> Kind {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
    return isFolder.boolValue ? .folder : .file
  }

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

  /// What comes nearest to a path at which there is nothing, from the first part on that is not there: each such part gives
  /// way to the nearest name in its folder. Nil if one has none.
  static func nearest(to path: String) -> String? {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    var firstWrong: Int?
    for index in parts.indices where kind(of: parts[...index].joined(separator: "/")) == .missing {
      let folder = parts[..<index].joined(separator: "/")
      let place = index == 0 ? "." : folder.isEmpty ? "/" : folder
      let siblings = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
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
  func isPath(_ text: String, namedBy node: YAMLNode) -> Bool {
    guard text.utf8.contains(0) else { return true }
    report(.unreadableFile, at: node.span, "a path cannot contain a null character")
    return false
  }

  /// The bytes of a file that a scenario names, reported at the name if they cannot be had.
  func bytes(ofFile path: String, namedBy node: YAMLNode) -> [UInt8]? {
    guard isPath(path, namedBy: node) else { return nil }
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
    case .file:
      do throws(FileProblem) {
        return try FileBytes.read(path)
      } catch {
        report(.unreadableFile, at: node.span, "the file \(error.message)")
        return nil
      }
    }
  }
}
