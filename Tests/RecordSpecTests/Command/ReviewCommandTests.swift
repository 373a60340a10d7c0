import Foundation
import JSONTree
import TestSupport
import Testing

@testable import ScenarioReport

/// Tests for `recordspec review`.
struct ReviewCommandTests {
  /// Returns a scenario without expectations, with one post and a user.
  private static func feed(text: String = "Hello", name: String = "Ada", more: String = "") -> String {
    """
    title: A feed
    model:
      entities:
        Post: {primaryKey: id, attributes: {id: string, text: string}}
        User: {primaryKey: id, attributes: {id: string, name: string}}
    responses: {posts: {body: [{id: "1", text: \(text)}]}, users: {body: [{id: "7", name: \(name)}]}}
    steps: [{request: Post, urn: posts}, {request: User, urn: users}]
    \(more)
    """
  }

  /// Blesses scenarios, then replaces them.
  private func suite(_ before: [String: String], then after: [String: String]) async throws -> CommandSuite {
    let suite = try CommandSuite(before)
    await suite.recordspec("bless")
    for (name, text) in after { try suite.folder.write(text, to: "Scenarios/\(name).yaml") }
    return suite
  }

  private static let names = (10..<50).map { "feed\($0)" }

  /// Returns a suite of forty scenarios with the same change. Two of them have a second change.
  private func fortyChanges() async throws -> CommandSuite {
    try await suite(
      Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Self.feed()) }),
      then: Dictionary(
        uniqueKeysWithValues: Self.names.map { name in
          (name, Self.feed(text: "Hi", name: ["feed20", "feed21"].contains(name) ? "Eva" : "Ada"))
        }))
  }

  private func identifiers(_ output: String) -> [String] {
    output.matches(of: #/accept it with: recordspec review.* --accept ([0-9a-f]{8})/#).map { String($0.1) }
  }

  @Test func theSameChangeOfFortyFilesIsOneQuestion() async throws {
    let suite = try await fortyChanges()
    let outcome = await suite.recordspec("review")
    #expect(outcome.status == 1)
    let ids = identifiers(outcome.output)
    #expect(ids.count == 2 && Set(ids).count == 2)
    #expect(
      outcome.output == """
        40 golden files:
          'text' has a different value in 40 Post records
            feed10  Post/1: expected string "Hello", actual string "Hi"
            feed11  Post/1: expected string "Hello", actual string "Hi"
            feed12  Post/1: expected string "Hello", actual string "Hi"
            and 37 more files
          accept it with: recordspec review --accept \(ids[0])

        2 golden files:
          'name' has a different value in 2 User records
            feed20  User/7: expected string "Ada", actual string "Eva"
            feed21  User/7: expected string "Ada", actual string "Eva"
          accept it with: recordspec review --accept \(ids[0]) --accept \(ids[1])

        0 blessed, 40 pending

        """)
    #expect(suite.folder.tree["Golden/feed10.json"]?.contains("Hello") == true)
  }

  @Test func aFileIsBlessedWhenAllOfItsChangesAreAccepted() async throws {
    let suite = try await fortyChanges()
    let ids = identifiers(await suite.recordspec("review").output)
    let first = await suite.recordspec("review", "--accept", ids[0])
    #expect(first.status == 1)
    // The other files are no longer part of the first question, so both changes are one question now.
    let rest = identifiers(first.output)
    #expect(rest.count == 1 && !ids.contains(rest[0]))
    #expect(
      first.output == """
        feed20 is not blessed, because it also has other changes
        feed21 is not blessed, because it also has other changes

        2 golden files:
          'text' has a different value in 2 Post records
            feed20  Post/1: expected string "Hello", actual string "Hi"
            feed21  Post/1: expected string "Hello", actual string "Hi"
          'name' has a different value in 2 User records
            feed20  User/7: expected string "Ada", actual string "Eva"
            feed21  User/7: expected string "Ada", actual string "Eva"
          accept it with: recordspec review --accept \(rest[0])

        38 blessed, 2 pending

        """)
    #expect(identifiers(await suite.recordspec("review").output) == rest)
    #expect(await suite.recordspec("review", "--accept", ids[0]).status == 64)
    #expect(
      await suite.recordspec("review", "--accept", rest[0])
        == .init(status: 0, output: "2 blessed, 0 pending\n", errors: ""))
    #expect(await suite.recordspec("run").status == 0)
    #expect(
      await suite.recordspec("review") == .init(status: 0, output: "nothing to review\n", errors: "")
    )
  }

  @Test func anIdentifierNeverAcceptsAnotherResult() async throws {
    let suite = try await suite(["a": Self.feed()], then: ["a": Self.feed(text: "Hi")])
    let ids = identifiers(await suite.recordspec("review").output)
    try suite.folder.write(Self.feed(text: "Bye"), to: "Scenarios/a.yaml")
    let before = suite.folder.tree
    let outcome = await suite.recordspec("review", "--accept", ids[0])
    #expect(
      outcome
        == .init(
          status: 64, output: "",
          errors: """
            error: no pending change has the identifier '\(ids[0])'; the results may have changed, 'recordspec review' lists them

            """))
    #expect(suite.folder.tree == before)
  }

  @Test func aPersonAnswersQuestions() async throws {
    let suite = try await fortyChanges()
    let outcome = await suite.typing("what?", "abort", "Accept", "f", "a", "r").recordspec(
      "review", "--color", "never")
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("1 of 2\n40 golden files:\n"))
    #expect(
      outcome.output.contains(
        """
        [a]ccept, [r]eject, [s]kip, [f]iles one by one, [e]xplain, [q]uit? \
        'what?' is not one of the answers; type the first letter of one
        [a]ccept, [r]eject, [s]kip, [f]iles one by one, [e]xplain, [q]uit? \
        'abort' is not one of the answers; type the first letter of one

        """))
    #expect(
      outcome.output.hasSuffix(
        """
        Golden/feed21.json
          User/7: 'name' has a different value
            expected: string "Ada"
            actual:   string "Eva"
        [a]ccept, [r]eject, [s]kip, [e]xplain, [q]uit?\u{20}
        39 blessed, 1 rejected, 0 pending

        """))
    #expect(identifiers(await suite.recordspec("review").output).count == 1)
    #expect(try suite.folder.read("Golden/feed20.json").contains("Eva"))
    #expect(try suite.folder.read("Golden/feed21.json").contains("Hello"))
  }

  @Test(arguments: sampled([["q"], [], ["s", "s"], ["e"]]))
  func nothingIsWrittenWithoutAnAnswer(_ lines: [String]) async throws {
    var suite = try await fortyChanges()
    suite.typed = lines
    let before = suite.folder.tree
    let outcome = await suite.recordspec("review", "--color", "never")
    #expect(outcome.status == 1)
    #expect(outcome.output.hasSuffix("0 blessed, 40 pending\n"))
    #expect(suite.folder.tree == before)
  }

  @Test func newInvalidAndReformattedFilesAreQuestions() async throws {
    let suite = try await suite(
      ["a": Self.feed(), "b": Self.feed(), "c": Self.feed()], then: ["d": Self.feed()])
    let golden = try suite.folder.read("Golden/a.json")
    try suite.folder.write(golden.replacing("  ", with: " "), to: "Golden/a.json")
    try suite.folder.write(golden.replacing("  ", with: "   "), to: "Golden/b.json")
    try suite.folder.write("<<<<<<< HEAD\n", to: "Golden/c.json")
    let outcome = await suite.recordspec("review")
    let ids = identifiers(outcome.output)
    #expect(ids.count == 3)
    #expect(
      outcome.output.hasPrefix(
        "2 golden files:\n  have the right content, but not the canonical form\n    a\n    b\n"))
    #expect(outcome.output.contains("Golden/c.json\n  was not a valid golden file and cannot be compared\n"))
    #expect(outcome.output.contains("new Golden/d.json\n  2 records:\n"))
    let arguments = ["review"] + ids.flatMap { ["--accept", $0] }
    #expect(await suite.recordspec(arguments).status == 0)
    #expect(await suite.recordspec("run").status == 0)
  }

  @Test func failingScenariosAreNotReviewed() async throws {
    let suite = try await suite(
      ["a": Self.feed(), "b": Self.feed()],
      then: [
        "a": Self.feed(text: "Hi", more: "expect: {graph: {Post: {count: 2}}}"), "b": "title: 1",
      ])
    let outcome = await suite.recordspec("review")
    #expect(outcome.status == 2)
    #expect(outcome.output == "nothing to review\n")
    #expect(
      outcome.errors
        == "2 scenarios are not reviewed, because they fail apart from their golden files; see: recordspec run a b\n"
    )
    let json = await suite.recordspec("review", "--json")
    #expect(json.output == "{ \"failing\": [\"a\", \"b\"], \"notReviewed\": [], \"questions\": [] }\n")
  }

  @Test func jsonHasAllDifferences() async throws {
    let suite = try await fortyChanges()
    let outcome = await suite.recordspec("review", "--json")
    #expect(outcome.status == 1)
    let root = try JSONDocument(parsing: Array(outcome.output.utf8)).root
    let questions = Array(try #require(root["questions"]).elements)
    let files = try questions.map { Array(try #require($0["files"]).elements) }
    #expect(files.map { $0.count } == [40, 2])
    let text = await suite.recordspec("review").output
    #expect(questions.compactMap { $0["id"]?.string } == identifiers(text))
    let differences = Array(try #require(files[1][0]["differences"]).elements)
    #expect(differences.map { $0["record"]?.string } == ["User/7"])
    #expect(differences.map { $0["actual"]?.string } == ["string \"Eva\""])
    #expect(await suite.recordspec("review", "--json", "--accept", "1").status == 64)
  }

  @Test func nothingIsAcceptedInCI() async throws {
    let suite = try await fortyChanges().inCI()
    let before = suite.folder.tree
    let ids = identifiers(await suite.recordspec("review").output)
    #expect(ids.count == 2)
    let outcome = await suite.recordspec("review", "--accept", ids[0])
    #expect(outcome.status == 64 && outcome.errors.hasPrefix("error: changes cannot be accepted in CI"))
    #expect(suite.folder.tree == before)
  }

  @Test func changesAreExplained() async throws {
    let suite = try await suite(["a": Self.feed()], then: ["a": Self.feed(text: "Hi")])
    let outcome = await suite.typing("e", "a").recordspec("review", "--color", "never")
    let path = suite.folder.path
    #expect(
      outcome.output.replacing(path + "/", with: "") == """
        1 of 1
        Golden/a.json
          Post/1: 'text' has a different value
            expected: string "Hello"
            actual:   string "Hi"
        [a]ccept, [r]eject, [s]kip, [e]xplain, [q]uit?\u{20}
        Golden/a.json
          Post/1: 'text' has a different value
            expected: string "Hello"
            actual:   string "Hi"
              set by      step 1, posts
              value       Scenarios/a.yaml:6:44  /0/text  "Hi"
              path        text (mapping.name)
              type        string (values.string)
              record      Scenarios/a.yaml:6:28  /0  created with the key id (population.create, identity.attribute-key)

        [a]ccept, [r]eject, [s]kip, [e]xplain, [q]uit?\u{20}
        1 blessed, 0 pending

        """)
  }

  /// The texts of differences are clipped, and identifiers depend on the complete results.
  @Test func identifiersDependOnWhatIsClipped() async throws {
    let long = String(repeating: "a", count: 400)
    let suite = try await suite(
      ["a": Self.feed(text: long + "x")], then: ["a": Self.feed(text: "b" + long + "y" + long)])
    let before = identifiers(await suite.recordspec("review").output)
    try suite.folder.write(Self.feed(text: "b" + long + "z" + long), to: "Scenarios/a.yaml")
    let after = identifiers(await suite.recordspec("review").output)
    #expect(before.count == 1 && after.count == 1 && before != after)
  }

  /// Another command may write a golden file while a question is open.
  @Test func aFileThatHasChangedSinceIsNotReplaced() async throws {
    let suite = try await suite(["a": Self.feed()], then: ["a": Self.feed(text: "Hi")])
    let other = try suite.folder.read("Golden/a.json").replacing("Hello", with: "Bye")
    var asked = suite.typing("a")
    let path = suite.folder.path + "/Golden/a.json"
    asked.whileAsked = { try? other.write(toFile: path, atomically: true, encoding: .utf8) }
    let outcome = await asked.recordspec("review")
    #expect(outcome.status == 3)
    #expect(outcome.errors == "error: 'Golden/a.json' has changed during the review, and is not replaced\n")
    #expect(try suite.folder.read("Golden/a.json") == other)
  }

  @Test func anEmptyResultIsReviewedOnlyIfItIsAllowed() async throws {
    let suite = try CommandSuite([
      "a": Self.feed().replacing(/posts: {body: .*?}]}/, with: "posts: {body: []}")
    ])
    let refused = await suite.recordspec("review")
    #expect(refused.status == 1)
    #expect(
      refused.errors
        == "a is not reviewed: step 1 has no records, and 'expect:' does not say so; if this is correct, use '--allow-diagnostics'\n"
    )
    let listed = await suite.recordspec("review", "--allow-diagnostics").output
    let id = try #require(identifiers(listed).first)
    #expect(listed.contains("accept it with: recordspec review --allow-diagnostics --accept \(id)\n"))
    #expect(await suite.recordspec("review", "--allow-diagnostics", "--accept", id).status == 0)
  }

  @Test func theCommandRepeatsTheSelection() async throws {
    let suite = try await suite(
      ["a/x": Self.feed(), "b/x": Self.feed()],
      then: ["a/x": Self.feed(text: "Hi"), "b/x": Self.feed(text: "Hi")])
    let output = await suite.recordspec("review", "a", "--title", "feed").output
    let id = try #require(identifiers(output).first)
    #expect(output.contains("accept it with: recordspec review --accept \(id) --title feed a\n"))
    #expect(await suite.recordspec("review", "--accept", id, "--title", "feed", "a").status == 0)
    #expect(await suite.recordspec("review", "--accept", id).status == 64)
  }

  @Test func aChangedKeyIsOneChangeOfAllFiles() async throws {
    let keyless = Self.feed().replacing(
      "primaryKey: id, attributes: {id: string, name", with: "attributes: {id: string, name")
    let suite = try await suite(
      ["a": Self.feed(), "b": Self.feed()], then: ["a": keyless, "b": keyless])
    let output = await suite.recordspec("review").output
    #expect(output.contains("  all User records have other labels\n    a  User: "))
  }

  @Test func problemsOfTheSuiteAreReported() async throws {
    let suite = try await suite(["a": Self.feed()], then: [:])
    try suite.folder.write(Self.feed(), to: "Scenarios/a.yml")
    let outcome = await suite.recordspec("review")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("a.yml"))
  }
}
