import Foundation
import Testing

/// Tests for the files that `recordspec bless` writes, and for the scenarios that it refuses.
struct BlessCommandTests {
  @Test func aNewGoldenFileIsWritten() async throws {
    let suite = try CommandSuite(["a/b": scenario()])
    #expect(
      await suite.recordspec("bless")
        == .init(
          status: 0,
          output: """
            new     a/b
                    Golden/a/b.json
                    1 record:
                      1 Post  Post/1 {id: "1", text: "Hello"}
            1 blessed, 0 unchanged, 0 refused

            """, errors: ""))
    #expect(suite.written == ["Golden/a/b.json"])
  }

  /// An attribute whose name does not occur in the response is probably misspelled.
  @Test func anAttributeWithoutAnyValueIsNamed() async throws {
    let text = scenario().replacing("text: string}", with: "text: {type: string, from: txt}}")
      .replacing(/expect: .*/, with: "")
    let suite = try CommandSuite(["a": text])
    let line = "Post.text has no value: tried 'txt', 'text'"
    let output = await suite.recordspec("run").output
    #expect(!output.contains(line))
    try suite.folder.write(text.replacing("text: Hello", with: "txt_plain: Hello"), to: "Scenarios/a.yaml")
    #expect(
      await suite.recordspec("run").output.contains(
        "  \(line); the item at /0 has 'txt_plain', which no property reads\n  create it with: "))
    #expect(
      await suite.recordspec("bless").output.contains("        \(line); the item at /0 has 'txt_plain'"))
  }

  @Test func blessingTwiceChangesNothing() async throws {
    let suite = try await blessed(["a": scenario()])
    let before = suite.folder.tree
    #expect(await suite.recordspec("bless").output == "0 blessed, 1 unchanged, 0 refused\n")
    #expect(suite.folder.tree == before)
  }

  @Test func whatChangesIsShown() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write(scenario(text: "Bye", expected: "Bye"), to: "Scenarios/a.yaml")
    #expect(
      await suite.recordspec("bless").output == """
        changed a

          Golden/a.json
            Post/1: 'text' has a different value
              expected: string "Hello"
              actual:   string "Bye"

        1 blessed, 0 unchanged, 0 refused

        """)
    #expect(await suite.recordspec("run").status == 0)
  }

  @Test func aScenarioThatFailsForItsAuthorIsRefused() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write(scenario(text: "Bye"), to: "Scenarios/a.yaml")
    let before = suite.folder.tree
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("not blessed: fix the failed expectations first"))
    #expect(suite.folder.tree == before)
  }

  @Test func anUnansweredRequestIsRefused() async throws {
    let suite = try CommandSuite(["a": scenario().replacing("urn: posts", with: "urn: others")])
    #expect(await suite.recordspec("bless").status == 1)
    #expect(suite.written == [])
  }

  /// A response without records is probably a mistake, unless the scenario expects it.
  @Test func anEmptyResultIsRefusedUnlessItIsExpectedOrAllowed() async throws {
    let empty = """
      title: No posts
      model: {entities: {Post: {primaryKey: id, responseKeyPath: data, attributes: {id: string}}}}
      responses: {posts: {body: {items: [{id: "1"}]}}}
      steps: [{request: Post, urn: posts}]

      """
    let suite = try CommandSuite([
      "a": empty, "b": empty + "expect: {records: []}",
      "c": empty + "expect: {diagnostics: [empty-result-set]}",
      "d": scenario(),
    ])
    #expect(
      await suite.recordspec("bless", "a")
        == .init(
          status: 1,
          output: """
            NEW   a: No posts

              no golden file: Golden/a.json
              no records
              step 1: empty-result-set Post of posts: the response has nothing at the response key path 'data'; its only key is \
            'items'
              step 1 has no records, and 'expect:' does not say so
              if this is correct, state it in 'expect:', or bless it with '--allow-diagnostics'

              not blessed, because the result may be a mistake

            0 blessed, 0 unchanged, 1 refused

            """, errors: ""))
    #expect(await suite.recordspec("bless").status == 1)
    #expect(suite.written == ["Golden/b.json", "Golden/c.json", "Golden/d.json"])
    #expect(await suite.recordspec("bless", "--allow-diagnostics").status == 0)
    #expect(suite.written.count == 4)
  }

  @Test func onlyWhatIsSelectedIsBlessed() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    #expect(await suite.recordspec("bless", "b").status == 0)
    #expect(suite.written == ["Golden/b.json"])
  }

  @Test func nothingIsBlessedInCI() async throws {
    let suite = try CommandSuite(["a": scenario()]).inCI()
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 64)
    #expect(outcome.errors.hasPrefix("error: golden files cannot be blessed in CI"))
    #expect(suite.written == [])
  }

  @Test func skippedInvalidAndMarkedOnesAreLeftAlone() async throws {
    let suite = try CommandSuite([
      "a": scenario(more: "skip: later"), "b": "title: 1", "c": scenario(more: "xfail: {reason: known}"),
      "d": scenario(expected: "Bye", more: "xfail: {reason: known}"),
    ])
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 2)
    #expect(outcome.output.hasSuffix("0 blessed, 0 unchanged, 2 refused\n"))
    #expect(suite.written == [])
  }

  @Test func aBrokenGoldenFileIsWrittenAnew() async throws {
    let suite = try await blessed(["a": scenario()])
    let good = suite.folder.tree
    try suite.folder.write("<<<<<<< HEAD\n", to: "Golden/a.json")
    #expect(await suite.recordspec("run").status == 1)
    #expect(await suite.recordspec("bless").status == 0)
    #expect(suite.folder.tree["Golden/a.json"] == good["Golden/a.json"])
  }

  @Test func pruningRemovesWhatBelongsToNoScenario() async throws {
    let suite = try await blessed(["a": scenario(), "b/c": scenario()])
    try suite.folder.write(try suite.folder.read("Golden/a.json"), to: "Golden/b/gone.json")
    try suite.folder.write(scenario(text: "Bye", expected: "Bye"), to: "Scenarios/a.yaml")
    let before = suite.folder.tree["Golden/a.json"]
    #expect(
      await suite.recordspec("bless", "--prune")
        == .init(status: 0, output: "removed Golden/b/gone.json\n1 removed, 0 kept\n", errors: ""))
    #expect(suite.written == ["Golden/a.json", "Golden/b/c.json"])
    #expect(suite.folder.tree["Golden/a.json"] == before, "'--prune' blesses no golden file")
  }

  @Test func pruningKeepsWhatIsNoGoldenFile() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write("{\"name\": \"package\"}", to: "Golden/package.json")
    let outcome = await suite.recordspec("bless", "--prune")
    #expect(outcome.status == 1)
    #expect(suite.folder.exists("Golden/package.json"))
  }

  @Test func nothingToPrune() async throws {
    let suite = try await blessed(["a": scenario()])
    #expect(
      await suite.recordspec("bless", "--prune")
        == .init(status: 0, output: "no golden files to remove\n", errors: ""))
  }

  /// A folder that cannot be listed may contain obsolete golden files.
  @Test func pruningReadsAllFolders() async throws {
    let suite = try await blessed(["a": scenario()])
    let deep = DeepFolder(below: suite.folder.path + "/Golden")
    let outcome = await suite.recordspec("bless", "--prune")
    #expect(outcome.status == 3 && outcome.output == "", "\(outcome)")
    #expect(outcome.errors.hasSuffix("' cannot be read: File name too long\n"), "\(deep.unreachablePath)")
  }

  @Test func aGoldenFileThatCannotBeReadIsNotPruned() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write("{}", to: "Golden/gone.json")
    try BadInput.unreadable(geteuid() == 0 ? "Golden/other.json" : "Golden/gone.json", in: suite.folder)
    let outcome = await suite.recordspec("bless", "--prune")
    #expect(outcome.status == 3 && outcome.errors.contains(BadInput.unreadableReason), "\(outcome)")
  }

  @Test func pruningStopsWhereScenariosMayBeOverlooked() async throws {
    let suite = try await blessed(["a": scenario()])
    try suite.folder.write(try suite.folder.read("Golden/a.json"), to: "Golden/gone.json")
    try suite.folder.write(scenario(), to: "Scenarios/a.yml")
    #expect(await suite.recordspec("bless", "--prune").status == 2)
    #expect(suite.folder.exists("Golden/gone.json"))
  }

  @Test func pruningGoesWithNoSelection() async throws {
    #expect(await (try CommandSuite(["a": scenario()])).recordspec("bless", "--prune", "a").status == 64)
  }

  /// If the expectations fail, too, the reason of exit code 3 is shown.
  @Test(arguments: ["run", "bless"])
  func aGoldenFileThatCannotBeReadIsNamedBesideFailedExpectations(command: String) async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Other")])
    try suite.folder.makeFolder("Golden/a.json")
    let outcome = await suite.recordspec(command)
    #expect(outcome.status == 3)
    #expect((outcome.output + outcome.errors).contains("Golden/a.json"))
    #expect((outcome.output + outcome.errors).contains("the golden file cannot be read"))
  }

  @Test func aScenarioThatIsMarkedToFailNeedsAReadableGoldenFile() async throws {
    let suite = try CommandSuite(["a": scenario(more: "xfail: {reason: known}")])
    try suite.folder.makeFolder("Golden/a.json")
    #expect(await suite.recordspec("run").status == 3)
  }

  @Test func aGoldenFileThatIsNotJSONIsRewritten() async throws {
    let suite = try CommandSuite(["a": scenario()])
    try suite.folder.write("{", to: "Golden/a.json")
    let outcome = await suite.recordspec("bless")
    #expect(outcome.status == 0)
    #expect(
      outcome.output.hasPrefix(
        "changed a\n        Golden/a.json was not a valid golden file and cannot be compared\n"))
    #expect(await suite.recordspec("run").status == 0)
  }
}
