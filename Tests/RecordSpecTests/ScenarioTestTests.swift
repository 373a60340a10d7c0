import Foundation
import JSONTree
import RecordEngine
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for scenarios that run in a test target.
@Suite struct ScenarioTestTests {
  private func check(
    _ name: String, in suite: CommandSuite, model: ManagedObjectModel? = nil,
    registering registrations: ScenarioRegistrations = .init(),
    _ environment: RunEnvironment = RunEnvironment(), output: (String) -> Void = { _ in }
  ) async throws -> ScenarioTest.Outcome {
    let folder = URL(fileURLWithPath: suite.folder.path)
    let test = try #require(
      try Scenarios(in: folder.appending(path: "Scenarios")).first { $0.name == name })
    return try await test.check(
      model: model, registering: registrations, environment: environment, today: "2030-01-01", output: output)
  }

  private func failure(
    of name: String, in suite: CommandSuite, model: ManagedObjectModel? = nil,
    registering registrations: ScenarioRegistrations = .init(),
    _ environment: RunEnvironment = RunEnvironment()
  ) async throws -> ScenarioTest.Failure {
    do {
      let outcome = try await check(name, in: suite, model: model, registering: registrations, environment)
      Issue.record("expected a failure, but the outcome is \(outcome)")
      throw CancellationError()
    } catch let failure as ScenarioTest.Failure {
      return failure
    }
  }

  // MARK: Failures

  /// Scenarios that fail, one for each kind of failure.
  private static let broken: [String: String] = [
    "expected": scenario(expected: "Bye"), "unasked": scenario(more: "store: {Post: [{id: 1}]}"),
    "passing": scenario(more: "xfail: {reason: known}"), "new": scenario(),
    "unused": scenario().replacing("urn: posts", with: "urn: other"),
  ]

  /// The description of a failure is the report of the command line.
  @Test(arguments: sampled(broken.keys.sorted()))
  func aFailureIsToldAsOnTheCommandLine(name: String) async throws {
    let suite = try CommandSuite(["more/\(name)": try #require(Self.broken[name])])
    let report = await suite.recordspec("run", "--verbose", "--explain").output.split(separator: "\n\n")
      .dropLast()
      .joined(separator: "\n\n")
    let failure = try await failure(of: "more/\(name)", in: suite)
    let text = failure.description.replacing(suite.folder.path + "/", with: "")
      .replacing("RECORDSPEC_BLESS=more/new swift test", with: "recordspec bless more/new")
      .replacing(
        "\n  see the result with: recordspec show --scenarios Scenarios more/\(name)", with: "")
    #expect(text == report.trimmingCharacters(in: .newlines))
    #expect(failure.filePath == "\(suite.folder.path)/Scenarios/more/\(name).yaml")
    #expect(failure.fileID == "Scenarios/more/\(name).yaml")
    // The first location in the report.
    let location = text.firstMatch(of: #/\.yaml:(\d+):(\d+): /#).map { (Int($0.1), Int($0.2)) }
    #expect(failure.line == location?.0 ?? 1 && failure.column == location?.1 ?? 1)
    #expect(failure.localizedDescription == failure.description)
  }

  /// Suites with a failing scenario `a`, with the kind of the failure and the location and first line of each error.
  private static let kinds:
    [(ScenarioTest.Failure.Kind, [String], @Sendable (CommandSuite) async throws -> Void)] = [
      (
        .failed,
        [
          "a.yaml:6:10: no response for 'other'", "a.yaml:7:25: no record matches",
        ],
        { try $0.write(scenario().replacing("urn: posts", with: "urn: other")) }
      ),
      (
        .failed, ["a.yaml:1:1: Golden/a.json: Post/1: 'text' has a different value"],
        { suite in
          try suite.write(scenario())
          await suite.recordspec("bless")
          try suite.write(scenario(text: "Bye", expected: "Bye"))
        }
      ),
      (.new, ["a.yaml:1:1: no golden file: Golden/a.json"], { try $0.write(scenario()) }),
      (
        .invalid, ["a.yaml:8:1: unknown key 'stpes'", "a.yaml:9:1: unknown key 'expct'"],
        { try $0.write(scenario(more: "stpes: []\nexpct: {}")) }
      ),
      (
        .unexpectedPass, ["a.yaml:8:1: the scenario passes, but is marked as an expected failure"],
        { try $0.write(scenario(more: "xfail: {reason: known}")) }
      ),
      (
        .broken,
        ["a.yaml:1:1: Golden/a.json: error: the golden file cannot be read: Is a directory [golden-file]"],
        { suite in
          try suite.write(scenario())
          try suite.folder.makeFolder("Golden/a.json")
        }
      ),
    ]

  @Test(arguments: kinds.indices)
  func aFailureHasAKindAndItsErrors(index: Int) async throws {
    let (kind, errors, prepare) = Self.kinds[index]
    let suite = try CommandSuite()
    try await prepare(suite)
    let failure = try await failure(of: "a", in: suite)
    #expect(failure.kind == kind)
    let found = failure.annotations.map { annotation in
      #expect(annotation.filePath == "\(suite.folder.path)/Scenarios/a.yaml")
      let line = annotation.message.replacing(suite.folder.path + "/", with: "").split(separator: "\n")[0]
      return "\(annotation.fileID):\(annotation.line):\(annotation.column): \(line)"
    }
    #expect(found == errors.map { "Scenarios/" + $0 })
  }

  @Test func aFailureIsShownAtItsLine() async throws {
    let suite = try CommandSuite(["a": scenario(expected: "Bye")])
    let failure = try await failure(of: "a", in: suite)
    withKnownIssue {
      Issue.record(
        "\(failure)",
        sourceLocation: SourceLocation(
          fileID: failure.fileID, filePath: failure.filePath, line: failure.line, column: failure.column))
    } matching: { issue in
      issue.sourceLocation?.line == 7 && issue.sourceLocation?.fileName == "a.yaml"
        && issue.comments.first?.rawValue.contains("Post/1: 'text' has a different value") == true
    }
  }

  @Test func aMistakeInAModelFileIsShownThere() async throws {
    let suite = try CommandSuite([
      "more/a": scenario().replacing(/model: .*/, with: "model: _models/a.model.yaml")
    ])
    try suite.folder.write("entities:\n  Post: {primaryKye: id}\n", to: "Scenarios/more/_models/a.model.yaml")
    let failure = try await failure(of: "more/a", in: suite)
    #expect(failure.filePath == "\(suite.folder.path)/Scenarios/more/_models/a.model.yaml")
    #expect(failure.line == 2 && failure.column == 10)
  }

  @Test func whatIsAsItShouldBePasses() async throws {
    let suite = try CommandSuite([
      "a": scenario(), "b": scenario(more: "skip: later"),
      "c": scenario(expected: "Bye", more: "xfail: {reason: known}"),
    ])
    await suite.recordspec("bless")
    #expect(try await check("a", in: suite) == .passed)
    #expect(try await check("b", in: suite) == .skipped(reason: "later"))
    #expect(try await check("c", in: suite) == .expectedFailure(reason: "known"))
  }

  // MARK: Hooks

  private static let hooked = scenario().replacing(
    "urn: posts", with: "urn: posts, options: {hooks: [upperCase]}")

  @Test(arguments: [
    (["upperCace"], "unregistered hook 'upperCase' [unknown-hook]", "did you mean 'upperCace'?"),
    (["other", "more"], "unregistered hook 'upperCase' [unknown-hook]", "expected: more, other"),
    ([], "unregistered hook 'upperCase' [unknown-hook]", "register it in the test target"),
  ])
  func anUnregisteredHookIsReported(names: [String], message: String, advice: String) async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    let hooks = Dictionary(
      uniqueKeysWithValues: names.map { ($0, { @Sendable _ in }) as (String, ScenarioRegistrations.Hook) })
    let failure = try await failure(of: "a", in: suite, registering: ScenarioRegistrations(hooks: hooks))
    #expect(failure.description.contains(message), "\(failure)")
    #expect(failure.description.contains(advice), "\(failure)")
    #expect(failure.line == 6)
  }

  /// The command line cannot run a scenario with hooks, and reports that a test target can. It can still check the
  /// scenario.
  @Test func theCommandLineSaysWhoRunsAScenarioWithHooks() async throws {
    let suite = try CommandSuite(["a": Self.hooked])
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 2)
    #expect(
      outcome.output.contains(
        "the hook 'upperCase' is Swift code, which 'recordspec' cannot run [unknown-hook]"))
    #expect(outcome.output.contains("= help: run the scenario in the test target that registers 'upperCase'"))
    #expect(await suite.recordspec("bless").status == 2)
    #expect(await suite.recordspec("check").status == 0)
  }

  // MARK: Record types and transformers

  private final class Station: RecordEngine.Record {}
  private struct Upper: RecordValueTransformer {
    func value(from json: JSONValue) -> JSONValue {
      guard case .string(let text) = json else { return json }
      return .string(text.uppercased())
    }
  }

  private static let app = ScenarioRegistrations(
    recordTypes: [Station.self], transformers: ["Upper": Upper()])

  /// Returns a scenario whose model names Swift types.
  private static func naming(type: String, transformer: String) -> String {
    """
    title: Swift code by its name
    model:
      entities:
        Place:
          class: \(type)
          primaryKey: id
          attributes: {id: int64, name: {type: transformable, transformer: \(transformer)}}
    responses: {places: {body: [{id: 1, name: hb}]}}
    steps: [{request: Place, urn: places}]
    expect: {graph: {Place: [{id: 1}]}}
    """
  }

  @Test(arguments: [
    ("Statoin", "Upper", 5, "unregistered record type 'Statoin'", "did you mean 'Station'?"),
    ("App.Statoin", "Upper", 5, "unregistered record type 'App.Statoin'", "'Station'?"),
    ("Harbour", "Upper", 5, "unregistered record type 'Harbour'", "expected: Station"),
    ("Station", "Uper", 7, "unregistered transformer 'Uper'", "did you mean 'Upper'?"),
  ])
  func unregisteredSwiftCodeIsReported(
    type: String, transformer: String, line: Int, message: String, advice: String
  ) async throws {
    let suite = try CommandSuite(["a": Self.naming(type: type, transformer: transformer)])
    let failure = try await failure(of: "a", in: suite, registering: Self.app)
    #expect(failure.description.contains(message), "\(failure)")
    #expect(failure.description.contains(advice), "\(failure)")
    #expect(failure.line == line)
    // If no types are registered, the scenario uses the base class of records and plain values.
    await suite.recordspec("bless")
    #expect(try await check("a", in: suite) == .passed)
  }

  @Test func aModuleMayStandBeforeARecordType() async throws {
    let suite = try CommandSuite(["a": Self.naming(type: "App.Station", transformer: "Upper")])
    let failure = try await failure(of: "a", in: suite, registering: Self.app)
    #expect(failure.description.contains("no golden file"))
  }

  /// Xcode writes a class name for every entity. Only a name similar to a registered one is an error.
  @Test(arguments: [("Harbour", nil), ("Statoin", "did you mean 'Station'?")])
  func aClassThatXcodeNamesNeedNotBeRegistered(type: String, advice: String?) async throws {
    let suite = try CommandSuite([
      "a": """
      title: A model of Xcode
      model: App.xcdatamodel
      responses: {places: {body: [{id: 1}]}}
      steps: [{request: Place, urn: places}]
      expect: {graph: {Place: [{id: 1}]}}
      """
    ])
    try suite.folder.write(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Place" representedClassName="\(type)">
          <attribute name="id" optional="YES" attributeType="Integer 64"/>
          <userInfo><entry key="MMRecordEntityPrimaryAttributeKey" value="id"/></userInfo>
        </entity>
      </model>
      """, to: "Scenarios/App.xcdatamodel/contents")
    let failure = try await failure(of: "a", in: suite, registering: Self.app)
    #expect(failure.description.contains(advice ?? "no golden file"), "\(failure)")
    #expect(failure.filePath.hasSuffix(advice == nil ? "a.yaml" : "App.xcdatamodel/contents"))
  }

  // MARK: Models

  private static func model(
    textFrom path: MappingPath = "text", className: String? = nil, representation: (any Representation)? = nil
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        EntityDescription(
          "Post", className: className, primaryKey: "id",
          attributes: [
            AttributeDescription("id", .string),
            AttributeDescription("text", .string, from: [path], usesOwnName: false),
          ])
      ], representations: representation.map { ["Post": $0] } ?? [:])
  }

  /// The scenario fails as soon as the app's model differs, whatever model the scenario names.
  @Test(arguments: [
    "_models/blog.model.yaml", "{entities: {Post: {attributes: {other: date}}}}", "{registered: App}",
  ])
  func aScenarioRunsWithTheModelOfTheApp(written: String) async throws {
    let text = scenario().replacing(/model: .*/, with: "model: \(written)")
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    try suite.folder.write(text, to: "Scenarios/a.yaml")
    #expect(try await check("a", in: suite, model: Self.model()) == .passed)
    let failure = try await failure(of: "a", in: suite, model: Self.model(textFrom: "title"))
    #expect(failure.description.contains("Scenarios/a.yaml:7:"), "\(failure)")
    #expect(failure.description.contains("Post/1: 'text' has a different value"), "\(failure)")
    #expect(failure.line == 7)
  }

  @Test func theRestOfAScenarioIsReadWithTheModelOfTheApp() async throws {
    let suite = try CommandSuite(["a": scenario().replacing("text: Hello}]}}", with: "txt: Hello}]}}")])
    let failure = try await failure(of: "a", in: suite, model: Self.model())
    #expect(failure.description.contains("'Post' has no property 'txt'"), "\(failure)")
    #expect(failure.description.contains("did you mean 'text'?"))
  }

  @Test func aRegisteredModelIsUsed() async throws {
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    try suite.folder.write(
      scenario().replacing(/model: .*/, with: "model: {registered: App}"), to: "Scenarios/a.yaml")
    let registered = ScenarioRegistrations(models: ["App": try Self.model()])
    #expect(try await check("a", in: suite, registering: registered) == .passed)
    let other = ScenarioRegistrations(models: ["App": try Self.model(textFrom: "title")])
    #expect(try await failure(of: "a", in: suite, registering: other).line == 7)
  }

  @Test(arguments: [
    ("App", "unregistered model 'Ap' [unknown-model]", "did you mean 'App'?"),
    ("First", "unregistered model 'Ap' [unknown-model]", "expected: First"),
    (nil, "unregistered model 'Ap' [unknown-model]", "register it in the test target"),
  ])
  func anUnregisteredModelIsReported(
    name: String?, message: String, advice: String
  ) async throws {
    let suite = try CommandSuite([
      "a": scenario().replacing(/model: .*/, with: "model: {registered: Ap}")
    ])
    let registered = ScenarioRegistrations(models: try name.map { [$0: try Self.model()] } ?? [:])
    let failure = try await failure(of: "a", in: suite, registering: registered)
    #expect(failure.description.contains(message), "\(failure)")
    #expect(failure.description.contains(advice), "\(failure)")
    #expect(failure.line == 4 && failure.column == 21)
  }

  @Test func aRegisteredModelHasNoOverlay() async throws {
    let suite = try CommandSuite([
      "a": scenario().replacing(/model: .*/, with: "model: {registered: App, nulls: keep}")
    ])
    let registered = ScenarioRegistrations(models: ["App": try Self.model()])
    let failure = try await failure(of: "a", in: suite, registering: registered)
    #expect(failure.description.contains("unknown key 'nulls' [unknown-key]"), "\(failure)")
  }

  @Test func theCommandLineSaysWhoRunsAScenarioWithARegisteredModel() async throws {
    let suite = try CommandSuite([
      "a": scenario().replacing(/model: .*/, with: "model: {registered: App}")
    ])
    for command in ["run", "check", "bless"] {
      let outcome = await suite.recordspec(command)
      #expect(outcome.status == 2)
      #expect(
        outcome.output.contains(
          "Scenarios/a.yaml:4:21: error: the model 'App' is Swift code, which 'recordspec' cannot run [unknown-model]"
        ))
      #expect(
        outcome.output.contains(
          "= help: run the scenario in the test target that registers 'App', or name a model file"))
    }
  }

  /// The class of an entity must be registered as it must be for a model in YAML.
  @Test func classesOfAModelInSwiftAreChecked() async throws {
    let suite = try CommandSuite(["a": scenario()])
    let failure = try await failure(
      of: "a", in: suite, model: Self.model(className: "App.Statoin"), registering: Self.app)
    #expect(failure.description.contains("unregistered record type 'App.Statoin'"), "\(failure)")
    #expect(failure.line == 4)
  }

  private struct FromTitle: Representation {
    func keyPaths(for attribute: AttributeDescription, of entity: EntityName) -> [MappingPath] {
      attribute.name == "text" ? ["title"] : attribute.mappingPaths
    }
  }

  /// As with marshalers, the scenario's customization replaces the code.
  @Test func aScenarioCustomizesAModelInSwift() async throws {
    let suite = try CommandSuite([
      "a": scenario(), "b": scenario(more: "customize: {Post: {keyPaths: {text: text}}}"),
    ])
    await suite.recordspec("bless")
    let model = try Self.model(representation: FromTitle())
    _ = try await failure(of: "a", in: suite, model: model)
    #expect(try await check("b", in: suite, model: model) == .passed)
  }

  // MARK: Golden files

  @Test func goldenFilesAreBlessedOnRequestAlone() async throws {
    let suite = try CommandSuite(["more/a": scenario(), "more/b": scenario(expected: "Bye")])
    let bless = RunEnvironment(variables: ["RECORDSPEC_BLESS": "more"])
    let failure = try await failure(of: "more/a", in: suite)
    #expect(failure.description.contains("create it with: RECORDSPEC_BLESS=more/a swift test\n"))
    _ = try await self.failure(
      of: "more/a", in: suite, RunEnvironment(variables: ["RECORDSPEC_BLESS": "more", "CI": "1"]))
    // A scenario whose `expect:` fails cannot be blessed.
    _ = try await self.failure(of: "more/b", in: suite, bless)
    #expect(!suite.folder.exists("Golden"))
    // A mistyped name blesses no golden file, and the failure reports it. The name of another scenario is not an error.
    for (path, end) in [
      (
        "mroe/a",
        "\n  RECORDSPEC_BLESS: no scenario below '\(suite.folder.path)/Scenarios' is named 'mroe/a'; did you mean 'more/a'?"
      ),
      ("other", "Scenarios' is named 'other'"),
      ("more/b", "recordspec show --scenarios \(suite.folder.path)/Scenarios more/a"),
    ] {
      let told = try await self.failure(
        of: "more/a", in: suite, RunEnvironment(variables: ["RECORDSPEC_BLESS": path]))
      #expect(told.description.hasSuffix(end), "\(told)")
    }

    var output = ""
    #expect(try await check("more/a", in: suite, bless) { output += $0 } == .blessed)
    #expect(
      output == """
        new     more/a
                \(suite.folder.path)/Golden/more/a.json
                1 record:
                  1 Post  Post/1 {id: "1", text: "Hello"}

        """)
    #expect(suite.written.filter { !$0.hasPrefix(".recordspec/") } == ["Golden/more/a.json"])
    #expect(try await check("more/a", in: suite, bless) == .passed)
  }

  /// A failure of a test lists the first records of equal differences, with the cause in the first annotation.
  @Test func equalDifferencesOfManyRecordsAreOneError() async throws {
    let items = (1...5).map { "{id: \"\($0)\", likes: 3}" }.joined(separator: ", ")
    let text = """
      title: Five posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: string, likes: int64}}}}
      responses: {posts: {body: [\(items)]}}
      steps: [{request: Post, urn: posts}]

      """
    let suite = try CommandSuite(["a": text])
    await suite.recordspec("bless")
    try suite.folder.write(text.replacing("likes: 3", with: "likes: many"), to: "Scenarios/a.yaml")
    let failure = try await failure(of: "a", in: suite)
    #expect(failure.line == 4)
    let file = "\(suite.folder.path)/Scenarios/a.yaml"
    #expect(
      failure.annotations.map(\.message) == [
        "step 1: value-type Post.likes at /0/likes of posts: cannot convert \"many\" to int64 (and 4 more)",
        """
        \(suite.folder.path)/Golden/a.json: 'likes' has no value in all 5 Post records
          Post/1: expected integer 3, actual nothing
          Post/2: expected integer 3, actual nothing
          Post/3: expected integer 3, actual nothing
          and 2 more
          explanation of Post/1:
            mentioned   step 1, posts
            value       \(file):3:45  /0/likes  reported above (values.integer)
            record      \(file):3:28  /0  created with the key id (population.create, identity.attribute-key)

        step 1: unexpected entry in 'diagnostics'
          extra:    value-type Post.likes at /0/likes of posts: cannot convert "many" to int64
          extra:    value-type Post.likes at /1/likes of posts: cannot convert "many" to int64
          extra:    value-type Post.likes at /2/likes of posts: cannot convert "many" to int64
          extra:    value-type Post.likes at /3/likes of posts: cannot convert "many" to int64
          extra:    value-type Post.likes at /4/likes of posts: cannot convert "many" to int64
        """,
      ])
    #expect(failure.description.contains("'likes' has no value in all 5 Post records"))
    #expect(!failure.description.contains("--verbose"))
  }

  @Test func anEmptyResultIsBlessedOnlyIfItIsAllowed() async throws {
    let suite = try CommandSuite([
      "a": scenario().replacing(/body: .*/, with: "body: []}}").replacing(/expect: .*/, with: "")
    ])
    var variables = ["RECORDSPEC_BLESS": "a"]
    let refused = try await self.failure(of: "a", in: suite, RunEnvironment(variables: variables))
    #expect(refused.kind == .new)
    #expect(
      refused.description.contains(
        "if this is correct, state it in 'expect:', or set RECORDSPEC_ALLOW_DIAGNOSTICS=1 to bless it\n"))
    #expect(!suite.folder.exists("Golden/a.json"))
    variables["RECORDSPEC_ALLOW_DIAGNOSTICS"] = "1"
    #expect(try await check("a", in: suite, RunEnvironment(variables: variables)) == .blessed)
  }

  /// If all scenarios pass, the first one prints the warning.
  @Test func aMistypedNameIsToldWhereAllPass() async throws {
    let suite = try CommandSuite(["a": scenario(), "b": scenario()])
    _ = await suite.recordspec("bless")
    for (name, path, warning) in [
      (
        "a", "bb",
        "warning: RECORDSPEC_BLESS: no scenario below '\(suite.folder.path)/Scenarios' is named 'bb'; did you mean 'b'?\n"
      ),
      ("b", "bb", ""), ("a", "b", ""),
    ] {
      var output = ""
      let environment = RunEnvironment(variables: ["RECORDSPEC_BLESS": path])
      #expect(try await check(name, in: suite, environment) { output += $0 } == .passed)
      #expect(output == warning)
    }
  }

  @Test func goldenFilesThatBelongToNoScenarioAreNamed() async throws {
    let suite = try CommandSuite(["a": scenario()])
    await suite.recordspec("bless")
    try suite.folder.write("{}", to: "Golden/b.json")
    let scenarios = try Scenarios(in: URL(fileURLWithPath: suite.folder.path + "/Scenarios/"))
    #expect(scenarios.obsoleteGoldenFiles == ["\(suite.folder.path)/Golden/b.json"])
    #expect(scenarios.map(\.id) == ["a"] && scenarios.map { "\($0)" } == ["a"])
  }

  // MARK: Progress

  @Test func theProgressCountsTheScenariosOfTheFolder() async throws {
    var files = Self.broken
    files["blessed"] = scenario()
    files["skipped"] = scenario(more: "skip: later")
    files["marked"] = scenario(expected: "Bye", more: "xfail: {reason: known}")
    files["mistyped"] = scenario(more: "setps: []")
    let suite = try CommandSuite(files)
    await suite.recordspec("bless", "passing")
    let scenarios = try Scenarios(in: URL(fileURLWithPath: suite.folder.path + "/Scenarios"))
    var lines: [String] = []
    for test in Array(scenarios) + [try #require(scenarios.last)] {
      _ = try? await test.check(
        registering: .init(),
        environment: RunEnvironment(variables: [
          "RECORDSPEC_PROGRESS": "1", "RECORDSPEC_BLESS": "blessed",
        ]),
        today: "2030-01-01", output: { _ in }, errors: { lines.append($0) })
    }
    #expect(
      lines == [
        "[1/9] blessed: blessed\n",
        "[2/9, 1 failed] expected: failed\n",
        "[3/9, 1 failed] marked: failed as expected\n",
        "[4/9, 2 failed] mistyped: invalid\n",
        "[5/9, 3 failed] new: no golden file\n",
        "[6/9, 4 failed] passing: passed, but marked with 'xfail'\n",
        "[7/9, 4 failed] skipped: skipped\n",
        "[8/9, 5 failed] unasked: invalid\n",
        "[9/9, 6 failed] unused: failed\n",
        "[9/9, 6 failed] unused: failed\n",
      ])
  }

  @Test(arguments: [[:], ["RECORDSPEC_PROGRESS": ""], ["RECORDSPEC_PROGRESS": "0"]])
  func thereIsNoProgressUnlessItIsAskedFor(variables: [String: String]) async throws {
    let suite = try CommandSuite(["a": scenario()])
    let test = try #require(
      try Scenarios(in: URL(fileURLWithPath: suite.folder.path + "/Scenarios")).first { _ in true })
    var text = ""
    _ = try? await test.check(
      registering: .init(), environment: RunEnvironment(variables: variables), today: "2030-01-01",
      output: { _ in }, errors: { text += $0 })
    #expect(text == "")
  }

  /// The counts of concurrent test cases appear in order, each once.
  @Test func concurrentTestCasesCountInOrder() async throws {
    let progress = ScenarioProgress(total: 200)
    let lines = Lines()
    await withTaskGroup(of: Void.self) { group in
      for index in 1...200 {
        group.addTask {
          progress.report("\(index)", "passed", hasFailed: index % 50 == 0) { lines.append($0) }
        }
      }
    }
    #expect(lines.all.map { $0.prefix { $0 != "/" } } == (1...200).map { "[\($0)" })
    #expect(lines.all.last?.hasPrefix("[200/200, 4 failed] ") == true)
  }

  /// Lines that concurrent tasks write.
  private final class Lines: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var lines: [String] = []

    var all: [String] { lock.withLock { lines } }
    func append(_ line: String) { lock.withLock { lines.append(line) } }
  }

  // MARK: Folders

  @Test func aFolderWithoutScenariosIsNoTest() throws {
    let folder = try TemporaryFolder()
    #expect(throws: Scenarios.Problem.self) {
      try Scenarios(in: URL(fileURLWithPath: folder.path + "/Scenarios"))
    }
    try folder.write("", to: "Scenarios/a.txt")
    do {
      _ = try Scenarios(in: URL(fileURLWithPath: folder.path + "/Scenarios"))
      Issue.record("a folder without scenarios has to be an error")
    } catch {
      #expect(error.description.contains("this folder has no scenarios [no-scenarios]"))
      #expect(error.localizedDescription == error.description)
    }
  }

  // MARK: The article

  @Test func theArticleShowsTheProgramsThatAreCompiled() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "ExampleAppTests")
    let examples = try [
      "ConformanceTests", "Registrations", "Library", "LibraryTests", "ConformanceTestCase",
    ].map { try String(contentsOf: folder.appending(path: "\($0).swift"), encoding: .utf8) }
    let article = try Article("RecordSpec/TestTargets")
    let programs = article.blocks(in: "swift").map(\.text).filter { !$0.contains(".package(") }
    // The article explains registrations after the first test.
    #expect(
      programs == [examples[0].replacing("test(registering: app)", with: "test()")] + examples.dropFirst())
    let landingPage = try Article("RecordSpecTesting/RecordSpecTesting")
    #expect(landingPage.blocks(in: "swift").map(\.text) == [examples[0], examples[4]])
    let scenarios = try [
      "Conformance/Scenarios/books/linked.yaml", "Library/Scenarios/author.yaml",
      "Library/Scenarios/_models/library.model.yaml",
    ].map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    #expect(Array(article.blocks(in: "yaml").map(\.text).prefix(3)) == scenarios)
  }

  /// SwiftPM warns about a folder in `exclude` that does not exist, such as `Golden` before the first run.
  @Test func theManifestExcludesTheFolderAroundTheScenarios() throws {
    let article = try Article("RecordSpec/TestTargets")
    let manifest = try #require(article.blocks(in: "swift").first).text
    let excluded = try #require(manifest.firstMatch(of: /exclude: \["([A-Za-z]+)"\]/)).1
    #expect(article.text.contains(".appending(path: \"\(excluded)/Scenarios\")"))
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let dependency = try #require(manifest.firstMatch(of: /\.package\(.*\)/)).0
    #expect(readme.contains(dependency))
  }
}

extension CommandSuite {
  fileprivate func write(_ scenario: String) throws { try folder.write(scenario, to: "Scenarios/a.yaml") }
}
