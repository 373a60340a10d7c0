import Foundation
import RecordModel
import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The scenarios that differ from a revision of Git, because their file, their golden file or a file that they name has
/// changed.
struct ChangedScenarios {
  struct GitProblem: Error {
    let message: String
    var advice: String?
  }

  /// Returns the names of the scenarios that have changed in the working tree since a revision. If the revision has
  /// commits that the current branch does not have, the changes since the last common commit count.
  ///
  /// - Throws: an error if there is no repository or no such revision, or the message of git if it fails.
  static func names(
    suite: SuiteOptions, files: [ScenarioFile], since revision: String
  ) throws(GitProblem) -> Set<String> {
    let folder = FileAccess.absolute(suite.scenarios)
    let root = try root(of: folder, suite.scenarios)
    // Without a first commit, all files that git tracks count as changed.
    let hasCommit = (try? git(["rev-parse", "--verify", "--quiet", "HEAD"], in: folder)) != nil
    guard hasCommit || isCurrent(revision, in: folder) else {
      throw unknown(revision, in: folder, hasCommit: false, besides: files)
    }
    let start = hasCommit ? try commonCommit(with: revision, in: folder, besides: files) : ""
    var changed = try git(
      ["ls-files", "-z", "--full-name", "--others", "--exclude-standard", root], in: folder)
    changed +=
      hasCommit
      // The former name of a renamed file counts, too: scenarios may still refer to it.
      ? try git(["diff", "-z", "--name-only", "--no-renames", "--no-relative", start], in: folder)
      : try git(["ls-files", "-z", "--full-name", root], in: folder)
    let paths = Set(changed.map { resolved(root + "/" + $0) })
    return names(suite: suite, files: files, changed: paths)
  }

  /// Returns the last commit that the current branch has in common with a revision.
  ///
  /// - Parameter files: the scenarios, one of which may be meant instead of a revision.
  private static func commonCommit(
    with revision: String, in folder: String, besides files: [ScenarioFile]
  ) throws(GitProblem) -> String {
    guard (try? git(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"], in: folder)) != nil else {
      throw unknown(revision, in: folder, hasCommit: true, besides: files)
    }
    guard let commit = try? git(["merge-base", revision, "HEAD"], in: folder).first else {
      throw GitProblem(
        message:
          "'\(revision)' has no commit in common with the current branch; a shallow clone needs more history")
    }
    return commit
  }

  /// Returns the folder of the repository.
  private static func root(of folder: String, _ scenarios: String) throws(GitProblem) -> String {
    do throws(GitProblem) {
      return try git(["rev-parse", "--show-toplevel"], in: folder).first ?? ""
    } catch {
      guard error.message.contains("not a git repository") else { throw error }
      throw GitProblem(
        message: "'\(scenarios)' is not in a git repository",
        advice: "select scenarios by path, or with '--last-failed', '--tag' or '--title'")
    }
  }

  private static func isCurrent(_ revision: String, in folder: String) -> Bool {
    revision == "HEAD" || (try? git(["symbolic-ref", "--short", "HEAD"], in: folder).first) == revision
  }

  /// Returns the error for an unknown revision.
  private static func unknown(
    _ revision: String, in folder: String, hasCommit: Bool, besides files: [ScenarioFile]
  ) -> GitProblem {
    var paths = ScenarioPaths([revision])
    let isPath = FileAccess.exists(revision) || files.contains { !paths.naming($0).isEmpty }
    let message = "unknown revision '\(revision)'"
    if isPath {
      return GitProblem(
        message: message, advice: "write paths before '--changed', or '--changed=HEAD' before paths")
    }
    return hasCommit
      ? GitProblem(message: message, advice: advice(for: revision, in: folder))
      : GitProblem(
        message: message + ", because the repository has no commits",
        advice: "write '--changed' without a revision to select the scenarios that git tracks")
  }

  /// Returns the advice for an unknown revision, with the branches of the repository.
  private static func advice(for revision: String, in folder: String) -> String {
    if let range = revision.range(of: "..") {
      return "write one revision: '--changed \(revision[..<range.lowerBound])'"
    }
    if (try? git(["rev-parse", "--is-shallow-repository"], in: folder).first) == "true" {
      // `HEAD~1` and the hash of a commit are not names of branches.
      let isBranch =
        revision != "HEAD" && revision.contains { !$0.isHexDigit }
        && !revision.contains { "/~^@:".contains($0) }
      let remote = isBranch ? ", and name the branch of the remote, as in '--changed origin/\(revision)'" : ""
      return
        "the clone is shallow; fetch more history with 'git fetch --unshallow' or 'fetch-depth: 0'\(remote)"
    }
    // Not the symbolic reference to the default branch of a remote.
    let name = "--format=%(if)%(symref)%(then)%(else)%(refname:short)%(end)"
    let branches = ((try? git(["for-each-ref", name, "refs/heads", "refs/remotes"], in: folder)) ?? [])
      .filter { !$0.isEmpty }
    let remotes = (try? git(["remote"], in: folder)) ?? []
    if let remote = remotes.map({ "\($0)/\(revision)" }).first(where: branches.contains) {
      return "did you mean '\(remote)'?"
    }
    if let near = nearestName(to: revision, among: branches) { return "did you mean '\(near)'?" }
    return branches.isEmpty
      ? "write '--changed' without a revision for the last commit"
      : "the branches are \(shortenedList(branches, limit: 5)); '--changed' without one compares with the last commit"
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  private static func names(
    suite: SuiteOptions, files: [ScenarioFile], changed: Set<String>
  ) -> Set<String> {
    // Settings such as the folder of golden files concern every scenario.
    if changed.contains(resolved(ReadableFolders.settingsFile(around: suite.scenarios))) {
      return Set(files.map(\.name))
    }
    let golden = suite.goldenFolder
    var names: Set<String> = []
    var rest = changed
    for file in files {
      for path in [resolved(file.path), resolved(golden.file(of: file.name))] where changed.contains(path) {
        names.insert(file.name)
        rest.remove(path)
      }
    }
    let mentioned = mentions(of: rest, below: suite.scenarios)
    guard !mentioned.isEmpty else { return names }
    let modelFiles = ModelFiles()
    for file in files where !names.contains(file.name) {
      // A file that was removed is found in the text. Names that YAML writes differently, and links, are found by reading.
      if let text = text(of: file.path), mentioned.contains(where: text.contains) {
        names.insert(file.name)
      } else if Scenario.load(file, sharing: modelFiles).files.contains(where: {
        changed.contains(resolved($0.path))
      }) {
        names.insert(file.name)
      }
    }
    return names
  }

  /// Returns the file names by which scenarios refer to changed files: their own names, and the names of models that
  /// mention them.
  private static func mentions(of changed: Set<String>, below folder: String) -> Set<String> {
    var mentioned = Set(changed.map(name))
    let models = FileBytes.files(below: folder).filter {
      $0.hasSuffix(".model.yaml") || $0.hasSuffix(".model.yml")
    }
    while true {
      let more = models.filter { model in
        guard !mentioned.contains(name(of: model)), let text = text(of: folder + "/" + model) else {
          return false
        }
        return mentioned.contains(where: text.contains)
      }
      if more.isEmpty { return mentioned }
      mentioned.formUnion(more.map(name))
    }
  }

  /// Returns the name by which scenarios refer to a file. A file inside an Xcode model is referred to by the model's
  /// name.
  private static func name(of path: String) -> String {
    let parts = path.split(separator: "/").map(String.init)
    return parts.first { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") } ?? parts.last ?? path
  }

  private static func text(of path: String) -> String? {
    guard let bytes = try? FileBytes.read(path) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func git(_ arguments: [String], in folder: String) throws(GitProblem) -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // The messages in English, one of which is recognized.
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C"]) { $1 }
    process.arguments = ["git", "-C", folder] + arguments
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw GitProblem(message: "git cannot be run: \(error.localizedDescription)")
    }
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let message = complaint.split(separator: "\n").first.map(String.init) ?? "git failed"
      throw GitProblem(
        message: message,
        advice: message.firstMatch(of: /dubious ownership in repository at '(.+)'/).map {
          "allow it: git config --global --add safe.directory \(ShellText.quoted(String($0.1)))"
        })
    }
    // With `-z`, a null byte ends each name, which may contain line breaks.
    return lines.split(separator: arguments.contains("-z") ? "\0" : "\n").map(String.init)
  }
}
