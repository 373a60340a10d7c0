import ArgumentParser
import RecordSpec

struct ServeSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the responses of a scenario over HTTP on this machine, for an app or for curl.",
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

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    var options = ServeCommandFlow.Options(scenario: scenario)
    options.port = port
    options.startsOver = startOver
    options.keepsLinks = keepLinks
    return await ServeCommandFlow(
      suite: suite.options, options: options, server: FlyingFoxServer(), context: context
    ).run()
  }
}
