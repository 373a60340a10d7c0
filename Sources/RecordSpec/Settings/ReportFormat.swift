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
}
