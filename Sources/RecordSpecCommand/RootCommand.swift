import ArgumentParser
import Foundation
import ScenarioReport

/// The root command, which parses the arguments and performs the command that they name.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordspec",
    abstract: "Run scenarios against the record engine and compare the results with golden files.",
    discussion: """
      A scenario is a YAML file with a model, server responses, steps and expectations. Without arguments, \
      'recordspec' runs the scenarios in the folder 'Scenarios' and compares them with the folder 'Golden'.

      For example, these commands lay out a project, and create the golden file of its example:
        recordspec init
        recordspec bless example

      Exit status:
        0    all scenarios passed
        1    a scenario failed, or has no golden file
        2    a scenario, a model or another input is invalid or does not exist
        3    a file could not be read or written, or recordspec has a bug
        4    no scenario was selected
        64   wrong usage, such as a file to write that exists, or 'bless' in CI
        128 + signal   ended by a signal, such as 130 for Ctrl-C, except 'serve'
      In CI, a golden file without scenario also fails the run.
      """,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(
        name: "Daily",
        subcommands: [
          RunCommand.self, CheckCommand.self, BlessCommand.self, ReviewCommand.self, ShowCommand.self,
          ExplainCommand.self,
        ]),
      CommandGroup(
        name: "Authoring",
        subcommands: [InitCommand.self, NewCommand.self, ImportCommand.self, ReduceCommand.self]),
      CommandGroup(
        name: "Other",
        subcommands: [
          GraphCommand.self, ServeCommand.self, ModelCommand.self, GenerateCommand.self, SchemaCommand.self,
          RulesCommand.self, MergeCommand.self, MergeGoldenCommand.self,
        ]),
    ],
    defaultSubcommand: RunCommand.self)
}

extension RootCommand {
  /// Parses arguments, performs the command and returns its exit status. Never exits the process.
  static func status(
    of arguments: [String], in context: CommandContext,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Int32 {
    if let name = unknownHelpTopic(in: arguments) {
      return context.refuseHelp(about: name, among: commandNames).status.rawValue
    }
    do {
      var command = try parseAsRoot(arguments)
      if let command = command as? any RunnableCommand {
        if command.writesFiles, context.environment.isReadOnly { throw context.refuseToWrite() }
        var context = context
        context.suite = command.suiteOptions
        if let first = arguments.first, !commandNames.contains(first) {
          context.commands = commandNames
          context.command = misplacedCommand(in: arguments)
        }
        return try await command.run(in: context, isolation: isolation).rawValue
      }
      // The parser's own command, which requests the help of the named command by throwing an error.
      try command.run()
      return ExitStatus.success.rawValue
    } catch let refusal as Refusal {
      return refusal.status.rawValue
    } catch {
      return report(error, of: arguments, in: context)
    }
  }

  /// Prints what the parser throws, which can also be a help or the version, and returns the exit status.
  private static func report(
    _ error: any Error, of arguments: [String], in context: CommandContext
  ) -> Int32 {
    if let problem = problem(with: arguments, error) {
      return context.refuse(.usage, problem).status.rawValue
    }
    let code = exitCode(for: error)
    var text = fullMessage(for: error) + "\n"
    // The prefix of all other messages.
    if text.hasPrefix("Error: ") { text = "error: " + text.dropFirst("Error: ".count) }
    if code.isSuccess, arguments.contains(where: { $0.hasPrefix(completionOption) }) {
      text = completingHelp(in: text)
    }
    code.isSuccess ? context.output(text) : context.report(text)
    return code.rawValue
  }

  /// Returns the problem with the arguments in the words of RecordSpec; nil if the parser's words are used.
  private static func problem(with arguments: [String], _ error: any Error) -> String? {
    if exitCode(for: error).isSuccess {
      return optionReadAsHelp(in: arguments).map { option in
        let nearest = accepts("-" + option, insteadOf: option, in: arguments) ? "-" + option : nil
        return text(of: .unknownOption(option, nearest: nearest), arguments)
      }
    }
    if let command = misplacedCommand(in: arguments), command.acceptsOptions { return command.message }
    return ParserMessage(message(for: error), arguments).map { text(of: $0, arguments) }
  }

  /// The names of the commands, in the order of the help.
  static var commandNames: [String] { configuration.subcommands.compactMap { $0.configuration.commandName } }

  /// Returns the name of the command that the arguments begin with; by default, `run`.
  private static func commandName(in arguments: [String]) -> String {
    arguments.first.flatMap { commandNames.contains($0) ? $0 : nil } ?? "run"
  }

  /// Returns the first name after `help` that is not a command; nil if there is none.
  private static func unknownHelpTopic(in arguments: [String]) -> String? {
    guard arguments.first == "help", let name = arguments.dropFirst().first(where: { !$0.hasPrefix("-") })
    else { return nil }
    return commandNames.contains(name) || name == "help" ? nil : name
  }

  /// Returns the word that the parser has read as options of one letter, among them `-h`: `-shard`. Returns nil if the user
  /// has asked for help.
  private static func optionReadAsHelp(in arguments: [String]) -> String? {
    let options = arguments.prefix { $0 != "--" }
    guard !options.contains("-h"), !options.contains("--help"), options.first != "help" else { return nil }
    return options.first {
      $0.wholeMatch(of: /-[a-z]*h[a-z-]*(=.*)?/.dotMatchesNewlines()) != nil && $0.count > 3
    }
  }

  /// Returns the problem of a message in the words of RecordSpec, with advice.
  private static func text(of message: ParserMessage, _ arguments: [String]) -> String {
    switch message {
    case .unknownOption(let option, let nearest):
      let advice = ForeignArguments.advice(
        for: option, nearest: nearest, of: commandName(in: arguments),
        accepts: { accepts($0, insteadOf: option, in: arguments) })
      return "unknown option '\(option)'; \(advice)"
    case .unknownValue(let value, let argument, let values):
      let advice = ForeignArguments.advice(forValue: value, among: values)
      return "unknown value '\(value)' for '\(argument)'; \(advice)"
    }
  }

  /// Returns a Boolean value that indicates whether the parser knows an option in the place of an unknown one.
  private static func accepts(_ option: String, insteadOf unknown: String, in arguments: [String]) -> Bool {
    var arguments = arguments
    guard let index = arguments.firstIndex(of: unknown) else { return false }
    arguments[index] = option
    do { _ = try parseAsRoot(arguments) } catch {
      if case .unknownOption(option, _)? = ParserMessage(message(for: error), arguments) { return false }
    }
    return true
  }

  /// Returns the command that follows its options.
  private static func misplacedCommand(in arguments: [String]) -> MisplacedCommand? {
    var command = MisplacedCommand(in: arguments, among: commandNames)
    if let arguments = command?.reordered { command?.acceptsOptions = (try? parseAsRoot(arguments)) != nil }
    return command
  }
}
