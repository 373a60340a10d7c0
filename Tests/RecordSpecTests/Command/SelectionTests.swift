import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the scenarios that `recordspec run` selects.
struct SelectionTests {
  private let suite: CommandSuite

  init() throws {
    suite = try CommandSuite([
      "merge/first": scenario(tags: "slow", covers: "merge.first-wins", title: "The first wins"),
      "merge/deep": scenario(tags: "slow, odd", covers: "merge.strategy", title: "Deep merging"),
      "identity": scenario(covers: "identity.attribute-key", title: "One key, one record"),
    ])
  }

  @Test(
    arguments: sampled([
      (["merge/first"], ["merge/first"]), (["merge"], ["merge/deep", "merge/first"]),
      (["merge/"], ["merge/deep", "merge/first"]), (["*"], ["identity"]),
      (["**"], ["identity", "merge/deep", "merge/first"]),
      (["merge/f*"], ["merge/first"]), (["**/d??p"], ["merge/deep"]),
      (["identity", "merge/deep"], ["identity", "merge/deep"]),
      (["--tag", "slow"], ["merge/deep", "merge/first"]),
      (["--tag", "odd", "--tag", "none"], ["merge/deep"]),
      (["--rule", "merge.first-wins"], ["merge/first"]),
      (["--rule", "merge"], ["merge/deep", "merge/first"]),
      (["--rule", "*.attribute-key"], ["identity"]), (["--title", "FIRST"], ["merge/first"]),
      (["merge", "--tag", "odd"], ["merge/deep"]),
    ]))
  func namesTagsRulesAndTitles(arguments: [String], names: [String]) async throws {
    #expect(await run(arguments) == names)
  }

  /// A report would replace a file, or be in a folder of the suite.
  @Test(
    arguments: sampled([
      ("$/Scenarios/merge/posts.json", false), ("$/Scenarios/other.json", false), ("$/here/o.json", false),
      ("$/Golden/merge/firts.json", false), ("$/notes.xml", false), ("$/link.html", false),
      ("$/other.json", true), ("$/Scenarios2/other.json", true), ("report.xml", true),
    ]))
  func aReportIsSuggestedWhereItDoesNoHarm(path: String, isSuggested: Bool) async throws {
    for file in ["Scenarios/merge/posts.json", "notes.xml"] { try suite.folder.write("[]", to: file) }
    try suite.folder.link("here", to: "Scenarios")
    try suite.folder.link("link.html", to: "missing.html")
    let outcome = await suite.recordspec("run", path.replacing("$", with: suite.folder.path))
    #expect(outcome.status == 4 && outcome.errors.hasPrefix("error: no scenario is named '"))
    #expect(outcome.errors.contains("to write a report to this file") == isSuggested, "\(outcome.errors)")
  }

  @Test func filesByPath() async throws {
    #expect(await run([suite.folder.path + "/Scenarios/merge/deep.yaml"]) == ["merge/deep"])
    #expect(await run([suite.folder.path + "/Scenarios/merge"]) == ["merge/deep", "merge/first"])
  }

  /// Every spelling of a path selects its scenario.
  @Test(
    arguments: sampled([
      "Scenarios//merge/deep.yaml", "./Scenarios/./merge//deep.yaml",
      "Scenarios/../Scenarios/merge/deep.yaml",
      "Scenarios/merge/../merge/deep.yaml", "here/Scenarios/merge/deep.yaml", "suite/merge/deep.yaml",
      "merge/deep.yaml", "Scenarios//m*/deep.yaml",
    ]))
  func filesByAnySpelling(spelling: String) async throws {
    try suite.folder.link("here", to: ".")
    try suite.folder.link("suite", to: "Scenarios")
    try suite.folder.link("merge", to: "Scenarios/merge")
    let toRoot = String(repeating: "../", count: 100)
    for path in [suite.folder.path + "/" + spelling, toRoot + suite.folder.path.dropFirst() + "/" + spelling]
    {
      if path.hasPrefix("../"), path.contains("*") { continue }
      #expect(await run([path]) == ["merge/deep"])
      let folder = path.replacing("/deep.yaml", with: "//")
      if !path.contains("*") { #expect(await run([folder]) == ["merge/deep", "merge/first"]) }
      let loaded = Scenario.load(path: path, root: suite.folder.path + "/Scenarios")
      if !path.contains("*") { #expect(loaded.name == "merge/deep") }
    }
  }

  @Test func aLinkToAScenarioIsOneOfItsOwn() async throws {
    try suite.folder.link("Scenarios/linked.yaml", to: "merge/deep.yaml")
    #expect(await run([suite.folder.path + "/Scenarios/linked.yaml"]) == ["linked"])
    #expect(await run([suite.folder.path + "/Scenarios/merge/deep.yaml"]) == ["merge/deep"])
  }

  @Test func whatNamesNothingIsAnError() async throws {
    let outcome = await suite.recordspec("run", "merge/frist", "identity")
    #expect(
      outcome
        == .init(
          status: 4, output: "",
          errors: "error: no scenario is named 'merge/frist'; did you mean 'merge/first'?\n"))
  }

  /// The mistyped word may be a command or a scenario. A similar scenario name is suggested before a similar command.
  @Test(
    arguments: sampled([
      (["rn"], "'rn'; did you mean 'recordspec run'?"),
      (["run", "rn"], "'rn'; the scenarios are identity, merge/deep, merge/first"),
      (["identity", "rn"], "'rn'; the scenarios are identity, merge/deep, merge/first"),
      (["merge/frist"], "'merge/frist'; did you mean 'merge/first'?"),
      (["chekc", "--tag", "smoke"], "'chekc'; did you mean 'recordspec check'?"),
      (["everything"], "'everything'; the scenarios are identity, merge/deep, merge/first"),
      (["validate"], "'validate'; did you mean 'recordspec check'?"),
      (["run", "validate"], "'validate'; the scenarios are identity, merge/deep, merge/first"),
      (["run", "ident"], "'ident'; did you mean 'identity'?"),
      (["run", "fir"], "'fir'; did you mean 'merge/first'?"),
      (["Golden/merge/first.json"], "'Golden/merge/first.json'; did you mean 'merge/first'?"),
      (["two posts"], "'two posts'; to select by title, write: --title 'two posts'"),
    ]))
  func mistypedCommandsAreNamed(arguments: [String], end: String) async throws {
    let outcome = await suite.recordspec(arguments)
    #expect(outcome == .init(status: 4, output: "", errors: "error: no scenario is named \(end)\n"))
  }

  @Test func manyNamesAreListedByACommand() async throws {
    let many = try CommandSuite(
      Dictionary(uniqueKeysWithValues: (1...9).map { ("books/\($0)", scenario(title: "Book \($0)")) }))
    #expect(
      await many.recordspec("run", "everything").errors
        == "error: no scenario is named 'everything'; 'recordspec run --list' lists all 9 names\n")
  }

  @Test func nothingSelectedIsAnErrorUnlessAllowed() async throws {
    let outcome = await suite.recordspec("run", "--title", "none")
    #expect(outcome.status == 4)
    #expect(outcome.errors.hasPrefix("error: no scenario is selected: none of the 3 scenarios matches"))
    #expect(
      await suite.recordspec("run", "--title", "none", "--allow-empty")
        == .init(
          status: 0, output: "0 passed, 0 failed, 0 skipped\n",
          errors: "no scenario is selected: none of the 3 scenarios matches\n"))
  }

  @Test func aFileWithNamesLeadsToTheShell() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write("a\n", to: "names.txt")
    let outcome = await suite.recordspec("run", "@\(suite.folder.path)/names.txt")
    #expect(
      outcome.errors
        == "error: no scenario is named '@names.txt'; to run the scenarios that a file lists, write: xargs recordspec run < names.txt\n"
    )
  }

  @Test func aPartOfASuiteIsSelectedByItsPath() throws {
    let suite = try CommandSuite(["books/a": scenario(), "films/b": scenario()])
    let expected = """
      error: the scenarios are a part of the suite in 'Scenarios', which has golden files for them [unreadable-file]
            = help: select this part with 'Scenarios/books' in place of '--scenarios SCENARIOS', or name another folder of golden files with '--golden'

      """
    #expect(try suite.bash("\"$recordspec\" bless").status == 0)
    for (command, path) in [
      ("run", "Scenarios/books"), ("bless", "Scenarios/books"), ("review", "./Scenarios/books"),
    ] {
      let slash = command == "run" ? "/" : ""
      let outcome = try suite.bash("\"$recordspec\" \(command) --scenarios \(path)\(slash)")
      #expect(outcome.status == 2)
      #expect(
        outcome.errors.contains(expected.dropLast().replacing("SCENARIOS", with: path)), "\(outcome.errors)")
    }
    let inside = try suite.bash("cd Scenarios; \"$recordspec\" run --scenarios books").errors
    #expect(
      inside.contains(
        " = help: select this part with '--scenarios \(suite.folder.path)/Scenarios books' in place of '--scenarios books', "
      ),
      "\(inside)")
    #expect(try suite.bash("\"$recordspec\" run Scenarios/books").output == "1 passed, 0 failed, 0 skipped\n")
    // Folders without golden files there are suites of their own.
    #expect(
      try suite.bash("rm -r Golden/films; \"$recordspec\" bless --scenarios Scenarios/films").status == 0)
    #expect(suite.written == ["Golden/books/a.json"])
  }

  @Test(arguments: [
    (["--tag", "slwo"], "error: no scenario has the tag 'slwo'; did you mean 'slow'?\n"),
    (
      ["--tag", "network", "--tag", "old"],
      """
      error: no scenario has the tag 'network'; the tags are odd, slow
      error: no scenario has the tag 'old'; did you mean 'odd'?

      """
    ),
    (
      ["--tag", "slow", "identity"],
      "error: no scenario at these paths has the tag 'slow'; no scenario has tags\n"
    ),
    (["--tag", "slow,odd"], "error: no scenario has the tag 'slow,odd'; write '--tag slow --tag odd'\n"),
    (["--tag", "slow", "--title", "none"], ""),
  ])
  func unknownTagsLeadToThoseThatExist(options: [String], errors: String) async {
    #expect(
      await suite.recordspec(["run"] + options).errors
        == errors
        + "error: no scenario is selected: none of the 3 scenarios matches; use '--allow-empty' to exit with 0\n"
    )
  }

  /// `--allow-empty` does not hide misspelled names.
  @Test(
    arguments: [
      (
        ["run", "merge/frist"], 4, "error: no scenario is named 'merge/frist'; did you mean 'merge/first'?\n"
      ),
      (["chekc"], 4, "error: no scenario is named 'chekc'; did you mean 'recordspec check'?\n"),
      (
        ["run", "--rule", "identity.keys"], 64,
        "error: unknown rule or group 'identity.keys'; 'recordspec rules identity' lists the rules of 'identity'\n"
      ),
      (
        ["run", "--rule", "identety"], 64,
        "error: unknown rule or group 'identety'; did you mean 'identity'?\n"
      ),
    ] as [([String], Int32, String)])
  func whatIsMistypedIsNotForgiven(arguments: [String], status: Int32, errors: String) async throws {
    let outcome = await suite.recordspec(arguments + ["--allow-empty"])
    #expect(outcome == .init(status: status, output: "", errors: errors))
    let empty = try CommandSuite()
    try empty.folder.write("", to: "Scenarios/README.md")
    #expect(await empty.recordspec("run", "a", "--allow-empty").status == 4)
  }

  @Test(
    arguments: [
      (["--tag", "x y", "run"], "recordspec run --tag 'x y'"),
      (["--uncovered", "rules"], "recordspec rules --uncovered"),
      (["--prune", "bless"], "recordspec bless --prune"),
    ] as [([String], String)])
  func optionsFollowTheCommand(arguments: [String], command: String) async throws {
    let outcome = await suite.recordspec(arguments)
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: put options after the command: \(command)"))
  }

  /// A command line that the command would refuse is not suggested.
  @Test(
    arguments: [
      (["--golden", "G", "check"], "check"), (["--store", "sqlite", "bless"], "bless"),
      (["--verbose", "check", "merge"], "check"), (["--jobs", "2", "check", "--tag", "x"], "check"),
    ] as [([String], String)])
  func optionsOfAnotherCommandAreNotSuggested(arguments: [String], command: String) async throws {
    let outcome = await suite.recordspec(arguments)
    #expect(
      outcome
        == .init(
          status: 64, output: "",
          errors: "error: put options after the command; 'recordspec help \(command)' lists its options\n"))
  }

  /// A scenario can have the name of a command.
  @Test func aScenarioWithTheNameOfACommandIsSelected() async throws {
    let suite = try CommandSuite(["check": scenario(tags: "x")])
    await suite.recordspec("bless")
    #expect(await suite.recordspec("--tag", "x", "check").status == 0)
  }

  /// A tag may be called like a command.
  @Test func aValueIsNoCommand() async throws {
    let outcome = await suite.recordspec("--tag", "run")
    #expect(outcome.errors.hasPrefix("error: no scenario has the tag 'run'; "))
  }

  @Test func aFolderOfOtherScenariosIsNamedWithTheOption() async throws {
    try suite.folder.write(scenario(), to: "Other/a.yaml")
    try suite.folder.makeFolder("Empty")
    let other = suite.folder.path + "/Other"
    #expect(
      await suite.recordspec("run", other)
        == .init(
          status: 4, output: "",
          errors: """
            error: 'Other' is not in the folder 'Scenarios'; it is a folder with YAML files; use '--scenarios Other'

            """))
    let outcome = await suite.recordspec("run", suite.folder.path + "/Empty")
    #expect(
      outcome.errors
        == "error: no scenario is named 'Empty'; the scenarios are identity, merge/deep, merge/first\n")
    let empty = try CommandSuite()
    let errors = await empty.recordspec("run", other).errors
    #expect(errors.hasSuffix("\nerror: '\(other)' is a folder with YAML files; use '--scenarios \(other)'\n"))
  }

  /// An unknown rule is an error, even next to known rules.
  @Test(arguments: ["run", "check", "bless"])
  func rulesThatAreNoneAreErrors(command: String) async throws {
    let outcome = await suite.recordspec(
      command, "--rule", "merge.frist-wins", "--rule", "merge", "--rule", "identety")
    #expect(
      outcome
        == .init(
          status: 64, output: "",
          errors: """
            error: unknown rule or group 'merge.frist-wins'; did you mean 'merge.first-wins'?
            error: unknown rule or group 'identety'; did you mean 'identity'?

            """))
    // A known rule that no scenario covers has a different message.
    let errors = await suite.recordspec(command, "--rule", "merge.once").errors
    #expect(errors.hasPrefix("error: no scenario is selected: none of the 3 scenarios"))
  }

  @Test func anEmptyFolderSelectsNothing() async throws {
    let empty = try CommandSuite()
    #expect(await empty.recordspec("run").status == 2)
    try empty.folder.write("", to: "Scenarios/README.md")
    #expect(await empty.recordspec("run").status == 4)
    let allowed = await empty.recordspec("run", "--allow-empty")
    #expect(allowed.status == 0)
    #expect(
      allowed.errors.hasPrefix("no scenario is selected: ") && allowed.errors.hasSuffix(" has no scenarios\n")
    )
  }

  @Test func theLastFailedAreRemembered() async throws {
    await suite.recordspec("bless")
    #expect(await suite.recordspec("run", "--last-failed").status == 4)
    try suite.folder.write(scenario(expected: "Bye"), to: "Scenarios/merge/deep.yaml")
    await suite.recordspec("run")
    #expect(await run(["--last-failed"]) == ["merge/deep"])
    #expect(suite.written.contains(".recordspec/last-failed"))
    // A failed scenario is remembered until it runs again and passes.
    await suite.recordspec("run", "identity")
    #expect(await run(["--last-failed"]) == ["merge/deep"])
    try suite.folder.write(scenario(), to: "Scenarios/merge/deep.yaml")
    await suite.recordspec("run", "merge/deep")
    #expect(await suite.recordspec("run", "--last-failed").status == 4)
  }

  /// Git ignores the folder without a line in another `.gitignore`. A file of the user is not replaced.
  @Test func theFolderOfTheLastFailedIsIgnored() async throws {
    try suite.folder.write(scenario(expected: "Bye"), to: "Scenarios/merge/deep.yaml")
    await suite.recordspec("run")
    #expect(try suite.folder.read(".recordspec/.gitignore") == "*\n")
    let status = try suite.bash(
      "git init --quiet && git status --porcelain --untracked-files=all .recordspec")
    #expect(status == .init(status: 0, output: "", errors: ""))
    try suite.folder.write("last-failed\n", to: ".recordspec/.gitignore")
    try suite.folder.write(scenario(), to: "Scenarios/merge/deep.yaml")
    await suite.recordspec("run", "merge/deep")
    #expect(try suite.folder.read(".recordspec/.gitignore") == "last-failed\n")
  }

  @Test func nothingIsRememberedInCI() async throws {
    await suite.inCI().recordspec("run")
    #expect(suite.written == [])
  }

  @Test func whatGitSeesChanged() async throws {
    await suite.recordspec("bless")
    try suite.folder.write("[]", to: "Scenarios/_bodies/posts.json")
    try git("init", "-q")
    try git("add", ".")
    try git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    #expect(await suite.recordspec("run", "--changed").status == 4)
    try suite.folder.write(scenario(title: "Other"), to: "Scenarios/merge/deep.yaml")
    try suite.folder.write("{}", to: "Golden/identity.json")
    try suite.folder.write(scenario(), to: "Scenarios/new ä.yaml")
    #expect(await run(["--changed"]) == ["identity", "merge/deep", "new ä"])
    try suite.folder.write(scenario(more: "# see _bodies/posts.json"), to: "Scenarios/merge/first.yaml")
    try git("add", ".")
    try git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y")
    try suite.folder.write("[1]", to: "Scenarios/_bodies/posts.json")
    #expect(await run(["--changed"]) == ["merge/first"])
  }

  /// A scenario may name a file by its former name, in an escaped form, or through a link, and have an unusual name.
  @Test func whatGitSeesUnderOtherNames() async throws {
    func reading(_ file: String) -> String {
      scenario(title: file).replacing(#"body: [{id: "1", text: Hello}]"#, with: "bodyFile: \(file)")
    }
    let suite = try CommandSuite([
      "renamed": reading("_bodies/books.json"), "quoted": reading("'_bodies/it''s.json'"),
      "linked": reading("_bodies/link.json"), "other": scenario(), #"a"b\c"#: scenario(),
      "escaped": reading(#""_bodies/two\x20words.json""#),
    ])
    for name in ["books", "it's", "two words", "target"] {
      try suite.folder.write("[]", to: "Scenarios/_bodies/\(name).json")
    }
    let setUp = try suite.bash(
      """
      ln -s target.json Scenarios/_bodies/link.json
      git init -q && git config user.name a && git config user.email a@b && git config diff.renames true
      git config diff.relative true && git add . && git commit -qm x
      git mv Scenarios/_bodies/books.json Scenarios/_bodies/catalog.json
      """)
    try #require(setUp.status == 0, "\(setUp)")
    func changed() async -> [String] {
      await suite.recordspec("run", "--list", "--changed").output.split(separator: "\n").map(String.init)
    }
    #expect(await changed() == ["renamed"])
    for name in ["it's", "two words", "target"] {
      try suite.folder.write("[1]", to: "Scenarios/_bodies/\(name).json")
    }
    try suite.folder.write(scenario(title: "New"), to: #"Scenarios/a"b\c.yaml"#)
    #expect(await changed() == [#"a"b\c"#, "escaped", "linked", "quoted", "renamed"])
    try suite.folder.write("golden: Other", to: ".recordspec.yaml")
    #expect(await changed().count == 6)
  }

  @Test func whatHasChangedSinceARevision() async throws {
    func commit() throws {
      try git("add", ".")
      try git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    }
    await suite.recordspec("bless")
    try git("init", "-q", "-b", "main")
    try commit()
    try git("checkout", "-q", "-b", "topic")
    try suite.folder.write(scenario(title: "Other"), to: "Scenarios/identity.yaml")
    try commit()
    // A change of the main branch is not a change of this one.
    try git("checkout", "-q", "main")
    try suite.folder.write(scenario(title: "Later"), to: "Scenarios/merge/first.yaml")
    try commit()
    try git("checkout", "-q", "topic")
    try suite.folder.write(scenario(title: "Other"), to: "Scenarios/merge/deep.yaml")
    #expect(await run(["--changed=main"]) == ["identity", "merge/deep"])
    #expect(await run(["identity", "--changed", "main"]) == ["identity"])
    #expect(await run(["--changed=HEAD", "merge/deep"]) == ["merge/deep"])
    let outcome = await suite.recordspec("run", "--changed", "identity")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors
        == "error: '--changed' cannot read the changes: unknown revision 'identity'\n"
        + "help: write paths before '--changed', or '--changed=HEAD' before paths\n")
    #expect(await suite.recordspec("run", "--changed=--output=x").status == 64)
  }

  @Test func withoutGitNothingIsKnownOfChanges() async throws {
    let outcome = await suite.recordspec("run", "--changed")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors == """
        error: '--changed' cannot read the changes: 'Scenarios' is not in a git repository
        help: select scenarios by path, or with '--last-failed', '--tag' or '--title'

        """)
  }

  @Test func anUnknownRevisionLeadsToTheBranches() async throws {
    try git("init", "-q", "-b", "trunk")
    func errors(_ revision: String) async -> String {
      await suite.recordspec("run", "--changed=\(revision)").errors
    }
    let start = "error: '--changed' cannot read the changes: unknown revision 'main'"
    #expect(
      await errors("main")
        == "\(start), because the repository has no commits\n"
        + "help: write '--changed' without a revision to select the scenarios that git tracks\n")
    #expect(
      await errors("merge/")
        == "error: '--changed' cannot read the changes: unknown revision 'merge/'\n"
        + "help: write paths before '--changed', or '--changed=HEAD' before paths\n")
    try git("add", ".")
    #expect(await run(["--changed=trunk"]) == ["identity", "merge/deep", "merge/first"])
    try git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    try git("branch", "topic")
    #expect(
      await errors("main")
        == "\(start)\nhelp: the branches are topic, trunk; '--changed' without one compares with the last commit\n"
    )
    try git("branch", "mainn")
    #expect(await errors("main") == "\(start)\nhelp: did you mean 'mainn'?\n")
    // The clone of a job has the branch of the remote only.
    try git("remote", "add", "origin", "https://example.test/a")
    try git("update-ref", "refs/remotes/origin/main", "HEAD")
    try git("branch", "ada/main")
    #expect(await errors("main") == "\(start)\nhelp: did you mean 'origin/main'?\n")
    #expect(await run(["--changed=origin/main"]) == [])
    try suite.folder.write(try suite.folder.read(".git/refs/heads/trunk"), to: ".git/shallow")
    for revision in ["HEAD~9", "abc123", "origin/release"] {
      #expect(await errors(revision).hasSuffix("'git fetch --unshallow' or 'fetch-depth: 0'\n"))
    }
    #expect(
      await errors("release")
        == "error: '--changed' cannot read the changes: unknown revision 'release'\nhelp: the clone is shallow; fetch more history with 'git fetch --unshallow' or 'fetch-depth: 0', and name the branch of the remote, as in '--changed origin/release'\n"
    )
  }

  @Test func aRepositoryOfAnotherUserLeadsToItsFolder() throws {
    try git("init", "-q")
    // Git then takes the user for another one.
    let outcome = try suite.bash("GIT_TEST_ASSUME_DIFFERENT_OWNER=1 HOME=$PWD \"$recordspec\" run --changed")
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.hasSuffix(
        "\nhelp: allow it: git config --global --add safe.directory \(FileAccess.resolved(suite.folder.path))\n"
      ),
      "\(outcome.errors)")
  }

  @Test(arguments: [
    ("a/*", "a/b", true), ("a/*", "a/b/c", false), ("a/**", "a/b/c", true), ("a/**/c", "a/c", true),
    ("a/**/c", "a/b/b/c", true), ("**", "a/b", true), ("?", "ä", true), ("a?c", "a/c", false),
    ("*b*", "abc", true),
    ("*", "", true), ("a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
  ])
  func globs(pattern: String, text: String, matches: Bool) throws {
    #expect(try #require(GlobPattern(pattern)).matches(text) == matches)
  }

  /// Returns the names of the scenarios that ran, from the output.
  private func run(_ arguments: [String]) async -> [String] {
    let names = Names()
    let context = CommandContext(
      environment: RunEnvironment(variables: ["CI": "true"]),
      execute: { scenario, _ in
        await names.append(scenario.name)
        return ExecutedScenario(snapshot: ScenarioSnapshot())
      }, today: "2030-01-01", output: { _ in }, errors: { _ in })
    _ = await RootCommand.status(
      of: ["run"] + arguments + [
        "--scenarios", suite.folder.path + "/Scenarios", "--golden", suite.folder.path + "/Golden",
      ], in: context)
    return await names.sorted
  }

  private actor Names {
    private var names: [String] = []
    var sorted: [String] { names.sorted() }
    func append(_ name: String) { names.append(name) }
  }

  private func git(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", suite.folder.path] + arguments
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }
}
