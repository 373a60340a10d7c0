package import Foundation
package import JSONTree
package import ScenarioComparison
package import ScenarioFormat
package import ScenarioRun

/// An app in another process, which a scenario runs through its adapter. Requests of the app are sent over HTTP to servers on
/// loopback, which only this scenario has.
package actor RemoteApp: ScenarioApp {
  private let pool: AdapterPool
  private var client: AdapterClient?
  private var folder: ScratchFolder?
  private var servers: AppServers?
  private var breakage: Breakage?

  package init(_ pool: AdapterPool) { self.pool = pool }

  package func open(_ scenario: Scenario, server: AppServer, now: Date) async throws(Breakage) {
    let client = try await pool.client()
    self.client = client
    if let unknown = scenario.unknownAction(among: client.actions) { throw unknown }
    for kind in [StepKind.reopen, .advance] {
      guard scenario.steps.contains(where: { $0.kind == kind }), !client.supported.contains(kind.rawValue)
      else { continue }
      throw Breakage(
        "the scenario has a step '\(kind)', which the adapter does not support",
        advice: "implement it, and list it in 'supports' of the answer to 'hello'")
    }
    let folder: ScratchFolder
    do {
      folder = try ScratchFolder()
    } catch {
      throw Breakage(error)
    }
    self.folder = folder
    let servers = try await AppServers(scenario, server)
    self.servers = servers
    try await perform(
      .open(scenario: scenario.name, baseURL: servers.baseURL, now: now, folder: folder.url(of: "").path))
  }

  package func call(_ action: String, with arguments: JSONValue?) async throws(Breakage) -> CallOutcome {
    let message = AdapterMessage.call(action, arguments: arguments)
    let answer = try await exchange(message)
    if let failure = answer.text("failure") { return .failure(failure) }
    try note { () throws(Breakage) in try answer.requireSuccess(of: message) }
    return .success
  }

  package func reopen() async throws(Breakage) { try await perform(.reopen) }

  package func advance(to now: Date) async throws(Breakage) { try await perform(.advance(now: now)) }

  package func dump() async throws(Breakage) -> TableDump {
    let answer = try await exchange(.dump)
    let dump = try note { () throws(Breakage) in try answer.dump() }
    guard let servers else { return dump }
    return dump.replacingTexts { servers.restored($0) }
  }

  package func close() async throws(Breakage) {
    var problem: Breakage?
    if breakage == nil, servers != nil, client != nil {
      do throws(Breakage) {
        try await perform(.close)
      } catch {
        (breakage, problem) = (error, error)
      }
    }
    if let client { await pool.giveBack(client, after: breakage) }
    await servers?.stop()
    folder?.remove()
    (client, servers, folder) = (nil, nil, nil)
    if let problem { throw problem }
  }

  private func perform(_ message: AdapterMessage) async throws(Breakage) {
    let answer = try await exchange(message)
    try note { () throws(Breakage) in try answer.requireSuccess(of: message) }
  }

  /// Performs some work and returns its result. If it fails, the adapter is not used again.
  private func note<Value>(_ work: () throws(Breakage) -> Value) throws(Breakage) -> Value {
    do throws(Breakage) {
      return try work()
    } catch {
      breakage = error
      throw error
    }
  }

  private func exchange(_ message: AdapterMessage) async throws(Breakage) -> AdapterAnswer {
    guard let client else { throw Breakage("the adapter is not connected") }
    do {
      return try await client.exchange(message)
    } catch {
      breakage = error
      throw error
    }
  }
}

/// The HTTP servers of one scenario: one for each server that its responses name.
struct AppServers: Sendable {
  private let servers: [LoopbackServer]
  private let sites: [ServedSite]
  private let links = LocalLinks()

  init(_ scenario: Scenario, _ server: AppServer) async throws(Breakage) {
    sites = ServedSite.all(of: scenario)
    var servers: [LoopbackServer] = []
    do {
      for site in sites {
        servers.append(
          try await LoopbackServer.listen(on: 0) { [links] request in
            await Self.response(to: request, at: site, of: server, links.current)
          })
      }
    } catch {
      for server in servers { await server.stop() }
      throw Breakage("cannot listen on loopback: \(error.reason)", advice: "are there too many open files?")
    }
    self.servers = servers
    links.set(ServedLinks(zip(sites, servers).map { ($0.origin, Self.url(of: $1)) }))
  }

  /// The links of responses, which are known when all servers listen.
  // Unchecked: set once, before the adapter learns of the servers.
  private final class LocalLinks: @unchecked Sendable {
    private(set) var current = ServedLinks([])
    func set(_ links: ServedLinks) { current = links }
  }

  private static func url(of server: LoopbackServer) -> String { "http://127.0.0.1:\(server.port)" }

  /// The base URL of the app. It ends with a slash.
  var baseURL: String { servers.first.map { Self.url(of: $0) + sites[0].path } ?? "" }

  /// Returns a text with the scenario's addresses in place of those of the local servers.
  func restored(_ text: String) -> String { links.current.restored(text) }

  func stop() async {
    for server in servers { await server.stop() }
  }

  private static func response(
    to request: ReceivedRequest, at site: ServedSite, of server: AppServer, _ links: ServedLinks
  ) async -> ServedResponse {
    let asked = AppRequest(
      method: request.method, url: site.origin + links.restored(request.target),
      headers: request.headers.mapValues(links.restored), body: links.restored(request.body))
    switch await server.response(to: asked) {
    case .failure: return ServedResponse(content: .closedConnection)
    case .message(let message):
      return ServedResponse(
        content: .message(
          status: message.status, headers: links.localized(message.headers),
          body: links.localized(message.body)))
    }
  }
}
