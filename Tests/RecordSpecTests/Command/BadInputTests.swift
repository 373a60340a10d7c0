import Foundation
import TestSupport
import Testing

@testable import ScenarioReport

/// Tests that the command line reports each error with the expected text and exit status, and writes no file.
struct BadInputTests {
  @Test(arguments: sampled(BadInput.contents + BadInput.goldenFiles + BadInput.files))
  func runSaysWhatIsWrong(input: BadInput) async throws {
    let (suite, before) = try prepared(input)
    let outcome = await suite.inCI().recordspec("run")
    #expect(outcome.status == input.status)
    #expect(outcome.output + outcome.errors == input.text)
    #expect(suite.folder.tree == before)
  }

  @Test(arguments: sampled(BadInput.contents + BadInput.goldenFiles + BadInput.files))
  func checkFindsWhatShowsWithoutRunning(input: BadInput) async throws {
    let (suite, before) = try prepared(input)
    let outcome = await suite.recordspec("check")
    // 'check' reads no golden files and compares no expectations.
    let isNoJSON = input.text.contains("[no-json]")
    let isFound = isNoJSON || ![1, 3].contains(input.status) && !input.text.hasPrefix("Golden")
    #expect(outcome.status == (isNoJSON ? 2 : isFound ? input.status : 0))
    if isFound {
      let message = input.text.split(separator: "\n").first { $0.contains(": error: ") }
      #expect((outcome.output + outcome.errors).contains(try #require(message).trimmingPrefix("  ")))
    }
    #expect(suite.folder.tree == before)
  }

  @Test(arguments: sampled(BadInput.contents))
  func blessRefusesWhatIsWrong(input: BadInput) async throws {
    let (suite, before) = try prepared(input)
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == input.status)
    #expect(outcome.output.hasSuffix("\n0 blessed, 0 unchanged, 1 refused\n"))
    #expect(suite.folder.tree == before)
  }

  @Test(arguments: sampled(BadInput.commandLines))
  func wrongUsageIsTold(input: BadInput) async throws {
    let (suite, before) = try prepared(input)
    let outcome = await suite.recordspec(["run"] + input.arguments)
    #expect(outcome.status == input.status)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix(input.text))
    #expect(suite.folder.tree == before)
  }

  // MARK: Unwritable golden files

  @Test func aFolderThatCannotBeWrittenToIsNamed() async throws {
    let suite = try CommandSuite(["a": BadInput.scenario("body: [{id: a}]")])
    let reason: String
    if geteuid() == 0 {
      // Permissions do not restrict root, but root cannot create files in this folder either.
      try suite.folder.link("Golden", to: "/proc/self")
      reason = "No such file or directory"
    } else {
      try suite.folder.makeFolder("Golden")
      try suite.folder.setPermissions(0o555, of: "Golden")
      reason = "Permission denied"
    }
    let before = suite.folder.tree
    #expect(
      await suite.recordspec("bless")
        == .init(
          status: 3,
          output: """
            new     a
                    Golden/a.json
                    1 record:
                      1 Post  Post/a {id: "a"}
            error: 'Golden/a.json' cannot be written: \(reason)
            0 blessed, 0 unchanged, 1 refused

            """, errors: ""))
    #expect(suite.folder.tree == before)
  }

  @Test func aFileInTheWayOfAFolderIsNamed() async throws {
    let suite = try CommandSuite(["a/b": BadInput.scenario("body: [{id: a}]")])
    try suite.folder.write("", to: "Golden/a")
    let before = suite.folder.tree
    #expect(
      await suite.recordspec("bless")
        == .init(
          status: 3,
          output: """
            FAIL  a/b: One request

              Golden/a/b.json: error: the golden file cannot be read: Not a directory [golden-file]

              not blessed: the golden file cannot be read, and blessing would overwrite it

            0 blessed, 0 unchanged, 1 refused

            """, errors: ""))
    #expect(suite.folder.tree == before)
  }

  @Test func aGoldenFileThatCannotBeReadIsNotReplaced() async throws {
    let suite = try await blessed(["a": BadInput.scenario("body: [{id: a}]")])
    try BadInput.unreadable("Golden/a.json", in: suite.folder)
    let reason = BadInput.unreadableReason
    let before = suite.folder.tree
    #expect(
      await suite.recordspec("bless")
        == .init(
          status: 3,
          output: """
            FAIL  a: One request

              Golden/a.json: error: the golden file cannot be read: \(reason) [golden-file]

              not blessed: the golden file cannot be read, and blessing would overwrite it

            0 blessed, 0 unchanged, 1 refused

            """, errors: ""))
    #expect(suite.folder.tree == before)
  }

  @Test func whatIsWrongBesideTheScenariosIsToldWhenOthersAreBlessed() async throws {
    let suite = try CommandSuite(["a": BadInput.scenario("body: [{id: a}]")])
    try suite.folder.link("Scenarios/b.yaml", to: "nowhere.yaml")
    #expect(
      await suite.recordspec("bless")
        == .init(
          status: 2,
          output: """
            Scenarios/b.yaml: error: this link leads to a file that does not exist [unreadable-file]

            new     a
                    Golden/a.json
                    1 record:
                      1 Post  Post/a {id: "a"}
            1 blessed, 0 unchanged, 0 refused

            """, errors: ""))
  }

  // MARK: Conflicting folders

  /// Recordings next to the scenarios would count as golden files, and be removed as obsolete.
  @Test(arguments: ["Scenarios", ".", "Scenarios/../"], ["run", "bless"])
  func goldenFilesLieApartFromScenarios(golden: String, command: String) async throws {
    let suite = try CommandSuite(["a/b": BadInput.scenario("body: [{id: a}]")])
    try suite.folder.write("{}", to: "Scenarios/a/recording.json")
    let before = suite.folder.tree
    let arguments = [command] + (command == "bless" ? ["--prune"] : [])
    let outcome = await suite.recordspec(arguments, golden: golden)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("the folder of golden files contains the scenarios"))
    #expect(suite.folder.tree == before)
    #expect(await suite.recordspec(["bless"], golden: "Scenarios/_golden").status == 0)
  }

  @Test(arguments: [["bless", "--prune"], ["rules"]])
  func aFolderThatIsNotThereIsTold(arguments: [String]) async throws {
    let outcome = await (try CommandSuite()).recordspec(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.contains("error: the folder does not exist"))
  }

  @Test(arguments: [
    ("Goldn", "did you mean 'Golden'?"), ("Other", "the default is 'Golden'; 'recordspec bless"),
  ])
  func aFolderOfGoldenFilesThatIsNotThereIsTold(name: String, advice: String) async throws {
    let suite = try CommandSuite(["a": BadInput.scenario("body: [{id: a}]")])
    #expect(await suite.recordspec("bless").status == 0)
    let outcome = await suite.recordspec(["run"], golden: name)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix("\(name): error: there is no folder of golden files here"), "\(outcome)")
    #expect(outcome.errors.contains("= help: \(advice)"), "\(outcome)")
    // 'bless' creates the folder.
    #expect(await suite.recordspec(["bless"], golden: name).status == 0)
    #expect(await suite.recordspec(["run"], golden: name).status == 0)
  }

  /// A warning about a shared model is counted as often as it is printed.
  @Test func aWarningAboutASharedModelCountsOnce() async throws {
    let suite = try CommandSuite()
    let model =
      "entities: {Post: {primaryKey: id, attributes: {id: string}, relationships: {user: {to: User}}}, User: {}}"
    try suite.folder.write(model, to: "Scenarios/m.model.yaml")
    for name in ["a", "b"] {
      let text = BadInput.scenario("body: [{id: a}]").replacing(/model: .*/, with: "model: m.model.yaml")
      try suite.folder.write(text, to: "Scenarios/\(name).yaml")
    }
    #expect(await suite.recordspec("bless").output.contains("\n1 warning; 'recordspec check' prints it\n"))
    #expect(
      await suite.recordspec("run").output
        == "1 warning; 'recordspec check' prints it\n2 passed, 0 failed, 0 skipped\n")
    #expect(await suite.recordspec("check").output.ranges(of: "[no-inverse]").count == 1)
    // A failure shows the warning, so that it is not counted as hidden.
    try suite.folder.write(
      suite.folder.read("Scenarios/a.yaml") + "expect: {graph: {Post: none}}\n", to: "Scenarios/a.yaml")
    let outcome = await suite.recordspec("run")
    #expect(outcome.output.ranges(of: "[no-inverse]").count == 1)
    #expect(!outcome.output.contains("1 warning"))
  }

  @Test func aNameThatLooksLikeAnOptionIsSetApart() async throws {
    let suite = try CommandSuite(["-v": BadInput.scenario("body: [{id: a}]")])
    #expect(await suite.recordspec("run").output.contains("create it with: recordspec bless -- -v\n"))
  }

  @Test func aTitleIsOneLine() async throws {
    let suite = try CommandSuite([
      "a": BadInput.scenario("body: [{id: a}]").replacing("One request", with: "\"\\e[31mOne\\n request\"")
    ])
    #expect(await suite.recordspec("run").output.hasPrefix("NEW   a: \u{FFFD}[31mOne\u{FFFD} request\n"))
  }

  @Test func theMessagesAboutAFileAreLimited() async throws {
    let keys = (1...150).map { "key\($0): 1\n" }.joined()
    let suite = try CommandSuite(["a": keys])
    for command in ["run", "check"] {
      let output = await suite.recordspec(command).output
      #expect(output.matches(of: /\[unknown-key\]/).count == 97)
      #expect(output.contains("Scenarios/a.yaml: and 53 more\n"))
    }
  }

  private func prepared(_ input: BadInput) throws -> (CommandSuite, before: [String: String]) {
    let suite = try CommandSuite()
    try input.prepare(suite.folder)
    return (suite, suite.folder.tree)
  }
}
