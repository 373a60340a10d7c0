internal import Foundation

/// A folder of kept results. It mirrors the folder of scenarios: the result of `identity/attribute-key` is in
/// `identity/attribute-key.kept.json`.
package struct KeptResults: Sendable {
  /// The folder, as the user would type it.
  package let path: String
  /// The folder of scenarios.
  private let scenarios: String
  /// The folder that must not be a symbolic link, because a link in an untrusted checkout must not decide which files
  /// are written; nil if the user named the folder of kept results.
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

  private func checkFolder() throws(FileProblem) {
    try local?.check()
    if local != nil, FileAccess.isLink(path) { throw .link(path) }
  }
}

// Reading
extension KeptResults {
  /// Returns the kept result of a scenario; nil if there is none.
  ///
  /// - Throws: the reason why the file cannot be read.
  package func load(_ scenario: String) throws(FileProblem) -> KeptResult? {
    try checkFolder()
    let file = file(of: scenario)
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

// Writing
extension KeptResults {
  /// Writes the result of a failed scenario, completely or not at all.
  ///
  /// - Returns: false if the result exceeds the maximum size. An older result is then removed, because it would be
  ///   mistaken for this one.
  package func keep(_ result: KeptResult) throws(FileProblem) -> Bool {
    try checkFolder()
    let bytes = Array(result.text.utf8)
    guard bytes.count <= maximumSize else {
      try remove(result.name)
      return false
    }
    try local?.makeIgnored()
    do throws(FileProblem) {
      try FileBytes.write(bytes, to: file(of: result.name))
    } catch {
      // Another test may just have removed the folder, because it was empty.
      try FileBytes.write(bytes, to: file(of: result.name))
    }
    return true
  }

  /// Removes the kept result of a scenario, and the folders that become empty. Files that are not kept results remain.
  package func remove(_ scenario: String) throws(FileProblem) {
    let file = file(of: scenario)
    guard FileAccess.kind(of: file) == .file else { return }
    try checkFolder()
    guard let bytes = try FileBytes.read(file), Self.isKeptResult(bytes) else { return }
    try FileBytes.remove(file)
    var folder = FilePath.folder(of: file)
    // A folder that the user named remains.
    while folder.hasPrefix(path + "/") || (local != nil && folder == path), FileBytes.removeIfEmpty(folder) {
      folder = FilePath.folder(of: folder)
    }
  }

  /// Removes the temporary files that killed processes left behind.
  package func removeLeftovers() { TemporaryFile.removeLeftovers(below: path) }

  /// Removes the kept results of scenarios that no longer exist.
  ///
  /// - Parameter scenarios: the names of all scenarios.
  package func removeOthers(than scenarios: some Sequence<String>) throws(FileProblem) {
    let known = Set(scenarios)
    for name in names where !known.contains(name) { try remove(name) }
  }

  private static func isKeptResult(_ bytes: [UInt8]) -> Bool {
    do throws(KeptResult.Unreadable) {
      _ = try KeptResult(parsing: bytes)
      return true
    } catch {
      return error.isKeptResult
    }
  }
}
