/// A format of reports.
package enum ReportFormat: String, CaseIterable, Sendable {
  /// The text of the terminal, without colors.
  case text
  /// One JSON object on each line. `recordspec merge` reads it.
  case json
  /// JUnit XML.
  case junit
  /// The Test Anything Protocol, version 14.
  case tap
  case markdown
  /// A page in HTML.
  case html

  /// Creates the format that the extension of a file stands for; nil for other files.
  package init?(fileName: String) {
    let parts = FilePath.name(of: fileName).split(separator: ".")
    let formats: [String: ReportFormat] = [
      "txt": .text, "json": .json, "jsonl": .json, "xml": .junit, "tap": .tap, "md": .markdown, "html": .html,
    ]
    guard parts.count > 1, let format = formats[parts[parts.count - 1].lowercased()] else { return nil }
    self = format
  }
}
