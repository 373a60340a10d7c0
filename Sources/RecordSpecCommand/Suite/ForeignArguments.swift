import RecordModel
import ScenarioFormat

/// Commands and options that users of other tools may type, with the words of RecordSpec for them.
enum ForeignArguments {
  /// Returns the command that a command of another tool stands for; nil if there is none.
  static func command(for name: String) -> String? { commands[name] }

  /// Returns the advice for an unknown option.
  ///
  /// - Parameters:
  ///   - nearest: the option of the command that the parser suggests; nil if it suggests none.
  ///   - command: the command.
  ///   - accepts: a function that returns whether the command has an option.
  static func advice(
    for option: String, nearest: String?, of command: String, accepts: (String) -> Bool
  ) -> String {
    let name = String(option.prefix { $0 != "=" })
    if ["--overwrite", "-f"].contains(name), accepts("--force") { return "did you mean '--force'?" }
    if ["-q", "--quiet", "--silent"].contains(name), accepts("--verbose") {
      return "omit it: without '--verbose', passed scenarios are not listed"
    }
    if let advice = outputAdvice(for: name, of: command) { return advice }
    if ["--force", "-f"].contains(name), let advice = forceAdvice(of: command) { return advice }
    if let advice = options.first(where: { $0.names.contains(name) })?.advice { return advice }
    if let meant = optionsOfRun.first(where: { $0.names.contains(name) })?.option {
      return accepts(meant) ? "did you mean '\(meant)'?" : "'recordspec run' has the option '\(meant)'"
    }
    if name.hasPrefix("--no-"), let nearest, nearest == "--" + name.dropFirst(5) {
      return "omit '\(nearest)', and do not set it in '\(ProjectSettings.fileName)'"
    }
    // The parser does not suggest its own options.
    let near = nearestName(to: name, among: [nearest].compactMap(\.self) + parserOptions)
    return near.map { "did you mean '\($0)'?" } ?? "'recordspec help \(command)' lists the options"
  }

  /// Returns the advice for a value that is not one of those of an option or argument.
  static func advice(forValue value: String, among values: [String]) -> String {
    nearestName(to: value, among: values).map { "did you mean '\($0)'?" }
      ?? "the values are \(values.joined(separator: ", "))"
  }

  /// Returns the advice for `--force`, which the command does not have; nil if there is none.
  private static func forceAdvice(of command: String) -> String? {
    switch command {
    case "run", "bless", "review": "golden files are replaced by 'bless' without it"
    case "init": "existing files are kept; remove a file to write it again"
    default: nil
    }
  }

  /// Returns the advice for an option that names a format or a file of the output; nil for another option.
  private static func outputAdvice(for name: String, of command: String) -> String? {
    let format = ReportFormat(rawValue: String(name.drop { $0 == "-" }))
    let names = ["--format", "--reporter", "--reporters", "--formatter", "--output", "--out", "-f", "-o"]
    guard format != nil || names.contains(name) else { return nil }
    switch command {
    case "run", "merge":
      return "write a report with '--report \(format?.rawValue ?? "FORMAT")=FILE'"
        + (format == nil ? ", such as '--report junit=report.xml'" : "")
    case "check", "show", "explain", "review": return "'--json' prints JSON"
    case "new" where format == .json: return "name the body of a response with '--response'"
    case "new" where ["--output", "--out", "-o"].contains(name):
      return "name the scenario without an option: 'recordspec new FOLDER/NAME'"
    default: return nil
    }
  }

  private static let parserOptions = ["--help", "--version"]

  private static let commands = [
    "test": "run", "verify": "run", "validate": "check", "lint": "check", "update": "bless",
    "accept": "bless",
    "approve": "bless", "record": "bless", "diff": "review", "version": "--version",
    "report": "run --report junit=report.xml", "watch": "run --watch", "list": "run --list",
    "ls": "run --list",
  ]

  private static let options: [(names: Set<String>, advice: String)] = [
    (
      ["--filter", "-k", "--only", "--grep", "-t", "--name", "--match", "--test"],
      "select scenarios by name, folder or pattern, as in 'recordspec run books/list', or with '--title' or '--tag'"
    ),
    (
      [
        "--update", "-u", "--update-snapshots", "--updateSnapshot", "--accept", "--record", "--bless",
        "--approve",
      ],
      "'recordspec bless' writes golden files"
    ),
    (
      ["--yes", "-y", "--force-yes", "--assume-yes"],
      "'bless' does not ask; 'review' accepts the changes that '--accept' names without asking"
    ),
    (["--all", "-a"], "without names, all scenarios are selected"),
    (["--fix"], "'recordspec check' changes no file; follow the 'help' of each message"),
    (["--dir", "--folder", "--path", "-d"], "name the folder of scenarios with '--scenarios'"),
    (["--parallel", "--workers", "-n"], "set the number of concurrent scenarios with '--jobs'"),
    (["--junitxml", "--junit-xml"], "write a report with '--report junit=FILE'"),
    (["--scenario"], "name the scenario without an option, as in 'recordspec run books/list'"),
    (
      ["--retries", "--retry", "--reruns"],
      "failed scenarios are not retried; '--repeat' repeats each scenario until it fails"
    ),
    (["--no-color", "--no-colour"], "write '--color never'"),
    (["--ci"], "set the environment variable 'CI' instead"),
    (
      ["--config", "--rootdir", "-C", "-c"],
      "run the command in the project's folder, or name the folder of scenarios with '--scenarios'"
    ),
  ]

  /// Options of other tools that have another name here.
  private static let optionsOfRun: [(names: Set<String>, option: String)] = [
    (["-x", "--exitfirst", "--bail", "--failfast", "--halt"], "--fail-fast"),
    (["--maxfail", "--max-fail"], "--max-failures"),
    (["-m", "--marker", "--test_tag_filters"], "--tag"),
    (["--lf", "--ff", "--failed", "--only-failures"], "--last-failed"),
    (["--onlyChanged", "--only-changed", "--since", "--changed-since"], "--changed"),
    (["--collect-only", "--list-tests"], "--list"),
    (["--seed", "--random-order", "--randomize", "--random"], "--shuffle"),
    (["--runs_per_test", "--count"], "--repeat"),
    (["--test_timeout", "--time-limit"], "--timeout"),
    (["--shard-index", "--shard-count", "--total-shards"], "--shard"),
  ]
}
