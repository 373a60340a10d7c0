import AdapterConnection
import ArgumentParser
import Foundation
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioRun

/// The arguments for scenarios that run an app.
struct AdapterArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run the scenarios with 'tables' on the app with this adapter, whose command is in .recordspec.yaml. Repeatable.",
      valueName: "name"))
  var adapter: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Wait for an adapter that you start yourself, which connects to this port on 127.0.0.1, without a time limit.",
      valueName: "port"))
  var attach: UInt16?

  @Flag(help: "Print the messages to adapters and their answers on standard error.")
  var trace = false

  func validate() throws {
    if attach == 0 { throw ValidationError("'--attach' needs a port from 1 to 65535") }
    if attach != nil, !adapter.isEmpty {
      throw ValidationError("'--adapter' cannot be combined with '--attach'")
    }
    if let name = adapter.first(where: { name in adapter.count { $0 == name } > 1 }) {
      throw ValidationError("'--adapter \(name)' is written twice")
    }
  }

  /// The options that name the adapters, as they are appended to a command.
  var options: String { Self.options(naming: adapter) }

  static func options(naming names: [String]) -> String {
    names.map { " --adapter \(ShellText.quoted($0))" }.joined()
  }

  /// Returns the adapters of a command. Refuses an adapter that the project's settings do not have.
  func adapters(in context: CommandContext) throws(Refusal) -> AppAdapters {
    let report = context.errors
    let isTraced = trace
    // Adapters answer on several threads, and each line is written as a whole.
    nonisolated(unsafe) let write = report
    let lock = NSLock()
    let trace: @Sendable (String) -> Void = { line in
      if isTraced { lock.withLock { write(DisplayText.oneLine(line) + "\n") } }
    }
    if let attach {
      report("waiting for an adapter to connect to 127.0.0.1:\(attach)\n")
      return AppAdapters([(nil, AdapterPool(attachingTo: attach, trace: trace))])
    }
    let known = context.suite.settings.adapters
    var pools: [AppAdapters.Named] = []
    for name in adapter {
      guard let settings = known.first(where: { $0.name == name }) else {
        let names = known.map(\.name)
        let near = nearestName(to: name, among: names)
        let file = ReadableFolders.settingsFile(around: context.suite.scenarios)
        throw context.refuse(
          .usage, "there is no adapter '\(name)'",
          advice: near.map { "did you mean '\($0)'?" }
            ?? (names.isEmpty
              ? "write 'adapters: {\(name): {command: […]}}' in \(file)"
              : "the adapters are \(shortenedList(names))"))
      }
      pools.append((name, AdapterPool(settings, trace: trace)))
    }
    return AppAdapters(pools)
  }
}

extension SuiteOptions {
  /// Returns the remark on scenarios that did not run for lack of an adapter; nil without any.
  ///
  /// - Parameter command: the command that was to run them.
  func remark(onMissingAdapters count: Int, _ command: String) -> String? {
    guard count > 0 else { return nil }
    let names = settings.adapters.map(\.name)
    let advice =
      names.isEmpty
      ? "an adapter in Swift runs with 'swift test'; describe any other in .recordspec.yaml, and name it with '--adapter'"
      : "name an adapter: '\(self.command(command)) --adapter \(names[0])'"
    return
      "\(counted(count, "scenario")) did not run, because \(count == 1 ? "it runs" : "they run") an app; \(advice)\n"
  }
}

/// The arguments for a new scenario that calls actions of an app.
struct CallArguments: ParsableArguments {
  @OptionGroup var adapters: AdapterArguments

  @Option(
    help: ArgumentHelp(
      "Call this action of the app, in a scenario with 'tables' in place of a model. Repeatable.",
      valueName: "action"))
  var call: [String] = []

  /// A Boolean value that indicates whether the new scenario runs an app.
  var areGiven: Bool { !call.isEmpty }

  func validate() throws {
    let hasAdapter = !adapters.adapter.isEmpty || adapters.attach != nil
    if areGiven, !hasAdapter {
      throw ValidationError("'--call' needs the adapter of the app; name it with '--adapter'")
    }
    if hasAdapter, !areGiven {
      throw ValidationError("'--adapter' needs an action of the app; name it with '--call'")
    }
    if adapters.adapter.count > 1 { throw ValidationError("a scenario is written with one '--adapter'") }
    if call.contains("") { throw ValidationError("'--call' must not be empty") }
  }
}

/// The adapters that the user named.
struct AppAdapters: Sendable {
  /// An adapter with its name; the one that the user starts has none.
  typealias Named = (name: String?, pool: AdapterPool)

  private let adapters: [Named]

  init(_ adapters: [Named] = []) { self.adapters = adapters }

  var names: [String] { adapters.compactMap(\.name) }

  /// The options that name the adapters, as they are appended to a command.
  var options: String { AdapterArguments.options(naming: names) }

  /// The app of the first adapter; nil if there is none.
  var app: RemoteApp? { adapters.first.map { RemoteApp($0.pool) } }

  /// The executor of scenarios that run an app; nil if the user named no adapter.
  var executor: ScenarioJudge.AdapterExecutor? {
    guard let first = adapters.first else { return nil }
    return { [adapters] scenario, tables, name in
      let named = adapters.first { $0.name == name } ?? first
      return await AppExecution.execute(scenario, rules: tables, on: RemoteApp(named.pool))
    }
  }

  /// Ends all adapters.
  func stop() async {
    for adapter in adapters { await adapter.pool.stop() }
  }
}
