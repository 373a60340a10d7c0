internal import Foundation

/// A folder of kept results. It mirrors the folder of scenarios: the result of `identity/attribute-key` is in
/// `identity/attribute-key.kept.json`.
package struct KeptResults: Sendable {
  /// The folder, as the user would type it.
  package let path: String
  /// The folder of scenarios.
  private let scenarios: String
  /// The folder `.recordspec`; nil if the user named the folder of kept results.
  private let local: LocalFolder?

  /// The maximum size of a kept result in bytes. A larger one is not kept. Default 32 MiB.
  package var maximumSize = 32 << 20
  private static let suffix = ".kept.json"

  /// Creates the folder in `.recordspec` beside the folder of scenarios.
  package init(besides scenarios: String) {
    let local = LocalFolder(besides: scenarios)
    self.local = local
    self.scenarios = scenarios
    path = FilePath.child("kept", of: local.path)
  }

  /// Creates a folder that the user named.
  package init(path: String, of scenarios: String) {
    self.path = path
    self.scenarios = scenarios
    local = nil
  }

  package func file(of scenario: String) -> String { FilePath.child(scenario + Self.suffix, of: path) }

  /// The names of the scenarios with a kept result, sorted.
  package var names: [String] {
    FileBytes.files(below: path).filter { $0.hasSuffix(Self.suffix) }
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

  /// The folder of scenarios relative to this folder. Several suites can keep their results in one folder.
  private var suite: String {
    InputFile.path(from: FileAccess.resolved(path), to: FileAccess.resolved(scenarios))
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
    return result
  }
}

extension KeptResults {
  /// Returns a Boolean value that indicates whether there is a kept result of a test that used Swift code.
  package func usesSwiftCode(_ scenario: String) -> Bool {
    let kept = try? load(scenario)
    return kept?.usesSwiftCode ?? false
  }
}

// Writing
extension KeptResults {
  /// Writes the result of a failed scenario, completely or not at all.
  ///
  /// - Returns: false if the result exceeds the maximum size. An older result is then removed, because it would be
  ///   mistaken for this one.
  package func keep(_ result: KeptResult) throws(FileProblem) -> Bool {
    let file = file(of: result.name)
    try checkFolders(of: file)
    let bytes = Array(result.text(ofSuite: suite).utf8)
    guard bytes.count <= maximumSize else {
      try remove(result.name)
      return false
    }
    try local?.makeIgnored()
    try FileBytes.write(bytes, to: file)
    return true
  }

  /// Removes the kept result of a scenario. Files that are not kept results remain. Folders remain, too, because another
  /// test may be about to write into them.
  package func remove(_ scenario: String) throws(FileProblem) {
    let file = file(of: scenario)
    guard FileAccess.kind(of: file) == .file else { return }
    try checkFolders(of: file)
    guard let bytes = try FileBytes.read(file), KeptResult.isKeptResult(bytes) else { return }
    try FileBytes.remove(file)
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
      guard let bytes = try FileBytes.read(file), KeptResult.suite(of: bytes) == suite else { continue }
      try remove(name)
    }
  }
}
