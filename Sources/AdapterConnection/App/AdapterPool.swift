package import ScenarioFormat
import ScenarioRun

/// The connected adapters of one kind, each of which runs one scenario at a time. Adapters that break are replaced.
package actor AdapterPool {
  private let origin: Origin
  private let trace: @Sendable (String) -> Void
  private var idle: [AdapterClient] = []
  /// The adapters that run a scenario.
  private var active: [AdapterClient] = []
  /// The number of scenarios that broke before any had a result.
  private var failures = 0
  private var hasResult = false

  private enum Origin {
    case process(AdapterSettings)
    case attached(port: UInt16)
  }

  /// The number of scenarios that may break before any has a result.
  private static let maximumFailures = 3

  /// Creates the adapters that the command of the settings starts.
  ///
  /// - Parameter trace: a function that receives each message and each answer.
  package init(_ settings: AdapterSettings, trace: @escaping @Sendable (String) -> Void = { _ in }) {
    (origin, self.trace) = (.process(settings), trace)
  }

  /// Creates the adapter that the user starts, which connects to a port.
  package init(attachingTo port: UInt16, trace: @escaping @Sendable (String) -> Void = { _ in }) {
    (origin, self.trace) = (.attached(port: port), trace)
  }

  /// Returns a connected adapter, which is started if none is idle.
  func client() async throws(Breakage) -> AdapterClient {
    if let client = idle.popLast() {
      active.append(client)
      return client
    }
    if case .process = origin, !hasResult, failures >= Self.maximumFailures {
      throw Breakage(
        "the adapter is not started again, because the first \(Self.maximumFailures) scenarios broke",
        advice: "correct the adapter")
    }
    do {
      let client =
        switch origin {
        case .process(let settings): try await AdapterClient.start(settings, trace: trace)
        case .attached(let port): try await AdapterClient.attach(port: port, trace: trace)
        }
      active.append(client)
      return client
    } catch {
      failures += 1
      throw error
    }
  }

  /// Takes back an adapter whose scenario has ended.
  ///
  /// - Parameter breakage: the reason why the adapter cannot be used again; nil if it can.
  func giveBack(_ client: AdapterClient, after breakage: Breakage?) {
    active.removeAll { $0 === client }
    guard breakage != nil else {
      hasResult = true
      idle.append(client)
      return
    }
    client.stop(hasBroken: true)
    failures += 1
  }

  /// Ends all adapters.
  package func stop() {
    for client in idle { client.stop() }
    for client in active { client.stop(hasBroken: true) }
    (idle, active, failures, hasResult) = ([], [], 0, false)
  }
}
