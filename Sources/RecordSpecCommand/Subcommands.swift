import ArgumentParser
import RecordSpec

struct RunSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Runs scenarios and compares what comes out. Changes no golden file.")

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var store: StoreArgument
  @OptionGroup var selection: SelectionArguments

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    await RunCommandFlow(
      suite: suite.options.with(jobs).with(store), options: selection.options, context: context
    ).run()
  }
}

struct CheckSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Says everything that is wrong with scenarios and models. Runs nothing.")

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var selection: SelectionArguments

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    CheckCommandFlow(suite: suite.options, options: selection.options, context: context).run()
  }
}

struct BlessSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless",
    abstract: "Writes golden files anew from what comes out, and shows what changes.",
    discussion: """
      A scenario whose own expectations fail is refused: mend it first. Golden files are not blessed in CI.
      """)

  @OptionGroup var suite: SuiteArguments
  @OptionGroup var jobs: JobsArgument
  @OptionGroup var selection: SelectionArguments

  @Flag(help: "Remove golden files whose scenario is gone, and do nothing else.")
  var prune = false

  func validate() throws {
    if prune, selection.isGiven {
      throw ValidationError("'--prune' looks at all golden files; it goes with no selection.")
    }
  }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    let flow = BlessCommandFlow(
      suite: suite.options.with(jobs), options: selection.options, context: context)
    return prune ? flow.prune() : await flow.run()
  }
}

struct RulesSubcommand: ParsableCommand, RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Says what the engine does, rule by rule, and which scenarios prove it.")

  @OptionGroup var suite: SuiteArguments

  @Argument(help: "Rules or groups of rules. Without any, all of them.")
  var names: [String] = []

  @Option(help: "The rules of this group. May be given several times.")
  var group: [String] = []

  @Flag(help: "Only rules that no scenario covers.")
  var uncovered = false

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async -> ExitStatus {
    RulesCommandFlow(
      suite: suite.options, names: group + names, isUncoveredOnly: uncovered, context: context
    ).run()
  }
}

extension SuiteOptions {
  fileprivate func with(_ argument: JobsArgument) -> SuiteOptions {
    var options = self
    if let jobs = argument.jobs { options.jobs = jobs }
    return options
  }

  fileprivate func with(_ argument: StoreArgument) -> SuiteOptions {
    var options = self
    options.store = argument.store
    return options
  }
}
