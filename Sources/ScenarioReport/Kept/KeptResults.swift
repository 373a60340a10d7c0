import Foundation
import ScenarioComparison
package import ScenarioFormat

/// A folder of kept results. It has a folder for each folder of scenarios, which has the same structure: the result of
/// `Scenarios/identity/attribute-key.yaml` is in `Scenarios/identity/attribute-key.kept.json`.
package struct KeptResults: Sendable {
  /// The folder, as the user would type it.
  package let path: String
  /// The folder of scenarios.
  private let scenarios: String
  /// The folder `.recordspec`; nil if the user named the folder of kept results.
  private let local: LocalFolder?
  /// The folder of the results of this folder of scenarios.
  private let folder: String

  /// The maximum size of a kept result in bytes. A larger one is not kept. Default 32 MiB.
  package var maximumSize = 32 << 20
  private static let suffix = ".kept.json"

  /// Creates the folder in `.recordspec` beside the folder of scenarios.
  package init(besides scenarios: String) {
    let local = LocalFolder(besides: scenarios)
    self.local = local
    self.scenarios = scenarios
    path = FilePath.child("kept", of: local.path)
    folder = Self.folder(of: scenarios, in: path)
  }

  /// Creates a folder that the user named.
  package init(path: String, of scenarios: String) {
    self.path = path
    self.scenarios = scenarios
    local = nil
    folder = Self.folder(of: scenarios, in: path)
  }

  private static func folder(of scenarios: String, in path: String) -> String {
    FilePath.child(FilePath.name(of: FileAccess.resolved(scenarios)), of: path)
  }

  package func file(of scenario: String) -> String { FilePath.child(scenario + Self.suffix, of: folder) }

  /// The names of the scenarios with a kept result, sorted.
  package var names: [String] {
    FileBytes.files(below: folder).filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }
  }

  /// Throws an error if a folder on the way to a file is a symbolic link. A link in an untrusted checkout must not decide
  /// which file is read, written or removed. Only the folder that the user named may be a link.
  private func checkFolders(of file: String) throws(FileProblem) {
    try checkFolder()
    var folder = FilePath.folder(of: file)
    while folder.hasPrefix(path + "/") {
      if FileAccess.isLink(folder) { throw .link(folder) }
      folder = FilePath.folder(of: folder)
    }
  }

  private func checkFolder() throws(FileProblem) {
    guard let local else { return }
    try local.check()
    if FileAccess.isLink(path) { throw .link(path) }
  }

  /// The folder of scenarios relative to this folder.
  private var suite: String {
    InputFile.path(from: FileAccess.resolved(path), to: FileAccess.resolved(scenarios))
  }

  /// Returns the other folder of scenarios to which a result belongs; nil if it belongs to this one. A folder that no
  /// longer exists does not count: the results may have been moved, or come from another machine.
  private func otherOwner(_ suite: String?) -> String? {
    guard let suite, suite != self.suite else { return nil }
    let other = FileAccess.resolved(FilePath.child(suite, of: FileAccess.resolved(path)))
    guard other != FileAccess.resolved(scenarios), FileAccess.kind(of: other) == .folder else { return nil }
    return FileAccess.displayed(other)
  }
}

// Reading
extension KeptResults {
  /// Returns the kept result of a scenario; nil if there is none.
  ///
  /// - Throws: the reason why the file cannot be read.
  package func load(_ scenario: String) throws(FileProblem) -> KeptResult? {
    let file = file(of: scenario)
    try checkFolders(of: file)
    if FileAccess.isLink(file) { throw .link(file) }
    guard let bytes = try FileBytes.read(file) else { return nil }
    let result: KeptResult
    do throws(KeptResult.Unreadable) {
      result = try KeptResult(parsing: bytes)
    } catch {
      throw FileProblem(path: file, reason: error.message)
    }
    guard result.name == scenario else {
      throw FileProblem(path: file, reason: "is the kept result of '\(result.name)', not of '\(scenario)'")
    }
    if let other = otherOwner(result.suite) {
      throw FileProblem(path: file, reason: "is the result of a scenario in '\(other)'")
    }
    return result
  }
}

extension KeptResults {
  /// Returns a Boolean value that indicates whether there is a kept result of a test that used Swift code.
  package func usesSwiftCode(_ scenario: String) -> Bool {
    guard let header = try? header(of: scenario), otherOwner(header.suite) == nil else { return false }
    return header.usesSwiftCode
  }

  /// Returns the header of the kept result of a scenario; nil if there is none, or if the file is not a kept result.
  ///
  /// - Throws: the reason why the file cannot be read.
  private func header(of scenario: String) throws(FileProblem) -> KeptResult.Header? {
    let file = file(of: scenario)
    guard FileAccess.kind(of: file) == .file else { return nil }
    try checkFolders(of: file)
    return try FileBytes.read(file).flatMap(KeptResult.Header.init)
  }
}

// Writing
extension KeptResults {
  /// Writes the result of a failed scenario, completely or not at all. If the explanations exceed the maximum size, only
  /// they are omitted.
  ///
  /// - Returns: false if the result exceeds the maximum size. An older result is then removed, because it would be
  ///   mistaken for this one.
  /// - Throws: the reason why the file cannot be written. The result of another folder of scenarios is not replaced.
  package func keep(_ result: KeptResult) throws(FileProblem) -> Bool {
    let file = file(of: result.name)
    try checkFolders(of: file)
    if let other = otherOwner(try header(of: result.name)?.suite) {
      throw FileProblem(path: file, reason: "is the result of a scenario in '\(other)'; use another folder")
    }
    var bytes = Array(result.text(ofSuite: suite).utf8)
    if bytes.count > maximumSize, case .complete = result.explanations {
      var unexplained = result
      unexplained.explanations = .missing(
        reason: "with explanations, it would be larger than \(maximumSize >> 20) MiB")
      bytes = Array(unexplained.text(ofSuite: suite).utf8)
    }
    guard bytes.count <= maximumSize else {
      try remove(result.name)
      return false
    }
    try local?.makeIgnored()
    try FileBytes.write(bytes, to: file)
    return true
  }

  /// Removes the kept result of a scenario. Files that are not kept results remain, and so do the results of other folders
  /// of scenarios. Folders remain, too, because another test may be about to write into them.
  package func remove(_ scenario: String) throws(FileProblem) {
    guard let header = try header(of: scenario), otherOwner(header.suite) == nil else { return }
    try FileBytes.remove(file(of: scenario))
  }

  /// Removes the temporary files that killed processes left behind.
  package func removeLeftovers() throws(FileProblem) {
    try checkFolder()
    TemporaryFile.removeLeftovers(below: path)
  }

  /// Removes the kept results of scenarios of this suite that no longer exist.
  ///
  /// - Parameter scenarios: the names of all scenarios.
  package func removeOthers(than scenarios: some Sequence<String>) throws(FileProblem) {
    let known = Set(scenarios)
    let suite = suite
    for name in names where !known.contains(name) {
      let file = file(of: name)
      try checkFolders(of: file)
      guard try FileBytes.read(file).flatMap(KeptResult.Header.init)?.suite == suite else { continue }
      try FileBytes.remove(file)
    }
  }
}
