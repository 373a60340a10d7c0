import RecordModel
import ScenarioComparison
import ScenarioFormat

/// The reader of what `curl -i` prints: one response after the other, each with a status line, headers and a body.
///
/// The output contains no requests. Their URLs are those that the user names, or are made up from the name of the file;
/// the address of a redirect is that of its `Location`.
struct CurlOutputReader {
  let problems: RecordingProblems
  /// The URL of the first request; nil to make one up.
  let url: String?

  private var bytes: [UInt8] { problems.file.bytes }

  func exchanges() -> [RecordedExchange] {
    var exchanges: [RecordedExchange] = []
    var next = url ?? Self.url(fromName: problems.file.path)
    var isGuessed = url == nil
    var offset = bytes.firstIndex(of: UInt8(ascii: "H")) ?? 0
    while offset < bytes.count {
      guard let head = head(at: offset) else { return [] }
      let end = end(of: head)
      defer { offset = end }
      // Interim responses, and the answer of a proxy to CONNECT.
      if head.status < 200 || head.isOfTunnel { continue }
      let content = Array(bytes[head.body..<end])
      let body = Self.isChunked(head.headers) ? Self.withoutChunks(content) ?? content : content
      exchanges.append(
        RecordedExchange(
          method: "GET", url: next, requestHeaders: RecordedHeaders(), requestBody: nil,
          outcome: .response(
            RecordedExchange.Response(
              status: head.status, headers: head.headers,
              body: RecordedExchange.Body(
                bytes: Self.withoutLastLineBreak(body), mediaType: head.headers["Content-Type"] ?? ""))),
          hasGuessedURL: isGuessed))
      if let location = head.headers["Location"], (300..<400).contains(head.status) {
        next = RecordedSession.resolved(location, against: next)
        isGuessed = isGuessed && !location.contains("://")
      }
    }
    return exchanges
  }

  /// Returns the address that a recording without a URL gets: `issues.txt` becomes `https://api.test/issues`.
  static func url(fromName path: String) -> String {
    let name = FilePath.name(of: path)
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    return "https://api.test/" + PercentEncoding.parameter(stem)
  }

  // MARK: Head

  private struct Head {
    var status: Int
    var headers = RecordedHeaders()
    /// The offset of the body.
    var body: Int
    /// A Boolean value that indicates whether a proxy has opened a tunnel, after which the real response follows.
    var isOfTunnel = false
  }

  /// Reads a status line and its headers. Reports an invalid one and returns nil.
  private func head(at start: Int) -> Head? {
    let first = line(at: start)
    guard let status = Self.status(bytes[first.text]) else {
      problems.report(
        at: first.text, "expected the status line of a response", expected: "a line like 'HTTP/2 200'")
      return nil
    }
    var head = Head(status: status, body: first.next)
    let reason = String(decoding: bytes[first.text], as: UTF8.self).lowercased()
    head.isOfTunnel = reason.contains("connection established")
    while head.body < bytes.count {
      let line = line(at: head.body)
      head.body = line.next
      if line.text.isEmpty { return head }
      guard let colon = bytes[line.text].firstIndex(of: UInt8(ascii: ":")), colon > line.text.lowerBound,
        bytes[line.text.lowerBound..<colon].allSatisfy(\.isTokenByte)
      else {
        problems.report(
          at: line.text, "expected a header or an empty line",
          expected: "a line like 'Content-Type: application/json'",
          advice: "an empty line separates the headers from the body; record with 'curl -i'")
        return nil
      }
      let value = String(decoding: bytes[(colon + 1)..<line.text.upperBound], as: UTF8.self)
      head.headers.add(
        String(decoding: bytes[line.text.lowerBound..<colon], as: UTF8.self),
        value.trimmingPrefix { $0 == " " || $0 == "\t" }.description)
    }
    return head
  }

  /// Returns the text of the line at an offset, without its line break, and the offset of the next line.
  private func line(at start: Int) -> (text: Range<Int>, next: Int) {
    let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
    let text = start..<(end > start && bytes[end - 1] == 0x0D ? end - 1 : end)
    return (text, min(end + 1, bytes.count))
  }

  /// Returns the status of a line that begins like `HTTP/1.1 200 OK` or `HTTP/2 200`; nil for another line.
  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.starts(with: "HTTP/".utf8) else { return nil }
    var rest = line.dropFirst(5)
    guard let major = rest.popFirst(), ("0"..."9").contains(Unicode.Scalar(major)) else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let minor = rest.popFirst(), ("0"..."9").contains(Unicode.Scalar(minor)) else { return nil }
    }
    guard rest.popFirst() == 0x20 else { return nil }
    let digits = rest.prefix(3)
    guard digits.count == 3, rest.dropFirst(3).first.map({ $0 <= 0x20 }) ?? true,
      let status = Int(String(decoding: digits, as: UTF8.self)), (100...999).contains(status)
    else { return nil }
    return status
  }

  // MARK: Body

  /// Returns the end of the body: the next status line, or the end of the file.
  ///
  /// `Content-Length` cannot be relied on: curl omits the bodies of redirects that it follows, and decodes others. A
  /// status line is at the start of a line, or directly after the closing bracket of a JSON text.
  private func end(of head: Head) -> Int {
    var isInString = false
    var isEscaped = false
    let start = bytes[head.body...].firstIndex { $0 > 0x20 } ?? bytes.count
    let isJSON =
      start < bytes.count && (bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "["))
    var previous = UInt8(0x0A)
    for offset in head.body..<bytes.count {
      let byte = bytes[offset]
      defer { previous = byte }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") || byte == 0x0A {
          // JSON has no line breaks in strings.
          isInString = false
        }
      } else if isJSON, byte == UInt8(ascii: "\"") {
        isInString = true
      } else if byte == UInt8(ascii: "H"),
        previous == 0x0A || previous == UInt8(ascii: "}") || previous == UInt8(ascii: "]"),
        Self.status(bytes[offset..<min(offset + 16, bytes.count)]) != nil
      {
        return offset
      }
    }
    return bytes.count
  }

  private static func isChunked(_ headers: RecordedHeaders) -> Bool {
    headers["Transfer-Encoding"]?.lowercased().contains("chunked") ?? false
  }

  /// Returns the body without the headers of its chunks, which `curl --raw` prints; nil if it has none.
  private static func withoutChunks(_ bytes: [UInt8]) -> [UInt8]? {
    var body: [UInt8] = []
    var rest = bytes[...]
    while true {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      let line = rest[..<end].prefix { $0 != UInt8(ascii: ";") && $0 != 0x0D }
      guard (1...8).contains(line.count), let size = Int(String(decoding: line, as: UTF8.self), radix: 16),
        size >= 0
      else { return nil }
      rest = rest[(end + 1)...]
      if size == 0 { return body }
      guard rest.count >= size else { return nil }
      body += rest.prefix(size)
      rest = rest.dropFirst(size)
      if rest.first == 0x0D { rest.removeFirst() }
      guard rest.popFirst() == 0x0A else { return nil }
    }
  }

  private static func withoutLastLineBreak(_ body: [UInt8]) -> [UInt8] {
    var body = body
    while let last = body.last, last == 0x0A || last == 0x0D { body.removeLast() }
    return body
  }
}
