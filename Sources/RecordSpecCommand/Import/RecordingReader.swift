import JSONTree
import ScenarioComparison
import ScenarioFormat

/// The reader of a recorded session. It recognizes the format by the content of the file.
struct RecordingReader {
  /// The URL of requests whose recording contains none; nil to make one up from the name of the file.
  var url: String?

  static let formats =
    "a HAR file, a list of recorded requests and responses as JSON, or the output of 'curl -i'"

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
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let file = SourceFile(path: path, bytes: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
    let problems = RecordingProblems(file)
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
    default:
      problems.report(
        at: content.startIndex..<content.startIndex + 1, "unknown format of a recording",
        expected: Self.formats)
    }
    return []
  }

  private func json(_ file: SourceFile, _ problems: RecordingProblems) -> [RecordedExchange] {
    let document: JSONDocument
    do {
      document = try JSONDocument(parsing: file.bytes)
    } catch {
      let offset = error.location.offset
      problems.report(
        .noJSON, at: offset..<min(offset + 1, file.bytes.count), "invalid JSON: \(error.message)")
      return []
    }
    let root = document.root
    if root["info"] != nil, root["item"] != nil {
      problems.report(
        at: 0..<0, "a Postman collection contains requests, but not recorded responses",
        expected: Self.formats, advice: "record the session in a browser or proxy, and save it as HAR")
      return []
    }
    if root["log"] != nil { return HARReader(problems: problems).exchanges(root) }
    let trial = RecordingProblems(file)
    let exchanges = RecordedJSONReader(problems: trial).exchanges(root)
    if exchanges.isEmpty, !trial.isEmpty, RecordedJSONReader.isResponseBody(root) {
      problems.report(
        at: RecordingFields.shortRange(of: root), "this is the body of a response, not a recorded session",
        expected: Self.formats,
        advice: "write a scenario of it with 'recordspec new NAME --response \(ShellText.quoted(file.path))'")
    } else {
      problems.add(trial)
    }
    return exchanges
  }
}
