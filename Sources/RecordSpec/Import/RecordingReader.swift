import JSONTree

/// The reader of a recorded session. It recognizes the format by the content of the file.
struct RecordingReader {
  /// The URL of requests whose recording contains none; nil to make one up from the name of the file.
  var url: String?

  static let formats =
    "a HAR file, a list of recorded requests and responses as JSON, or the output of 'curl -i'"

  /// Returns the exchanges of a recording and its errors. If there is an error, the list of exchanges is empty.
  ///
  /// - Complexity: linear in the number of bytes.
  func read(path: String, bytes: [UInt8]) -> (exchanges: [RecordedExchange], diagnostics: [AuthorDiagnostic])
  {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let file = SourceFile(path: path, bytes: bytes.starts(with: mark) ? Array(bytes.dropFirst(3)) : bytes)
    let problems = RecordingProblems(file)
    let exchanges = exchanges(of: file, problems)
    if exchanges.isEmpty, problems.isEmpty {
      problems.report(at: 0..<0, "this recording contains no requests")
    }
    return problems.isEmpty ? (exchanges, []) : ([], problems.diagnostics)
  }

  private func exchanges(of file: SourceFile, _ problems: RecordingProblems) -> [RecordedExchange] {
    let content = file.bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    switch content.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return json(file, problems)
    case UInt8(ascii: "H") where content.starts(with: "HTTP/".utf8):
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
    if root["log"] != nil { return HARReader(problems: problems).exchanges(root) }
    return RecordedJSONReader(problems: problems).exchanges(root)
  }
}
