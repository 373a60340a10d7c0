import Testing

@testable import RecordSpecCommand
@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for the output of `recordspec show`.
struct ShowCommandTests {
  private static let feed = """
    title: Posts share authors
    model:
      entities:
        Post:
          primaryKey: id
          attributes: {id: string, text: string, likes: int32}
          relationships: {author: {to: User, inverse: posts}}
        User:
          primaryKey: id
          attributes: {id: int64, name: string}
          relationships: {posts: {toMany: Post, inverse: author}}
    store: {User: [{id: 9, name: Bob}]}
    responses:
      posts:
        - body:
            - {id: "1", text: Hello, likes: few, author: {id: 7, name: Ada}}
            - {id: "2", text: "", likes: 2, author: {id: 7}}
        - {status: 500}
    steps:
      - {request: Post, urn: posts}
      - {request: Post, urn: posts}
      - change: {delete: [Post/2]}
    expect: {graph: {Post: {count: 5}}}
    """

  private func suite() throws -> CommandSuite { try CommandSuite(["feed/list": Self.feed]) }

  /// On a narrow terminal, a wide table is divided, and long labels keep their start and their end.
  @Test func tablesFitTheTerminal() {
    let rows = [
      ["label", "title", "state", "author"],
      ["Post/https:%2F%2Fapi.test%2Fposts%2F1", "Low tide", "open", "User/1"],
      ["Post/https:%2F%2Fapi.test%2Fposts%2F2", "High tide at noon", "closed", "User/2"],
    ].map { $0.map { DisplayText($0) } }
    #expect(
      TextTable(rows: rows).lines(fitting: 40) == [
        "label          title              state", "Post/h…ts%2F1  Low tide           open",
        "Post/h…ts%2F2  High tide at noon  closed", "label          author",
        "Post/h…ts%2F1  User/1", "Post/h…ts%2F2  User/2",
      ])
    for width in 20...120 {
      let lines = TextTable(rows: rows).lines(fitting: width)
      #expect(lines.allSatisfy { DisplayText($0).width <= width }, "\(width): \(lines)")
      for text in ["Low tide", "closed", "User/2", "%2F1", "%2F2"] {
        #expect(lines.contains { $0.contains(text) }, "\(width): \(lines)")
      }
    }
    #expect(TextTable(rows: rows).lines(fitting: 120) == TextTable(rows: rows).lines)
  }

  /// Numbers in labels are in the order of their values, as in no golden file.
  @Test func labelsAreSortedByNumbers() async throws {
    let suite = try CommandSuite([
      "a": """
      title: Many posts
      model:
        entities:
          Post: {primaryKey: id, attributes: {id: int32}, relationships: {blog: {to: Blog, inverse: posts}}}
          Blog: {primaryKey: id, attributes: {id: int32}, relationships: {posts: {toMany: Post, inverse: blog}}}
      responses: {posts: {body: [{id: 10, blog: {id: 1}}, {id: 9, blog: {id: 1}}]}}
      steps: [{request: Post, urn: posts}]
      """
    ])
    let all = await suite.recordspec("show", "a").output
    #expect(all.contains("  Blog/1  1   Post/9, Post/10\n"), "\(all)")
    #expect(all.contains("  Post/9   9   Blog/1\n  Post/10  10  Blog/1\n"), "\(all)")
    let step = await suite.recordspec("show", "a", "--step", "1").output
    #expect(step.contains("  returned   Post/10, Post/9\n"), "\(step)")
    #expect(step.contains("  inserted   Blog/1, Post/9, Post/10\n"), "\(step)")
    let new = await suite.recordspec("run").output
    #expect(new.contains("2 Post  Post/9 {"), "\(new)")
    #expect(await suite.recordspec("bless").status == 0)
    let golden = try suite.folder.read("Golden/a.json")
    #expect(golden.contains(#""inserted": ["Blog/1", "Post/10", "Post/9"]"#), "\(golden)")
    // The nodes of a picture are in the same order.
    let picture = await suite.recordspec("graph", "a", "--format", "mermaid").output
    let nine = try #require(picture.firstRange(of: "Post/9"))
    let ten = try #require(picture.firstRange(of: "Post/10"))
    #expect(nine.lowerBound < ten.lowerBound, "\(picture)")
  }

  @Test func remarksOnResponsesAreShown() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A redirect leads to an array
      model: {entities: {Post: {primaryKey: id, responseKeyPath: posts, attributes: {id: int32}}}}
      responses:
        posts: {status: 301, headers: {Location: v2/posts}}
        v2/posts: {body: [{id: 1}]}
      steps: [{request: Post, urn: posts}]
      expect: {records: [Post/2]}
      """
    ])
    let lines = """
      step 1  request Post, GET posts: 1 returned, 1 inserted
                'posts' redirects to 'v2/posts'
                the response to 'v2/posts' is an array, so 'responseKeyPath: posts' is not applied

      """
    #expect(await suite.recordspec("show", "a").output.contains(lines))
    // The remarks are part of the kept result, too.
    #expect(await suite.recordspec("run").status == 1)
    #expect(await suite.recordspec("show", "a").output.contains(lines))
  }

  /// The expectations of the scenario fail, and the second step fails.
  @Test func theStepsAndTheGraphAreShown() async throws {
    let suite = try suite()
    #expect(
      await suite.recordspec("show", "feed/list")
        == .init(
          status: 0,
          output: """
            feed/list: Posts share authors

            step 1  request Post, GET posts: 2 returned, 3 inserted
                      value-type Post.likes at /0/likes of posts: cannot convert "few" to int32
            step 2  request Post, GET posts: failed with http-status
                      http-status Post of posts: the server answered with status 500
            step 3  change

            Post: 1 record
              label   id  text   likes  author
              Post/1  1   Hello  –      User/7

            User: 2 records
              label   id  name  posts
              User/7  7   Ada   Post/1
              User/9  9   Bob   –

            """, errors: ""))
    #expect(suite.written == [])
  }

  @Test func aStepIsShownWithItsRecords() async throws {
    #expect(
      try await suite().recordspec("show", "feed", "--step", "1").output == """
        feed/list: Posts share authors

        step 1  request Post, GET posts: 2 returned, 3 inserted
                  value-type Post.likes at /0/likes of posts: cannot convert "few" to int32
          returned   Post/1, Post/2
          inserted   Post/1, Post/2, User/7

        after step 1:

        Post: 2 records
          label   id  text   likes  author
          Post/1  1   Hello  –      User/7
          Post/2  2   ""     2      User/7

        User: 2 records
          label   id  name  posts
          User/7  7   Ada   Post/1, Post/2
          User/9  9   Bob   –

        """)
    #expect(
      try await suite().recordspec("show", "feed", "--step", "0").output == """
        feed/list: Posts share authors

        before step 1:

        User: 1 record
          label   id  name  posts
          User/9  9   Bob   –

        """)
  }

  @Test func theNextPageHasItsAddress() async throws {
    let suite = try CommandSuite([
      "a": """
      title: Pages
      model: {entities: {Post: {primaryKey: id, responseKeyPath: posts, attributes: {id: int64}}}}
      paging: {pageNumber: {parameter: p, firstPage: 0, sizeParameter: n, pageSize: 2, pageCount: pages}}
      responses:
        posts: {body: {posts: [{id: 1}, {id: 2}], pages: 4}}
        posts?p=1: {body: {posts: [{id: 3}, {id: 4}], pages: 4}}
        posts?p=2: {body: {posts: [{id: 5}, {id: 6}], pages: 4}}
        posts?p=3: {body: {posts: [{id: 7}], pages: 4}}
      steps: [{page: Post, urn: posts}, {nextPage: true}, {nextPage: true, upTo: all}]

      """
    ])
    let output = await suite.recordspec("show", "a").output
    #expect(output.contains("\nstep 2  next page, GET posts?p=1: 2 returned"), "\(output)")
    #expect(
      output.contains("\nstep 3  next page, all pages, GET posts?p=2 and 1 more request: 3 returned"),
      "\(output)")
    #expect(
      await suite.recordspec("graph", "a", "--step", "2", "--format", "mermaid").output
        .contains("after step 2: next page, GET posts?p=1"))
  }

  @Test func aRecordIsShownWithTypes() async throws {
    #expect(
      try await suite().recordspec("show", "feed/list", "User/7", "--step", "1").output == """
        User/7
          id     integer 7
          name   string "Ada"
          posts  [Post/1, Post/2]

        """)
  }

  @Test func wideValuesAreClippedInTablesOnly() async throws {
    let text = String(repeating: "wide ", count: 20) + "end"
    let posts = (1...30).map { "{id: p\($0), user: {id: u}}" }.joined(separator: ", ")
    let suite = try CommandSuite([
      "a": """
      title: Wide values
      model:
        entities:
          Post:
            primaryKey: id
            attributes: {id: string, text: string}
            relationships: {user: {to: User, inverse: posts}}
          User:
            primaryKey: id
            attributes: {id: string}
            relationships: {posts: {toMany: Post, inverse: user}}
      responses: {posts: {body: [{id: a, text: "\(text)"}, \(posts)]}}
      steps: [{request: Post, urn: posts}]
      """
    ])
    let output = await suite.recordspec("show", "a").output
    #expect(output.contains("  Post/a    a    wide wide wide wide wide wide wide wide…  –\n"), "\(output)")
    #expect(output.contains("  User/u  u   Post/p1, Post/p2, Post/p3, Post/p4, … 26 more\n"), "\(output)")
    let record = await suite.recordspec("show", "a", "Post/a").output
    #expect(record.contains("  text  string \"\(text)\"\n"))
    #expect(await suite.recordspec("show", "a", "User/u").output.contains("Post/p30]\n"))
    let step = await suite.recordspec("show", "a", "--step", "1").output
    #expect(
      step.contains("  returned   Post/a, Post/p1, Post/p2, ") && step.contains(", Post/p19, … 11 more\n"))
  }

  @Test func jsonHasTheSameContents() async throws {
    let suite = try suite()
    let first = await suite.recordspec("show", "feed/list", "--json", "--step", "2")
    #expect(
      first.output == """
        {
          "graph": {
            "Post": {
              "Post/1": { "author": "User/7", "id": "1", "text": "Hello" },
              "Post/2": { "author": "User/7", "id": "2", "likes": 2, "text": "" }
            },
            "User": {
              "User/7": { "id": 7, "name": "Ada", "posts": ["Post/1", "Post/2"] },
              "User/9": { "id": 9, "name": "Bob" }
            }
          },
          "scenario": "feed/list",
          "step": 2,
          "steps": [
            {
              "diagnostics": [
                {
                  "code": "http-status",
                  "entity": "Post",
                  "message": "the server answered with status 500",
                  "response": "posts"
                }
              ],
              "failure": {
                "code": "http-status",
                "message": "http-status Post of posts: the server answered with status 500",
                "status": 500
              },
              "number": 2,
              "request": "Post",
              "urn": "posts"
            }
          ],
          "title": "Posts share authors"
        }

        """)
    #expect(await suite.recordspec("show", "feed/list", "--json", "--step", "2") == first)
    let record = await suite.recordspec("show", "feed/list", "Post/1", "--json").output
    #expect(
      record.hasPrefix(
        """
        {
          "record": {
            "entity": "Post",
            "label": "Post/1",
            "properties": { "author": "User/7", "id": "1", "text": "Hello" }
          },
          "scenario": "feed/list",
        """), "\(record)")
  }

  @Test(
    arguments: [
      (["feed/list", "Pots/1"], 64, "there is no record 'Pots/1' after step 3; did you mean 'Post/1'?"),
      (["feed/list", "Post/2"], 64, "there is no record 'Post/2' after step 3; '--step 2' shows it"),
      (
        ["feed/list", "Ferry/1"], 64,
        "there is no record 'Ferry/1' after step 3; the records are Post/1, User/7, User/9"
      ),
      (["feed/list", "Post"], 64, "there is no record 'Post' after step 3; the Post records are Post/1"),
      (
        ["feed/list", "--step", "4"], 64,
        "'--step' must be from 0 to 3, because the result has 3 steps; 0 is the graph before the first step"
      ),
      (["feed/lits"], 4, "no scenario is named 'feed/lits'; did you mean 'feed/list'?"),
    ] as [([String], Int32, String)])
  func whatDoesNotExistIsAnError(arguments: [String], status: Int32, message: String) async throws {
    #expect(
      try await suite().recordspec(["show"] + arguments)
        == .init(status: status, output: "", errors: "error: \(message)\n"))
  }

  @Test func severalScenariosAreAnError() async throws {
    let names = (1...7).map { "many/s\($0)" }
    let suite = try CommandSuite(Dictionary(uniqueKeysWithValues: names.map { ($0, scenario()) }))
    for command in ["show", "graph"] {
      #expect(
        await suite.recordspec(command, "many")
          == .init(
            status: 64, output: "",
            errors:
              "error: 'many' selects 7 scenarios; name one of them: many/s1, many/s2, many/s3, many/s4, many/s5 and 2 more\n"
          ))
    }
    #expect(await suite.recordspec("show", "*/s3").output.hasPrefix("many/s3: One post\n"))
  }

  @Test func anInvalidScenarioIsReported() async throws {
    let suite = try CommandSuite(["a": scenario(more: "stpes: []")])
    let outcome = await suite.recordspec("show", "a")
    #expect(outcome.status == 2 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("Scenarios/a.yaml:8:1: error: unknown key 'stpes' [unknown-key]\n"))
  }

  @Test func recordsThatCannotBeStoredAreReported() async throws {
    let suite = try CommandSuite(["a": scenario(more: "store: {Post: [{id: x}, {id: x}]}")])
    let outcome = await suite.recordspec("show", "a")
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(outcome.errors.contains("this record cannot be saved: "), "\(outcome.errors)")
  }

  /// A run that the engine breaks off is shown up to there.
  @Test func theStepsBeforeADefectAreShown() async throws {
    let suite = try suite()
    let outcome = await suite.recordspec("show", "feed/list") { scenario, store in
      var executed = await ScenarioExecution.execute(scenario, on: store)
      executed.snapshot.steps.removeLast(2)
      executed.graphs.removeLast(2)
      executed.breakage = Breakage("the store is on fire")
      return executed
    }
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("step 1  request") && !outcome.output.contains("step 2"))
    #expect(outcome.output.contains("  Post/2  2   \"\"     2      User/7\n"))
    #expect(
      outcome.errors
        == "error: the scenario ended after step 1: the store is on fire; this is a bug in recordspec\n")
  }

  /// The result is printed, and then the errors of the run.
  @Test(arguments: ["show", "graph"])
  func aRecordThatDoesNotExistIsReported(_ command: String) async throws {
    let suite = try CommandSuite([
      "a": """
      title: An unknown label
      model: {entities: {Post: {primaryKey: id, detailURN: "posts/{id}", attributes: {id: int64}}}}
      responses: {posts/1: {body: {id: 1}}}
      steps:
        - detail: Post/9
      """
    ])
    let outcome = await suite.recordspec(command, "a")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("detail Post/9"))
    #expect(outcome.errors.contains("5:13: error: no record has the label 'Post/9' at this point"))
    #expect(outcome.errors.contains("3:13: error: this response was never requested"))
  }

  @Test(arguments: ["show", "graph"]) func aRequestWithoutAResponseIsReported(_ command: String) async throws
  {
    let suite = try CommandSuite(["a": scenario().replacing("urn: posts", with: "urn: post")])
    let outcome = await suite.recordspec(command, "a")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("[unanswered-request]"), "\(outcome.errors)")
    #expect(outcome.errors.contains("this response was never requested"), "\(outcome.errors)")
    let record = await suite.recordspec("show", "a", "Post/1")
    #expect(record.status == 64 && record.errors.hasPrefix(outcome.errors), "\(record.errors)")
  }

  @Test func aFullTemporaryFolderIsReported() async throws {
    let outcome = try await suite().recordspec("show", "feed/list") { scenario, store in
      var executed = await ScenarioExecution.execute(scenario, on: store)
      executed.obstacle = TemporaryFolderProblem(
        path: "/tmp", reason: "cannot be written: No space left on device")
      return executed
    }
    #expect(outcome.status == 3)
    #expect(outcome.output.contains("step 3  change\n"))
    #expect(
      outcome.errors.hasPrefix("error: the scenario could not run normally: the temporary folder '/tmp' "))
  }

  /// The golden file and `skip` have no effect.
  @Test func aSkippedScenarioIsShown() async throws {
    let suite = try CommandSuite(["a": scenario(more: "skip: later")])
    #expect(await suite.recordspec("show", "a").output.contains("Post/1  1   Hello\n"))
    #expect(await suite.inCI().recordspec("show", "a", "--store", "sqlite").status == 0)
  }

  @Test func textThatWouldGarbleTheTerminalIsEscaped() async throws {
    let suite = try CommandSuite(["a": scenario(text: "\"a\\e[31m\\nb\"", title: "\"T\\e[1m\"")])
    let output = await suite.recordspec("show", "a").output
    #expect(output.hasPrefix("a: T\u{FFFD}[1m\n"))
    #expect(output.contains(#"Post/1  1   "a\u001B[31m\nb""#), "\(output)")
  }
}
