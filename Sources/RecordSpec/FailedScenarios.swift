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
    guard let bytes = try? FileBytes.read(file) else { return [] }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// What did not run this time stays as it was.
  package func update(with results: [ScenarioResult]) throws(FileProblem) {
    let before = load()
    let failed = Set(results.filter(\.outcome.isFailure).map(\.name))
    let now = before.subtracting(results.map(\.name)).union(failed)
    FileBytes.removeLeftovers(in: FilePath.folder(of: file))
    guard now != before else { return }
    try FileBytes.write(Array(now.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
