internal import JSONTree
internal import RecordModel

/// A JSON Lines report that was read from a file.
package struct RecordedReport: Sendable {
  package let path: String
  package let run: PlannedRun
  package private(set) var scenarios: [ReportedScenario] = []
  package private(set) var problems: [ReportedProblem] = []
  /// The lines with the details of scenarios, by the indices of these. They are read again when they are needed, because all
  /// of them take much memory.
  private var detailLines: [Int: ArraySlice<UInt8>] = [:]
  /// The end of the run; nil if the report was cut off.
  package private(set) var end: RunSummary?

  /// The reason why a report cannot be read.
  package struct Problem: Error, Hashable {
    package let message: String
  }

  /// Reads a report. A last line that was cut off is left out.
  package init(_ path: String) throws(Problem) {
    let bytes: [UInt8]
    do throws(FileProblem) {
      guard let found = try FileBytes.read(path) else {
        throw FileProblem(path: path, reason: "does not exist")
      }
      bytes = found
    } catch {
      throw Problem(message: error.message)
    }
    try self.init(path: path, bytes)
  }

  /// The maximum nesting depth of a line.
  private static let maximumDepth = 600

  init(path: String, _ bytes: [UInt8]) throws(Problem) {
    self.path = path
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // Each line ends with a line break, so the last part is empty unless the report was cut off.
    var rest = lines.dropLast().enumerated().makeIterator()
    guard let first = rest.next(), case .run(let run) = try Self.line(first.element, 1, of: path) else {
      throw Problem(
        message: "'\(path)' is not a JSON Lines report of recordspec; write one with '--report json=FILE'")
    }
    self.run = run
    while let (index, bytes) = rest.next() {
      if end != nil {
        throw Problem(message: "'\(path)' has a line \(index + 1) after the end of the report")
      }
      switch try Self.line(bytes, index + 1, of: path) {
      case .run: throw Problem(message: "'\(path)' has a second start of a report in line \(index + 1)")
      case .scenario(let scenario): scenarios.append(scenario)
      case .details(let details):
        guard details.index == scenarios.last?.index else {
          throw Problem(
            message:
              "'\(path)' is damaged: the details in line \(index + 1) belong to no scenario before them")
        }
        detailLines[details.index] = bytes
      case .problem(let problem): problems.append(problem)
      case .end(let summary): end = summary
      }
    }
    let missing = run.count - scenarios.count
    guard missing >= 0, end.map({ $0.notRun + $0.unfinished == missing }) ?? true else {
      throw Problem(
        message:
          "'\(path)' is damaged: it has \(counted(scenarios.count, "scenario")), which is not the number of the run"
      )
    }
  }

  private static func line(_ bytes: ArraySlice<UInt8>, _ number: Int, of path: String) throws(Problem)
    -> ReportLine
  {
    guard let root = try? JSONDocument(parsing: Array(bytes), maximumDepth: maximumDepth).root else {
      throw Problem(message: "'\(path)' is not a JSON Lines report: line \(number) is not valid JSON")
    }
    let form = JSONForm(root.value)
    if number == 1, let version = form.optional("format"),
      (try? version.count()) != JSONLinesReporter.formatVersion
    {
      throw Problem(
        message: "'\(path)' has the format \(version.value.compactText()) of another version of recordspec")
    }
    do throws(JSONForm.Damaged) {
      return try ReportLine(form)
    } catch {
      throw Problem(
        message: "'\(path)' is damaged: expected \(error.expected) at '\(error.pointer)' in line \(number)")
    }
  }
}

extension RecordedReport {
  /// Returns the details of a scenario; nil if the report does not contain them.
  package func details(ofScenario index: Int) -> ScenarioDetails? {
    guard let line = detailLines[index],
      case .details(let details)? = try? Self.line(line, 0, of: path)
    else { return nil }
    return details
  }
}
