package import JSONTree
package import ScenarioFormat
import ScenarioRun

// MARK: Writing

extension RunEvent {
  /// The line of the event in a JSON Lines report, in which members that have their default are omitted; nil for an event
  /// that has none.
  package var form: JSONValue? {
    var object = JSONFormObject()
    switch self {
    case .started, .progressed: return nil
    case .planned(let run):
      object.add("type", "run")
      object.add("format", JSONLinesReporter.formatVersion)
      object.add("scenarios", run.count)
      object.add("total", run.total)
      object.add("digest", run.digest)
      object.add("shard", run.shard?.description)
      object.add("store", run.store.rawValue)
    case .ended(let scenario):
      object.add("type", "scenario")
      scenario.add(to: &object)
    case .detailed(let details):
      object.add("type", "details")
      details.add(to: &object)
    case .problem(let problem):
      object.add("type", "problem")
      object.add("severity", problem.severity.rawValue)
      problem.add(to: &object)
    case .runEnded(let summary):
      object.add("type", "end")
      let totals = summary.totals
      object.add("passed", totals.passed)
      object.add("failed", totals.failed)
      object.add("skipped", totals.skipped)
      object.add("notRun", nonzero: summary.notRun)
      object.add("unfinished", nonzero: summary.unfinished)
      object.add("problems", nonzero: summary.problems)
      object.add("obsolete", list: summary.obsolete.map(JSONValue.string))
      object.add("isCI", flag: summary.isCI)
      object.add("status", Int(summary.status.rawValue))
    }
    return object.form
  }
}

extension ReportedScenario {
  /// Adds the members that all reports in JSON have.
  func addCommonMembers(to object: inout JSONFormObject) {
    object.add("index", index)
    object.add("name", name)
    object.add("path", path)
    object.add("title", title)
    object.add("tags", list: tags.map(JSONValue.string))
    object.add("rules", list: rules.map(JSONValue.string))
    object.add("outcome", outcome.rawValue)
    object.add("reason", reason)
  }

  fileprivate func add(to object: inout JSONFormObject) {
    addCommonMembers(to: &object)
    object.add("seconds", duration.form)
    object.add("headline", DisplayText.uncolored(headline))
    if !failureText.isEmpty { object.add("text", DisplayText.uncolored(failureText)) }
    object.add("errors", list: errors.map(\.form))
    object.add("warnings", list: warnings.map(\.form))
    object.add("annotations", list: otherAnnotations.map(\.form))
    object.add("hasUnreadableGoldenFile", flag: hasUnreadableGoldenFile)
  }
}

extension ReportedProblem {
  fileprivate var form: JSONValue {
    var object = JSONFormObject()
    add(to: &object)
    return object.form
  }

  fileprivate func add(to object: inout JSONFormObject) {
    annotation.add(to: &object)
    object.add("text", DisplayText.uncolored(text))
  }
}

extension ScenarioAnnotation {
  fileprivate var form: JSONValue {
    var object = JSONFormObject()
    add(to: &object)
    return object.form
  }

  package func add(to object: inout JSONFormObject) {
    object.add("path", path)
    if let region {
      object.add("line", region.line)
      object.add("column", region.column)
      object.add("endLine", region.endLine)
      object.add("endColumn", region.endColumn)
    }
    object.add("message", message)
  }
}

extension Duration {
  /// The number of seconds.
  package var form: JSONValue? { JSONNumber(digits: decimalText).map(JSONValue.number) }
}

extension JSONFormObject {
  fileprivate mutating func add(_ key: String, nonzero count: Int) { if count != 0 { add(key, count) } }
}

// MARK: Reading

extension RunEvent {
  /// Reads the line of a JSON Lines report.
  package init(_ form: JSONForm) throws(JSONForm.Damaged) {
    let type = try form.required("type")
    switch try type.string() {
    case "run": self = .planned(try PlannedRun(form))
    case "scenario": self = .ended(try ReportedScenario(form))
    case "details": self = .detailed(try ScenarioDetails(form))
    case "problem":
      let severity: AuthorDiagnostic.Severity = try form.required("severity").name()
      self = .problem(try ReportedProblem(form, severity))
    case "end":
      var summary = RunSummary()
      summary.notRun = try form.optional("notRun")?.count() ?? 0
      summary.unfinished = try form.optional("unfinished")?.count() ?? 0
      summary.problems = try form.optional("problems")?.count() ?? 0
      summary.obsolete = try form.optional("obsolete")?.strings() ?? []
      summary.isCI = try form.optional("isCI")?.boolean() ?? false
      self = .runEnded(summary)
    default: throw type.damaged("'run', 'scenario', 'details', 'problem' or 'end'")
    }
  }
}

extension PlannedRun {
  fileprivate init(_ form: JSONForm) throws(JSONForm.Damaged) {
    self.init(
      count: try form.required("scenarios").count(), total: try form.required("total").count(),
      digest: try form.required("digest").string(), store: try form.required("store").name())
    if let text = form.optional("shard") {
      guard let shard = Shard(try text.string()) else { throw text.damaged("a shard such as '1/3'") }
      self.shard = shard
    }
  }
}

extension ReportedScenario {
  fileprivate init(_ form: JSONForm) throws(JSONForm.Damaged) {
    self.init(
      name: try form.required("name").string(), path: try form.required("path").string(),
      title: try form.optional("title")?.string(), outcome: try form.required("outcome").name(),
      headline: try form.required("headline").string())
    index = try form.required("index").count()
    tags = try form.optional("tags")?.strings() ?? []
    rules = try form.optional("rules")?.strings() ?? []
    reason = try form.optional("reason")?.string()
    duration = try form.required("seconds").duration()
    failureText = try form.optional("text")?.string() ?? ""
    errors =
      try form.optional("errors").map { form throws(JSONForm.Damaged) in try form.problems(.error) } ?? []
    warnings =
      try form.optional("warnings").map { form throws(JSONForm.Damaged) in try form.problems(.warning) } ?? []
    otherAnnotations = try form.optional("annotations")?.elements(ScenarioAnnotation.init) ?? []
    hasUnreadableGoldenFile = try form.optional("hasUnreadableGoldenFile")?.boolean() ?? false
  }
}

extension ReportedProblem {
  fileprivate init(_ form: JSONForm, _ severity: AuthorDiagnostic.Severity) throws(JSONForm.Damaged) {
    self.init(
      severity: severity, annotation: try ScenarioAnnotation(form),
      text: try form.required("text").string())
  }
}

extension ScenarioAnnotation {
  fileprivate init(_ form: JSONForm) throws(JSONForm.Damaged) {
    self.init(try form.required("message").string(), at: try form.required("path").string())
    guard let line = form.optional("line") else { return }
    region = Region(
      line: try line.count(), column: try form.required("column").count(),
      endLine: try form.required("endLine").count(), endColumn: try form.required("endColumn").count())
  }
}

extension JSONForm {
  fileprivate func strings() throws(Damaged) -> [String] {
    try elements { form throws(Damaged) in try form.string() }
  }

  fileprivate func problems(_ severity: AuthorDiagnostic.Severity) throws(Damaged) -> [ReportedProblem] {
    try elements { form throws(Damaged) in try ReportedProblem(form, severity) }
  }

  /// Reads a number of seconds.
  fileprivate func duration() throws(Damaged) -> Duration {
    guard case .number(let number) = value, let seconds = number.doubleValue, seconds >= 0,
      seconds < 1e9
    else { throw damaged("a number of seconds") }
    return .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
