import Foundation
import JSONTree
package import RecordModel
package import ScenarioComparison
package import ScenarioFormat

/// The folder of golden files. It mirrors the folder of scenarios, file by file.
///
/// Comparing never writes. Only `write`, `remove` and `removeLeftovers` change files.
package struct GoldenFolder: Sendable {
  /// The folder, as the user would type it.
  package let path: String
  /// A Boolean value that indicates whether the user named the folder. If not, a symbolic link in its place must not
  /// lead outside the project.
  private let isNamed: Bool
  /// The folder without symbolic links, except a link in its place that the user did not name.
  private let location: String

  package init(path: String, isNamed: Bool = false) {
    self.path = path
    self.isNamed = isNamed
    location = isNamed ? FileAccess.resolved(path) : FileAccess.location(of: path)
  }

  /// Returns the default folder of golden files: `Golden` beside the folder of scenarios.
  package static func standardPath(besides scenarios: String) -> String {
    // A path that ends in `.` or `..` has no last name that could be replaced.
    let isNamed = ![".", ".."].contains(scenarios.split(separator: "/").last)
    return isNamed
      ? FileAccess.path(of: "Golden", namedIn: scenarios)
      : FileAccess.path(of: "../Golden", namedIn: scenarios + "/.")
  }

  /// Returns the reason why the folder cannot contain golden files; nil if it can, whether or not it exists.
  ///
  /// - Parameters:
  ///   - scenarios: the folder of scenarios. Recordings in it must not look like golden files.
  ///   - option: the option that names another folder.
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
        "the folder of golden files contains the scenarios",
        advice: "use another folder: '\(option)'")
    case .folder where !isNamed && leadsOutside:
      return AuthorDiagnostic(
        .unreadableFile, at: .file(path),
        "the folder leads through a symbolic link to '\(FileAccess.resolved(path))', which is outside \(projectText)",
        advice: "to use it, name the folder with '\(option)'")
    case .folder: return nil
    case .file: message = "this is a file, not a folder"
    case .unreachable(let reason): message = "the folder cannot be read: \(reason)"
    case .missing:
      guard FileAccess.isLink(path) else { return problemOfMissingFolder(besides: scenarios, option: option) }
      message = "this link leads to a folder that does not exist"
    }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(path), message,
      advice: "use a folder here, or name another one with '\(option)'")
  }

  /// Returns the problem that the default folder, which does not exist, would be outside of the project of the scenarios, or
  /// that the scenarios are a part of a suite with golden files.
  private func problemOfMissingFolder(besides scenarios: String, option: String) -> AuthorDiagnostic? {
    if !isNamed, let suite = Self.suite(around: scenarios) {
      let selection = suite == "Scenarios" ? "" : "--scenarios \(ShellText.quoted(suite)) "
      let part = ShellText.quoted(FileAccess.displayed(FileAccess.resolved(scenarios)))
      return AuthorDiagnostic(
        .unreadableFile, at: .file(scenarios),
        "the scenarios are a part of the suite in '\(suite)', which has golden files for them",
        advice:
          "select this part with '\(selection)\(part)' in place of '--scenarios \(scenarios)', or name another folder of golden files with '\(option)'"
      )
    }
    guard !isNamed, let project = ReadableFolders.project(around: FileAccess.resolved(scenarios)),
      !FilePath.isBelow(project, FileAccess.resolved(path))
    else { return nil }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(path),
      "the default folder of golden files would be outside the project's folder '\(project)'",
      advice:
        "move the scenarios into a folder of the project, such as '\(project)/Scenarios', or name another "
        + "folder of golden files with '\(option)'")
  }

  /// Returns the folder named `Scenarios` around a folder of scenarios that has golden files for it; nil if there is none.
  private static func suite(around scenarios: String) -> String? {
    var folder = FileAccess.resolved(scenarios)
    let project = ReadableFolders.project(around: folder) ?? FileAccess.resolved(".")
    var below = ""
    while folder != project, folder.count > 1 {
      let name = FilePath.name(of: folder)
      below = below.isEmpty ? name : FilePath.child(below, of: name)
      folder = FilePath.folder(of: folder)
      guard FilePath.name(of: folder) == "Scenarios" else { continue }
      let golden = FilePath.child(below, of: standardPath(besides: folder))
      if FileAccess.kind(of: golden) == .folder { return FileAccess.displayed(folder) }
    }
    return nil
  }

  /// Returns the reason why results cannot be kept in a folder: they would look like golden files without a scenario.
  ///
  /// - Parameter settings: the file of the settings that name the folder; nil if the command line does.
  package func problem(keeping folder: String, settings: String? = nil) -> AuthorDiagnostic? {
    guard FilePath.isBelow(FileAccess.resolved(path), FileAccess.resolved(folder)) else { return nil }
    return AuthorDiagnostic(
      .unreadableFile, at: .file(settings ?? folder),
      "results cannot be kept in the folder of golden files",
      advice: "use another folder: \(settings == nil ? "'--keep'" : "'keep'")")
  }

  /// A Boolean value that indicates whether a symbolic link in place of the folder leads outside the project.
  package var leadsOutside: Bool {
    let folder = FileAccess.resolved(path)
    return folder != FileAccess.location(of: path) && !isInProject(folder)
  }

  /// Returns a Boolean value that indicates whether a path without symbolic links is in the folder's project.
  /// `allowOutside` has no effect here, because it only lets scenarios read files.
  private func isInProject(_ target: String) -> Bool {
    project.map { FilePath.isBelow($0, target) } ?? false
  }

  private var parent: String { FileAccess.resolved(FilePath.folder(of: path)) }
  private var project: String? { ReadableFolders.project(around: parent) }

  /// The folder of the project for messages, or the reason why there is none.
  private var projectText: String {
    project.map { "the project's folder '\($0)'" }
      ?? "the project (no folder from '\(parent)' up contains \(ReadableFolders.markersText))"
  }

  /// Returns the path of a golden file without symbolic links. Throws an error if it leads outside the project.
  private func target(of file: String) throws(FileProblem) -> String {
    let target = FileAccess.resolved(file)
    guard FilePath.isBelow(location, target) || isInProject(target) else {
      throw FileProblem(
        path: file, reason: "leads through a symbolic link to '\(target)', which is outside \(projectText)")
    }
    return target
  }

  /// The first folder whose files cannot be listed: this one or one below it. Nil if all can be listed.
  package var unreadableFolder: FileProblem? { FileBytes.unreadableFolder(in: path) }

  package var isThere: Bool { FileAccess.kind(of: path) == .folder }

  /// Returns the golden file of a scenario: `Golden/identity/attribute-key.json` for `identity/attribute-key`.
  package func file(of scenario: String) -> String { path + "/" + scenario + ".json" }
}

/// The result of comparing a golden file with the actual result.
package enum GoldenComparison: Sendable {
  case same
  /// A golden file that does not exist yet.
  case new
  /// A golden file that has the same contents in another form.
  case notCanonical(hasWindowsLineEnds: Bool)
  case different(Differences)
  case unreadable([AuthorDiagnostic])

  /// A Boolean value that indicates whether blessing may replace the file. A file that the system cannot read is kept,
  /// because its contents are unknown.
  package var canBeBlessed: Bool {
    if case .unreadable(let problems) = self { problems.allSatisfy { $0.span != nil } } else { true }
  }
}

// Reading
extension GoldenFolder {
  /// Compares the golden file of a scenario with a snapshot. The file is parsed and compared by value only if its bytes
  /// differ.
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
    return Self.compare(snapshot, with: bytes, of: file, model: model)
  }

  /// Compares the bytes of a golden file with a snapshot.
  ///
  /// - Parameter file: the path of the golden file, which need not exist.
  package static func compare(
    _ snapshot: ScenarioSnapshot, with bytes: [UInt8], of file: String, model: Schema
  ) -> GoldenComparison {
    if bytes == snapshot.goldenForm.canonicalBytes() { return .same }
    do {
      let recorded = try GoldenReader.read(bytes, path: file)
      let differences = GoldenDiff.differences(
        recorded: recorded, actual: snapshot, model: model, path: file)
      // JSON does not allow a carriage return in a string.
      let hasWindowsLineEnds = bytes.contains(UInt8(ascii: "\r"))
      return differences.isEmpty
        ? .notCanonical(hasWindowsLineEnds: hasWindowsLineEnds) : .different(differences)
    } catch {
      return .unreadable(error.diagnostics)
    }
  }

  /// Returns the golden files without a scenario, sorted by path.
  ///
  /// - Parameter scenarios: the names of all scenarios that were found, whether or not they are selected or can be
  ///   read.
  package func obsolete(besides scenarios: some Sequence<String>) -> [String] {
    let known = Set(scenarios.map { $0 + ".json" })
    return FileBytes.files(below: path).filter { $0.hasSuffix(".json") && !known.contains($0) }
      .map { path + "/" + $0 }
  }
}

// Writing
extension GoldenFolder {
  /// Writes the golden file of a scenario, completely or not at all. Leaves an identical file unchanged.
  package func write(_ snapshot: ScenarioSnapshot, of scenario: String) throws(FileProblem) {
    try write(snapshot.goldenForm.canonicalBytes(), of: scenario)
  }

  /// Writes the bytes of the golden file of a scenario, completely or not at all. Leaves an identical file unchanged.
  package func write(_ bytes: [UInt8], of scenario: String) throws(FileProblem) {
    let file = file(of: scenario)
    // The resolved path is written: a link that appears in its place after the check is replaced.
    let target = try target(of: file)
    if let found = try FileBytes.read(file), found == bytes { return }
    do throws(FileProblem) {
      try FileBytes.write(bytes, to: target)
    } catch {
      throw FileProblem(path: file, reason: error.reason)
    }
  }

  /// Removes the temporary files that killed processes left behind.
  package func removeLeftovers() { TemporaryFile.removeLeftovers(below: path) }

  package enum Removal: Sendable {
    case removed
    /// A file that another process has already removed.
    case gone
    /// A file that is not a golden file and was kept.
    case foreign
  }

  /// Removes an obsolete golden file, and the folders that become empty.
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
