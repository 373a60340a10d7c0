internal import Foundation

/// The scenarios that differ from a revision of Git, because their file, their golden file or a file that they name has
/// changed.
package struct ChangedScenarios {
  package struct GitProblem: Error {
    package let message: String
  }

  /// Returns the names of the scenarios that have changed in the working tree since a revision. If the revision has
  /// commits that the current branch does not have, the changes since the last common commit count.
  ///
  /// - Throws: the message of git, if git fails.
  package static func names(
    suite: SuiteOptions, files: [ScenarioFile], since revision: String
  ) throws(GitProblem) -> Set<String> {
    let folder = URL(fileURLWithPath: suite.scenarios).standardized.path
    let root = try git(["rev-parse", "--show-toplevel"], in: folder).first ?? ""
    // Without a first commit, all files that git tracks count as changed.
    let hasCommit = (try? git(["rev-parse", "--verify", "--quiet", "HEAD"], in: folder)) != nil
    let start = hasCommit ? try commonCommit(with: revision, in: folder) : ""
    var changed = try git(["ls-files", "--full-name", "--others", "--exclude-standard", root], in: folder)
    changed +=
      hasCommit
      ? try git(["diff", "--name-only", start], in: folder)
      : try git(["ls-files", "--full-name", root], in: folder)
    let paths = Set(changed.map { URL(fileURLWithPath: root + "/" + $0).resolvingSymlinksInPath().path })
    return names(suite: suite, files: files, changed: paths)
  }

  /// Returns the last commit that the current branch has in common with a revision.
  private static func commonCommit(with revision: String, in folder: String) throws(GitProblem) -> String {
    guard (try? git(["rev-parse", "--verify", "--quiet", "\(revision)^{commit}"], in: folder)) != nil else {
      throw GitProblem(
        message:
          "unknown revision '\(revision)'; write paths before '--changed', or '--changed=HEAD' before paths"
      )
    }
    guard let commit = try? git(["merge-base", revision, "HEAD"], in: folder).first else {
      throw GitProblem(
        message:
          "'\(revision)' has no commit in common with the current branch; a shallow clone needs more history")
    }
    return commit
  }

  private static func names(
    suite: SuiteOptions, files: [ScenarioFile], changed: Set<String>
  ) -> Set<String> {
    func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
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
    for file in files where !names.contains(file.name) {
      if let text = text(of: file.path), mentioned.contains(where: text.contains) { names.insert(file.name) }
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
    // Without quoting, names are printed unchanged.
    process.arguments = ["git", "-C", folder, "-c", "core.quotePath=false"] + arguments
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
      throw GitProblem(message: complaint.split(separator: "\n").first.map(String.init) ?? "git failed")
    }
    return lines.split(separator: "\n").map(String.init)
  }
}
