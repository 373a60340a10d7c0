import Foundation

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioReport
@testable import ScenarioRun

/// A suite of scenarios in a temporary folder, and the command line to run on it.
struct CommandSuite {
  let folder: TemporaryFolder
  var variables: [String: String] = [:]
  /// The lines that a person types at a terminal; nil without a terminal.
  var typed: [String]?
  /// Work to do while the command waits for input.
  var whileAsked: @Sendable () -> Void = {}
  /// The work of each pause of the command. Returns false to end the command.
  var pause: @Sendable (Duration) async -> Bool = { _ in false }

  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  init(_ scenarios: [String: String] = [:]) throws {
    folder = try TemporaryFolder()
    for (name, text) in scenarios { try folder.write(text, to: "Scenarios/\(name).yaml") }
  }

  func inCI() -> CommandSuite {
    var suite = self
    suite.variables["CI"] = "true"
    return suite
  }

  func typing(_ lines: String...) -> CommandSuite {
    var suite = self
    suite.typed = lines
    return suite
  }

  /// Runs a command on the suite. Paths in its output are relative to the suite's folder.
  @discardableResult
  func recordspec(_ arguments: String..., execute: ScenarioExecutor? = nil) async -> Outcome {
    await recordspec(arguments, execute: execute)
  }

  func recordspec(
    _ arguments: [String], scenarios: String = "Scenarios", golden: String = "Golden",
    execute: ScenarioExecutor? = nil
  ) async -> Outcome {
    var output = ""
    var errors = ""
    let lines = TypedLines(typed ?? [])
    var context = CommandContext(
      environment: RunEnvironment(
        variables: variables, isTerminal: typed != nil, hasTerminalInput: typed != nil),
      execute: execute ?? { await ScenarioExecution.execute($0, on: $1) }, today: "2030-01-01",
      input: { [whileAsked] in
        whileAsked()
        return await lines.next()
      },
      output: { output += $0 }, errors: { errors += $0 })
    context.pause = pause
    var folders = ["--scenarios", folder.path + "/" + scenarios]
    let readsGoldenFiles = !arguments.contains {
      ["new", "import", "check", "explain", "rules", "serve", "show", "graph"].contains($0)
    }
    if readsGoldenFiles { folders += ["--golden", folder.path + "/" + golden] }
    let status = await RootCommand.status(of: arguments + folders, in: context)
    func plain(_ text: String) -> String {
      text
        .replacing(" --scenarios \(folder.path)/\(scenarios)", with: "")
        .replacing(folder.path + "/", with: "")
    }
    return Outcome(status: status, output: plain(output), errors: plain(errors))
  }

  /// The names of all files except the scenarios.
  var written: [String] { folder.tree.keys.filter { !$0.hasPrefix("Scenarios/") }.sorted() }
}

/// Returns a scenario with a warning: its model has a relationship without an inverse.
func doubtfulScenario(expected: String = "{count: 1}") -> String {
  """
  title: A doubtful model
  model:
    entities:
      Post: {primaryKey: id, attributes: {id: string}, relationships: {user: {to: User}}}
      User: {}
  responses: {posts: {body: [{id: "1"}]}}
  steps: [{request: Post, urn: posts}]
  expect: {graph: {Post: \(expected)}}
  """
}

/// The lines of standard input that have not been read.
private actor TypedLines {
  private var lines: [String]

  init(_ lines: [String]) { self.lines = lines }

  func next() -> String? { lines.isEmpty ? nil : lines.removeFirst() }
}

/// Returns a scenario with one post in a response.
func scenario(
  text: String = "Hello", expected: String = "Hello", tags: String = "", covers: String = "",
  more: String = "",
  title: String = "One post"
) -> String {
  """
  title: \(title)
  tags: [\(tags)]
  covers: [\(covers)]
  model: {entities: {Post: {primaryKey: id, attributes: {id: string, text: string}}}}
  responses: {posts: {body: [{id: "1", text: \(text)}]}}
  steps: [{request: Post, urn: posts}]
  expect: {graph: {Post: [{id: "1", text: \(expected)}]}}
  \(more)
  """
}
