import Foundation
import JSONTree
import RecordModel
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioRun

/// An app in the test's process, whose actions are functions.
actor FakeApp: ScenarioApp {
  typealias Action = @Sendable (FakeApp, JSONValue?) async throws(Breakage) -> CallOutcome

  var tables: [String: [JSONObject]]
  private(set) var server: AppServer?
  private(set) var times: [Date] = []
  private let actions: [String: Action]

  init(tables: [String: [JSONObject]] = ["post": []], _ actions: [String: Action] = [:]) {
    (self.tables, self.actions) = (tables, actions)
  }

  func open(_ scenario: Scenario, server: AppServer, now: Date) async throws(Breakage) {
    self.server = server
    times = [now]
  }

  func call(_ action: String, with arguments: JSONValue?) async throws(Breakage) -> CallOutcome {
    guard let action = actions[action] else { throw .unknownAction(action, among: Array(actions.keys)) }
    return try await action(self, arguments)
  }

  func reopen() async throws(Breakage) {}
  func advance(to now: Date) async throws(Breakage) { times.append(now) }

  func dump() async throws(Breakage) -> TableDump {
    TableDump(tables.sorted { $0.key < $1.key }.map { TableDump.Table(.init($0), rows: $1) })
  }

  func close() async {}

  func set(_ table: String, _ rows: [JSONObject]) { tables[table] = rows }

  /// Sends a request, and returns the status and the body of the response.
  func send(
    _ path: String, method: String = "GET", body: String = "", type: String? = nil
  ) async -> (Int, String)? {
    await send(path, method: method, bytes: Array(body.utf8), type: type)
  }

  func send(_ path: String, method: String, bytes: [UInt8], type: String? = nil) async -> (Int, String)? {
    guard let server else { return nil }
    var headers = ["X-Client": "1"]
    headers["Content-Type"] = type
    let request = AppRequest(method: method, url: server.baseURL + path, headers: headers, body: bytes)
    guard case .message(let message) = await server.response(to: request) else { return nil }
    return (message.status, String(decoding: message.body, as: UTF8.self))
  }
}

/// Runs a scenario on an app.
func executed(_ text: String, on app: FakeApp) async throws -> ExecutedScenario {
  let folder = try TemporaryFolder()
  try folder.write(text, to: "a.yaml")
  let loaded = folder.load("a.yaml")
  guard let scenario = loaded.scenario, let tables = scenario.tables else {
    throw Invalid(description: DiagnosticRenderer().text(of: loaded.diagnostics))
  }
  return await AppExecution.execute(scenario, rules: tables, on: app)
}

/// Runs a scenario on an app. Returns whether the expectations of its steps are met.
func meetsExpectations(_ text: String, on app: FakeApp) async throws -> Bool {
  let folder = try TemporaryFolder()
  try folder.write(text, to: "a.yaml")
  let scenario = try #require(folder.load("a.yaml").scenario)
  let result = try await executed(text, on: app)
  return zip(scenario.steps, result.snapshot.steps).allSatisfy { step, outcome in
    step.expectation.map {
      ExpectationCheck.differences($0, step: outcome, graph: result.snapshot.graph, model: Schema()).isEmpty
    } ?? true
  }
}

private struct Invalid: Error, CustomStringConvertible {
  let description: String
}
