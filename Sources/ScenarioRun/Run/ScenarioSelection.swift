import Foundation
import RecordModel
package import ScenarioFormat

/// The conditions that select scenarios to run. All conditions must hold. Several values of one condition are
/// alternatives.
package struct ScenarioSelection: Sendable {
  /// The files, folders, globs or names of scenarios.
  package var paths: [String] = []
  package var tags: [String] = []
  /// The ids of rules, or of groups such as `identity` and `merge.*`.
  package var rules: [String] = []
  /// A part of the title, regardless of case.
  package var title: String?
  /// The names of scenarios that were determined in another way, such as the last failures or the changed scenarios.
  package var names: Set<String>?

  package init() {}

  package var isEverything: Bool {
    paths.isEmpty && tags.isEmpty && rules.isEmpty && title == nil && names == nil
  }

  /// A Boolean value that indicates whether the selection depends on the contents of scenarios.
  package var needsScenarios: Bool { !tags.isEmpty || !rules.isEmpty || title != nil }
}

// By file
extension ScenarioSelection {
  /// Returns the selected files, and the paths that match no scenario at all. A mistyped path must be reported even if
  /// other paths match.
  package func matches(among files: [ScenarioFile]) -> (files: [ScenarioFile], unmatchedPaths: [String]) {
    if paths.isEmpty { return (files.filter { names?.contains($0.name) != false }, []) }
    var typed = ScenarioPaths(paths)
    var matched: Set<String> = []
    let meant = files.filter { file in
      let naming = typed.naming(file)
      matched.formUnion(naming)
      return !naming.isEmpty && names?.contains(file.name) != false
    }
    return (meant, paths.filter { !matched.contains($0) })
  }

  /// Returns the name or path that is nearest to a path without a match.
  package static func suggestion(for path: String, among files: [ScenarioFile]) -> String? {
    guard !path.isEmpty else { return nil }
    if path.hasSuffix(".json") {
      // The name of a golden file.
      let name = path.dropLast(5)
      if let file = files.first(where: { name == $0.name || name.hasSuffix("/" + $0.name) }) {
        return file.name
      }
    }
    return nearestName(to: path, among: files.map(\.name) + files.map(\.path))
      ?? nearestName(to: ScenarioFile.name(of: path, below: ""), among: files.map(\.name))
  }

  /// Returns the only name that begins with a path, with or without its folders; nil if there are none or several.
  package static func completion(of path: String, among files: [ScenarioFile]) -> String? {
    guard !path.isEmpty else { return nil }
    let completions = files.lazy.map(\.name).filter { name in
      name.hasPrefix(path) || name.split(separator: "/").last?.hasPrefix(path) ?? false
    }.prefix(2)
    return completions.count == 1 ? completions.first : nil
  }
}

// By content
extension ScenarioSelection {
  /// Returns a Boolean value that indicates whether a scenario is selected. A file that cannot be read is always
  /// selected, because its contents are unknown.
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

  /// Returns a Boolean value that indicates whether a text matches a rule by its id, by its group, or as a pattern.
  package static func names(_ text: String, rule: String) -> Bool {
    text == rule || rule.hasPrefix(text + ".") || GlobPattern(text)?.matches(rule) == true
  }
}
