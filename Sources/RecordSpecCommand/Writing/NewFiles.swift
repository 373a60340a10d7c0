import Foundation
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// Files that a command writes below a folder: all of them or none.
struct NewFiles {
  /// The folder. No file is written outside of it, not even through a symbolic link.
  let folder: String
  /// The files in the order in which they were added, by their paths below the folder.
  private(set) var files: [(name: String, bytes: [UInt8])] = []

  init(in folder: String) { self.folder = folder }

  mutating func add(_ name: String, _ bytes: [UInt8]) { files.append((name, bytes)) }

  mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  /// Returns the path of a file as the user would type it.
  func path(of name: String) -> String { folder == "." ? name : FilePath.child(name, of: folder) }

  /// Returns the reasons why the files cannot be written.
  ///
  /// - Parameter replacing: a Boolean value that indicates whether existing files are replaced.
  func problems(replacing: Bool) -> [FileProblem] {
    let root = FileAccess.resolved(folder)
    return files.compactMap { file in
      let path = path(of: file.name)
      func problem(_ reason: String, isExistingFile: Bool = false) -> FileProblem {
        FileProblem(path: path, reason: reason, isExistingFile: isExistingFile)
      }
      guard
        FilePath.isBelow(
          root, FileAccess.resolved(FilePath.folder(of: FilePath.child(file.name, of: folder))))
      else {
        return problem("cannot be written: a symbolic link leads out of the folder '\(folder)'")
      }
      if FileAccess.isLink(path) { return problem("cannot be written: it is a symbolic link") }
      switch FileAccess.kind(of: path) {
      case .missing: return nil
      case .folder: return problem("cannot be written: it is a folder")
      case .file: return replacing ? nil : problem("exists already", isExistingFile: true)
      case .unreachable(let reason): return problem("cannot be written: \(reason)")
      }
    }
  }

  /// Writes the files. If one cannot be written, removes those that were written, and restores those that were replaced.
  ///
  /// A file that is replaced has a second name until all files are written, so that its restoration needs no room.
  func write() throws(FileProblem) {
    var written: [(path: String, former: String?)] = []
    do throws(FileProblem) {
      for file in files {
        let path = FilePath.child(file.name, of: folder)
        written.append((path, try Self.secondName(of: path)))
        try FileBytes.write(file.bytes, to: path)
      }
    } catch {
      for (path, former) in written.reversed() {
        if let former {
          rename(former, path)
          // If the file was not replaced, both names are still there.
          unlink(former)
        } else {
          _ = try? FileBytes.remove(path)
        }
      }
      throw error
    }
    for former in written.compactMap(\.former) { unlink(former) }
  }

  /// Gives an existing file a second name and returns it; nil if there is no file.
  private static func secondName(of path: String) throws(FileProblem) -> String? {
    guard FileAccess.kind(of: path) == .file else { return nil }
    let name = path + ".former"
    guard link(path, name) == 0 else {
      let reason = String(cString: strerror(errno))
      throw FileProblem(path: path, reason: "cannot be kept as '\(name)' while it is replaced: \(reason)")
    }
    return name
  }
}
