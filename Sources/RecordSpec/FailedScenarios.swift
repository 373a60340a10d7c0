/// The scenarios that failed when they last ran, remembered between runs in `.recordspec/last-failed` beside the
/// scenarios' folder: one name a line.
package struct FailedScenarios {
  private let file: String

  package init(suite: SuiteOptions) {
    let folder = suite.scenarios.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    file = (folder + [".recordspec", "last-failed"]).joined(separator: "/")
  }

  /// Empty if nothing failed, or nothing is remembered.
  package func load() -> Set<String> {
    // Whoever made a link there must not decide which file is read.
    guard !isLinked, let bytes = try? FileBytes.read(file) else { return [] }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  private var folder: String { FilePath.folder(of: file) }
  private var isLinked: Bool { FileAccess.isLink(folder) || FileAccess.isLink(file) }

  /// Records the results. Scenarios that did not run this time are left unchanged. A link in place of the file is replaced.
  package func update(with results: [ScenarioResult]) throws(FileProblem) {
    guard !FileAccess.isLink(folder) else {
      throw FileProblem(path: folder, reason: "is a symbolic link, which is not followed")
    }
    let before = load()
    let failed = Set(results.filter(\.outcome.isFailure).map(\.name))
    let now = before.subtracting(results.map(\.name)).union(failed)
    TemporaryFile.removeLeftovers(in: folder)
    guard now != before else { return }
    try FileBytes.write(Array(now.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
