import AdapterConnection
import ArgumentParser
import RecordModel
import RecordSpec
import ScenarioFormat
import ScenarioReport

/// Serves the canned responses of a scenario over HTTP, until a signal ends the command.
struct ServeCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the responses of a scenario over HTTP on this machine, for an app or for curl.",
    usage: "recordspec serve [<options>] <scenario>",
    discussion: """
      For example, these commands serve a scenario and request one of its addresses:
        recordspec serve books/list --port 8080
        curl http://127.0.0.1:8080/books

      A scenario with several servers uses one port for each of them, from the given port on. The command prints \
      each request with its response, and ends with Control-C. It then prints the responses that were never requested, \
      and exits with 1 if a request had no response.
      """)

  @OptionGroup var suite: SuiteArguments

  @Option(
    parsing: .unconditional, help: "Port of the first server; 0 is any free port.",
    transform: { text in
      guard let port = UInt16(text) else { throw ValidationError("write a number from 0 to \(UInt16.max)") }
      return port
    })
  var port: UInt16 = 8080

  @Flag(help: "Serve the first response of an address again after its last.")
  var startOver = false

  @Flag(help: "Serve links in headers and bodies unchanged, even if they lead to the real server.")
  var keepLinks = false

  @Argument(help: "File, name or pattern of one scenario.", completion: .scenarios)
  var scenario: String

  var writesFiles: Bool { false }

  var suiteOptions: SuiteOptions { suite.options() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let loaded = try SuiteSelection.one(scenario, in: context).read()
    guard let scenario = loaded.scenario else { throw context.refuse(loaded) }
    guard !scenario.responses.isEmpty else {
      throw context.refuse(.usage, "the scenario '\(scenario.name)' has no 'responses' to serve")
    }
    let served = ServedScenario(scenario, startsOver: startOver, keepsLinks: keepLinks)
    let (events, continuation) = AsyncStream.makeStream(of: ServedScenario.Event.self)
    served.listen(at: try await listen(served, in: context) { continuation.yield($0) })
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

  /// Starts a local server for each site, and returns their URLs without paths.
  private func listen(
    _ served: ServedScenario, in context: CommandContext, isolation: isolated (any Actor)? = #isolation,
    report: @escaping @Sendable (ServedScenario.Event) -> Void
  ) async throws(Refusal) -> [String] {
    func refuse(_ port: UInt16, _ reason: String) -> Refusal {
      context.refuse(
        .broken, "cannot listen on port \(port): \(reason)",
        advice: "choose another port with '--port'; '--port 0' chooses a free one")
    }
    var urls: [String] = []
    for site in served.sites.indices {
      let (next, overflows) = port.addingReportingOverflow(UInt16(truncatingIfNeeded: site))
      guard !overflows, port == 0 || site <= Int(UInt16.max) else {
        throw refuse(port, "the servers of the scenario need more ports after it")
      }
      do throws(LoopbackServerError) {
        let server = try await LoopbackServer.listen(on: port == 0 ? 0 : next) { request in
          await served.waitUntilListening()
          let (response, event) = served.response(to: request, at: site)
          report(event)
          return response
        }
        urls.append("http://127.0.0.1:\(server.port)")
      } catch {
        throw refuse(next, error.reason)
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
