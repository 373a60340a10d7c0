internal import Foundation

/// A file that a report is written to during a run.
///
/// The file is emptied when it is opened, so that no report of an earlier run is mistaken for the new one. Links are
/// followed, because the user names the file: `/dev/stderr` is one. The file may be a pipe with a reader, too.
package final class ReportFile {
  private let path: String
  private let descriptor: Int32
  /// The first problem with the file. After it, nothing more is written.
  package private(set) var problem: FileProblem?

  /// Opens a file. Creates missing folders.
  package init(_ path: String) throws(FileProblem) {
    self.path = path
    do {
      let folder = FilePath.folder(of: path)
      if !folder.isEmpty {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
    } catch {
      throw FileProblem(path: path, reason: "cannot be written: its folder cannot be created")
    }
    // Opening a named pipe would wait for a reader, perhaps for ever.
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
    if descriptor < 0 {
      guard errno != ENXIO else {
        throw FileProblem(path: path, reason: "cannot be written: it is a pipe that no process reads")
      }
      throw Self.problem(with: path)
    }
    // Writing waits for the reader.
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Empties a file, or creates it. Leaves pipes and devices alone, whose readers would take this for the end of a report.
  static func empty(_ path: String) throws(FileProblem) {
    var status = stat()
    guard stat(path, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
    _ = try ReportFile(path)
  }

  package func write(_ text: String) {
    guard problem == nil else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        problem = Self.problem(with: path)
        return
      }
    }
  }

  private static func problem(with path: String) -> FileProblem {
    FileProblem(path: path, reason: "cannot be written: \(String(cString: strerror(errno)))")
  }
}
