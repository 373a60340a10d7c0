@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison

/// The exchanges and the messages of a recording.
struct ReadRecording {
  let exchanges: [RecordedExchange]
  /// The errors as `line:column: message`.
  let errors: [String]

  init(_ text: String, url: String? = nil, path: String = "session.txt") {
    self.init(bytes: Array(text.utf8), url: url, path: path)
  }

  init(bytes: [UInt8], url: String? = nil, path: String = "session.txt") {
    let recording = RecordingReader(url: url).read(path: path, bytes: bytes)
    exchanges = recording.exchanges
    errors = recording.diagnostics.map { diagnostic in
      let start = diagnostic.span.map { "\($0.start.line):\($0.start.column): " } ?? ""
      return start + diagnostic.message
    }
  }

  /// The exchanges in the form `GET https://api.test/books 200 {"id":1}`.
  var lines: [String] { exchanges.map(\.line) }
}

extension RecordedExchange {
  var response: Response? { if case .response(let response) = outcome { response } else { nil } }

  var line: String {
    let result =
      switch outcome {
      case .response(let response):
        "\(response.status) "
          + (response.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "(no body)")
      case .failure(let failure): failure.rawValue
      case .aborted: "aborted"
      case .undecodable(let mediaType): "undecodable \(mediaType)"
      case .pattern: "pattern"
      }
    return "\(method) \(url) \(result)"
  }
}

/// Returns the text of an archive with entries.
func archive(_ entries: String...) -> String { archive(entries) }

func archive(_ entries: [String]) -> String {
  #"{"log": {"version": "1.2", "entries": [\#(entries.joined(separator: ",\n"))]}}"#
}

/// Returns the text of an entry of an archive.
func entry(
  _ url: String, method: String = "GET", status: Int = 200, type: String = "application/json",
  text: String? = nil,
  headers: [(String, String)] = [], requestHeaders: [(String, String)] = [], time: String? = nil,
  more: String = "",
  content: String? = nil
) -> String {
  func list(_ headers: [(String, String)]) -> String {
    "[" + headers.map { #"{"name": "\#($0.0)", "value": "\#($0.1)"}"# }.joined(separator: ", ") + "]"
  }
  let escaped = text.map { $0.replacing("\"", with: "\\\"") }
  let content = content ?? #"{"mimeType": "\#(type)"\#(escaped.map { #", "text": "\#($0)""# } ?? "")}"#
  return #"""
    {\#(time.map { #""startedDateTime": "\#($0)", "# } ?? "")"request": {"method": "\#(method)", "url": "\#(url)",
     "headers": \#(list(requestHeaders))}, "response": {"status": \#(status), "headers": \#(list(headers)),
     "content": \#(content)}\#(more)}
    """#
}
