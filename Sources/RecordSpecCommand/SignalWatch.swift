import Foundation
import RecordSpec

/// Ends the process on SIGINT, SIGTERM and SIGHUP: tells what is finished, removes temporary files, and exits with 128 and
/// the number of the signal.
// Unchecked: `tell` is used on the main queue alone, on which the command runs.
final class SignalWatch: @unchecked Sendable {
  /// What the command has yet to say.
  var tell: () -> Void = {}

  private let signals: Int32
  /// The other end of `signals`. A handler can do little more than write to it.
  nonisolated(unsafe) private static var handlerEnd: Int32 = -1

  init() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signals = ends[0]
    Self.handlerEnd = ends[1]
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let former = signal(number) { number in
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(SignalWatch.handlerEnd, &byte, 1)
      }
      // 'nohup', for example, has it ignored.
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(number, SIG_IGN)
      }
    }
    Thread.detachNewThread { self.run() }
  }

  private func run() {
    var number: UInt8 = 0
    while read(signals, &number, 1) != 1 { if errno != EINTR { return } }
    let ending = Int32(number)
    DispatchQueue.main.async {
      self.tell()
      Self.end(ending)
    }
    // A command that is busy, or whose report nobody reads, ends after five seconds, or with a second signal.
    var next = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
    poll(&next, 1, 5000)
    Self.end(ending)
  }

  private static func end(_ number: Int32) -> Never {
    ScratchFolder.removeAll()
    _exit(128 + number)
  }
}
