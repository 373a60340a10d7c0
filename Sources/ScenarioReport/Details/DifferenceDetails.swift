import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// The differences of a failed scenario as the page of the HTML report reads them: those from the author's expectations, then
/// those from the golden file. Equal differences of many records are one.
struct DifferenceDetails {
  /// The maximum number of differences that are listed.
  private static let limit = 500

  static func forms(of outcome: ScenarioOutcome, _ notes: inout [String]) -> [JSONValue] {
    guard case .failed(let failure) = outcome else { return [] }
    var groups = failure.expectations.groups
    if case .different(let golden) = failure.golden { groups += golden.groups }
    let all = groups.flatMap(forms)
    if all.count > limit {
      notes.append(
        "Only \(limit) of \(ValueText.grouped(all.count)) differences are listed; 'recordspec run --verbose' prints the others."
      )
    }
    return Array(all.prefix(limit))
  }

  private static func forms(of group: DifferenceGroup) -> [JSONValue] {
    guard group.isFolded, let first = group.first.first else { return group.first.map(form) }
    var object = JSONFormObject()
    add(first.location, to: &object)
    object.add("property", group.shape.property)
    object.add("kind", group.shape.kind.rawValue)
    object.add("headline", DifferenceRenderer.headline(of: group))
    object.add("count", group.count)
    object.add("examples", list: group.first.prefix(DifferenceGroup.examples).map(example))
    object.add(
      "remarks", list: DifferenceRenderer.remarks(of: group, showsExamples: false).map(JSONValue.string))
    return [object.form]
  }

  private static func example(_ difference: Difference) -> JSONValue {
    var object = JSONFormObject()
    object.add("subject", DifferenceRenderer.subject(of: difference))
    addValues(of: difference, to: &object)
    return object.form
  }

  private static func addValues(of difference: Difference, to object: inout JSONFormObject) {
    object.add("expected", difference.expected.map(DisplayText.oneLine))
    object.add("actual", difference.actual.map(DisplayText.oneLine))
    object.add("missing", list: difference.missing.map { .string(DisplayText.oneLine($0)) })
    object.add("extra", list: difference.extra.map { .string(DisplayText.oneLine($0)) })
  }

  private static func form(of difference: Difference) -> JSONValue {
    var object = JSONFormObject()
    add(difference.location, to: &object)
    object.add("step", difference.step)
    object.add("request", difference.request)
    object.add("record", difference.record?.rawValue)
    object.add("property", difference.property)
    object.add("kind", difference.kind.rawValue)
    object.add("headline", DifferenceRenderer.headline(of: difference))
    addValues(of: difference, to: &object)
    // The values and the entries have members of their own.
    var rest = difference
    (rest.expected, rest.actual, rest.missing, rest.extra) = (nil, nil, [], [])
    object.add("remarks", list: DifferenceRenderer.remarks(of: rest).map(JSONValue.string))
    return object.form
  }

  private static func add(_ location: Difference.Location, to object: inout JSONFormObject) {
    switch location {
    case .expectation(let span):
      object.add("source", "expect")
      object.add("path", span.file.path)
      object.add("line", span.start.line)
    case .golden(let path):
      object.add("source", "golden")
      object.add("path", path)
    case .graph: object.add("source", "graph")
    }
  }
}
