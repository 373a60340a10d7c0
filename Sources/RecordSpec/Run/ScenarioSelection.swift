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
  /// The files that are meant, and the paths that name no scenario at all: mistyped ones must not pass silently beside
  /// others.
  package func matches(among files: [ScenarioFile]) -> (files: [ScenarioFile], unmatchedPaths: [String]) {
    var typed = ScenarioPaths(paths)
    var matched: Set<String> = []
    let meant = files.filter { file in
      let naming = typed.naming(file)
      matched.formUnion(naming)
      return (paths.isEmpty || !naming.isEmpty) && names?.contains(file.name) != false
    }
    return (meant, paths.filter { !matched.contains($0) })
  }

  /// What was meant by a path that names nothing.
  package static func suggestion(for path: String, among files: [ScenarioFile]) -> String? {
    guard !path.isEmpty else { return nil }
    return nearestName(to: path, among: files.map(\.name) + files.map(\.path))
      ?? nearestName(to: ScenarioFile.name(of: path, below: ""), among: files.map(\.name))
  }
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
