import JSONTree
import RecordModel
package import ScenarioReport
import ScenarioRun

/// The `recordspec explain` command. It explains where the records of one scenario and their values come from.
package struct ExplainCommandFlow {
  private let finder: ResultFinder
  private let subject: String?
  private let isJSON: Bool
  private var context: CommandContext { finder.context }

  /// Creates the command.
  ///
  /// - Parameter subject: the label of a record, or a label and a property such as `Post/1.title`; nil for all records.
  package init(finder: ResultFinder, subject: String?, isJSON: Bool) {
    self.finder = finder
    self.subject = subject
    self.isJSON = isJSON
  }

  package func run(isolation: isolated (any Actor)? = #isolation) async -> ExitStatus {
    switch await finder.explanations() {
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
