import Foundation

/// A scenario file.
package struct ScenarioFile: Hashable, Sendable {
  /// The path as the user would type it.
  package var path: String
  /// The path below the folder of scenarios without extension. The scenario and its golden file have this name.
  package var name: String
  /// The folders whose files the scenario may name.
  package let folders: ReadableFolders

  /// Creates a scenario file.
  ///
  /// - Parameter folders: the folders whose files the scenario may name. By default, the project of the file's folder.
  package init(path: String, name: String, folders: ReadableFolders? = nil) {
    self.path = path
    self.name = name
    self.folders = folders ?? ReadableFolders.find(around: FilePath.folder(of: path)).folders
  }

  package static func name(of path: String, below root: String) -> String {
    var name =
      part(of: FilePath.simplified(path), below: root.isEmpty ? "" : FilePath.simplified(root) + "/")
      ?? part(of: FileAccess.location(of: path), below: FilePath.child("", of: FileAccess.resolved(root)))
      ?? Substring(FilePath.name(of: path))
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) { name = name.dropLast(suffix.count) }
    return String(name)
  }

  /// Returns the part of a path below a folder; nil if the path leads outside the folder.
  private static func part(of path: String, below folder: String) -> Substring? {
    guard path.utf8.starts(with: folder.utf8) else { return nil }
    let part = path.utf8.dropFirst(folder.utf8.count)
    return part.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
      ? nil : Substring(part)
  }
}

/// The scenario files below a folder.
package struct ScenarioFiles: Sendable {
  /// The files, sorted by path.
  package private(set) var files: [ScenarioFile] = []
  /// The problems of files that look like scenarios but cannot be scenarios, sorted by path.
  package private(set) var diagnostics: [AuthorDiagnostic] = []
  /// The folders that were searched and the project's settings, whether or not they exist. Each has its stamp from before
  /// it was read. While none of them changes, the list of files stays the same.
  package private(set) var places: [StampedFile]

  /// The folder, as the user would type it.
  package let root: String
  private let folders: ReadableFolders
  /// The visited folders without symbolic links, so that a link to a parent folder is not followed again.
  private var visited: Set<String> = []

  /// Creates the list of scenario files below a folder. These are every `*.yaml` and `*.yml`, except `*.model.yaml`,
  /// `*.model.yml`, and files in folders whose name starts with `_`. Hidden files and folders, whose name starts with
  /// `.`, are ignored.
  ///
  /// Each folder is visited once, even if several links lead to it. Linear in the number of files below the folder.
  ///
  /// Scenarios may name files of the project. The project's folder is the nearest folder, from the folder of scenarios
  /// upward, that contains `.recordspec.yaml`, `Package.swift` or `.git`. If there is none, it is the folder of
  /// scenarios. If `.recordspec.yaml` has an error or an allowed folder does not exist, the diagnostics say so and
  /// there are no files.
  ///
  /// - Parameters:
  ///   - root: the folder, as the user would type it.
  ///   - allowedFolders: folders outside the project whose files scenarios may also name.
  package init(below root: String, allowingOutside allowedFolders: [String] = []) {
    self.root = root
    places = [StampedFile(ReadableFolders.settingsFile(around: root))]
    (folders, diagnostics) = ReadableFolders.find(around: root, allowing: allowedFolders)
    guard diagnostics.isEmpty else { return }
    switch FileAccess.kind(of: root) {
    case .missing:
      places.append(StampedFile(root, stamp: nil))
      report(.unreadableFile, root, "the folder does not exist", advice: Self.advice(forMissing: root))
    case .file:
      report(
        .unreadableFile, root, "this is a file, not a folder",
        advice: "pass its folder to '--scenarios', and the file as an argument")
    case .unreachable(let reason): report(.unreadableFile, root, "the folder cannot be read: \(reason)")
    case .folder:
      visit(root)
      files.sort { $0.path < $1.path }
      dropSameNames()
      if files.isEmpty, diagnostics.isEmpty {
        report(.noScenarios, root, "this folder has no scenarios", advice: Self.advice(forEmpty: root))
      }
    }
    diagnostics = diagnostics.sortedByLocation()
  }

  private mutating func visit(_ folder: String) {
    guard visited.insert(URL(fileURLWithPath: folder).resolvingSymlinksInPath().path).inserted else { return }
    places.append(StampedFile(folder))
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      report(.unreadableFile, folder, "the folder cannot be read")
      return
    }
    for name in names where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
      let isScenario = Self.isScenario(name)
      let kind = FileAccess.kind(of: path)
      if let problem = Self.problem(of: name, kind) {
        report(.fileName, path, problem, advice: "rename it")
        continue
      }
      switch kind {
      case .folder where isScenario: report(.unreadableFile, path, "this folder is named like a scenario")
      case .folder: if !name.hasPrefix("_") { visit(path) }
      case .missing where isScenario:
        report(.unreadableFile, path, "this link leads to a file that does not exist")
      case .unreachable(let reason):
        if isScenario || !name.hasPrefix("_") {
          report(.unreadableFile, path, "this cannot be read: \(reason)")
        }
      case .file where isScenario:
        files.append(
          ScenarioFile(path: path, name: ScenarioFile.name(of: path, below: root), folders: folders))
      case .file, .missing: break
      }
    }
  }

  /// Returns the reason why a name is invalid for a scenario or for a folder of scenarios. Returns nil for a valid
  /// name, and for a file that is neither.
  private static func problem(of name: String, _ kind: FileAccess.Kind) -> String? {
    // Invalid UTF-8 has been replaced, so that no file has this name.
    if kind == .missing, name.contains("\u{FFFD}") { return "the name is not valid UTF-8" }
    let isOther = kind == .file && !isScenario(name)
    if !isOther, DisplayText.hasControlCharacters(name) { return "the name contains a control character" }
    let ending = name.suffix(5).lowercased()
    return isOther && (ending == ".yaml" || ending.hasSuffix(".yml"))
      && !name.lowercased().contains(".model.")
      ? "the extension '.yaml' must be in lower case" : nil
  }

  private static func isScenario(_ name: String) -> Bool {
    for suffix in [".yaml", ".yml"] where name.hasSuffix(suffix) {
      return !name.hasSuffix(".model" + suffix)
    }
    return false
  }

  /// Reports and removes files that would share a golden file, such as `a.yaml` and `a.yml`, which share `a.json`.
  private mutating func dropSameNames() {
    var first: [String: String] = [:]
    for file in files {
      if let other = first[file.name] {
        report(
          .sameGoldenFile, file.path, "this scenario has the same golden file as '\(other)'",
          advice: "rename one of them")
      } else {
        first[file.name] = file.path
      }
    }
    let clashing = Set(diagnostics.filter { $0.code == .sameGoldenFile }.map(\.path))
    files.removeAll { clashing.contains($0.path) }
  }

  private mutating func report(
    _ code: AuthorDiagnostic.Code, _ path: String, _ message: String, advice: String? = nil
  ) {
    diagnostics.append(AuthorDiagnostic(code, at: .file(path), message, advice: advice))
  }
}
