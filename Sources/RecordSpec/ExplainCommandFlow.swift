import JSONTree
import RecordModel

/// The `recordspec explain` command. It explains where the records of one scenario and their values come from.
package struct ExplainCommandFlow {
  private let source: ResultSource
  private let subject: String?
  private let isJSON: Bool
  private let suite: SuiteOptions
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameter subject: the label of a record, or a label and a property such as `Post/1.title`; nil for all records.
  package init(
    source: ResultSource, subject: String?, isJSON: Bool, suite: SuiteOptions, context: CommandContext
  ) {
    self.source = source
    self.subject = subject
    self.isJSON = isJSON
    self.suite = suite
    self.context = context
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    switch await ResultFinder(source: source, suite: suite, context: context).explanations() {
    case .success(let explanations): explain(with: explanations)
    case .failure(let refusal): refusal.status
    }
  }

  private func explain(with explanations: some ExplanationSource) -> ExitStatus {
    guard let subject else {
      let records = explanations.records()
      if isJSON {
        context.output(JSONValue.object(["records": .array(records.map(\.json))]).canonicalText())
      } else {
        context.output(Explanation.list(records))
      }
      return .success
    }
    do throws(ExplanationSubject.Unknown) {
      let explanation = try ExplanationSubject(subject, in: explanations).explanation
      context.output(isJSON ? explanation.json.canonicalText() : explanation.text)
      return .success
    } catch {
      context.report("error: \(error.message)\n")
      return .usage
    }
  }
}
