import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
import ScenarioRun

/// A JSON Lines report that was read from a file.
package struct RecordedReport: Sendable {
  package let path: String
  package let run: PlannedRun
  package private(set) var scenarios: [ReportedScenario] = []
  package private(set) var problems: [ReportedProblem] = []
  /// The lines with the details of scenarios, by the indices of these. They are read again when they are needed, because all
  /// of them take much memory.
  private var detailLines: [Int: DetailLine] = [:]
  /// The end of the run; nil if the report was cut off.
  package private(set) var end: RunSummary?

  /// A line with the details of a scenario.
  private struct DetailLine {
    let number: Int
    /// The position of its first byte in the file.
    let offset: Int
    let length: Int
  }

  /// The reason why a report cannot be read.
  package struct Problem: Error, Hashable {
    package let message: String
    /// A Boolean value that indicates whether another version of RecordSpec wrote the report.
    package var isOfOtherVersion = false
    /// A Boolean value that indicates whether the file has no line.
    package var isEmpty = false
  }

  /// The maximum nesting depth of a line.
  private static let maximumDepth = 600

  /// Reads a report. A last line that was cut off is left out.
  package init(_ path: String) throws(Problem) {
    self.path = path
    let lines: LineFile
    do throws(FileProblem) { lines = try LineFile(path) } catch { throw Problem(error) }
    guard let first = try lines.nextLine() else {
      throw Problem(message: "'\(path)' is empty, because its run was refused or killed", isEmpty: true)
    }
    guard case .planned(let run) = try Self.line(first.bytes, 1, of: path) else {
      throw Problem(
        message: "'\(path)' is not a JSON Lines report of recordspec; write one with '--report json=FILE'")
    }
    self.run = run
    var number = 1
    while let line = try lines.nextLine() {
      number += 1
      if end != nil {
        throw Problem(message: "'\(path)' has a line \(number) after the end of the report")
      }
      switch try Self.line(line.bytes, number, of: path) {
      case .planned: throw Problem(message: "'\(path)' has a second start of a report in line \(number)")
      case .ended(let scenario): scenarios.append(scenario)
      case .detailed(let details):
        guard details.index == scenarios.last?.index else {
          throw Problem(
            message:
              "'\(path)' is damaged: the details in line \(number) belong to no scenario before them")
        }
        detailLines[details.index] = DetailLine(
          number: number, offset: line.offset, length: line.bytes.count)
      case .problem(let problem): problems.append(problem)
      case .runEnded(let summary): end = summary
      case .started, .progressed: break
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

  private static func line(_ bytes: [UInt8], _ number: Int, of path: String) throws(Problem) -> RunEvent {
    guard let root = try? JSONDocument(parsing: bytes, maximumDepth: maximumDepth).root else {
      throw Problem(message: "'\(path)' is not a JSON Lines report: line \(number) is not valid JSON")
    }
    let form = JSONForm(root.value)
    if number == 1, let version = form.optional("format"),
      (try? version.count()) != JSONLinesReporter.formatVersion
    {
      throw Problem(
        message: "'\(path)' has the format \(version.value.compactText()) of another version of recordspec",
        isOfOtherVersion: true)
    }
    do throws(JSONForm.Damaged) {
      return try RunEvent(form)
    } catch {
      throw Problem(
        message: "'\(path)' is damaged: expected \(error.expected) at '\(error.pointer)' in line \(number)")
    }
  }
}

extension RecordedReport {
  /// Reads the details of a scenario; nil if the report does not contain them.
  package func details(ofScenario index: Int) throws(Problem) -> ScenarioDetails? {
    guard let line = detailLines[index] else { return nil }
    let bytes: [UInt8]?
    do throws(FileProblem) {
      bytes = try FileBytes.read(path, at: line.offset, count: line.length)
    } catch {
      throw Problem(error)
    }
    // The file may have been replaced since.
    guard let bytes, bytes.count == line.length,
      case .detailed(let details) = try Self.line(bytes, line.number, of: path), details.index == index
    else { throw Problem(message: "'\(path)' has changed while it was read") }
    return details
  }
}

extension LineFile {
  fileprivate func nextLine() throws(RecordedReport.Problem) -> Line? {
    do throws(FileProblem) { return try next() } catch { throw RecordedReport.Problem(error) }
  }
}

extension RecordedReport.Problem {
  fileprivate init(_ problem: FileProblem) {
    self.init(
      message: problem.message
        + (problem.reason == FileBytes.notFileReason ? "; save the report to a file first" : ""))
  }
}
