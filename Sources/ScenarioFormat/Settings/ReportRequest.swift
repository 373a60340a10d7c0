import RecordModel

/// A report that the user asked for, such as `json=report.jsonl`.
package struct ReportRequest: Hashable, Sendable {
  package var format: ReportFormat
  /// The file; nil for standard output.
  package var path: String?

  package init(_ format: ReportFormat, path: String? = nil) {
    self.format = format
    self.path = path
  }

  /// The reason why a text is not a request.
  package struct Problem: Error, Hashable {
    package let message: String
  }

  /// Creates a request from a text such as `json=report.jsonl` or `json`. `-` and `/dev/stdout` are standard output.
  package init(parsing text: String) throws(Problem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = ReportFormat.allCases.map(\.rawValue)
    guard let format = ReportFormat(rawValue: parts[0]) else {
      let nearest = Self.nearest(to: text, among: names).map { "; did you mean '\($0)'?" }
      throw Problem(
        message:
          "unknown report format '\(parts[0])'\(nearest ?? "; the formats are \(names.joined(separator: ", "))")"
      )
    }
    self.format = format
    guard parts.count == 2, parts[1] != "-", OpenStream.descriptor(named: parts[1]) != 1 else { return }
    if parts[1].isEmpty {
      throw Problem(message: "missing file after '\(parts[0])='; write '\(parts[0])' for standard output")
    }
    path = parts[1]
  }

  /// Returns the request that a text without a known format may mean, such as `xml=out.xml`, `junit:out.xml` or `out.xml`.
  private static func nearest(to text: String, among names: [String]) -> String? {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }.map(
      String.init)
    let name = parts[0].lowercased()
    guard parts.count > 1 else {
      return ReportFormat(fileName: text).map { "\($0.rawValue)=\(text)" }
        ?? ReportFormat(fileName: "." + name)?.rawValue ?? nearestName(to: name, among: names)
    }
    let format =
      ReportFormat(rawValue: name) ?? ReportFormat(fileName: "report." + name)
      ?? ReportFormat(fileName: parts[1])
    return (format?.rawValue ?? nearestName(to: name, among: names)).map { "\($0)=\(parts[1])" }
  }

  /// The reason why reports cannot be written together; nil if they can.
  package static func conflict(among requests: [ReportRequest]) -> Problem? {
    let onOutput = requests.filter { $0.path == nil }
    if onOutput.count > 1 {
      let names = onOutput.map { "'\($0.format.rawValue)'" }.joined(separator: " and ")
      return Problem(
        message: "only one report can be written to standard output, not \(names); add a file to the others")
    }
    var paths: Set<String> = []
    for path in requests.compactMap(\.path) where !paths.insert(FilePath.simplified(path)).inserted {
      return sameFile(path)
    }
    return nil
  }

  package static func sameFile(_ path: String) -> Problem {
    Problem(message: "two reports cannot be written to the same file '\(path)'")
  }
}
