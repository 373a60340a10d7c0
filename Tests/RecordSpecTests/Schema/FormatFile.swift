import JSONTree
import RecordModel

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat

/// A scenario or model file, as text and as the JSON value that it contains.
struct FormatFile {
  var path: String
  var bytes: [UInt8]
  var file: FormatSchema.File

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    file = ModelReader.modelFileSuffixes.contains(where: path.hasSuffix) ? .model : .scenario
  }

  /// The value of the file; nil if it is not YAML, or if JSON does not have one of its values.
  var value: JSONValue? {
    let (root, diagnostics) = YAMLParser.parse(SourceFile(path: path, bytes: bytes))
    guard diagnostics.allSatisfy({ $0.severity == .warning }) else { return nil }
    var problems: [AuthorDiagnostic] = []
    return root?.jsonValue(&problems)
  }

  /// Returns the file with another value, written as JSON. JSON is YAML.
  func with(_ value: JSONValue) -> FormatFile {
    FormatFile(path: path, bytes: Array(value.canonicalText().utf8))
  }

  /// The errors that `recordspec check` finds in the file itself. Errors in files that it names are left out.
  var errors: [AuthorDiagnostic] {
    let scenario = ScenarioFile(path: path, name: "a")
    let source = SourceFile(path: path, bytes: bytes)
    var loaded = LoadedScenario(path: path, name: "a", diagnostics: [])
    switch file {
    case .scenario:
      let reader = ScenarioReader(scenarioFile: scenario, file: source, swiftModels: nil)
      loaded.scenario = reader.read().scenario
      (loaded.diagnostics, loaded.names) = (reader.findings.diagnostics, reader.findings.names)
    case .model:
      let findings = Findings()
      _ = ModelReader(findings: findings, scenario: scenario, swiftModels: nil).read(source)
      loaded.diagnostics = findings.diagnostics
    case .settings, .adapter: break
    }
    return loaded.checkedForCodes().checkedForRules().diagnostics
      .filter { $0.severity == .error && $0.path == path }
  }

  /// Returns the path to the value or key at which an error is located, such as `/steps/0/urn`; an empty path if there is none.
  func path(of error: AuthorDiagnostic) -> String {
    guard let span = error.span, let root = YAMLParser.parse(SourceFile(path: path, bytes: bytes)).root
    else { return "" }
    func found(_ node: YAMLNode, _ prefix: String) -> String? {
      if node.span.range == span.range { return prefix }
      for (index, element) in (node.elements ?? []).enumerated() {
        if let path = found(element, "\(prefix)/\(index)") { return path }
      }
      for pair in node.pairs ?? [] {
        let name = "\(prefix)/\(pair.key.replacing("/", with: ":"))"
        if pair.keySpan.range == span.range { return name }
        if let path = found(pair.value, name) { return path }
      }
      return nil
    }
    return found(root, "") ?? ""
  }
}
