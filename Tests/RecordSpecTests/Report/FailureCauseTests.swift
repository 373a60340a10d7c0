import TestSupport
import Testing

/// Tests that the first lines of a failure name its cause. The golden file of each scenario is recorded, then a line of
/// the scenario is changed by mistake.
struct FailureCauseTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var scenario = FailureCauseTests.feed
    /// The parts of the scenario that change, and the texts that replace them.
    var changes: [String: String]
    /// The first lines of the failure below its title, at most ten.
    var lines: String
  }

  @Test(arguments: sampled(mistakes))
  func theFirstLinesNameTheCause(mistake: Mistake) async throws {
    let suite = try CommandSuite(["feed": mistake.scenario])
    #expect(await suite.recordspec("bless").status == 0)
    var text = mistake.scenario
    for (old, new) in mistake.changes {
      try #require(text.ranges(of: old).count == 1)
      text = text.replacing(old, with: new)
    }
    try suite.folder.write(text, to: "Scenarios/feed.yaml")
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.prefix(2) == ["FAIL  feed: A feed of posts", ""])
    let count = mistake.lines.split(separator: "\n", omittingEmptySubsequences: false).count
    try #require(count <= 10)
    #expect(lines.dropFirst(2).prefix(count).joined(separator: "\n") == mistake.lines)
  }

  /// Returns the output of a run of one scenario.
  private func output(of text: String, _ arguments: String...) async throws -> String {
    await (try CommandSuite(["a": text])).recordspec(["run"] + arguments).output
  }

  @Test func consequencesAreListedUnderTheirCause() async throws {
    let scenario = """
      title: A request fails
      model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
      responses:
        posts: {status: 500, bodyText: ""}
        more: {body: [{id: "9"}]}
      steps: [{request: Post, urn: more}, {request: Post, urn: posts, expect: {records: {count: 2}}}]
      expect: {graph: {Post: {records: [{id: "1"}, {id: "2"}], absent: [Post/9]}}}

      """
    #expect(
      try await output(of: scenario) == """
        FAIL  a: A request fails

          Scenarios/a.yaml:6:38: error: step 2: the step failed: http-status Post of posts: the server answered with \
        status 500 [extra]
              6 | steps: [{request: Post, urn: more}, {request: Post, urn: posts, expect: {records: {count: 2}}}]
                |                                      ^^^^^^^
                = expected: success
                = actual:   failure http-status

          Scenarios/a.yaml:7:67: error: Post/9: unexpected record [extra]
              7 | expect: {graph: {Post: {records: [{id: "1"}, {id: "2"}], absent: [Post/9]}}}
                |                                                                   ^^^^^^
                = expected: no record with this label
                = actual:   the record exists

          3 problems follow from this, shown by '--verbose':
            Scenarios/a.yaml:6:74: step 2: 'records' has a different number of entries
            Scenarios/a.yaml:7:35: no record matches
            Scenarios/a.yaml:7:46: no record matches

        0 passed, 1 failed, 0 skipped

        """)
    let verbose = try await output(of: scenario, "--verbose")
    #expect(verbose.contains("Scenarios/a.yaml:7:46: error: no record matches [missing]"), "\(verbose)")
    #expect(!verbose.contains("follow from this"), "\(verbose)")
  }

  /// A deletion is no cause if the deleted record is expected to be absent, or if it does not account for all missing
  /// records.
  @Test(arguments: [("count: 2", true), ("count: 3", false), ("count: 2, absent: [Post/1]", false)])
  func onlyADeletionThatCanBeTheCauseIsNamed(expected: String, isNamed: Bool) async throws {
    let text = try await output(
      of: """
        title: Posts
        model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
        responses: {posts: [{body: [{id: 1}, {id: 2}]}, {body: [{id: 2}]}]}
        steps:
          - {request: Post, urn: posts}
          - {request: Post, urn: posts, options: {orphans: delete}}
        expect: {graph: {Post: {\(expected)}}}

        """)
    #expect(text.contains("the number of records differs"), "\(text)")
    #expect(text.contains("Post/1 was deleted in step 2") == isNamed, "\(text)")
  }

  /// A golden file that differs only in diagnostics that are reported above.
  @Test func theDifferenceOfReportedDiagnosticsIsNamed() async throws {
    let scenario = """
      title: Posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
      responses: {posts: {body: [{id: 1}]}}
      steps: [{request: Post, urn: posts}]

      """
    let suite = try CommandSuite(["a": scenario])
    #expect(await suite.recordspec("bless").status == 0)
    try suite.folder.write(scenario.replacing("{id: 1}]", with: "{id: 1}, null]"), to: "Scenarios/a.yaml")
    let output = await suite.recordspec("run").output
    #expect(
      output.contains(
        """
          Golden/a.json
            does not contain the diagnostics above
          accept it with: recordspec bless a
        """), "\(output)")
  }

  /// If the number of items changes, neither counts nor positions are reported with it.
  @Test func aLostPageIsOneDifferenceOfDrift() async throws {
    let scenario = """
      title: Posts
      paging: {address: {at: next}}
      options: {drift: true}
      model: {entities: {Post: {primaryKey: id, responseKeyPath: posts, attributes: {id: int64}}}}
      responses:
        posts: {body: {posts: [{id: 1, x: 1, y: 1}, {id: 2, x: 1, y: 1, z: 1}], next: "posts?page=2"}}
        posts?page=2: {body: {posts: [{id: 3, x: 1, y: 1, z: 1}, {id: 4, x: 1, y: 1}]}}
      steps: [{page: Post, urn: posts, upTo: all}]

      """
    let suite = try CommandSuite(["a": scenario])
    #expect(await suite.recordspec("bless").status == 0)
    try suite.folder.write(
      scenario.replacing("[{id: 1, x: 1, y: 1}, {id: 2, x: 1, y: 1, z: 1}]", with: "[]"),
      to: "Scenarios/a.yaml")
    let output = await suite.recordspec("run", "--verbose").output
    #expect(output.contains("expected: 4 items") && output.contains("actual:   2 items"), "\(output)")
    #expect(!output.contains("no property reads"), "\(output)")
  }

  /// Responses for other requests do not follow from the failure of one.
  @Test func unusedResponsesAreNoConsequences() async throws {
    let text = try await output(
      of: """
        title: A request fails
        model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
        responses:
          posts: {status: 500, bodyText: ""}
          more: {body: []}
          other: {body: []}
        steps: [{request: Post, urn: posts}]

        """)
    #expect(text.contains("Scenarios/a.yaml:5:3: error: this response was never requested"), "\(text)")
    #expect(text.contains("Scenarios/a.yaml:6:3: error: this response was never requested"), "\(text)")
    #expect(!text.contains("follow from this"), "\(text)")
  }

  @Test func equalDifferencesFromAnExpectationAreReportedOnce() async throws {
    let scenario = """
      title: Five posts
      model: {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
      responses: {posts: {body: [{id: "1"}, {id: "2"}, {id: "3"}, {id: "4"}, {id: "5"}]}}
      steps: [{request: Post, urn: posts}]
      expect: {graph: {Post: {only: [{id: "3"}]}}}

      """
    #expect(
      try await output(of: scenario) == """
        FAIL  a: Five posts

          Scenarios/a.yaml:5:18: error: 4 Post records are unexpected [extra]
              5 | expect: {graph: {Post: {only: [{id: "3"}]}}}
                |                  ^^^^
                = Post/1: {"id":"1"}
                = Post/2: {"id":"2"}
                = Post/4: {"id":"4"}
                = and 1 more, shown by '--verbose'

        0 passed, 1 failed, 0 skipped

        """)
    let verbose = try await output(of: scenario, "--verbose")
    #expect(verbose.contains("Post/5: unexpected record [extra]"), "\(verbose)")
    var suite = try CommandSuite(["a": scenario])
    suite.variables["GITHUB_ACTIONS"] = "true"
    let annotations = await suite.recordspec("run").output.split(separator: "\n").filter {
      $0.hasPrefix("::error")
    }
    #expect(annotations.count == 1)
    #expect(
      annotations[0].contains("::4 Post records are unexpected%0APost/1: {\"id\":\"1\"}%0A"), "\(annotations)"
    )
    #expect(annotations[0].hasSuffix("%0Aand 1 more"), "\(annotations)")
  }

  @Test func remarksOnResponsesAreAnnotations() async throws {
    var suite = try CommandSuite([
      "a": """
      title: An array
      model: {entities: {Post: {primaryKey: id, responseKeyPath: posts, attributes: {id: int32}}}}
      responses: {posts: {body: [{id: 1}]}}
      steps: [{request: Post, urn: posts}]
      expect: {records: [Post/2]}

      """
    ])
    suite.variables["GITHUB_ACTIONS"] = "true"
    let annotations = await suite.recordspec("run").output.split(separator: "\n").filter {
      $0.hasPrefix("::error")
    }
    #expect(
      annotations.first?.hasSuffix(
        "::step 1: the response to 'posts' is an array, so 'responseKeyPath: posts' is not applied") == true,
      "\(annotations)")
    #expect(annotations.first?.contains("line=4,") == true, "\(annotations)")
  }

  private static let feed = """
    title: A feed of posts
    model:
      dateFormat: iso8601
      entities:
        Post:
          primaryKey: id
          responseKeyPath: data
          attributes:
            id: int64
            text: {type: string, from: [body, title]}
            createdAt: {type: date, from: created_at}
          relationships:
            author: {to: User, inverse: posts}
            tags: {toMany: Tag, inverse: posts, ordered: true}
        User:
          primaryKey: [id]
          attributes: {id: int64, name: string}
          relationships: {posts: {toMany: Post, inverse: author}}
        Tag:
          primaryKey: name
          attributes: {name: string}
          relationships: {posts: {toMany: Post, inverse: tags}}
    responses:
      feed:
        body:
          data:
            - {id: 1, title: One, created_at: 2031-01-05, author: {id: 7, name: Ada}, tags: [{name: new}, {name: hot}]}
            - {id: 2, title: Two, created_at: 2031-01-06, author: {id: 8, name: Max}}
            - {id: 3, title: Three, created_at: 2031-01-07, author: {id: 7, name: Ada}}
            - {id: 4, title: Four, created_at: 2031-01-08, author: {id: 9, name: Eva}}
    steps:
      - request: Post
        urn: feed
    expect:
      graph:
        Post: {count: 4, records: [{text: One}, {text: Two}]}
        User: [{name: Ada}, {name: Max}]

    """

  private static let orphans = """
    title: A feed of posts
    model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
    responses:
      feed:
        - {body: [{id: 1}, {id: 2}]}
        - {body: [{id: 2}, {id: 1}]}
    steps:
      - {request: Post, urn: feed}
      - {request: Post, urn: feed, options: {orphans: delete}}

    """

  private static let mistakes: [Mistake] = [
    Mistake(
      testDescription: "a dropped alternate name", changes: ["from: [body, title]": "from: [body]"],
      lines: """
          Golden/feed.json: 'text' has no value in all 4 Post records
            note: Post/1: tried 'body', 'text', which the item at /data/0 does not have
            Post/1: expected string "One", actual nothing
            Post/2: expected string "Two", actual nothing
            Post/3: expected string "Three", actual nothing
            and 1 more, shown by '--verbose'

          Scenarios/feed.yaml:36:32: error: no record matches [missing]
             36 |     Post: {count: 4, records: [{text: One}, {text: Two}]}
                |                                ^^^^^^^^^^^
        """),
    Mistake(
      testDescription: "a changed key type", changes: ["        id: int64\n": "        id: string\n"],
      lines: """
          Golden/feed.json
            'id' has another type (string instead of integer) in all 4 Post records
              Post/1: expected integer 1, actual string "1"
              Post/2: expected integer 2, actual string "2"
              Post/3: expected integer 3, actual string "3"
              and 1 more, shown by '--verbose'
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "a lost inverse",
      changes: [
        "author: {to: User, inverse: posts}": "author: {to: User}",
        "toMany: Post, inverse: author": "toMany: Post",
      ],
      lines: """
          Golden/feed.json
            'posts' has no value in all 3 User records
              note: 'posts' has no inverse in the model, so no other relationship sets it
              User/7: expected [Post/1, Post/3], actual nothing
              User/8: expected [Post/2], actual nothing
              User/9: expected [Post/4], actual nothing
          accept it with: recordspec bless feed

          Scenarios/feed.yaml:13:9: warning: 'author' has no inverse, so 'User' does not change with it [no-inverse]
             13 |         author: {to: User}
        """),
    Mistake(
      testDescription: "a wrong response key path",
      changes: ["responseKeyPath: data": "responseKeyPath: posts"],
      lines: """
          Scenarios/feed.yaml:32:5: note: step 1: empty-result-set Post of feed: the response has nothing at the \
        response key path 'posts'; its only key is 'data'
             32 |   - request: Post
                |     ^^^^^^^

          5 problems follow from this, shown by '--verbose':
            Scenarios/feed.yaml:36:19: the number of records differs
            Scenarios/feed.yaml:36:32: no record matches
            Scenarios/feed.yaml:36:45: no record matches
            Scenarios/feed.yaml:37:12: no record matches
            Scenarios/feed.yaml:37:25: no record matches
        """),
    Mistake(
      testDescription: "a wrong response key path without expectations",
      scenario: feed.replacing(/expect:(?s).*/, with: ""),
      changes: ["responseKeyPath: data": "responseKeyPath: posts"],
      lines: """
          Scenarios/feed.yaml:32:5: note: step 1: empty-result-set Post of feed: the response has nothing at the \
        response key path 'posts'; its only key is 'data'
             32 |   - request: Post
                |     ^^^^^^^

          Golden/feed.json
            the records that follow from this are missing: 4 Post, 2 Tag, 3 User, shown by '--verbose'
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "a wrong date pattern", changes: ["dateFormat: iso8601": "dateFormat: dd.MM.yyyy"],
      lines: """
          Scenarios/feed.yaml:32:5: note: step 1: value-type Post.createdAt at /data/0/created_at of feed: cannot \
        convert "2031-01-05" to date with the date format 'dd.MM.yyyy' (and 3 more)
             32 |   - request: Post
                |     ^^^^^^^

          Golden/feed.json
            'createdAt' has no value in all 4 Post records
              Post/1: expected date 2031-01-05T00:00:00Z, actual nothing
              Post/2: expected date 2031-01-06T00:00:00Z, actual nothing
              Post/3: expected date 2031-01-07T00:00:00Z, actual nothing
        """),
    Mistake(
      testDescription: "a removed key", changes: ["      primaryKey: [id]\n": ""],
      lines: """
          Golden/feed.json
            User: all labels have changed: 'User' has no primary key; in the golden file, it is 'id'
              expected: 3 records: User/7, User/8, User/9
              actual:   4 records: User~1, User~2, User~3, User~4
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "an extra duplicate",
      changes: ["        - {id: 2,": "        - {id: 1, title: Uno}\n        - {id: 2,"],
      lines: """
          Scenarios/feed.yaml:33:5: note: step 1: inconsistent-duplicates Post.text at /data/0 and /data/1 of feed: two \
        items of one record differ in 'text', 'createdAt', 'author', 'tags'
             33 |   - request: Post
                |     ^^^^^^^

          Golden/feed.json
            step 1: unexpected entry in 'records'
              extra:    Post/1
              note:     these records occur more often than in the golden file
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "a reordered list",
      changes: ["[{name: new}, {name: hot}]": "[{name: hot}, {name: new}]"],
      lines: """
          Golden/feed.json
            Post/1: 'tags' is in a different order
              expected: [Tag/new, Tag/hot]
              actual:   [Tag/hot, Tag/new]
              note:     the records are the same, in a different order
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "a redirect",
      changes: ["  feed:\n": "  feed: {status: 301, headers: {Location: posts}}\n  post:\n"],
      lines: """
          Scenarios/feed.yaml:33:5: error: no response for 'posts', to which 'feed' redirects [unanswered-request]
             33 |   - request: Post
                |     ^^^^^^^
             25 |   post:
                |   ---- this response was never requested
                = help: the nearest address is 'post'

          5 problems follow from this, shown by '--verbose':
            Scenarios/feed.yaml:37:19: the number of records differs
            Scenarios/feed.yaml:37:32: no record matches
        """),
    Mistake(
      testDescription: "a redirect with a response",
      changes: ["  feed:\n": "  feed: {status: 301, headers: {Location: posts}}\n  posts:\n"],
      lines: """
          Golden/feed.json
            step 1: unexpected entry in 'requests'
              extra:    posts, redirected from feed
          accept it with: recordspec bless feed
        """),
    Mistake(
      testDescription: "an orphan", scenario: orphans,
      changes: ["- {body: [{id: 2}, {id: 1}]}": "- {body: [{id: 1}]}"],
      lines: """
          Golden/feed.json
            Post/2: missing
              expected: {id: 2}
              actual:   nothing
              note:     Post/2 was deleted in step 2, feed: the response does not mention it (population.orphans)

            step 2: an entry of 'records' is missing
              missing:  Post/2

            step 2: unexpected entry in 'deleted'
        """),
  ]
}
