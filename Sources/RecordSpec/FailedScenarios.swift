/// The scenarios that failed when they last ran, remembered between runs in `.recordspec/last-failed` beside the
/// scenarios' folder: one name a line.
package struct FailedScenarios {
  private let file: String

  package init(suite: SuiteOptions) {
    let folder = suite.scenarios.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    file = (folder + [".recordspec", "last-failed"]).joined(separator: "/")
  }

  /// The names of the scenarios that failed; none if nothing is remembered.
  package func load() throws(FileProblem) -> Set<String> {
    // A link in a checkout must not decide which file is read.
    for path in [folder, file] where FileAccess.isLink(path) {
      throw FileProblem(path: path, reason: "is a symbolic link, which is not followed")
    }
    guard let bytes = try FileBytes.read(file) else { return [] }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  private var folder: String { FilePath.folder(of: file) }

  /// Records the results. Scenarios that did not run this time are left unchanged. A link in place of the file is replaced.
  package func update(with results: [ScenarioResult]) throws(FileProblem) {
    let before = FileAccess.isLink(file) && !FileAccess.isLink(folder) ? [] : try load()
    let failed = Set(results.filter(\.outcome.isFailure).map(\.name))
    let now = before.subtracting(results.map(\.name)).union(failed)
    TemporaryFile.removeLeftovers(in: folder)
    guard now != before else { return }
    try FileBytes.write(Array(now.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
