import Foundation
import JSONTree
import RecordModel
import ScenarioComparison
package import ScenarioFormat

/// The execution of a scenario on an app: each step is performed by the app, and followed by a dump of the app's store. The
/// changes of a step are the differences between two dumps.
package struct AppExecution {
  private let scenario: Scenario
  private let rules: TableRules
  private let app: any ScenarioApp
  private let server: AppServer
  private let clock: VirtualClock
  private var result = ExecutedScenario(snapshot: ScenarioSnapshot())
  /// The tables of all dumps, without their rows.
  private var tables: [TableDump] = []
  /// The references in the last dump that lead to no row.
  private var strays: [StrayReference] = []

  /// Runs all steps, even if some of them fail. If the app breaks, the result contains the steps before that.
  package static func execute(
    _ scenario: Scenario, rules: TableRules, on app: any ScenarioApp
  ) async -> ExecutedScenario {
    var execution = AppExecution(scenario, rules, app)
    do throws(Breakage) {
      try await execution.run()
      try await app.close()
      execution.finish()
    } catch {
      try? await app.close()
      execution.result.breakage = error
      // The tables are known only as far as the app has run.
      execution.result.tables = try? execution.model()
      execution.result.snapshot.graph = execution.result.graphs.last ?? GraphSnapshot()
    }
    return execution.result
  }

  private init(_ scenario: Scenario, _ rules: TableRules, _ app: any ScenarioApp) {
    (self.scenario, self.rules, self.app) = (scenario, rules, app)
    server = AppServer(scenario)
    clock = VirtualClock(start: scenario.now)
  }

  private mutating func run() async throws(Breakage) {
    try await app.open(scenario, server: server, now: clock.date)
    let start = try await graph()
    guard start.records.isEmpty else {
      let labels = start.labels.prefix(3).map(\.rawValue).joined(separator: ", ")
      throw Breakage(
        "the app's store is not empty at the start: it has \(counted(start.records.count, "row")), such as \(labels)",
        advice: "let the adapter create a new store in the scenario's folder, or ignore the table in 'tables'"
      )
    }
    result.graphs = [start]
    for step in scenario.steps {
      do throws(Breakage) {
        try await run(step)
      } catch {
        var breakage = error
        breakage.span = breakage.span ?? step.span
        throw breakage
      }
    }
    result.snapshot.graph = result.graphs.last ?? start
    let model = try model()
    result.findings += TableNameCheck(scenario, model).findings
    reportStrays()
    result.tables = model
  }

  /// Reports the requests that arrived until the app was closed, and the responses that were never requested.
  private mutating func finish() {
    let rest = server.endStep()
    report(late: rest.late, after: scenario.steps.last)
    for response in server.unused {
      result.findings.append(
        AuthorDiagnostic(
          .unusedResponse, at: response.span, "this response was never requested",
          advice: "remove it, request it, or write 'optional: true'"))
    }
  }

  private mutating func run(_ step: Step) async throws(Breakage) {
    server.beginStep()
    var snapshot = StepSnapshot(step.recorded)
    switch step.action {
    case .call(let call):
      if case .failure(let message) = try await app.call(call.action.value, with: call.arguments) {
        snapshot.failure = FailureSnapshot(code: FailureSnapshot.ofApp, message: message)
      }
    case .reopen: try await app.reopen()
    case .advance(let time):
      if time < .zero { clock.setBack(by: .zero - time) } else { clock.advance(to: clock.elapsed + time) }
      try await app.advance(to: clock.date)
    default: throw Breakage("an app cannot perform a '\(step.kind)' step")
    }
    let journal = server.endStep()
    let before = result.graphs.last ?? GraphSnapshot()
    let graph = try await graph()
    snapshot.requests = journal.requests
    snapshot.addChanges(from: before, to: graph)
    if !journal.unanswered.isEmpty, snapshot.failure != nil {
      // The failure follows from the missing response, which is reported.
      snapshot.failure?.code = AuthorDiagnostic.Code.unansweredRequest.rawValue
    }
    report(late: journal.late, after: scenario.steps.prefix(result.snapshot.steps.count).last)
    for unanswered in journal.unanswered {
      result.findings.append(
        AuthorDiagnostic(.unansweredRequest, at: step.span, unanswered.message, advice: unanswered.advice))
    }
    reportSharedKeys(in: graph, at: step)
    result.answers.append(journal.answers)
    result.snapshot.steps.append(snapshot)
    result.graphs.append(graph)
  }

  /// Returns the rows of the app's store as a graph.
  private mutating func graph() async throws(Breakage) -> GraphSnapshot {
    let dump = try await app.dump()
    tables.append(
      TableDump(
        dump.tables.map { TableDump.Table($0.name, columns: $0.columns, rows: [], schema: $0.schema) }))
    do {
      let labeled = try dump.labeled(by: rules)
      strays = labeled.strays
      return labeled.graph
    } catch {
      var breakage = Breakage(error.message, advice: error.advice)
      breakage.span = error.table.flatMap { rules[$0]?.span }
      throw breakage
    }
  }

  private func model() throws(Breakage) -> ManagedObjectModel {
    do {
      return try TableDump.model(of: tables, by: rules)
    } catch {
      throw Breakage(
        "the tables cannot be compared: \(error)", advice: "rename the table or the column in the dump")
    }
  }

  private mutating func report(late requests: [RequestSnapshot], after step: Step?) {
    guard let step else { return }
    for request in requests {
      result.findings.append(
        AuthorDiagnostic(
          .lateRequest, at: step.span, "'\(request.address.text)' is requested after the step has ended",
          advice: "let the action of the adapter wait until the app has stored everything"))
    }
  }

  /// Reports the references that lead to no row after the last step, once for each column.
  private mutating func reportStrays() {
    var counts: [StrayReference.Column: Int] = [:]
    for stray in strays { counts[stray.place, default: 0] += 1 }
    for stray in strays {
      guard let count = counts.removeValue(forKey: stray.place),
        let span = rules[stray.table]?.span ?? scenario.steps.last?.span
      else { continue }
      result.findings.append(
        AuthorDiagnostic(.strayReference, at: span, stray.message(others: count - 1), advice: stray.advice))
    }
  }

  /// Reports rows that share a key, which numbers in their labels tell apart.
  private mutating func reportSharedKeys(in graph: GraphSnapshot, at step: Step) {
    let shared = graph.labels.filter { $0.isNumbered && $0.base.rawValue.contains("/") && $0.number == 1 }
    for label in shared where result.graphs.last?[label] == nil {
      result.findings.append(
        AuthorDiagnostic(
          .sharedKey, at: step.span, "several rows of '\(label.entity)' have the key of \(label.base)",
          advice: "correct the app, or name all columns of the key in 'tables'"))
    }
  }
}

extension StepSnapshot {
  /// Adds the differences between two dumps.
  fileprivate mutating func addChanges(from before: GraphSnapshot, to after: GraphSnapshot) {
    inserted = after.labels.filter { before[$0] == nil }
    deleted = before.labels.filter { after[$0] == nil }
    for (label, record) in after.records {
      guard let former = before[label], former != record else { continue }
      var properties: [PropertyName: [String: JSONValue]] = [:]
      for name in Set(record.properties.keys).union(former.properties.keys) {
        let (old, new) = (former.properties[name]?.goldenForm, record.properties[name]?.goldenForm)
        if old != new { properties[name] = ["from": old ?? .null, "to": new ?? .null] }
      }
      updated[label] = properties.keys.sorted()
      changes[label] = properties
    }
  }
}

extension StrayReference {
  fileprivate struct Column: Hashable {
    let table: EntityName
    let column: PropertyName
  }

  fileprivate var place: Column { Column(table: table, column: column) }

  /// Returns the message.
  ///
  /// - Parameter others: the number of other rows with such a reference in this column.
  fileprivate func message(others: Int) -> String {
    let row = record?.rawValue ?? table.rawValue
    let rest = others == 0 ? "" : " (and so in \(counted(others, "other row")))"
    let reason = target.map { "no row of '\(destination)' has this \($0)" } ?? "'\(destination)' has no key"
    return "'\(column)' of \(row) is \(ValueText.clipped(value.compactText())), and \(reason)\(rest)"
  }

  fileprivate var advice: String {
    if isID { return "correct the app, or 'references'" }
    let key = target.map { "key: \($0)" } ?? "key: none"
    return
      "correct the app; or, if the store assigns these values, name their column in 'tables': '\(destination): {\(key), id: COLUMN}'"
  }
}

extension AuthorDiagnostic.Code {
  /// References of rows that lead to no row.
  static let strayReference = Self(rawValue: "stray-reference")
  /// A request that arrived after its step had ended.
  static let lateRequest = Self(rawValue: "late-request")
  /// Rows of one table with the same key.
  static let sharedKey = Self(rawValue: "shared-key")
}
