import RecordSpec
import ScenarioFormat

/// The words with which a shell completes a command line: names of scenarios, folders, tags and rules.
///
/// Bash expands the words, so a word such as `$(rm -r .)` in the name of a file would be run. Therefore only words that no
/// shell changes are offered.
struct CompletionCandidates {
  /// The folder of scenarios.
  private let suite: String

  /// - Parameter words: the words of the command line, as typed. `--scenarios` names the folder of scenarios.
  init(commandLine words: [String]) {
    let option = "--scenarios"
    var suite = SuiteOptions().scenarios
    for (index, word) in words.enumerated() {
      if word.hasPrefix(option + "=") { suite = String(word.dropFirst(option.count + 1)) }
      // Bash splits words at equals signs.
      if word == option {
        let rest = words.dropFirst(index + 1)
        suite = (rest.first == "=" ? rest.dropFirst().first : rest.first) ?? suite
      }
    }
    self.suite = FilePath.simplified(suite.filter { !"'\"\\".contains($0) })
  }

  /// Returns the names of all scenarios and their folders; their paths if the word begins with the folder of scenarios.
  func scenarios(for word: String) -> [String] {
    let files = ScenarioFiles(below: suite).files
    if word.hasPrefix(suite + "/") {
      return Self.plain(Self.folders(of: files.map(\.path)) + files.map(\.path))
    }
    // An empty word is completed with names only.
    let suites = !word.isEmpty && (suite + "/").hasPrefix(word) ? [suite + "/"] : []
    return Self.plain(suites + Self.folders(of: files.map(\.name)) + files.map(\.name))
  }

  /// The folders of the suite that contain scenarios, for the name of a new one.
  var folders: [String] {
    Self.plain(Self.folders(of: ScenarioFiles(below: suite).files.map(\.name)))
  }

  /// The tags of all scenarios, sorted.
  var tags: [String] {
    var tags: Set<String> = []
    for file in ScenarioFiles(below: suite).files {
      guard case .success(let bytes) = FileBytes.named(file.path) else { continue }
      let (root, _) = YAMLParser.parse(SourceFile(path: file.path, bytes: bytes))
      for element in root?["tags"]?.elements ?? [] {
        if let tag = element.scalar?.text { tags.insert(tag) }
      }
    }
    return Self.plain(tags.sorted())
  }

  /// The groups of rules, and the rules.
  static var rules: [String] { ruleGroups + Rule.all.map(\.id) }
  static var ruleGroups: [String] { Rule.groups.map(\.name) }

  /// Returns the folders of paths, each with a slash at its end, without the folder that contains all of them.
  private static func folders(of paths: [String]) -> [String] {
    var known: Set<String> = []
    var folders: [String] = []
    for path in paths {
      var parents: [String] = []
      var folder = FilePath.folder(of: path)
      while !folder.isEmpty, folder != "/", known.insert(folder).inserted {
        parents.append(folder + "/")
        folder = FilePath.folder(of: folder)
      }
      folders += parents.reversed()
    }
    return folders
  }

  /// Returns the words that need no quotes. A colon would separate a word from its description in zsh.
  private static func plain(_ words: [String]) -> [String] {
    words.filter { ShellText.quoted($0) == $0 && !$0.contains(":") }
  }
}
