import Foundation

/// A child process that runs to its end or to a time limit.
struct ChildProcess {
  enum End: Equatable {
    case exited(Int32)
    case signaled(Int32)
    case timedOut
  }

  var end: End
  var output: String
  /// The processor time of the process, in seconds.
  var seconds: Double

  /// The lock for spawning a process and marking its pipe as close-on-exec, so that no other child keeps the pipe open.
  private static let lock = NSLock()

  /// Runs a program.
  ///
  /// - Parameter timeout: the limit of elapsed time in seconds, for a process that waits forever. A process that
  ///   computes forever ends at its limit of processor time; see ``limit(seconds:gigabytes:)``.
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
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    // Threads of dispatch queues block signals, and the child would inherit this.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setsigmask(&attributes, &signals)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGXCPU)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var argv = ([path] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let status = posix_spawn(&process, path, &actions, &attributes, &argv, &envp)
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    close(ends[1])
    lock.unlock()
    for pointer in argv + envp { free(pointer) }
    defer { close(ends[0]) }
    guard status == 0 else {
      throw MutantsError("cannot start \(path): \(String(cString: strerror(status)))")
    }

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
    var usage = rusage()
    while wait4(process, &result, 0, &usage) < 0, errno == EINTR {}
    let signal = result & 0x7f
    let end: End =
      if isTimedOut || signal == SIGXCPU {
        .timedOut
      } else if signal != 0 {
        .signaled(signal)
      } else {
        .exited((result >> 8) & 0xff)
      }
    return ChildProcess(
      end: end, output: String(decoding: bytes, as: UTF8.self),
      seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
  }

  /// Limits the processor time and the memory of each child that is started after this call.
  static func limit(seconds: UInt, gigabytes: UInt) {
    // The limits also apply to this process, which ignores the signal.
    signal(SIGXCPU, SIG_IGN)
    var time = rlimit()
    var memory = rlimit()
    #if os(Linux)
      let (timeKind, memoryKind) = (
        __rlimit_resource_t(RLIMIT_CPU.rawValue), __rlimit_resource_t(RLIMIT_AS.rawValue)
      )
    #else
      let (timeKind, memoryKind) = (RLIMIT_CPU, RLIMIT_AS)
    #endif
    getrlimit(timeKind, &time)
    getrlimit(memoryKind, &memory)
    time.rlim_cur = rlim_t(seconds)
    memory.rlim_cur = rlim_t(gigabytes << 30)
    setrlimit(timeKind, &time)
    setrlimit(memoryKind, &memory)
  }
}
