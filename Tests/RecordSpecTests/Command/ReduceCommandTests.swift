import Foundation
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec reduce`.
struct ReduceCommandTests {
  private static let failing = RepositoryFiles.root + "/Tests/RecordSpecTests/Format/failing"

  /// Returns a suite with a scenario of `Format/failing`, its golden file, and models that it does not need.
  private static func suite(_ name: String) throws -> CommandSuite {
    let suite = try CommandSuite()
    func copy(_ file: String, to target: String) throws {
      guard let bytes = FileManager.default.contents(atPath: "\(failing)/\(file)") else { return }
      try suite.folder.write(Array(bytes), to: target)
    }
    try copy("\(name).yaml", to: "Scenarios/\(name).yaml")
    try copy("_golden/\(name).json", to: "Golden/\(name).json")
    for model in try FileManager.default.contentsOfDirectory(atPath: failing + "/_models") {
      try copy("_models/\(model)", to: "Scenarios/_models/\(model)")
    }
    return suite
  }

  /// Returns the first failure of a scenario in the words of the search.
  private static func identity(_ suite: CommandSuite, _ name: String) async throws -> FailureIdentity? {
    let file = ScenarioFile(path: suite.path("Scenarios/\(name).yaml"), name: name)
    let judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: suite.path("Golden")), today: "2030-01-01")
    let loaded = Scenario.load(file)
    let verdict = await judge.verdict(on: RunPlan.Entry(file: file, loaded: loaded))
    guard case .failed(let failure) = verdict.outcome else { return nil }
    return FailureIdentity(
      failure, of: try #require(loaded.scenario), snapshot: try #require(verdict.snapshot))
  }

  /// Scenarios of `Format/failing`, whose common model has noise, and the maximum number of lines of each result.
  static let reducible: [(name: String, lines: Int)] = [
    ("expect-nearest", 15), ("expect-key", 15), ("expect-change", 25), ("expect-diagnostic", 18),
    ("expect-failure", 14), ("expect-members", 24), ("expect-only-many", 9), ("golden-value", 10),
    ("expect-drift-of-page", 20), ("golden-drift-items", 20), ("golden-records", 10), ("golden-drift", 22),
    ("golden-steps", 16), ("golden-relabeled", 16),
  ]

  @Test(arguments: sampled(reducible)) func aReducedScenarioFailsInTheSameWay(name: String, lines: Int)
    async throws
  {
    let suite = try Self.suite(name)
    let before = suite.folder.tree
    let identity = try #require(await Self.identity(suite, name))
    let outcome = await suite.recordspec("reduce", name)
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
    let text = try suite.folder.read("Scenarios/\(name).reduced.yaml")
    #expect(try await Self.identity(suite, "\(name).reduced") == identity, "\(text)")
    #expect(text.split(separator: "\n").count <= lines, "\(text)")
    // The original is unchanged, and only the named files were written.
    var after = suite.folder.tree
    after["Scenarios/\(name).reduced.yaml"] = nil
    let golden = after.removeValue(forKey: "Golden/\(name).reduced.json")
    #expect(after == before)
    #expect((golden != nil) == (identity.goldenDifference != nil))
    #expect(await suite.recordspec("run", "\(name).reduced").status == 1)
  }

  /// Without its key, any record would be as unexpected.
  @Test func anUnexpectedRecordKeepsItsKey() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A user too many
      model:
        entities:
          User: {primaryKey: id, attributes: {id: int64, name: string}}
      responses:
        users: {body: [{id: 7, name: Ada}, {id: 8, name: Bo}]}
      steps:
        - {request: User, urn: users}
      expect:
        graph: {User: {only: [{id: 7, name: Ada}]}}

      """
    ])
    #expect(await suite.recordspec("reduce", "a").status == 0)
    let text = try suite.folder.read("Scenarios/a.reduced.yaml")
    #expect(text.contains("primaryKey: id") && !text.contains("name"), "\(text)")
  }

  private static let noisy = """
    # A report of a bug.
    title: The text of a post is wrong
    covers: [values.string]
    tags: [feed, slow]
    now: 2031-05-01T00:00:00Z
    model:
      entities:
        # Posts of the feed.
        Post:
          primaryKey: id
          attributes:
            id: string
            # The text as plain text.
            text: {type: string, from: body} # not HTML
            likes: int32
          relationships:
            author: {to: User, inverse: posts}
            tags: {toMany: Tag, inverse: posts}
        User:
          primaryKey: id
          attributes: {id: string, name: string}
          relationships:
            posts: {toMany: Post, inverse: author}
        Tag:
          relationships:
            posts: {toMany: Post, inverse: tags}

    responses:
      # Requested first.
      users: {body: [{id: "1", name: Ada}, {id: "2", name: Bo}]}

      # The second page is wrong.
      posts:
        - body:
            - {id: "1", body: One, likes: 3}
        - bodyFile: _recordings/posts.json
          at: /response
          headers: {X-Total: {at: /total}}

    steps:
      - request: User
        urn: users
      # The first page.
      - request: Post
        urn: posts
      # The second page.
      - request: Post
        urn: posts
        expect: {graph: {Post: {count: 4}}}

    expect:
      graph:
        User: {count: 2}
        # The third post.
        Post:
          - {id: "3", text: Three, likes: 5} # was right before
    """

  private static func noisySuite() throws -> CommandSuite {
    let suite = try CommandSuite(["feed/home": noisy])
    try suite.folder.write(
      """
      {"total": 4, "response": [
        {"id": "2", "body": "Two", "author": {"id": "1"}}, {"id": "3", "body": "3", "likes": 5, "tags": [{}]},
        {"id": "4", "body": "Four"}]}
      """, to: "Scenarios/feed/_recordings/posts.json")
    return suite
  }

  @Test func commentsOfTheRestRemain() async throws {
    let suite = try Self.noisySuite()
    let outcome = await suite.recordspec("reduce", "feed/home")
    #expect(outcome.status == 0, "\(outcome)")
    let text = try suite.folder.read("Scenarios/feed/home.reduced.yaml")
    #expect(
      text == """
        # A report of a bug.
        title: The text of a post is wrong
        model:
          entities:
            # Posts of the feed.
            Post:
              primaryKey: id
              attributes:
                id: string
                # The text as plain text.
                text: {type: string, from: body} # not HTML

        responses:

          # The second page is wrong.
          posts:
            - body:
                - {id: "3", body: "3"}

        steps:
          # The second page.
          - request: Post
            urn: posts

        expect:
          graph:
            # The third post.
            Post:
              - {id: "3", text: Three} # was right before
        """, "\(text)")
  }

  @Test func theArticleShowsTheResult() throws {
    let blocks = try Article("RecordSpec/FindingCauses").blocks
    let file = try #require(blocks.first { $0.fileName == "Scenarios/feed.yaml" })
    let reduced = try #require(blocks.first { $0.fileName == "Scenarios/feed.reduced.yaml" })
    let console = try #require(blocks.first { $0.language == "console" && $0.text.contains("reduce feed") })
    let suite = try CommandSuite(["feed": file.text])
    var status: Int32 = 0
    #expect(try suite.transcript(of: console.text, status: &status) == console.text)
    #expect(status == 0)
    #expect(try suite.folder.read("Scenarios/feed.reduced.yaml") == reduced.text)
  }

  @Test func theResultIsTheSameInEveryRun() async throws {
    var texts: Set<String> = []
    for _ in 0..<2 {
      let suite = try Self.noisySuite()
      let outcome = await suite.recordspec("reduce", "feed/home")
      texts.insert(outcome.output + (try suite.folder.read("Scenarios/feed/home.reduced.yaml")))
    }
    #expect(texts.count == 1)
  }

  @Test func theOutputCanBeNamed() async throws {
    let suite = try Self.noisySuite()
    let path = suite.path("Scenarios/bug.yaml")
    let outcome = await suite.recordspec("reduce", "feed/home", "--output", path)
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: #/reduced \d+ lines to \d+ in \d+ runs/#) != nil, "\(outcome)")
    #expect(lines.dropFirst() == ["wrote Scenarios/bug.yaml", "see the failure with: recordspec run bug"])
    let again = await suite.recordspec("reduce", "feed/home", "--output", path)
    #expect(again.status == 64)
    #expect(
      again.errors == """
        error: the file 'Scenarios/bug.yaml' exists
        help: add '--force' to replace it, or choose another name with '--output'

        """)
    try suite.folder.write("x", to: "Scenarios/bug.yaml")
    #expect(await suite.recordspec("reduce", "feed/home", "--output", path, "--force").status == 0)
    #expect(try suite.folder.read("Scenarios/bug.yaml").hasPrefix("# A report of a bug.\n"))
  }

  /// Two scenarios whose names differ only in the extension would have the same golden file.
  @Test(
    arguments: sampled([
      ("bug.yml", "bug.yaml"), ("bug.YML", "bug.yaml"), ("bug", "bug.yml"), ("bug.yaml", "bug.yml"),
    ]))
  func theOutputCanHaveTheOtherExtension(output: String, other: String) async throws {
    let suite = try Self.noisySuite()
    let file = other == "bug.yaml" ? "bug.yml" : "bug.yaml"
    let command = ["reduce", "feed/home", "--output", output]
    let first = await suite.recordspec(command)
    #expect(first.status == 0 && first.output.contains("\nwrote Scenarios/\(file)\n"), "\(first)")
    let reduced = try suite.folder.read("Scenarios/\(file)")
    let again = await suite.recordspec(command)
    #expect(
      again.status == 64 && again.errors.hasPrefix("error: the file 'Scenarios/\(file)' exists\n"), "\(again)"
    )
    try suite.folder.write("x", to: "Scenarios/\(file)")
    #expect(await suite.recordspec(command + ["--force"]).status == 0)
    #expect(try suite.folder.read("Scenarios/\(file)") == reduced)
    try FileManager.default.moveItem(
      atPath: suite.folder.path + "/Scenarios/\(file)", toPath: suite.folder.path + "/Scenarios/\(other)")
    let before = suite.folder.tree
    for arguments in [command, command + ["--force"]] {
      let refused = await suite.recordspec(arguments)
      #expect(refused.status == 64)
      #expect(
        refused.errors == """
          error: 'Scenarios/\(other)' exists, and would have the same golden file
          help: choose another name, or replace this file with '--force' and the name '\(other)'

          """)
    }
    #expect(suite.folder.tree == before)
  }

  @Test func aHugeScenarioEndsWithTheMaximumNumberOfRuns() async throws {
    let items = (0..<500).map { "{id: \"\($0)\", text: t\($0), more: [1, 2, {a: b}]}" }.joined(
      separator: ", ")
    let expected = (0..<500).map { "{id: \"\($0)\"}" }.joined(separator: ", ")
    let suite = try CommandSuite([
      "a": """
      title: Posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: string, text: string}}}}
      responses: {posts: {body: [\(items)]}}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: [{id: "77", text: t78}, \(expected)]}}
      """
    ])
    let outcome = await suite.recordspec("reduce", "a", "--runs", "40")
    #expect(outcome.status == 0)
    #expect(outcome.output.hasPrefix("reduced 5 lines to "))
    #expect(
      outcome.output.contains(
        " in 40 runs\nmore can be removed, because '--runs' limits the number of runs to 40\n"), "\(outcome)")
    #expect(try await Self.identity(suite, "a.reduced") == Self.identity(suite, "a"))
  }

  struct Refusal: CustomStringConvertible {
    var description: String
    var scenario: String
    var arguments: [String] = []
    var status: Int32 = 64
    var message: String
  }

  @Test(arguments: [
    Refusal(
      description: "new", scenario: scenario(),
      message: "error: 'a' does not fail: its expectations are met, and it has no golden file\n"
        + "help: write the expected result in 'expect:', or restore 'Golden/a.json'\n"),
    Refusal(
      description: "skipped", scenario: scenario(expected: "x", more: "skip: later"),
      message: "error: 'a' is skipped\nhelp: remove 'skip' to reduce the scenario\n"),
    Refusal(
      description: "expected failure", scenario: scenario(expected: "x", more: "xfail: {reason: later}"),
      message: "error: 'a' is expected to fail\nhelp: remove 'xfail' to reduce the scenario\n"),
    Refusal(
      description: "unexpected pass", scenario: scenario(more: "xfail: {reason: later}"),
      message: "error: 'a' does not fail, although 'xfail' says so\n"),
    Refusal(
      description: "not a scenario", scenario: scenario(expected: "x"),
      arguments: ["--output", "Scenarios/b.json"],
      message:
        "error: 'Scenarios/b.json' is not the name of a scenario\nhelp: choose a name that ends in '.yaml'\n"),
    Refusal(
      description: "unknown scenario", scenario: scenario(), arguments: ["b"], status: 64, message: ""),
  ])
  func aScenarioThatDoesNotFailIsRefused(_ test: Refusal) async throws {
    let suite = try CommandSuite(["a": test.scenario])
    let outcome = await suite.recordspec(["reduce", "a"] + test.arguments)
    #expect(outcome.status == test.status, "\(outcome)")
    if !test.message.isEmpty { #expect(outcome.errors == test.message) }
    #expect(outcome.output == "")
    #expect(suite.folder.tree.keys.sorted() == ["Scenarios/a.yaml"])
  }

  @Test func aPassingScenarioIsRefused() async throws {
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    let outcome = await suite.recordspec("reduce", "a")
    #expect(outcome == .init(status: 64, output: "", errors: "error: 'a' does not fail\n"))
  }

  @Test func swiftCodeIsRefusedWithTheReason() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A model in Swift
      model: {registered: App}
      responses: {posts: {body: [{id: "1"}]}}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: [{id: "2"}]}}
      """
    ])
    let outcome = await suite.recordspec("reduce", "a")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("is Swift code, which 'recordspec' cannot run"), "\(outcome)")
  }

  /// A name is below the folder of scenarios, as with `new` and `import`.
  @Test(arguments: ["small/b", "small/b.yaml", "$/Scenarios/small/b.yaml"])
  func theOutputIsInTheSuite(output: String) async throws {
    let suite = try CommandSuite(["a": scenario(expected: "x")])
    let outcome = await suite.recordspec(
      "reduce", "a", "--output", output.replacing("$", with: suite.folder.path))
    #expect(outcome.status == 0, "\(outcome)")
    #expect(suite.folder.tree.keys.sorted() == ["Scenarios/a.yaml", "Scenarios/small/b.yaml"])
  }

  @Test(arguments: [
    ("../b.yaml", "is outside of the folder of scenarios"),
    ("Elsewhere/b.yaml", "is outside of the folder of"),
    ("Scenarios/_x/b.yaml", "folders whose names start with '_' contain no scenarios"),
  ])
  func aFileThatWouldNotBeFoundIsRefused(path: String, message: String) async throws {
    let suite = try CommandSuite(["a": scenario(expected: "x")])
    let outcome = await suite.recordspec("reduce", "a", "--output", suite.path(path))
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(message), "\(outcome)")
  }
}
