import ArgumentParser
import RecordModel
import RecordSpec
import ScenarioRun

/// The arguments that name the result of one scenario.
struct ResultArguments: ParsableArguments {
  @OptionGroup var suite: SuiteArguments
  @OptionGroup var store: StoreArgument

  @Argument(help: "Name, file or pattern of one scenario.", completion: .scenarios)
  var scenario: String

  @Option(
    help: ArgumentHelp(
      "Read the result from a folder of kept results, instead of running the scenario.", valueName: "folder"),
    completion: .directory)
  var from: String?

  var suiteOptions: SuiteOptions { suite.options(store: store) }

  func validate() throws {
    if scenario.isEmpty { throw ValidationError("the scenario must not be empty") }
    guard let from else { return }
    if from.isEmpty { throw ValidationError("'--from' must not be empty") }
    let unused = [
      store.store == nil ? nil : "--store", suite.files.allowOutside.isEmpty ? nil : "--allow-outside",
    ].compactMap(\.self)
    if let option = unused.first {
      throw ValidationError("'\(option)' cannot be combined with '--from', which does not run the scenario")
    }
  }
}

/// The arguments that name the result of one scenario and one of its steps.
struct StepArguments: ParsableArguments {
  @OptionGroup var result: ResultArguments
  @OptionGroup var adapters: AdapterArguments

  @Option(
    parsing: .unconditional,
    help:
      "Number of the step after which to show the graph; 0 is before the first step. (default: the last step)"
  )
  var step: Int?

  /// Returns the actual result of the scenario, and the number of the step.
  func actualResult(
    in context: CommandContext, isolation: isolated (any Actor)? = #isolation
  ) async throws(Refusal) -> (result: ActualResult, step: Int) {
    let result = try await result.actualResult(adapters, in: context)
    let last = result.steps.count
    guard let step else { return (result, last) }
    if (0...last).contains(step) { return (result, step) }
    throw context.refuse(
      .usage,
      "'--step' must be from 0 to \(last), because the result has \(counted(last, "step")); 0 is the graph before the first step"
    )
  }
}
