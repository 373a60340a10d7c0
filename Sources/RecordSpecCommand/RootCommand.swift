import ArgumentParser
import Foundation
import RecordSpec

/// The root command, which defines the arguments. RecordSpec performs the commands.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordspec",
    abstract: "Runs scenarios against the record engine and compares what comes out with golden files.",
    discussion: """
      A scenario is a YAML file: a model, canned server responses, steps, and what its author expects. Without \
      arguments 'recordspec run' runs those below 'Scenarios' against 'Golden'.

      Exit status: 0 as expected, 1 a scenario failed, 2 a file is invalid, 3 recordspec broke, 4 nothing was \
      selected, 64 wrong usage.
      """,
    version: "0.1.0",
    subcommands: [RunSubcommand.self, CheckSubcommand.self, BlessSubcommand.self, RulesSubcommand.self],
    defaultSubcommand: RunSubcommand.self)
}

/// A parsed command that can run in any context.
protocol RunnableCommand {
  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus
}

extension RootCommand {
  /// Parses arguments, performs the command and returns its exit status. Never exits the process.
  static func status(
    of arguments: [String], in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      if let command = command as? any RunnableCommand {
        var context = context
        let names = configuration.subcommands.compactMap { $0.configuration.commandName }
        if let first = arguments.first, !names.contains(first) { context.commands = names }
        return await command.run(in: context, isolation: isolation).rawValue
      }
      // The parser's own command, which requests the help of the named command by throwing an error.
      try command.run()
      return ExitStatus.success.rawValue
    } catch {
      let code = exitCode(for: error)
      // The texts of help and version are errors, too.
      let text = fullMessage(for: error) + "\n"
      code.isSuccess ? context.output(text) : context.report(text)
      return code.rawValue
    }
  }
}
