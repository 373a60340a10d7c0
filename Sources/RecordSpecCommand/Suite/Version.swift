import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The version of RecordSpec, and the versions of the formats that it reads.
enum Version {
  /// The version, which `CHANGELOG.md` also names.
  static let current = "0.1.0"

  /// The versions of the formats, in the order in which they are listed.
  static let formats: [(files: String, version: String)] = [
    ("scenarios and models", "schemaVersion \(FormatKey.supportedSchemaVersion)"),
    ("golden files", "format \(ScenarioSnapshot.goldenFormatVersion)"),
    ("kept results", "format \(KeptResult.version)"),
    ("JSON reports", "format \(JSONLinesReporter.formatVersion)"),
  ]

  /// The text that `recordspec --version` prints. Its first line ends with the version.
  static var text: String {
    let width = formats.map(\.files.count).max() ?? 0
    let lines = formats.map { format in
      format.files + String(repeating: " ", count: width - format.files.count) + "  \(format.version)"
    }
    return (["recordspec \(current)"] + lines).joined(separator: "\n")
  }
}
