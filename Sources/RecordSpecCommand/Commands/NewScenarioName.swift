import RecordSpec
import ScenarioFormat
import ScenarioReport
import ScenarioRun

/// The name of a scenario to write, as the user gives it: `books/list`, `books/list.yaml` or `Scenarios/books/list.yaml`. A
/// path that starts with `/` or `./`, or contains `..`, is one in the file system; other names are below the folder of
/// scenarios.
struct NewScenarioName {
  /// The name below the folder of scenarios, without extension.
  let text: String
  /// The last part of the name.
  var last: String { FilePath.name(of: text) }
  /// The folder below the folder of scenarios; empty for none.
  var folder: String { FilePath.folder(of: text) }
  /// The extension of the file: `.yml` if the user gives it, and `.yaml` otherwise.
  let ending: String
  /// The path of the scenario below the folder of scenarios.
  var file: String { text + ending }
  /// The path of a scenario that would have the same golden file, below the folder of scenarios.
  fileprivate var fileWithOtherEnding: String { text + (ending == ".yml" ? ".yaml" : ".yml") }

  /// The reason why a name is invalid, in words.
  struct Problem: Error {
    let message: String
    var advice: String?
  }

  init(text: String, ending: String) {
    self.text = text
    self.ending = ending
  }

  init(_ typed: String, in suite: String) throws(Problem) {
    var name = FilePath.simplified(typed)
    let folder = FilePath.simplified(suite)
    let leadsUp = typed.split(separator: "/").contains("..")
    let isPath = leadsUp || ["/", "./"].contains { typed.hasPrefix($0) }
    let root = FileAccess.resolved(suite)
    let location =
      !isPath
      ? "" : FilePath.name(of: name) == ".." ? FileAccess.resolved(name) : FileAccess.location(of: name)
    func refuse(_ message: String, _ advice: String? = nil) throws(Problem) {
      throw Problem(message: "'\(typed)' \(message)", advice: advice)
    }
    if ["", ".", "/"].contains(name) || typed.hasSuffix("/") || location == root {
      try refuse("is not the name of a scenario")
    }
    if name.hasPrefix(folder + "/"), !leadsUp {
      name.removeFirst(folder.count + 1)
    } else if isPath, FilePath.isBelow(root, location) {
      name = String(location.dropFirst(FilePath.child("", of: root).count))
    } else if isPath {
      let last = FilePath.name(of: name)
      let example = ["..", FilePath.name(of: folder)].contains(last) ? "" : ", such as '\(last)'"
      try refuse(
        "is outside of the folder of scenarios '\(suite)'",
        "write a name below it\(example), or use another folder with '--scenarios'")
    }
    for suffix in [".yaml", ".yml"] where name.lowercased().hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    text = name
    ending = typed.lowercased().hasSuffix(".yml") ? ".yml" : ".yaml"
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    if DisplayText.hasControlCharacters(name) { try refuse("contains a control character") }
    for part in parts {
      if part.isEmpty || part.hasPrefix(".") {
        try refuse("has a part that starts with '.'; such files and folders are ignored")
      }
    }
    for part in parts.dropLast() {
      if part.hasPrefix("_") {
        try refuse("is in the folder '\(part)'; folders whose names start with '_' contain no scenarios")
      }
      if part.hasSuffix(".yaml") || part.hasSuffix(".yml") {
        try refuse("is in the folder '\(part)', which is named like a scenario")
      }
    }
    if last.hasSuffix(".model") {
      try refuse("is the name of a model file; the name of a scenario does not end in '.model'")
    }
  }
}

extension NewScenarioName {
  /// Returns the folder of the scenario as the user would type it.
  func path(in suite: SuiteOptions) -> String {
    folder.isEmpty ? suite.scenarios : FilePath.child(folder, of: suite.scenarios)
  }
}

extension CommandContext {
  /// Returns the name of a scenario to write. Refuses an invalid one.
  ///
  /// - Parameter advice: the advice for an invalid name; nil for that of its problem.
  func newScenarioName(_ typed: String, advice: String? = nil) throws(Refusal) -> NewScenarioName {
    do throws(NewScenarioName.Problem) {
      return try NewScenarioName(typed, in: suite.scenarios)
    } catch {
      throw refuse(.usage, error.message, advice: advice ?? error.advice)
    }
  }

  /// Refuses a scenario whose folder of scenarios would be created below a project that has one, or whose golden file is that
  /// of an existing scenario.
  func check(_ name: NewScenarioName) throws(Refusal) {
    if let location = ScenarioFolderAbove(of: suite.scenarios) {
      throw refuse(
        .usage, "there is no folder '\(suite.scenarios)' here, but there is one in a folder above",
        advice: "\(location.advice); 'recordspec init' lays out another project here")
    }
    try checkGoldenFile(of: name)
  }

  /// Refuses a scenario whose golden file is that of an existing one with the other extension.
  func checkGoldenFile(of name: NewScenarioName) throws(Refusal) {
    let file = name.fileWithOtherEnding
    let path = FilePath.child(file, of: suite.scenarios)
    guard FileAccess.exists(path) else { return }
    throw refuse(
      .usage, "'\(path)' exists, and would have the same golden file",
      advice: "choose another name, or replace this file with '--force' and the name '\(file)'")
  }
}
