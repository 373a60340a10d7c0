internal import Foundation
internal import JSONTree
package import RecordModel

/// The folder of golden files. It mirrors the folder of scenarios, file by file.
///
/// Comparing never writes. Only `write` and `remove` change anything on disk.
package struct GoldenFolder: Sendable {
  /// The folder, as the user would type it.
  package let path: String
  /// A Boolean value that indicates whether the user named the folder. Otherwise a symbolic link in its place must not lead outside the project.
  private let isNamed: Bool

  package init(path: String, isNamed: Bool = false) {
    self.path = path
    self.isNamed = isNamed
  }

  /// Where golden files lie if nothing else is said: in `Golden` beside the scenarios.
  package static func standardPath(besides scenarios: String) -> String {
    // What such a path ends in is no name that could be left out.
    let isNamed = ![".", ".."].contains(scenarios.split(separator: "/").last)
    return isNamed
      ? FileAccess.path(of: "Golden", namedIn: scenarios)
      : FileAccess.path(of: "../Golden", namedIn: scenarios + "/.")
  }

  /// Why golden files cannot lie in the folder; nil if they can, whether or not the folder is there yet.
  ///
  /// - Parameters:
  ///   - scenarios: the folder of scenarios. Recordings that lie there must not look like golden files.
  ///   - option: what names another folder.
  package func problem(besides scenarios: String, option: String = "--golden") -> AuthorDiagnostic? {
    func resolved(_ path: String) -> String {
      let path = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
      return path.hasSuffix("/") ? path : path + "/"
    }
    let message: String
    switch FileAccess.kind(of: path) {
    case _ where resolved(scenarios).hasPrefix(resolved(path)):
      return AuthorDiagnostic(
        .unreadableFile, at: .file(path),
        "the scenarios lie here, and nobody could tell golden files from recordings",
        advice: "name another folder with '\(option)'")
    case .folder where !isNamed && leadsOutside:
      return AuthorDiagnostic(
        .unreadableFile, at: .file(path),
        "the folder leads to '\(FileAccess.resolved(path))', which is outside the project",
        advice: "name the folder with '\(option)' to use it")
    case .folder: return nil
    case .file: message = "this is a file, not a folder"
    case .unreachable(let reason): message = "the folder cannot be read: \(reason)"
    case .missing:
      guard FileAccess.isLink(path) else { return nil }
      message = "this links to a folder that is not there"
    }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(path), message, advice: "golden files are to lie below it")
  }

  /// A Boolean value that indicates whether a symbolic link in place of the folder leads outside the project.
  var leadsOutside: Bool {
    let folder = FileAccess.resolved(path)
    return folder != FileAccess.location(of: path) && !isInProject(folder)
  }

  /// Returns whether a path without symbolic links is in the project that the folder belongs to. `allowOutside` does not count: it
  /// lets scenarios read files.
  private func isInProject(_ target: String) -> Bool {
    let project = ReadableFolders.project(around: FileAccess.resolved(FilePath.folder(of: path)))
    return project.map { FilePath.isBelow($0, target) } ?? false
  }

  /// Returns the path of a golden file without symbolic links, which must not lead outside the project.
  private func target(of file: String) throws(FileProblem) -> String {
    let target = FileAccess.resolved(file)
    let folder = isNamed ? FileAccess.resolved(path) : FileAccess.location(of: path)
    guard FilePath.isBelow(folder, target) || isInProject(target) else {
      throw FileProblem(path: file, reason: "leads to '\(target)', which is outside the project")
    }
    return target
  }

  package var isThere: Bool { FileAccess.kind(of: path) == .folder }

  /// `Golden/identity/attribute-key.json` for the scenario `identity/attribute-key`.
  package func file(of scenario: String) -> String { path + "/" + scenario + ".json" }
}

/// How a golden file stands to what came out.
package enum GoldenComparison: Sendable {
  case same
  /// There is no golden file yet.
  case new
  /// It says the same in other bytes.
  case notCanonical
  case different(Differences)
  case unreadable([AuthorDiagnostic])

  /// Whether blessing replaces the file. One that the system does not let us read stays: nobody has seen what would be
  /// lost.
  package var canBeBlessed: Bool {
    if case .unreadable(let problems) = self { problems.allSatisfy { $0.span != nil } } else { true }
  }
}

// Reading
extension GoldenFolder {
  /// Byte for byte first; only what is not the same is read and compared value by value.
  package func compare(_ snapshot: ScenarioSnapshot, of scenario: String, model: Schema)
    -> GoldenComparison
  {
    let file = file(of: scenario)
    let bytes: [UInt8]
    do {
      guard let found = try FileBytes.read(file) else { return .new }
      _ = try target(of: file)
      bytes = found
    } catch {
      return .unreadable([AuthorDiagnostic(.goldenFile, at: .file(file), "the golden file \(error.reason)")])
    }
    if bytes.elementsEqual(snapshot.goldenForm.canonicalText().utf8) { return .same }
    do {
      let recorded = try GoldenReader.read(bytes, path: file)
      let differences = GoldenDiff.differences(
        recorded: recorded, actual: snapshot, model: model, path: file)
      return differences.isEmpty ? .notCanonical : .different(differences)
    } catch {
      return .unreadable(error.diagnostics)
    }
  }

  /// The golden files whose scenario is gone, in order.
  ///
  /// - Parameter scenarios: the names of all scenarios that were found, whether or not they are to run or can be read.
  package func obsolete(besides scenarios: some Sequence<String>) -> [String] {
    let known = Set(scenarios.map { $0 + ".json" })
    return FileBytes.files(below: path).filter { $0.hasSuffix(".json") && !known.contains($0) }
      .map { path + "/" + $0 }
  }
}

// Writing
extension GoldenFolder {
  /// Writes the golden file of a scenario, whole or not at all. A file that is right already is left alone.
  package func write(_ snapshot: ScenarioSnapshot, of scenario: String) throws(FileProblem) {
    let bytes = Array(snapshot.goldenForm.canonicalText().utf8)
    let file = file(of: scenario)
    // Written as resolved here: a link that comes into its place after the check is replaced.
    let target = try target(of: file)
    if let found = try FileBytes.read(file), found == bytes { return }
    do throws(FileProblem) {
      try FileBytes.write(bytes, to: target)
    } catch {
      throw FileProblem(path: file, reason: error.reason)
    }
  }

  /// Removes the temporary files that killed processes have left.
  func removeLeftovers() {
    TemporaryFile.removeLeftovers(in: path)
    guard let paths = FileManager.default.enumerator(atPath: path) else { return }
    while let name = paths.nextObject() as? String {
      if paths.fileAttributes?[.type] as? FileAttributeType == .typeDirectory {
        TemporaryFile.removeLeftovers(in: FilePath.child(name, of: path))
      }
    }
  }

  package enum Removal: Sendable {
    case removed
    /// Another process was faster.
    case gone
    /// The file is not a golden file, so it stays.
    case foreign
  }

  /// Removes an obsolete golden file, and the folders that it leaves empty.
  @discardableResult
  package func remove(_ file: String) throws(FileProblem) -> Removal {
    guard let bytes = try FileBytes.read(file) else { return .gone }
    guard (try? GoldenReader.read(bytes, path: file)) != nil else { return .foreign }
    let isRemoved = try FileBytes.remove(file)
    var folder = FilePath.folder(of: file)
    while folder.hasPrefix(path + "/"), FileBytes.removeIfEmpty(folder) {
      folder = FilePath.folder(of: folder)
    }
    return isRemoved ? .removed : .gone
  }
}
