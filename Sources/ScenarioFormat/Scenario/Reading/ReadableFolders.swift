/// The folders below which a scenario may name files: the project's folder and other allowed folders.
///
/// The project's folder is the nearest folder, from the folder of scenarios upward, that contains `.recordspec.yaml`,
/// `Package.swift` or `.git`. If there is none, it is the folder of scenarios. Its `.recordspec.yaml` may allow more
/// folders.
package struct ReadableFolders: Hashable, Sendable {
  /// The project's folder, without symbolic links.
  package let root: String
  /// The other allowed folders, without symbolic links.
  private var others: [String] = []

  private static let markers = [ProjectSettings.fileName, "Package.swift", ".git"]
  package static var markersText: String { Findings.oneOf(markers.map { "'\($0)'" }) }

  /// Returns the folders, and the problems of the settings and of the allowed folders.
  ///
  /// - Parameters:
  ///   - scenarios: the folder of scenarios, as the user would type it.
  ///   - allowed: more folders, relative to the current one.
  package static func find(
    around scenarios: String, allowing allowed: [String] = []
  ) -> (folders: ReadableFolders, problems: [AuthorDiagnostic]) {
    let findings = Findings()
    let folders = ReadableFolders(around: scenarios, allowing: allowed, findings: findings)
    return (folders, findings.diagnostics.sortedByLocation())
  }

  private init(around scenarios: String, allowing allowed: [String], findings: Findings) {
    let scenarios = FileAccess.resolved(scenarios)
    root = Self.root(around: scenarios)
    for folder in allowed where Self.isFolder(folder, at: .file(folder), findings) { allow(folder) }
    let settings = ProjectSettings(in: root, findings: findings)
    for folder in settings.allowedFolders
    where Self.isFolder(folder.value, at: .span(folder.span), findings) {
      allow(folder.value)
    }
  }

  /// Returns the project's settings. Errors in them are not reported.
  package static func settings(around scenarios: String) -> ProjectSettings {
    ProjectSettings(in: root(around: FileAccess.resolved(scenarios)), findings: Findings())
  }

  private static func root(around scenarios: String) -> String { project(around: scenarios) ?? scenarios }

  /// Returns the file with the project's settings, whether or not it exists.
  ///
  /// - Parameter scenarios: the folder of scenarios, as the user would type it.
  package static func settingsFile(around scenarios: String) -> String {
    let root = root(around: FileAccess.resolved(scenarios))
    return FileAccess.displayed(FilePath.child(ProjectSettings.fileName, of: root))
  }

  private mutating func allow(_ folder: String) { others.append(FileAccess.resolved(folder)) }

  /// Returns the nearest folder, from a folder without symbolic links upward, that has the mark of a project.
  package static func project(around folder: String) -> String? {
    var folder = folder
    while mark(in: folder) == nil {
      if folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
    return folder
  }

  /// Returns the file or folder that marks a folder as that of a project; nil if there is none.
  package static func mark(in folder: String) -> String? {
    // A misspelled name of the settings is reported.
    (markers + [ProjectSettings.misspelledFileName]).first {
      FileAccess.exists(FilePath.child($0, of: folder))
    }
  }

  private static func isFolder(_ path: String, at location: AuthorDiagnostic.Location, _ findings: Findings)
    -> Bool
  {
    let problem: String
    switch FileAccess.kind(of: path) {
    case .folder: return true
    case .file: problem = "is a file, not a folder"
    case .missing: problem = "does not exist"
    case .unreachable(let reason): problem = "cannot be read: \(reason)"
    }
    findings.report(.unreadableFile, at: location, "the allowed folder '\(path)' \(problem)")
    return false
  }

  /// Returns a Boolean value that indicates whether a path without symbolic links is one of the folders or below one.
  package func contain(_ path: String) -> Bool { ([root] + others).contains { FilePath.isBelow($0, path) } }
}
