internal import Foundation
internal import RecordModel

/// Which of the scenarios that were found are to run. Everything that is given must hold; several values of one kind
/// are alternatives.
package struct ScenarioSelection: Sendable {
  /// Files, folders, globs or names of scenarios.
  package var paths: [String] = []
  package var tags: [String] = []
  /// Rule ids, or whole groups of them: `identity`, `merge.*`.
  package var rules: [String] = []
  /// Part of the title, in any case.
  package var title: String?
  /// Names that were found out otherwise: what failed last, what has changed.
  package var names: Set<String>?

  package init() {}

  package var isEverything: Bool {
    paths.isEmpty && tags.isEmpty && rules.isEmpty && title == nil && names == nil
  }

  /// Whether scenarios have to be read to know whether they are meant.
  package var needsScenarios: Bool { !tags.isEmpty || !rules.isEmpty || title != nil }
}

// By file
extension ScenarioSelection {
  package func includes(_ file: ScenarioFile) -> Bool {
    if let names, !names.contains(file.name) { return false }
    return paths.isEmpty || paths.contains { Self.matches($0, file) }
  }

  /// The paths that name no scenario at all: mistyped ones must not pass silently beside others.
  package func unmatchedPaths(among files: [ScenarioFile]) -> [String] {
    paths.filter { path in !files.contains { Self.matches(path, $0) } }
  }

  /// What was meant by a path that names nothing.
  package static func suggestion(for path: String, among files: [ScenarioFile]) -> String? {
    guard !path.isEmpty else { return nil }
    return nearestName(to: path, among: files.map(\.name) + files.map(\.path))
      ?? nearestName(to: ScenarioFile.name(of: path, below: ""), among: files.map(\.name))
  }

  private static func matches(_ typed: String, _ file: ScenarioFile) -> Bool {
    // What a script leaves empty by mistake is not everything.
    guard !typed.isEmpty else { return false }
    let path = trimmed(typed)
    if let pattern = GlobPattern(path) { return pattern.matches(file.path) || pattern.matches(file.name) }
    if names(path, file.path) || names(path, file.name) { return true }
    // One of the two may be absolute, the other relative to where we are.
    return names(absolute(path), absolute(file.path))
  }

  private static func names(_ path: String, _ file: String) -> Bool {
    path == file || path == "." || file.hasPrefix(path + "/")
  }

  private static func trimmed(_ path: String) -> String {
    var path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path.isEmpty ? "." : path
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardized.path }
}

// By content
extension ScenarioSelection {
  /// A file that cannot be read is always meant: nobody knows what it would have been.
  package func includes(_ scenario: Scenario?) -> Bool {
    guard let scenario else { return true }
    if !tags.isEmpty, !scenario.tags.contains(where: tags.contains) { return false }
    if !rules.isEmpty,
      !scenario.covers.contains(where: { id in rules.contains { Self.names($0, rule: id.value) } })
    {
      return false
    }
    guard let title else { return true }
    return scenario.title.lowercased().contains(title.lowercased())
  }

  /// Whether what is typed means a rule: by its id, as one of a group, or by a pattern.
  static func names(_ text: String, rule: String) -> Bool {
    text == rule || rule.hasPrefix(text + ".") || GlobPattern(text)?.matches(rule) == true
  }
}
