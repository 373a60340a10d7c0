package import JSONTree
import RecordModel
package import ScenarioComparison
package import ScenarioFormat

extension AuthorDiagnostic.Code {
  /// A golden file that is invalid or cannot be read.
  package static let goldenFile = Self(rawValue: "golden-file")
}

/// The reader of golden files. For a file that was edited by hand, it reports each error with its line.
package enum GoldenReader {
  package struct Refused: Error {
    package let diagnostics: [AuthorDiagnostic]
  }

  /// Reads a golden file. Linear in the number of bytes.
  package static func read(_ bytes: [UInt8], path: String) throws(Refused) -> RecordedContent {
    try readWithJSON(bytes, path: path).content
  }

  /// Reads a golden file, and also returns its contents as JSON. Linear in the number of bytes.
  package static func readWithJSON(
    _ bytes: [UInt8], path: String
  ) throws(Refused) -> (content: RecordedContent, json: JSONValue) {
    let file = SourceFile(path: path, bytes: bytes)
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: bytes)
    } catch {
      if let conflict = file.conflict {
        throw Refused(diagnostics: [
          diagnostic(
            conflict, "the golden file contains an unresolved merge conflict",
            advice:
              "run 'recordspec bless' to rewrite it; as a merge driver, 'recordspec merge-golden' avoids most conflicts"
          )
        ])
      }
      let offset = error.location.offset
      throw Refused(diagnostics: [
        diagnostic(file.span(offset..<offset + 1), "the golden file is not valid JSON: \(error.message)")
      ])
    }
    var reading = Reading(file: file)
    for key in document.duplicateKeys {
      reading.refuse(at: key.location.offset..<key.location.offset + 1, "duplicate key '\(key.key)'")
    }
    let content = reading.content(document.root)
    if !reading.diagnostics.isEmpty { throw Refused(diagnostics: reading.diagnostics) }
    return (content, document.root.value)
  }

  fileprivate static func diagnostic(_ span: SourceSpan, _ message: String, advice: String? = nil)
    -> AuthorDiagnostic
  {
    AuthorDiagnostic(
      .goldenFile, at: span, message,
      advice: advice ?? "'recordspec bless' rewrites it")
  }
}

private struct Reading {
  let file: SourceFile
  private(set) var diagnostics: [AuthorDiagnostic] = []

  /// The maximum number of diagnostics for one file.
  private static let limit = 20

  mutating func refuse(at range: Range<Int>, _ message: String, advice: String? = nil) {
    guard diagnostics.count < Self.limit else { return }
    diagnostics.append(GoldenReader.diagnostic(file.span(range), message, advice: advice))
  }

  mutating func content(_ root: JSONNode) -> RecordedContent {
    var content = RecordedContent()
    for (key, value) in members(of: root, "the golden file") {
      switch key {
      case "graph": content.records = records(value)
      case "steps":
        guard value.kind == .array else {
          refuse(at: value.byteRange, "'steps' must be an array, not \(value.kind.withArticle)")
          continue
        }
        for element in value.elements { content.steps.append(step(element)) }
      default: refuseKey(key, value, among: ["graph", "steps"])
      }
    }
    return content
  }

  private mutating func records(_ graph: JSONNode) -> [RecordLabel: RecordedContent.Record] {
    var records: [RecordLabel: RecordedContent.Record] = [:]
    for (entity, group) in members(of: graph, "'graph'") {
      for (label, record) in members(of: group, "'\(entity)'") {
        if RecordLabel(label).entity != EntityName(entity) {
          refuse(at: record.byteRange, "the record '\(label)' is not a record of '\(entity)'")
        }
        var properties: [PropertyName: JSONValue] = [:]
        for (name, value) in members(of: record, "'\(label)'") {
          properties[PropertyName(name)] = value.value
        }
        records[RecordLabel(label)] = .init(entity: EntityName(entity), properties: properties)
      }
    }
    return records
  }

  private static let stepFields =
    StepKind.allCases.map(\.rawValue) + RecordedAction.details + [
      "stored", "records", "inserted", "updated", "deleted", "diagnostics", "drift", "failure", "served",
      "customResponse", "metaData", "more", "total", "perPage", "pageIndex", "requests",
    ]

  private mutating func step(_ step: JSONNode) -> JSONObject {
    var fields: JSONObject = [:]
    for (key, value) in members(of: step, "a step") {
      if !Self.stepFields.contains(key) { refuseKey(key, value, among: Self.stepFields) }
      switch key {
      case "stored", "records", "inserted", "deleted":
        let isListOfLabels = value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
        if !isListOfLabels { refuse(at: value.byteRange, "'\(key)' must be an array of labels") }
      case "batch", "diagnostics", "requests":
        let isListOfObjects = value.kind == .array && value.elements.allSatisfy { $0.kind == .object }
        if !isListOfObjects { refuse(at: value.byteRange, "'\(key)' must be an array of objects") }
      case "updated", "drift": _ = members(of: value, "'\(key)'")
      default: break
      }
      fields[key] = value.value
    }
    return fields
  }

  private mutating func members(of node: JSONNode, _ name: String) -> [(key: String, value: JSONNode)] {
    guard node.kind == .object else {
      refuse(at: node.byteRange, "\(name) must be an object, not \(node.kind.withArticle)")
      return []
    }
    return node.members.map { ($0.key, $0.value) }
  }

  private mutating func refuseKey(_ key: String, _ value: JSONNode, among known: [String]) {
    let nearest = nearestName(to: key, among: known)
    refuse(
      at: value.byteRange, "unknown key '\(key)'",
      advice: nearest.map { "did you mean '\($0)'?" })
  }
}
