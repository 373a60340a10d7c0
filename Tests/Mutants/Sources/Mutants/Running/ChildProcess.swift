import Foundation

/// A process that is run to its end, or to a limit of time.
struct ChildProcess {
  enum End: Equatable {
    case exited(Int32)
    case signaled(Int32)
    case timedOut
  }

  var end: End
  var output: String

  /// Spawning and marking the pipe as closed on exec go together, so that no other child keeps it open.
  private static let lock = NSLock()

  /// - Parameter timeout: in seconds of the clock on the wall, for a process that waits forever. One that computes forever
  ///   ends at its limit of processor time; see ``limitProcessorTime(seconds:)``.
  static func run(
    _ path: String, _ arguments: [String], environment: [String: String], timeout: Double
  ) throws(MutantsError) -> ChildProcess {
    var ends: [Int32] = [0, 0]
    var process = pid_t()
    lock.lock()
    guard pipe(&ends) == 0 else {
      lock.unlock()
      throw MutantsError("cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let status = posix_spawn(&process, path, &actions, nil, &argv, &envp)
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    lock.unlock()
    for pointer in argv + envp { free(pointer) }
    defer { close(ends[0]) }
    guard status == 0 else { throw MutantsError("cannot start \(path): \(String(cString: strerror(status)))") }

    let deadline = ContinuousClock.now + .seconds(timeout)
    var bytes: [UInt8] = []
    var isTimedOut = false
    while true {
      let left = (deadline - ContinuousClock.now) / .milliseconds(1)
      var wait = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
      let ready = poll(&wait, 1, Int32(max(0, left)))
      if ready == 0 {
        isTimedOut = true
        kill(process, SIGKILL)
        break
      }
      if ready < 0 { continue }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(ends[0], &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    var result: Int32 = 0
    while waitpid(process, &result, 0) < 0, errno == EINTR {}
    let signal = result & 0x7f
    let end: End =
      if isTimedOut || signal == SIGXCPU {
        .timedOut
      } else if signal != 0 {
        .signaled(signal)
      } else {
        .exited((result >> 8) & 0xff)
      }
    return ChildProcess(end: end, output: String(decoding: bytes, as: UTF8.self))
  }

  /// Limits the processor time and the memory of all children that are started from now on.
  static func limit(seconds: UInt, gigabytes: UInt) {
    var time = rlimit(rlim_cur: rlim_t(seconds), rlim_max: rlim_t(seconds + 5))
    var memory = rlimit(rlim_cur: rlim_t(gigabytes << 30), rlim_max: rlim_t(gigabytes << 30))
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &time)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory)
    #else
      setrlimit(RLIMIT_CPU, &time)
      setrlimit(RLIMIT_AS, &memory)
    #endif
  }
}
