import JSONTree
import RecordModel
import ScenarioComparison
import ScenarioFormat
package import ScenarioReport

/// The `recordspec merge-golden` command, which Git calls as a merge driver for golden files.
package struct MergeGoldenCommandFlow {
  private let base: String
  private let ours: String
  private let theirs: String
  private let path: String?
  private let context: CommandContext

  /// Creates the command.
  ///
  /// - Parameters:
  ///   - base: the golden file of the common ancestor, which may be empty.
  ///   - ours: the golden file of the current branch. It gets the result.
  ///   - theirs: the golden file of the other branch.
  ///   - path: the path of the golden file for messages; nil if each file has its own path in messages.
  package init(base: String, ours: String, theirs: String, path: String?, context: CommandContext) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
    self.path = path
    self.context = context
  }

  /// Merges the files. If one of them is not a golden file, ours is unchanged.
  package func run() -> ExitStatus {
    let merge: GoldenMerge
    switch (read(base, "base", mayBeEmpty: true), read(ours, "ours"), read(theirs, "theirs")) {
    case (.success(let base), .success(let ours), .success(let theirs)):
      merge = GoldenMerge(base: base, ours: ours, theirs: theirs)
    case (let base, let ours, let theirs):
      let statuses = [base, ours, theirs].compactMap {
        if case .failure(let refusal) = $0 { refusal.status } else { nil }
      }
      return statuses.max { $0.rawValue < $1.rawValue } ?? .broken
    }
    do throws(FileProblem) {
      try FileBytes.write(merge.result.canonicalBytes(), to: ours)
    } catch {
      context.report("error: \(error.message)\n")
      return .broken
    }
    guard !merge.conflicts.isEmpty else { return .success }
    context.report(text(of: merge.conflicts))
    return .failed
  }

  private struct Refusal: Error {
    var status: ExitStatus
  }

  /// Reads one of the files, and reports the reason if that fails.
  private func read(
    _ file: String, _ side: String, mayBeEmpty: Bool = false
  ) -> Result<JSONObject, Refusal> {
    let name = path.map { "\($0) (\(side))" } ?? file
    do {
      guard let bytes = try FileBytes.read(file) else {
        context.report("error: '\(file)' does not exist\n")
        return .failure(Refusal(status: .invalid))
      }
      // Git passes an empty ancestor for a file that both sides have added.
      if mayBeEmpty, bytes.isEmpty { return .success([:]) }
      guard case .object(let members) = try GoldenReader.readWithJSON(bytes, path: name).json
      else {
        return .success([:])
      }
      return .success(members)
    } catch let problem as FileProblem {
      context.report("error: \(problem.message)\n")
      return .failure(Refusal(status: .broken))
    } catch let refused as GoldenReader.Refused {
      context.errors(DiagnosticRenderer(isColored: false).text(of: refused.diagnostics))
      return .failure(Refusal(status: .invalid))
    } catch {
      context.report("error: \(name): \(error)\n")
      return .failure(Refusal(status: .broken))
    }
  }

  private static let limit = 20

  private func text(of conflicts: [GoldenMerge.Conflict]) -> String {
    var text = "\(path ?? ours): \(counted(conflicts.count, "conflict"))\n"
    for conflict in conflicts.prefix(Self.limit) {
      text += "  \(conflict.location)\n"
      for (side, value) in [
        ("base:  ", conflict.base), ("ours:  ", conflict.ours), ("theirs:", conflict.theirs),
      ] {
        text += "    \(side) \(value.map { ValueText.clipped($0.compactText()) } ?? ValueText.nothing)\n"
      }
    }
    if conflicts.count > Self.limit { text += "  and \(conflicts.count - Self.limit) more\n" }
    return text
      + "  The file keeps the values of ours. Resolve the conflicts in the scenario and its responses, then bless it.\n"
  }
}
