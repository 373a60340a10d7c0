import RecordModel
import ScenarioFormat
package import ScenarioReport
import ScenarioRun

/// The `recordspec serve` command. It serves the canned responses of a scenario over HTTP, until a signal ends it.
package struct ServeCommandFlow {
  /// The options of the command.
  package struct Options: Sendable {
    /// The file, name or pattern of the scenario.
    package var scenario: String
    /// The port of the first server; 0 for any free ports. Further servers have the following ports.
    package var port: UInt16 = 8080
    /// A Boolean value that indicates whether an address serves its first response again after its last.
    package var startsOver = false
    /// A Boolean value that indicates whether links are served unchanged.
    package var keepsLinks = false

    package init(scenario: String) { self.scenario = scenario }
  }

  private let suite: SuiteOptions
  private let options: Options
  private let server: any LoopbackServer
  private let context: CommandContext

  package init(suite: SuiteOptions, options: Options, server: any LoopbackServer, context: CommandContext) {
    self.suite = suite
    self.options = options
    self.server = server
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    let entry: RunPlan.Entry
    switch SuiteSelection.one(options.scenario, suite: suite, context: context) {
    case .success(let found): entry = found
    case .failure(let refusal): return refusal.status
    }
    let loaded = entry.read()
    guard let scenario = loaded.scenario else { return context.refuse(loaded, suite) }
    guard !scenario.responses.isEmpty else {
      context.report("error: the scenario '\(scenario.name)' has no 'responses' to serve\n")
      return .usage
    }
    let served = ServedScenario(
      scenario, startsOver: options.startsOver, keepsLinks: options.keepsLinks)
    let (events, continuation) = AsyncStream.makeStream(of: ServedScenario.Event.self)
    do throws(ListeningError) {
      served.listen(at: try await listen(served) { continuation.yield($0) })
    } catch {
      context.report(
        "error: cannot listen on port \(error.port): \(error.reason)\n"
          + "help: choose another port with '--port'; '--port 0' chooses a free one\n")
      return .broken
    }
    context.onSignal {
      context.output("\n" + Self.summary(of: served))
      return served.counts.unanswered == 0 ? .success : .failed
    }
    context.output(introduction(scenario, served))
    for await event in events {
      context.output(event.text + "\n")
      if let advice = event.advice { context.output("  help: \(advice)\n") }
    }
    return .success
  }

  private struct ListeningError: Error {
    let port: UInt16
    let reason: String
  }

  /// Starts a local server for each site, and returns their URLs without paths.
  private func listen(
    _ served: ServedScenario, isolation: isolated (any Actor)? = #isolation,
    report: @escaping @Sendable (ServedScenario.Event) -> Void
  ) async throws(ListeningError) -> [String] {
    var urls: [String] = []
    for site in served.sites.indices {
      let (port, overflows) = options.port.addingReportingOverflow(UInt16(truncatingIfNeeded: site))
      guard !overflows, options.port == 0 || site <= Int(UInt16.max) else {
        throw ListeningError(
          port: options.port, reason: "the servers of the scenario need more ports after it")
      }
      do throws(LoopbackServerError) {
        let found = try await server.listen(on: options.port == 0 ? 0 : port) { request in
          await served.waitUntilListening()
          let (response, event) = served.response(to: request, at: site)
          report(event)
          return response
        }
        urls.append("http://127.0.0.1:\(found)")
      } catch {
        throw ListeningError(port: port, reason: error.reason)
      }
    }
    return urls
  }

  private func introduction(_ scenario: Scenario, _ served: ServedScenario) -> String {
    let sites = served.sites.indices.map { site in
      "  \(served.sites[site].baseURL ?? served.sites[site].origin + "/") is \(served.localURL(of: site))\n"
    }
    return DisplayText.oneLine("\(scenario.name): \(scenario.title)") + "\n" + sites.joined()
      + "Press Control-C to stop.\n\n"
  }

  /// Returns the last lines: the number of requests, and the responses that were never requested.
  private static func summary(of served: ServedScenario) -> String {
    let unused = served.unused.map { address, places in
      "never requested: '\(address)' (\(places.joined(separator: ", ")))\n"
    }
    let counts = served.counts
    return unused.joined() + counted(counts.requests, "request")
      + ", \(counts.unanswered) without a response\n"
  }
}
