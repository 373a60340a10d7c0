import JSONTree
import ScenarioComparison
import ScenarioFormat

/// The reader of a recorded session. It recognizes the format by the content of the file.
struct RecordingReader {
  /// The URL of requests whose recording contains none; nil to make one up from the name of the file.
  var url: String?

  static let formats =
    "a HAR file, recorded requests and responses as JSON or YAML, a Postman collection with saved responses, or the "
    + "output of 'curl -i'"

  /// The contents of a file.
  struct Recording {
    /// The exchanges; empty if there is an error.
    var exchanges: [RecordedExchange] = []
    /// The errors.
    var diagnostics: [AuthorDiagnostic] = []
    /// A Boolean value that indicates whether the file contains no URL of its first request.
    var lacksURL = false
  }

  /// Reads a file.
  ///
  /// - Complexity: linear in the number of bytes.
  func read(path: String, bytes: [UInt8]) -> Recording {
    var problems = RecordingProblems(SourceFile(path: path, bytes: bytes))
    guard let text = RecordingText.decoded(bytes, { problems.report(at: 0..<0, $0, advice: $1) }) else {
      return Recording(diagnostics: problems.diagnostics)
    }
    let file = SourceFile(path: path, bytes: text)
    problems = RecordingProblems(file)
    let exchanges = exchanges(of: file, problems)
    if exchanges.isEmpty, problems.isEmpty {
      problems.report(at: 0..<0, "this recording contains no requests")
    }
    guard problems.isEmpty else { return Recording(diagnostics: problems.diagnostics) }
    return Recording(exchanges: exchanges, lacksURL: Self.isCurlOutput(Self.content(of: file)))
  }

  private static func content(of file: SourceFile) -> ArraySlice<UInt8> {
    file.bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private static func isCurlOutput(_ content: ArraySlice<UInt8>) -> Bool {
    content.starts(with: "HTTP/".utf8)
  }

  private func exchanges(of file: SourceFile, _ problems: RecordingProblems) -> [RecordedExchange] {
    let content = Self.content(of: file)
    switch content.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return json(file, problems)
    case UInt8(ascii: "H") where Self.isCurlOutput(content):
      return CurlOutputReader(problems: problems, url: url).exchanges()
    case nil: problems.report(at: 0..<0, "the file is empty", expected: Self.formats)
    case 0x1F:
      problems.report(at: 0..<0, "the file is compressed", advice: "decompress it first: gunzip FILE")
    case UInt8(ascii: "P") where content.starts(with: [0x50, 0x4B, 3, 4]):
      problems.report(
        at: 0..<0, "the file is a ZIP archive",
        advice: "unpack it first; if it contains a HAR file, keep the other files beside it")
    default: return yaml(file, at: content.startIndex, problems)
    }
    return []
  }

  private func json(_ file: SourceFile, _ problems: RecordingProblems) -> [RecordedExchange] {
    do {
      return exchanges(in: try JSONDocument(parsing: file.bytes).root, problems)
    } catch {
      let offset = error.location.offset
      problems.report(
        .noJSON, at: offset..<min(offset + 1, file.bytes.count), "invalid JSON: \(error.message)")
      return []
    }
  }

  /// Reads YAML by its value as JSON. Other texts, which are no mapping or list, have an unknown format.
  private func yaml(
    _ file: SourceFile, at start: Int, _ problems: RecordingProblems
  ) -> [RecordedExchange] {
    func reportUnknown() {
      problems.report(at: start..<start + 1, "unknown format of a recording", expected: Self.formats)
    }
    let isNamedYAML = file.path.hasSuffix(".yaml") || file.path.hasSuffix(".yml")
    let isYAML = isNamedYAML || file.bytes[start...].starts(with: "---".utf8)
    var parsed = YAMLParser.parse(file, ignoringTags: true)
    guard let root = parsed.root, root.scalar == nil, let value = root.jsonValue(&parsed.diagnostics),
      parsed.diagnostics.allSatisfy({ $0.severity != .error })
    else {
      if isYAML, !parsed.diagnostics.isEmpty {
        problems.add(parsed.diagnostics)
      } else {
        reportUnknown()
      }
      return []
    }
    let document = JSONDocument(value)
    let canBeRecording =
      Self.otherFormat(of: document.root) != nil || RecordedJSONReader.canBeRecording(document.root)
    guard isYAML || canBeRecording else {
      reportUnknown()
      return []
    }
    let converted = RecordingProblems(
      SourceFile(path: file.path, bytes: document.bytes), hasLocations: false)
    let exchanges = exchanges(in: document.root, converted)
    problems.add(converted)
    return exchanges
  }

  private func exchanges(in root: JSONNode, _ problems: RecordingProblems) -> [RecordedExchange] {
    if root["info"] != nil, root["item"]?.kind == .array {
      return PostmanReader(problems: problems).exchanges(root)
    }
    if root["log"] != nil { return HARReader(problems: problems).exchanges(root) }
    if let format = Self.otherFormat(of: root) {
      problems.report(
        at: RecordingFields.shortRange(of: root), "this is \(format), which contains no recorded responses",
        expected: Self.formats, advice: "record the session in a browser or proxy, and save it as HAR")
      return []
    }
    let trial = RecordingProblems(problems)
    let exchanges = RecordedJSONReader(problems: trial).exchanges(root)
    if exchanges.isEmpty, !trial.isEmpty, RecordedJSONReader.isResponseBody(root) {
      problems.report(
        at: RecordingFields.shortRange(of: root), "this is the body of a response, not a recorded session",
        expected: Self.formats,
        advice:
          "write a scenario of it with 'recordspec new NAME --response \(ShellText.quoted(problems.file.path))'"
      )
    } else {
      problems.add(trial)
    }
    return exchanges
  }

  /// Returns the name of a format that describes requests without recorded responses; nil for other formats.
  private static func otherFormat(of root: JSONNode) -> String? {
    if (root["openapi"] ?? root["swagger"]) != nil, root["paths"] != nil { return "a description of an API" }
    if root["_type"]?.string == "export", root["resources"] != nil { return "an export of Insomnia" }
    if root["steps"] != nil, root["responses"] != nil { return "a scenario" }
    return nil
  }
}
