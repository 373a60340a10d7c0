import Foundation
import ScenarioFormat
import ScenarioRun

/// The process of an adapter. Its standard streams are only a log.
// Unchecked: all mutable state is read and written only under `lock`.
package final class AdapterProcess: @unchecked Sendable {
  private let process = Process()
  private let lock = NSLock()
  private var lines: [String] = []
  private var unfinishedLine = ""
  private let endOfLog = DispatchSemaphore(value: 0)

  /// The number of lines of the log that a message shows.
  private static let shownLines = 20

  /// The processes that have not ended, for `endAll()`.
  // Unchecked: read and written only under `lockOfRunning`.
  nonisolated(unsafe) private static var running: [ObjectIdentifier: AdapterProcess] = [:]
  private static let lockOfRunning = NSLock()

  /// Ends all processes by force. Call this method just before this process ends.
  package static func endAll() {
    for process in lockOfRunning.withLock({ Array(running.values) }) { process.send(SIGKILL) }
  }

  /// Starts the process.
  init(_ settings: AdapterSettings, port: UInt16, token: String) throws(Breakage) {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = settings.command
    process.currentDirectoryURL = URL(fileURLWithPath: settings.folder)
    var environment = ProcessInfo.processInfo.environment
    environment["RECORDSPEC_PORT"] = String(port)
    environment["RECORDSPEC_TOKEN"] = token
    process.environment = environment
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    // The threads of queues block signals, and a process inherits that.
    var (none, former) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    do {
      try process.run()
    } catch {
      throw Breakage(
        "the adapter '\(settings.name)' cannot be started: \(error.localizedDescription)",
        advice: "check its 'command' in \(ProjectSettings.fileName)")
    }
    Self.lockOfRunning.withLock { Self.running[ObjectIdentifier(self)] = self }
    let log = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      while true {
        let count = read(log.fileDescriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        add(String(decoding: buffer[..<count], as: UTF8.self))
      }
      endOfLog.signal()
    }
  }

  private func add(_ text: String) {
    lock.withLock {
      var parts = (unfinishedLine + text).split(separator: "\n", omittingEmptySubsequences: false)
      unfinishedLine = String(parts.removeLast().suffix(1000))
      lines = (lines + parts.map { String($0.prefix(1000)) }).suffix(Self.shownLines)
    }
  }

  var isRunning: Bool { process.isRunning }

  /// The way in which a process ended.
  enum Ending: Equatable, CustomStringConvertible {
    case exitCode(Int32)
    case signal(Int32)

    /// The ending of `env` if it does not find the program.
    static let commandNotFound = Self.exitCode(127)

    /// Its text in messages: `exit code 1`.
    var description: String {
      switch self {
      case .exitCode(let code): "exit code \(code)"
      case .signal(let number): "signal \(number)"
      }
    }
  }

  /// Waits a moment for the process to end, whose connection has ended. Returns nil if it still runs.
  func ending() -> Ending? {
    for _ in 0..<100 where process.isRunning { usleep(10_000) }
    guard !process.isRunning else { return nil }
    let status = process.terminationStatus
    return process.terminationReason == .exit ? .exitCode(status) : .signal(status)
  }

  /// The last lines of the log, for a message; empty if there are none.
  var log: String {
    // Output that was written before an answer may arrive a moment later.
    if process.isRunning { usleep(50_000) } else { _ = endOfLog.wait(timeout: .now() + 1) }
    let lines = lock.withLock {
      (self.lines + (unfinishedLine.isEmpty ? [] : [unfinishedLine])).suffix(Self.shownLines)
    }
    return lines.map { "\n  | " + DisplayText.oneLine($0) }.joined()
  }

  /// Ends the process, whose connection has ended, by force if it does not end by itself.
  ///
  /// - Parameter isPatient: a Boolean value that indicates whether it has a second to end by itself.
  func stop(isPatient: Bool) {
    if isPatient { for _ in 0..<100 where process.isRunning { usleep(10_000) } }
    defer { _ = Self.lockOfRunning.withLock { Self.running.removeValue(forKey: ObjectIdentifier(self)) } }
    guard process.isRunning else { return }
    let isGroup = send(SIGTERM)
    for _ in 0..<100 where process.isRunning { usleep(10_000) }
    if process.isRunning || isGroup { send(SIGKILL) }
  }

  /// Sends a signal to the process and its children. Returns a Boolean value that indicates whether the children got it.
  @discardableResult private func send(_ signal: Int32) -> Bool {
    // Programs such as shells and build tools start the adapter as a child, which is of the same process group.
    let identifier = process.processIdentifier
    let isGroup = getpgid(identifier) == identifier
    kill(isGroup ? -identifier : identifier, signal)
    return isGroup
  }
}
