import RecordSpec
import ScenarioComparison
import ScenarioFormat

extension SuiteOptions {
  /// Returns the reason why reports must not be written to their files; nil if they can be. Users may mistype a path, and a
  /// report would replace what a run reads.
  ///
  /// - Parameter timings: the reports whose durations the run reads.
  func obstacle(to reports: [ReportRequest], timings: [String] = []) -> String? {
    // This is reported with the settings.
    guard ReportRequest.conflict(among: reports) == nil else { return nil }
    var targets: Set<String> = []
    for path in reports.compactMap(\.path) {
      let target = FileAccess.resolved(path)
      if !targets.insert(target).inserted { return ReportRequest.sameFile(path).message }
      if let obstacle = obstacle(toReport: path, at: target, timings) { return obstacle }
    }
    return nil
  }

  private func obstacle(toReport path: String, at target: String, _ timings: [String]) -> String? {
    func isBelow(_ folder: String) -> Bool { FilePath.isBelow(FileAccess.resolved(folder), target) }
    if let read = timings.first(where: { FileAccess.resolved($0) == target }) {
      return
        "the report '\(path)' would replace '\(read)', whose durations '--timings' reads; write it to another file"
    }
    let name = FilePath.name(of: target).lowercased()
    if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
      return "the report '\(path)' has the name of a scenario, a model or settings; write it to another file"
    }
    if isBelow(goldenFolder.path) {
      return "the report '\(path)' would be in the folder of golden files; write it to another folder"
    }
    if isBelow(scenarios), name.hasSuffix(".json") || name.hasSuffix(".jsonl"), !isEmptyOrReport(target) {
      return "the report '\(path)' would replace a file of the suite; write it to another folder"
    }
    return nil
  }

  /// Returns a Boolean value that indicates whether a file does not exist, is empty, or is a report in JSON Lines.
  private func isEmptyOrReport(_ path: String) -> Bool {
    guard FileAccess.kind(of: path) == .file else { return true }
    let start = Array(#"{"type":"run""#.utf8)
    guard let bytes = try? FileBytes.read(path, at: 0, count: start.count) else { return false }
    return bytes.isEmpty || bytes == start
  }
}
