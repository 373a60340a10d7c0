internal import Foundation
internal import JSONTree
internal import RecordModel
internal import RecordSpecAdapter
internal import ScenarioComparison
internal import ScenarioFormat
internal import ScenarioRun

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// An app that runs in the process of a test, through its adapter.
final class AdapterHost<Adapter: ScenarioAdapter>: ScenarioApp {
  private var adapter: Adapter?
  private var folder: ScratchFolder?
  private var appServer: AppServer?
  private var server: SessionServer?

  private var now = Date(timeIntervalSince1970: 0)
  private var scenario = ""
  private var baseURL: URL?

  func open(_ scenario: Scenario, server appServer: AppServer, now: Date) async throws(Breakage) {
    do {
      folder = try ScratchFolder()
    } catch {
      throw Breakage(error)
    }
    self.appServer = appServer
    (self.scenario, self.now, baseURL) = (scenario.name, now, URL(string: appServer.baseURL))
    let adapter = try await makeAdapter()
    if let unknown = scenario.unknownAction(among: Array(adapter.actions.keys)) { throw unknown }
    self.adapter = adapter
  }

  private func makeAdapter() async throws(Breakage) -> Adapter {
    server?.close()
    server = appServer.map(SessionServer.init)
    guard let baseURL else {
      throw Breakage(
        "Foundation cannot read the scenario's 'baseURL': \(appServer?.baseURL ?? "")",
        advice: "write a URL like 'https://api.test/'")
    }
    guard let folder, let server else { throw Breakage("the scenario has not been opened") }
    let context = AdapterContext(
      scenario: scenario, baseURL: baseURL, folder: folder.url(of: ""), now: now, session: server.session,
      send: { try await server.response(to: $0) })
    do {
      return try await Adapter(context)
    } catch {
      throw Breakage(adapterError: error, in: "'init(_:)'")
    }
  }

  func call(_ action: String, with arguments: JSONValue?) async throws(Breakage) -> CallOutcome {
    let adapter = try started()
    let actions = adapter.actions
    guard let found = actions[action] else { throw .unknownAction(action, among: Array(actions.keys)) }
    do {
      try await found.perform(adapter, arguments.map { Data($0.compactText().utf8) })
      return .success
    } catch let error as ArgumentsError {
      throw Breakage(
        "the action '\(action)' \(error.description)",
        advice: "correct 'with', or the arguments of the action in the adapter")
    } catch let error as AdapterError {
      throw Breakage(adapterError: error, in: "the action '\(action)'")
    } catch {
      return .failure("\(error)")
    }
  }

  func reopen() async throws(Breakage) {
    // The app must end before it is created again, because of the files that it has open.
    adapter = nil
    adapter = try await makeAdapter()
  }

  func advance(to now: Date) async throws(Breakage) {
    var adapter = try started()
    do {
      try await adapter.advance(to: now)
    } catch {
      throw Breakage(adapterError: error, in: "'advance(to:)'")
    }
    (self.adapter, self.now) = (adapter, now)
  }

  func dump() async throws(Breakage) -> TableDump {
    let adapter = try started()
    do {
      return try TableDump(await adapter.dump())
    } catch {
      throw Breakage(adapterError: error, in: "'dump()'")
    }
  }

  func close() async throws(Breakage) {
    adapter = nil
    server?.close()
    folder?.remove()
  }

  private func started() throws(Breakage) -> Adapter {
    guard let adapter else { throw Breakage("the adapter has not been created") }
    return adapter
  }
}

extension Breakage {
  fileprivate init(adapterError error: any Error, in method: String) {
    if let breakage = error as? Breakage {
      self = breakage
    } else {
      self.init("the adapter failed in \(method): \(error)", advice: "correct the adapter")
    }
  }
}

extension TableDump {
  /// Reads the rows that an adapter returns.
  fileprivate init(_ dump: StoreDump) throws {
    self = try dump.sqlite.map { try SQLiteDump.read($0.path) } ?? TableDump()
    let known = Set(tables.map(\.name))
    tables +=
      try dump.tables.sorted { $0.key < $1.key }.map { name, rows in
        guard !known.contains(EntityName(name)) else {
          throw AdapterError("the table '\(name)' is both in the file and among the added rows")
        }
        return TableDump.Table(
          EntityName(name),
          rows: try rows.map { row in
            guard case .object(let members) = try JSONDocument(parsing: Array(row)).root.value else {
              throw AdapterError("a row of '\(name)' is not encoded as an object with a key for each column")
            }
            return members
          })
      }
  }
}
