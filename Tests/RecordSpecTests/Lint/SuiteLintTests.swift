import TestSupport
import Testing

/// Tests for warnings that depend on several scenarios, and for scenarios without warnings.
struct SuiteLintTests {
  private static let model = """
    entities:
      Post: {primaryKey: id, attributes: {id: int64, text: string, likes: int64}}

    """

  /// Returns a scenario with one response.
  private static func scenario(
    _ body: String, model: String = "_models/app.model.yaml", _ more: String = ""
  ) -> String {
    """
    title: Posts
    model: \(model)
    responses: {posts: {body: \(body)}}
    steps: [{request: Post, urn: posts}]
    \(more)

    """
  }

  private static func suite(_ scenarios: [String: String], model: String = model) throws -> CommandSuite {
    let suite = try CommandSuite(scenarios)
    try suite.folder.write(model, to: "Scenarios/_models/app.model.yaml")
    return suite
  }

  private func codes(_ output: String) -> [String] {
    output.matches(of: /(?m)\[([a-z-]+)\]$/).map { String($0.1) }
  }

  // MARK: Model files

  /// A drift report contains the same differences, but `check` does not compare it with the golden file.
  @Test(arguments: [
    "", "options: {drift: true}", "options: {drift: true}\nexpect: {drift: {Post: {items: 2}}}",
  ])
  func aRenamedKeyIsReportedAlsoWithDrift(more: String) async throws {
    let text = Self.scenario("[{id: 1, text: a, likes: 1}, {id: 2, txet: b, likes: 2}]", more)
    let outcome = await (try Self.suite(["a": text])).recordspec("check", "--strict")
    #expect(outcome.status == 2)
    #expect(outcome.output.contains("no property of 'Post' reads 'txet' [unread-key]"), "\(outcome.output)")
    #expect(codes(outcome.output) == ["unread-key"])
  }

  @Test func aPropertyIsMissingOnlyIfNoScenarioHasIt() async throws {
    let first = Self.scenario("[{id: 1, text: a}]")
    let alone = await (try Self.suite(["a": first])).recordspec("check")
    #expect(
      alone.output.contains(
        "Scenarios/_models/app.model.yaml:2:71: warning: no response has 'likes' of 'Post'"),
      "\(alone.output)")
    #expect(codes(alone.output) == ["missing-property"])
    let both = try Self.suite([
      "a": first, "b/c": Self.scenario("[{id: 2, text: b, likes: 1}]", model: "../_models/app.model.yaml"),
    ])
    #expect(await both.recordspec("check").output == "2 valid, 0 invalid\n")
    // One of two scenarios shows nothing.
    #expect(await both.recordspec("check", "a").output == "1 valid, 0 invalid\n")
  }

  @Test(arguments: [
    "store: {Post: [{id: 9, likes: 1}]}",
    "skip: needs the new API",
  ])
  func valuesFromElsewhereAreNotMissing(more: String) async throws {
    let other = Self.scenario("[{id: 1, text: a, likes: 1}]", more)
    let stored = Self.scenario("[{id: 1, text: a}]", more)
    let suite = try Self.suite([
      "a": Self.scenario("[{id: 1, text: a}]"), "b": more.hasPrefix("skip") ? other : stored,
    ])
    #expect(await suite.recordspec("check").output == "2 valid, 0 invalid\n")
  }

  @Test func aChangeAndADefaultAreValues() async throws {
    let text = """
      title: Posts
      model: _models/app.model.yaml
      responses: {posts: {body: [{id: 1}]}}
      steps: [{request: Post, urn: posts}, {change: {update: {Post/1: {text: b}}}}]

      """
    let model = Self.model.replacing("likes: int64", with: "likes: {type: int64, default: 0}")
    #expect(
      await (try Self.suite(["a": text], model: model)).recordspec("check").output == "1 valid, 0 invalid\n")
  }

  /// An invalid scenario may have the property.
  @Test func anInvalidScenarioHidesMissingProperties() async throws {
    let suite = try Self.suite(["a": Self.scenario("[{id: 1, text: a}]"), "b": "titel: x"])
    #expect(!codes(await suite.recordspec("check").output).contains("missing-property"))
  }

  @Test func aModelFileAllowsItsWarnings() async throws {
    let model = "allows: {missing-property: {Post.likes: of a later version}}\n" + Self.model
    let suite = try Self.suite(["a": Self.scenario("[{id: 1, text: a}]")], model: model)
    #expect(await suite.recordspec("check").output == "1 valid, 0 invalid\n")
  }

  @Test func aScenarioDoesNotAllowWarningsOfItsModelFile() async throws {
    let text = Self.scenario("[{id: 1, text: a}]", "allows: {missing-property: intended}")
    let suite = try Self.suite(["a": text])
    #expect(codes(await suite.recordspec("check").output) == ["missing-property", "unused-allows"])
  }

  @Test func anEntryOfAModelFileIsUnusedOnlyIfAllScenariosAreChecked() async throws {
    let model = "allows: {missing-property: of a later version}\n" + Self.model
    let text = Self.scenario("[{id: 1, text: a, likes: 1}]")
    let suite = try Self.suite(["a": text, "b": text], model: model)
    #expect(codes(await suite.recordspec("check").output) == ["unused-allows"])
    #expect(await suite.recordspec("check", "a").output == "1 valid, 0 invalid\n")
  }

  @Test func aSimilarUnreadKeyIsProposed() async throws {
    let suite = try Self.suite(["a": Self.scenario("[{id: 1, text: a, like_count: 1}]")])
    let output = await suite.recordspec("check").output
    #expect(codes(output) == ["missing-property", "unread-key"], "\(output)")
    #expect(output.contains("= help: did you mean 'from: like_count'?"))
    #expect(
      output.contains("= help: did you mean 'likes'? otherwise, list 'like_count' in 'ignores' of 'Post'"))
  }

  /// An object that has a property of the entity is an item, although it has no key. Of several keys, the one with a list
  /// is proposed.
  @Test func onlyAnEnvelopeWrapsItems() async throws {
    let model =
      "{entities: {Post: {primaryKey: id, attributes: {id: int64, text: string}, relationships: "
      + "{author: {to: User, inverse: posts}}}, User: {primaryKey: id, attributes: {id: int64}, relationships: "
      + "{posts: {toMany: Post, inverse: author}}}}}"
    func output(_ body: String) async throws -> String {
      await (try CommandSuite(["a": Self.scenario(body, model: model)])).recordspec("check").output
    }
    let item = try await output("{ID: 1, text: a, author: {id: 7}}")
    #expect(codes(item).contains("unread-key") && !codes(item).contains("wrapped-items"), "\(item)")
    let envelope = try await output("{viewer: {id: 9}, data: [{id: 1, text: a, author: {id: 7}}]}")
    #expect(envelope.contains("write 'responseKeyPath: data' in 'Post'"), "\(envelope)")
    let level = try await output("{meta: {user: {id: 9}}, result: {posts: [{id: 1, text: a}]}}")
    #expect(level.contains("write 'responseKeyPath: result.posts' in 'Post'"), "\(level)")
    let empty = try await output("{viewer: {id: 9}, data: []}")
    #expect(!codes(empty).contains("wrapped-items"), "\(empty)")
  }

  /// The help for a dictionary of records, at the root, below a key, in a relationship, or if one of its keys was written.
  @Test(arguments: [
    ("", #"{"7": {id: 7, text: a}, "9": {id: 9, text: b}}"#, "write 'responseKeyedBy: id' in 'Post'"),
    ("", #"{data: {"7": {text: a}}}"#, "write 'responseKeyPath: data, responseKeyedBy: id' in 'Post'"),
    (
      #"responseKeyPath: "7", "#, #"{"7": {id: 7, text: a}, "9": {id: 9, text: b}}"#,
      "write 'responseKeyedBy: id' in 'Post' in place of '7'"
    ),
    (
      "", #"{id: 7, text: a, replies: {"9": {id: 9, text: b}}}"#,
      "write 'keyedBy: id' in the relationship to 'Post'"
    ),
    ("", "{author: {id: 7, text: a}, editor: {id: 9, text: b}}", "write 'responseKeyPath: author' in 'Post'"),
  ])
  func aDictionaryOfRecordsIsNamed(path: String, body: String, help: String) async throws {
    let model =
      "{entities: {Post: {primaryKey: id, \(path)attributes: {id: int64, text: string}, relationships: "
      + "{replies: {toMany: Post, inverse: answered}, answered: {to: Post, inverse: replies}}}}}"
    let output = await (try CommandSuite(["a": Self.scenario(body, model: model)])).recordspec("check").output
    #expect(output.contains(help), "\(output)")
  }

  /// A text with commas and an array of values are read as keys.
  @Test(arguments: [
    (
      #"[{id: 1, tags: "sea, land"}]"#,
      "a text in place of a list is one 'Tag', with the whole text as its key"
    ),
    ("[[1, 2], [3, 4]]", "an array of values is not read as one 'Post': each value is the key of a record"),
    ("[{id: 1, tags: [sea, 'land, air']}, {id: 2, main: 'a, b'}, {id: 3, tags: sea}]", nil),
    ("[[{id: 1}], [{id: 2}]]", nil), ("[1, 2]", nil), ("[[1], [2]]", nil), ("[[1, {id: 2}]]", nil),
  ])
  func shapesThatAreReadAsKeysAreNamed(body: String, message: String?) async throws {
    let model =
      "{entities: {Post: {primaryKey: id, attributes: {id: int64}, relationships: "
      + "{tags: {toMany: Tag, inverse: posts}, main: {to: Tag, inverse: mainOf}}}, Tag: {primaryKey: name, "
      + "attributes: {name: string}, relationships: {posts: {toMany: Post, inverse: tags}, "
      + "mainOf: {toMany: Post, inverse: main}}}}}"
    let output = await (try CommandSuite(["a": Self.scenario(body, model: model)])).recordspec("check").output
    #expect(codes(output).contains("wrapped-items") == (message != nil), "\(output)")
    #expect(output.contains(message ?? ""), "\(output)")
  }

  /// The label of a record without a key must not be proposed.
  @Test func aRecordWithoutAKeyIsNotProposed() async throws {
    let text =
      Self.scenario("[{id: x7, text: a, likes: 1}]") + "expect: {graph: {Post: [{id: 7, text: a}]}}\n"
    let suite = try Self.suite(["a": text])
    let output = await suite.recordspec("check").output
    #expect(codes(output) == ["impossible-record"], "\(output)")
    #expect(
      output.contains("= help: the key of 'Post~1' was not found: see 'recordspec explain'"), "\(output)")
  }

  // MARK: No warning

  private static let inline = "{entities: {Post: {primaryKey: id, attributes: {id: int64, text: string}}}}"

  /// Each of these scenarios is as intended.
  @Test(arguments: [
    // Servers send keys that an app does not use.
    scenario("[{id: 1, text: a, node_id: x, html_url: y}]", model: inline),
    // A model may declare more than the scenario needs.
    scenario("[{id: 1}]", model: inline),
    scenario("[{id: 1, more: 1}]", model: inline, "expect: {graph: {Post: [{id: 1, text: null}]}}"),
    // One response with values of different types is a test of conversions.
    scenario(#"[{id: 1, text: 5}, {id: "2", text: a}]"#, model: inline),
    // The author has stated the drift.
    """
    title: Posts
    model: \(inline)
    responses: {posts: {body: [{id: 1, txet: a}]}}
    steps: [{request: Post, urn: posts, options: {drift: true}, expect: {drift: {Post: {unused: [txet], missing: [text]}}}}]

    """,
    // The key of an absent record occurs in the response.
    scenario(
      "[{id: 1, text: a}, {text: \"7\"}]", model: inline, "expect: {graph: {Post: {absent: [Post/7]}}}"),
    // A hook reads the key.
    scenario("[{txet: 1}]", model: inline, "options: {inject: {Post: {path: txet}}}"),
  ])
  func hasNoWarning(text: String) async throws {
    let output = await (try CommandSuite(["a": text])).recordspec("check").output
    #expect(output == "1 valid, 0 invalid\n")
  }

  /// `save:` in a step has no value.
  @Test func aBareStepHasNoValue() async throws {
    let text = Self.scenario("[{id: 1, text: a}]", model: Self.inline)
      .replacing("urn: posts}]", with: "urn: posts}, {save: }]")
    #expect(await (try CommandSuite(["a": text])).recordspec("check").output == "1 valid, 0 invalid\n")
  }

  // MARK: Options

  @Test(arguments: [
    ("paging: linkHeader", "'paging' has no effect, because no step requests a page"),
    (
      "sessionTimeout: restart",
      "'sessionTimeout' has no effect, because no response has 'error: session-timeout'"
    ),
    ("servers: {Tag: none}", "the server of 'Tag' has no effect, because no step requests it"),
    (
      "defaults: {Tag: {merge: deep}}",
      "the defaults of 'Tag' have no effect, because no step requests it without 'options'"
    ),
    (
      "defaults: {Post: {merge: deep}}\noptions: {merge: deep}",
      "'defaults' has no effect, because 'options' applies to all requests"
    ),
  ])
  func optionsWithoutEffect(more: String, message: String) async throws {
    let model =
      "{entities: {Post: {primaryKey: id, attributes: {id: int64}}, Tag: {primaryKey: id, attributes: {id: int64}}}}"
    let suite = try CommandSuite(["a": Self.scenario("[{id: 1}]", model: model, more)])
    let output = await suite.recordspec("check").output
    #expect(output.contains("warning: \(message) [no-effect]"), "\(output)")
    #expect(codes(output) == ["no-effect"])
  }

  @Test(arguments: [
    (
      "{entities: {Post: {dateFormat: iso8601, primaryKey: id, attributes: {id: int64}}}}",
      "'dateFormat' has no effect, because 'Post' has no date attribute"
    ),
    (
      "{entities: {Post: {merge: deep, attributes: {id: int64}}}}",
      "'merge' has no effect, because 'Post' has no key, so two items are never one record"
    ),
  ])
  func modelsWithoutEffect(model: String, message: String) async throws {
    let suite = try CommandSuite(["a": Self.scenario("[{id: 1}]", model: model)])
    let output = await suite.recordspec("check").output
    #expect(output.contains("warning: \(message) [no-effect]"), "\(output)")
  }

  // MARK: YAML

  @Test(
    arguments: sampled([
      ("no", "'no' is a string here, but a Boolean in YAML 1.1"),
      ("ON", "'ON' is a string here, but a Boolean in YAML 1.1"),
      ("010", "'010' is the number 10 here, but an octal number in YAML 1.1"),
      ("089", "'089' is the number 89 here, but a string in YAML 1.1"),
      ("1e3", "'1e3' is a number here, but a string in YAML 1.1"),
      ("0o17", "'0o17' is a number here, but a string in YAML 1.1"),
      ("1_000", "'1_000' is a string here, but a number in YAML 1.1"),
      ("0b11", "'0b11' is a string here, but a number in YAML 1.1"),
      ("12:30", "'12:30' is a string here, but a number in base 60 in YAML 1.1"),
    ]))
  func valuesThatOtherReadersUnderstandDifferently(value: String, message: String) async throws {
    let text = Self.scenario("[{id: 1, text: \(value)}]", model: Self.inline)
    let output = await (try CommandSuite(["a": text])).recordspec("check").output
    #expect(output.contains("warning: \(message) ["), "\(output)")
    let quoted = Self.scenario("[{id: 1, text: \"\(value)\"}]", model: Self.inline)
    #expect(await (try CommandSuite(["a": quoted])).recordspec("check").output == "1 valid, 0 invalid\n")
  }

  @Test(
    arguments: sampled([
      "0", "-1", "1.5", "1e+3", "1.5e10", "0.5", "0x1F", "2031-05-01", "a_1", "v1_0", "~", "null", "y",
      "10:99",
      "00:30",
    ]))
  func valuesThatAllReadersUnderstand(value: String) async throws {
    let text = Self.scenario("[{id: 1, text: \(value)}]", model: Self.inline)
    #expect(await (try CommandSuite(["a": text])).recordspec("check").output == "1 valid, 0 invalid\n")
  }
}
