import Foundation
package import ScenarioFormat

/// A file that a report is written to during a run.
///
/// The file is emptied when it is opened, so that no report of an earlier run is mistaken for the new one. Links are
/// followed, because the user names the file. Reports to `/dev/stderr` and `/dev/fd/3` are appended to these streams.
package final class ReportFile {
  private let path: String
  private let descriptor: Int32
  /// The first problem with the file. After it, nothing more is written.
  package private(set) var problem: FileProblem?

  /// Opens a file. Creates missing folders.
  ///
  /// - Parameter appends: a Boolean value that indicates whether the file keeps its content.
  package init(_ path: String, appends: Bool = false) throws(FileProblem) {
    self.path = path
    do {
      let folder = FilePath.folder(of: path)
      if !folder.isEmpty {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
    } catch {
      throw FileProblem(path: path, reason: "cannot be written: its folder cannot be created")
    }
    descriptor = Self.open(path, appends: appends)
    if descriptor < 0 { throw Self.problem(with: path, errno) }
  }

  /// Opens a file, and returns its descriptor; negative if that fails. Waits five seconds for the reader of a named pipe.
  private static func open(_ path: String, appends: Bool) -> Int32 {
    if let number = openDescriptor(named: path) { return duplicate(number) }
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | (appends ? O_APPEND : O_TRUNC)
    for _ in 0..<250 {
      let descriptor = Foundation.open(path, flags, 0o666)
      guard descriptor < 0, errno == ENXIO, isNamedPipe(path) else { return descriptor }
      usleep(20_000)
    }
    errno = ENXIO
    return -1
  }

  /// Returns the descriptor of an open stream that a path such as `/dev/fd/3` names, or a link to one; nil for the path of a
  /// file. Opening such a path would empty the file behind it, for example the log of a job.
  private static func openDescriptor(named path: String) -> Int32? {
    var path = path
    for _ in 0..<40 {
      if let number = OpenStream.descriptor(named: path) { return number }
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
      path = target.hasPrefix("/") ? target : FilePath.child(target, of: FilePath.folder(of: path))
    }
    return nil
  }

  /// Duplicates a descriptor that the process was started with. Others belong to files that the process has opened.
  private static func duplicate(_ number: Int32) -> Int32 {
    let flags = fcntl(number, F_GETFD)
    guard flags >= 0, flags & FD_CLOEXEC == 0 else {
      errno = EBADF
      return -1
    }
    return fcntl(number, F_DUPFD_CLOEXEC, 0)
  }

  private static func isNamedPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  deinit { close(descriptor) }

  /// Empties a file, or creates it. Pipes and devices are skipped: the reader of a pipe would see the end of the report.
  package static func empty(_ path: String) throws(FileProblem) {
    var status = stat()
    guard openDescriptor(named: path) == nil else { return }
    guard stat(path, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
    _ = try ReportFile(path)
  }

  package func write(_ text: String) {
    guard problem == nil, let code = TextOutput.write(text, to: descriptor) else { return }
    problem = Self.problem(with: path, code)
  }

  private static func problem(with path: String, _ code: Int32) -> FileProblem {
    let reason =
      code == ENXIO && isNamedPipe(path)
      ? "no process reads this pipe; start its reader before the run" : TextOutput.reason(code)
    return FileProblem(path: path, reason: "cannot be written: \(reason)")
  }
}
