package import ScenarioFormat

/// The files, folders, globs and names that select scenarios. Different spellings of the same location are equivalent.
package struct ScenarioPaths {
  private let paths: [Path]
  /// The folders of scenarios without symbolic links, by their paths.
  private var folders: [String: String] = [:]

  private struct Path {
    let typed: String
    let text: String
    let pattern: GlobPattern?
    /// The locations that the text leads to, without symbolic links; empty for a glob.
    let locations: [String]
  }

  package init(_ typed: [String]) {
    paths = typed.map { typed in
      let text = FilePath.simplified(typed)
      let pattern = GlobPattern(text)
      return Path(
        typed: typed, text: text, pattern: pattern, locations: pattern == nil ? Self.locations(of: text) : [])
    }
  }

  /// Returns the paths that match a file, as they were typed.
  package mutating func naming(_ file: ScenarioFile) -> [String] {
    let path = FilePath.simplified(file.path)
    let folder = FilePath.folder(of: file.path)
    let resolved = folders[folder] ?? FileAccess.resolved(folder)
    folders[folder] = resolved
    let location = FilePath.child(FilePath.name(of: file.path), of: resolved)
    return paths.filter { typed in
      if let pattern = typed.pattern { return pattern.matches(path) || pattern.matches(file.name) }
      return Self.names(typed.text, path) || Self.names(typed.text, file.name)
        || typed.locations.contains { Self.names($0, location) }
    }
    .map(\.typed)
  }

  private static func names(_ path: String, _ file: String) -> Bool {
    // An empty path, such as one from an unset variable in a script, does not mean all scenarios.
    !path.isEmpty && (path == file || path == "." || file.hasPrefix(path == "/" ? path : path + "/"))
  }

  /// Returns the locations that a path leads to. A link to a scenario is a separate scenario, so only the folders
  /// before it are resolved. A link to a folder also leads to its target.
  private static func locations(of path: String) -> [String] {
    guard !path.isEmpty else { return [] }
    let location = FileAccess.location(of: path)
    return FileAccess.kind(of: path) == .folder ? [location, FileAccess.resolved(path)] : [location]
  }
}
