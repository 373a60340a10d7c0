import AdapterConnection
import Foundation
import ScenarioReport
import ScenarioRun

/// A watch that ends the process on SIGINT, SIGTERM and SIGHUP. It reports the results so far, ends adapters, removes
/// temporary folders, and exits with 128 plus the number of the signal, or with the status that the command chooses.
///
/// A file that is being written is finished first, except after a second signal or the grace period. Such an end may
/// leave temporary files, which the next command that writes there removes.
// Unchecked: `work` is used only on the main queue, on which the command runs.
final class SignalWatch: @unchecked Sendable {
  /// The work to do when a signal ends the command. Returns the exit status, or nil for that of the signal.
  var work: () -> ExitStatus? = { nil }

  private let signals: Int32
  private let graceInMilliseconds: Int32
  /// The write end of the pipe. A signal handler can do little more than write to it.
  nonisolated(unsafe) private static var handlerEnd: Int32 = -1

  /// Creates a watch and installs its signal handlers.
  ///
  /// - Parameter graceInMilliseconds: the time that the command has to end after a signal; negative for no limit.
  init(graceInMilliseconds: Int32) {
    self.graceInMilliseconds = graceInMilliseconds
    let numbers = [SIGINT, SIGTERM, SIGHUP]
    // A process that is started on a worker thread of libdispatch inherits blocked signals.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    for number in numbers { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_UNBLOCK, &blocked, nil)
    var ends: [Int32] = [-1, -1]
    let isReady = pipe(&ends) == 0
    signals = ends[0]
    // Without a pipe, signals keep their default behavior.
    guard isReady else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Self.handlerEnd = ends[1]
    // `nohup`, for example, ignores SIGHUP.
    for number in numbers where !Self.isIgnored(number) {
      signal(number) { number in
        // The interrupted code may be about to read `errno`.
        let interrupted = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalWatch.handlerEnd, &byte, 1)
        errno = interrupted
      }
    }
    Thread.detachNewThread { self.run() }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private func run() {
    var number: UInt8 = 0
    while read(signals, &number, 1) != 1 { if errno != EINTR { return } }
    let ending = Int32(number)
    DispatchQueue.main.async {
      Self.end(self.work()?.rawValue ?? 128 + ending)
    }
    // A command that is busy, or whose output is not read, ends after the grace period or with a second signal.
    var next = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
    while poll(&next, 1, graceInMilliseconds) < 0, errno == EINTR {}
    Self.end(128 + ending)
  }

  private static func end(_ status: Int32) -> Never {
    AdapterProcess.endAll()
    ScratchFolder.removeAll()
    _exit(status)
  }
}
