package import JSONTree
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// A reporter that writes a page in HTML: an overview with search, and the details of each scenario.
///
/// Results are written as they arrive. Only the digests of texts that scenarios share are kept.
package struct HTMLReporter: RunReporter {
  private let output: (String) -> Void
  private let version: String
  /// The groups of rules, for the page of the rules.
  private let rules: JSONValue
  private var written = WrittenTexts()
  private var duration = Duration.zero

  /// Creates a reporter.
  ///
  /// - Parameters:
  ///   - version: the version of RecordSpec.
  ///   - rules: the rules of the engine as JSON.
  ///   - output: a function that takes text.
  package init(version: String, rules: JSONValue, output: @escaping (String) -> Void) {
    self.version = version
    self.rules = rules
    self.output = output
  }

  package mutating func report(_ event: RunEvent) {
    switch event {
    case .started, .progressed: break
    case .planned(let run):
      output(HTMLPage.start(title: "RecordSpec report"))
      output(HTMLPage.data(id: "run", form(of: run)))
    case .ended(let scenario):
      duration += scenario.duration
      output(HTMLPage.data(kind: "scenario", scenario.pageForm))
    case .detailed(let details):
      for text in written.taking(details).texts {
        output(HTMLPage.data(id: "text-\(text.digest)", kind: "text", .string(text.text)))
      }
      output(HTMLPage.data(id: "details-\(details.index)", kind: "details", details.form))
    case .problem(let problem): output(HTMLPage.data(kind: "problem", problem.pageForm))
    case .runEnded(let summary):
      output(HTMLPage.data(id: "summary", form(of: summary)))
      output(HTMLPage.data(id: "rules", rules))
      output(HTMLPage.end)
    }
  }

  private func form(of run: PlannedRun) -> JSONValue {
    var object = JSONFormObject()
    object.add("kind", "report")
    object.add("version", version)
    object.add("stores", list: [.string(run.store.rawValue)])
    object.add("count", run.count)
    object.add("total", run.total)
    object.add("shard", run.shard?.description)
    return object.form
  }

  private func form(of summary: RunSummary) -> JSONValue {
    var counts = JSONFormObject()
    for kind in ScenarioOutcome.Kind.allCases { counts.add(kind.rawValue, summary[kind]) }
    var object = JSONFormObject()
    object.add("line", summary.text)
    object.add("counts", counts.form)
    object.add("obsolete", list: summary.obsolete.map(JSONValue.string))
    object.add("unfinished", summary.unfinished)
    object.add("notRun", summary.notRun)
    object.add("duration", duration.form)
    object.add("status", Int(summary.status.rawValue))
    return object.form
  }
}

extension ReportedScenario {
  fileprivate var pageForm: JSONValue {
    var object = JSONFormObject()
    addCommonMembers(to: &object)
    object.add("duration", duration.form)
    object.add("headline", DisplayText.uncolored(headline))
    if !explanation.isEmpty { object.add("text", DisplayText.uncolored(explanation)) }
    object.add("errors", list: errors.map(\.pageForm) + otherAnnotations.map { $0.pageForm(.error) })
    object.add("warnings", list: warnings.map(\.pageForm))
    return object.form
  }
}

extension ReportedProblem {
  fileprivate var pageForm: JSONValue { annotation.pageForm(severity, text: DisplayText.uncolored(text)) }
}

extension ScenarioAnnotation {
  fileprivate func pageForm(_ severity: AuthorDiagnostic.Severity, text: String? = nil) -> JSONValue {
    var object = JSONFormObject()
    object.add("severity", severity.rawValue)
    add(to: &object)
    object.add("text", text)
    return object.form
  }
}
