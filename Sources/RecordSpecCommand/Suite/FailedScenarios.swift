import RecordSpec
import ScenarioComparison
import ScenarioFormat
import ScenarioReport

/// The scenarios that failed in their last run. Their names are stored in `.recordspec/last-failed` beside the folder
/// of scenarios, one name per line.
struct FailedScenarios {
  private let folder: LocalFolder
  private var file: String { FilePath.child("last-failed", of: folder.path) }

  init(suite: SuiteOptions) { folder = LocalFolder(besides: suite.scenarios) }

  /// Returns the names of the failed scenarios; empty if none are stored.
  func load() throws(FileProblem) -> Set<String> {
    try folder.check()
    if FileAccess.isLink(file) { throw .link(file) }
    guard let bytes = try FileBytes.read(file) else { return [] }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Stores the results. The state of scenarios that did not run is unchanged. A link in place of the file is replaced.
  /// The folder gets a `.gitignore`, so that Git ignores it.
  ///
  /// - Parameter hasFailed: the scenarios that have ended, by name, with a Boolean value that indicates whether each has
  ///   failed.
  func update(with hasFailed: [String: Bool]) throws(FileProblem) {
    let before = FileAccess.isLink(file) && !FileAccess.isLink(folder.path) ? [] : try load()
    let now = before.subtracting(hasFailed.keys).union(hasFailed.filter(\.value).keys)
    TemporaryFile.removeLeftovers(in: folder.path)
    guard now != before else { return }
    try folder.makeIgnored()
    try FileBytes.write(Array(now.sorted().map { $0 + "\n" }.joined().utf8), to: file)
  }
}
