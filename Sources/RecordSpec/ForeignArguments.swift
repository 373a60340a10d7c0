/// Commands and options that users of other tools may type, with the words of RecordSpec for them.
package enum ForeignArguments {
  /// Returns the command that a command of another tool stands for; nil if there is none.
  package static func command(for name: String) -> String? { commands[name] }

  /// Returns the advice for an option of another tool; nil if there is none.
  package static func advice(for option: String) -> String? {
    let name = option.prefix { $0 != "=" }
    return options.first { $0.names.contains(String(name)) }?.advice
  }

  private static let commands = [
    "test": "run", "verify": "run", "validate": "check", "lint": "check", "update": "bless",
    "accept": "bless",
    "approve": "bless", "record": "bless", "diff": "review",
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
    (["--all", "-a"], "without names, all scenarios are selected"),
    (["--fix"], "'recordspec check' changes no file; follow the 'help' of each message"),
    (["--dir", "--folder", "--path", "-d"], "name the folder of scenarios with '--scenarios'"),
    (["--parallel", "--workers"], "set the number of concurrent scenarios with '--jobs'"),
  ]
}
