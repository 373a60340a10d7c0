import Foundation
import JSONTree
import ScenarioFormat
import ScenarioRun

/// A connected adapter, which runs one scenario at a time.
final class AdapterClient: Sendable {
  private let socket: LineSocket
  /// The process; nil for an adapter that the user has started.
  private let process: AdapterProcess?
  /// The time in which a message must be answered; nil for no limit.
  private let timeout: Duration?
  private let trace: @Sendable (String) -> Void
  private let numbers = Counter()
  /// The actions that the adapter declares.
  let actions: [String]
  /// The optional commands that the adapter declares.
  let supported: [String]

  /// The queue of the work that waits for answers.
  private static let queue = DispatchQueue(label: "RecordSpec.AdapterClient", attributes: .concurrent)

  // Unchecked: one exchange takes place at a time.
  private final class Counter: @unchecked Sendable {
    private var value = 0
    func next() -> Int {
      value += 1
      return value
    }
  }

  /// The time in which a started adapter must connect.
  private static let timeToConnect = Duration.seconds(30)

  /// Starts an adapter and waits for its connection.
  static func start(
    _ settings: AdapterSettings, trace: @escaping @Sendable (String) -> Void
  ) async throws(Breakage) -> AdapterClient {
    try await onThread { () throws(Breakage) in
      let token = UUID().uuidString
      let listener = try listener(port: 0)
      let process = try AdapterProcess(settings, port: listener.port, token: token)
      do throws(Breakage) {
        let socket = try connection(of: process, named: settings.name, to: listener)
        return try AdapterClient(
          socket, process: process, timeout: settings.timeout, token: token, trace: trace)
      } catch {
        process.stop(isPatient: false)
        throw error
      }
    }
  }

  /// Waits for a process to connect. Fails if it ends before that, or does not connect in time.
  private static func connection(
    of process: AdapterProcess, named name: String, to listener: ListeningSocket
  ) throws(Breakage) -> LineSocket {
    let advice = "let it connect to 127.0.0.1 on the port in RECORDSPEC_PORT"
    let deadline = ContinuousClock.now + timeToConnect
    while true {
      if let socket = listener.accept(within: 50) { return socket }
      if !process.isRunning, let ending = process.ending() {
        throw Breakage(
          "the adapter '\(name)' ended with \(ending) before it connected\(process.log)",
          advice: ending == .commandNotFound
            ? "check its 'command' in \(ProjectSettings.fileName)" : advice)
      }
      guard ContinuousClock.now < deadline else {
        throw Breakage("the adapter '\(name)' did not connect within 30 s\(process.log)", advice: advice)
      }
    }
  }

  /// Waits for an adapter that the user starts, without a limit of time.
  static func attach(
    port: UInt16, trace: @escaping @Sendable (String) -> Void
  ) async throws(Breakage) -> AdapterClient {
    try await onThread { () throws(Breakage) in
      let listener = try listener(port: port)
      while true {
        guard let socket = listener.accept(within: 1000) else { continue }
        return try AdapterClient(socket, process: nil, timeout: nil, token: nil, trace: trace)
      }
    }
  }

  private static func listener(port: UInt16) throws(Breakage) -> ListeningSocket {
    do {
      return try ListeningSocket(port: port)
    } catch {
      throw Breakage(
        port == 0 ? "cannot listen on 127.0.0.1: \(error)" : "cannot listen on port \(port): \(error)",
        advice: port == 0 ? "are there too many open files?" : "choose another port with '--attach'")
    }
  }

  private init(
    _ socket: LineSocket, process: AdapterProcess?, timeout: Duration?, token: String?,
    trace: @escaping @Sendable (String) -> Void
  ) throws(Breakage) {
    (self.socket, self.process, self.timeout, self.trace) = (socket, process, timeout, trace)
    let hello = try Self.exchange(
      .hello, numbered: numbers.next(), socket, process, timeout: timeout, trace)
    let version = hello["protocol"]
    guard version == .number(JSONNumber(Int64(AdapterMessage.protocolVersion))) else {
      throw .invalidAnswer(
        "the adapter uses \(version.map { "protocol \($0.compactText())" } ?? "no version of the protocol"), not \(AdapterMessage.protocolVersion)"
      )
    }
    if let token, hello.text("token") != token {
      throw .invalidAnswer("the adapter did not answer 'hello' with the token in RECORDSPEC_TOKEN")
    }
    guard let actions = hello.texts("actions") else {
      throw .invalidAnswer("the answer to 'hello' has no list of 'actions'")
    }
    (self.actions, supported) = (actions, hello.texts("supports") ?? [])
  }

  /// Sends a message and returns its answer.
  func exchange(_ message: AdapterMessage) async throws(Breakage) -> AdapterAnswer {
    let number = numbers.next()
    return try await Self.onThread { [socket, process, timeout, trace] () throws(Breakage) in
      try Self.exchange(message, numbered: number, socket, process, timeout: timeout, trace)
    }
  }

  /// Ends the connection, and the process if there is one.
  ///
  /// - Parameter hasBroken: a Boolean value that indicates whether the adapter cannot be expected to end by itself.
  func stop(hasBroken: Bool = false) {
    socket.shutDown()
    process?.stop(isPatient: !hasBroken)
  }

  private static func exchange(
    _ message: AdapterMessage, numbered number: Int, _ socket: LineSocket, _ process: AdapterProcess?,
    timeout: Duration?, _ trace: (String) -> Void
  ) throws(Breakage) -> AdapterAnswer {
    let sent = message.line(numbered: number)
    trace("→ " + String(decoding: sent, as: UTF8.self))
    let line: [UInt8]
    do {
      try socket.send(sent)
      line = try socket.line(until: timeout.map { ContinuousClock.now + $0 })
    } catch {
      throw breakage(error, during: message, process, timeout: timeout)
    }
    trace("← " + String(decoding: line, as: UTF8.self))
    do throws(Breakage) {
      return try AdapterAnswer(line, to: message, numbered: number)
    } catch {
      throw Breakage(error.message + (process?.log ?? ""), advice: error.advice)
    }
  }

  private static func breakage(
    _ problem: SocketProblem, during message: AdapterMessage, _ process: AdapterProcess?, timeout: Duration?
  ) -> Breakage {
    let log = process?.log ?? ""
    switch problem {
    case .closed, .incompleteLine:
      let part = problem == .incompleteLine ? " in the middle of a line" : ""
      guard let process, let ending = process.ending() else {
        return Breakage(
          "the adapter closed the connection\(part) during '\(message.words)'\(log)",
          advice: "let it answer every message")
      }
      return Breakage(
        "the adapter ended with \(ending)\(part) during '\(message.words)'\(process.log)",
        advice: "let it run until the connection is closed")
    case .timedOut:
      let limit = timeout.map(\.goldenForm) ?? ""
      return Breakage(
        "the adapter did not answer '\(message.words)' within \(limit)\(log)",
        advice: "'timeout' in \(ProjectSettings.fileName) sets another limit")
    case .tooLong:
      return Breakage(
        "the answer to '\(message.words)' is larger than \(LineSocket.maximumLength >> 20) MiB",
        advice: "test with less data")
    case .system:
      return Breakage(
        "the connection to the adapter failed during '\(message.words)': \(problem)\(log)",
        advice: "run the scenario again; if it fails again, check the limits of the system")
    }
  }

  /// Performs blocking work outside the threads of tasks, which must not wait.
  private static func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws(Breakage) -> Value
  ) async throws(Breakage) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
  }
}
