import JSONTree
import ScenarioFormat

/// The result of `recordspec check --json`.
struct CheckReport {
  let diagnostics: [AuthorDiagnostic]
  let valid: Int
  let invalid: Int

  /// The report as JSON, with sorted keys. Lines and columns start at 1, and the end of a range is the position after it.
  var text: String {
    let report: JSONValue = [
      "diagnostics": .array(diagnostics.map(Self.form)),
      "invalid": .number(JSONNumber(Int64(invalid))),
      "valid": .number(JSONNumber(Int64(valid))),
    ]
    return report.canonicalText()
  }

  private static func form(_ diagnostic: AuthorDiagnostic) -> JSONValue {
    var members = position(diagnostic.span)
    members["code"] = .string(diagnostic.code.rawValue)
    members["file"] = .string(diagnostic.path)
    members["message"] = .string(diagnostic.message)
    members["severity"] = .string(diagnostic.severity.rawValue)
    if let expected = diagnostic.expected { members["expected"] = .string(expected) }
    if let advice = diagnostic.advice { members["help"] = .string(advice) }
    if !diagnostic.notes.isEmpty {
      members["notes"] = .array(
        diagnostic.notes.map { note in
          var members = position(note.span)
          members["file"] = .string(note.span.file.path)
          members["message"] = .string(note.text)
          return .object(JSONObject(Array(members)))
        })
    }
    return .object(JSONObject(Array(members)))
  }

  private static func position(_ span: SourceSpan?) -> [String: JSONValue] {
    guard let span else { return [:] }
    let numbers = [
      "line": span.start.line, "column": span.start.column, "endLine": span.end.line,
      "endColumn": span.end.column,
    ]
    return numbers.mapValues { .number(JSONNumber(Int64($0))) }
  }
}
