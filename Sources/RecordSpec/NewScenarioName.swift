/// The name of a scenario to write, as the user gives it: `books/list`, `books/list.yaml` or `Scenarios/books/list.yaml`.
struct NewScenarioName {
  /// The name below the folder of scenarios, without extension.
  let text: String
  /// The last part of the name.
  var last: String { FilePath.name(of: text) }
  /// The folder below the folder of scenarios; empty for none.
  var folder: String { FilePath.folder(of: text) }
  /// The path of the scenario below the folder of scenarios.
  var file: String { text + ".yaml" }

  /// The reason why a name is invalid, in words.
  struct Problem: Error { let message: String }

  init(_ typed: String, in suite: String) throws(Problem) {
    var name = FilePath.simplified(typed)
    let folder = FilePath.simplified(suite)
    if name.hasPrefix(folder + "/") { name.removeFirst(folder.count + 1) }
    for suffix in [".yaml", ".yml"] where name.lowercased().hasSuffix(suffix) {
      name.removeLast(suffix.count)
    }
    text = name
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    func refuse(_ message: String) throws(Problem) { throw Problem(message: "'\(typed)' \(message)") }
    if name.isEmpty || name == "." || typed.hasSuffix("/") { try refuse("is not the name of a scenario") }
    if name.hasPrefix("/") || parts.contains("..") {
      try refuse("is outside of the folder of scenarios '\(suite)'")
    }
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
