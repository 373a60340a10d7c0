import ArgumentParser
import JSONTree
import RecordSpec
import ScenarioReport
import ScenarioRun

/// Explains where the records of one scenario and their values come from.
struct ExplainCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain where the records of a scenario and their values come from.",
    usage: "recordspec explain [<options>] <scenario> [<label[.property]>]",
    discussion: """
      For example, this command explains a value: the response and the JSON pointer that it comes from, the path that \
      found it, and the duplicates that lost. For a property without a value, it lists the paths that were tried.
        recordspec explain feed Post/1.title

      Labels are those of golden files. If the scenario uses Swift code of a test target, the command explains the result \
      that its last failed test has kept.
      """)

  @OptionGroup var result: ResultArguments

  @Argument(
    help: ArgumentHelp(
      "Label of a record, or a label and a property. (default: all records)",
      valueName: "label[.property]"))
  var subject: String?

  /// A property that is not joined with its label, which is a mistake.
  @Argument(help: .hidden)
  var property: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard let subject, let property else { return }
    throw ValidationError("write the property after the label and a dot: '\(subject).\(property)'")
  }

  var writesFiles: Bool { false }

  var suiteOptions: SuiteOptions { result.suiteOptions }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let explanations = try await result.explanations(in: context)
    guard let subject else {
      let records = explanations.records()
      context.output(
        json
          ? JSONValue.object(["records": .array(records.map(\.json))]).canonicalText()
          : Explanation.list(records))
      return .success
    }
    do throws(ExplanationSubject.Unknown) {
      let explanation = try ExplanationSubject(subject, in: explanations).explanation
      context.output(json ? explanation.json.canonicalText() : explanation.text)
      return .success
    } catch {
      throw context.refuse(.usage, error.message)
    }
  }
}
