import ArgumentParser
import JSONTree
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// Merges golden files for Git. If one of them is not a golden file, ours is unchanged.
struct MergeGoldenCommand: RunnableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge-golden",
    abstract: "Merge golden files by record. Git calls this command as a merge driver.",
    discussion: """
      Set it up once per clone, and commit the line of '.gitattributes':
        git config merge.recordspec.name "golden files by record"
        git config merge.recordspec.driver "recordspec merge-golden %O %A %B %P"
        echo "Golden/** merge=recordspec" >> .gitattributes

      The result is written to OURS. If both sides have changed a value in different ways, OURS keeps its value, the \
      command lists the conflict and exits with 1.
      """)

  @Argument(
    help: ArgumentHelp("Golden file of the common ancestor. It may be empty.", valueName: "base"),
    completion: .file(extensions: ["json"]))
  var base: String

  @Argument(
    help: ArgumentHelp("Golden file of the current branch, which gets the result.", valueName: "ours"),
    completion: .file(extensions: ["json"]))
  var ours: String

  @Argument(
    help: ArgumentHelp("Golden file of the other branch.", valueName: "theirs"),
    completion: .file(extensions: ["json"]))
  var theirs: String

  @Argument(
    help: ArgumentHelp(
      "Path of the golden file for messages. (default: the path of each file)", valueName: "path"),
    completion: .file(extensions: ["json"]))
  var path: String?

  var writesFiles: Bool { true }

  var suiteOptions: SuiteOptions { SuiteOptions() }

  func run(in context: CommandContext, isolation: isolated (any Actor)?) async throws(Refusal) -> ExitStatus {
    let merge: GoldenMerge
    switch (
      read(base, "base", mayBeEmpty: true, in: context), read(ours, "ours", in: context),
      read(theirs, "theirs", in: context)
    ) {
    case (.success(let base), .success(let ours), .success(let theirs)):
      merge = GoldenMerge(base: base, ours: ours, theirs: theirs)
    case (let base, let ours, let theirs):
      var status = ExitStatus.success
      for case .failure(let refusal) in [base, ours, theirs] { status.raise(to: refusal.status) }
      return status
    }
    try context.attempt { () throws(FileProblem) in
      try FileBytes.write(merge.result.canonicalBytes(), to: ours)
    }
    guard !merge.conflicts.isEmpty else { return .success }
    context.report(text(of: merge.conflicts))
    return .failed
  }

  /// Reads one of the files, and reports the reason if that fails.
  private func read(
    _ file: String, _ side: String, mayBeEmpty: Bool = false, in context: CommandContext
  ) -> Result<JSONObject, Refusal> {
    let name = path.map { "\($0) (\(side))" } ?? file
    do {
      guard let bytes = try FileBytes.read(file) else {
        return .failure(context.refuse(.invalid, "'\(file)' does not exist"))
      }
      // Git passes an empty ancestor for a file that both sides have added.
      if mayBeEmpty, bytes.isEmpty { return .success([:]) }
      guard case .object(let members) = try GoldenReader.readWithJSON(bytes, path: name).json
      else {
        return .success([:])
      }
      return .success(members)
    } catch let problem as FileProblem {
      return .failure(context.refuse(.broken, problem.message))
    } catch let refused as GoldenReader.Refused {
      context.errors(DiagnosticRenderer(isColored: false).text(of: refused.diagnostics))
      return .failure(Refusal(.invalid))
    } catch {
      return .failure(context.refuse(.broken, "\(name): \(error)"))
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
