/// The scenarios that failed in their last run. Their names are stored in `.recordspec/last-failed` beside the folder
/// of scenarios, one name per line.
package struct FailedScenarios {
  private let file: String

  package init(suite: SuiteOptions) {
    let folder = suite.scenarios.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    file = (folder + [".recordspec", "last-failed"]).joined(separator: "/")
  }

  /// Returns the names of the failed scenarios; empty if none are stored.
  package func load() throws(FileProblem) -> Set<String> {
    // A link in an untrusted checkout must not decide which file is read.
    for path in [folder, file] where FileAccess.isLink(path) {
      throw FileProblem(path: path, reason: "is a symbolic link, which is not followed")
    }
    guard let bytes = try FileBytes.read(file) else { return [] }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  private var folder: String { FilePath.folder(of: file) }

  /// Stores the results. The state of scenarios that did not run is unchanged. A link in place of the file is replaced.
  /// The folder gets a `.gitignore`, so that Git ignores it.
  package func update(with results: [ScenarioResult]) throws(FileProblem) {
    let before = FileAccess.isLink(file) && !FileAccess.isLink(folder) ? [] : try load()
    let failed = Set(results.filter(\.outcome.isFailure).map(\.name))
    let now = before.subtracting(results.map(\.name)).union(failed)
    TemporaryFile.removeLeftovers(in: folder)
    guard now != before else { return }
    let ignoring = FilePath.child(".gitignore", of: folder)
    if !FileAccess.exists(ignoring), !FileAccess.isLink(ignoring) {
      try FileBytes.write(Array("*\n".utf8), to: ignoring)
    }
    try FileBytes.write(Array(now.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
