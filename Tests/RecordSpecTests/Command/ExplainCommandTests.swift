import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordSpec
@testable import ScenarioFormat
@testable import ScenarioReport
@testable import ScenarioRun

/// Tests for `recordspec explain`, `run --explain`, and the notes on missing values.
@Suite struct ExplainCommandTests {
  private static let feed = """
    title: A feed
    model:
      entities:
        Post:
          primaryKey: id
          attributes:
            id: int64
            title: {type: string, from: headline}
            stars: {type: int32, from: stars_count}
            likes: {type: int32, default: 0}
          relationships:
            author: {to: User, inverse: posts}
            counts: {to: Counts, inverse: post}
        User:
          primaryKey: id
          attributes: {id: string, name: string}
          relationships: {posts: {toMany: Post, inverse: author}}
        Counts:
          primaryKey: post
          attributes: {reads: int32}
          relationships: {post: {to: Post, inverse: counts}}
    store:
      User: [{id: eva.b, name: Eva}]
    responses:
      posts:
        headers: {Cache-Control: max-age=100}
        body:
          - id: 1
            headline: Hello
            stargazers_count: 7
            author: ada
            counts: {reads: 3}
          - {id: 1, headline: Helo, author: {id: ada, name: Ada}}
          - {id: "2", headline: null}
      more:
        bodyFile: more.json
        at: /pages/0
    steps:
      - request: Post
        urn: posts
        options: {cache: true}
      - request: Post
        urn: more
      - request: Post
        urn: posts
        options: {cache: true}
      - change: {update: {User/eva.b: {name: Evi}}, delete: [User/ada]}
    expect:
      graph:
        Post: {count: 2}

    """

  private static let more = """
    {"pages": [
      [
        {"id": 1, "title": "Bye", "headline": "Bye!"},
        {"id": 3, "title": "Third"}
      ]
    ]}
    """

  static func suite(expecting expectation: String = "{count: 3}") throws -> CommandSuite {
    let suite = try CommandSuite(["feed": feed.replacing("{count: 2}", with: expectation)])
    try suite.folder.write(more, to: "Scenarios/more.json")
    return suite
  }

  private static let cached =
    "  then        step 3, posts: the cached response of step 1, which sets nothing (cache.hit)\n"

  static let explanations: [String: String] = [
    // Merged from duplicates, and set by the second of two responses.
    "Post/1.title": """
    Post/1.title  "Bye!"
      set by      step 2, more
      value       Scenarios/more.json:3:43  /0/headline  "Bye!"
      path        headline, the first present one of headline, title (mapping.alternate-name, mapping.first-match)
      type        string (values.string)
      record      Scenarios/more.json:3:5  /0  found by the key id, created in step 1 (population.fetch, identity.attribute-key)

    """ + cached,
    // Merged from duplicates.
    "Post/1.author": """
    Post/1.author  nothing
      set by      Scenarios/feed.yaml:47:5  step 4, change
      left        User/ada, which is deleted

    """,
    // No value, but a similar key in an earlier response.
    "Post/1.stars": """
    Post/1.stars  nothing
      mentioned   step 1, posts
      tried       Scenarios/feed.yaml:28:9  /0  'stars_count', 'stars' (mapping.missing)
      near        Scenarios/feed.yaml:30:27  /0/stargazers_count  no property reads 'stargazers_count'
      merged      /0, /1: the item with the most properties wins (merge.first-wins)
      record      Scenarios/feed.yaml:28:9  /0  created with the key id (population.create, identity.attribute-key)
      then        Scenarios/more.json:3:5  /0  step 2, more: not in the item (mapping.missing)

    """ + cached,
    "Post/2.title": """
    Post/2.title  nothing
      set by      step 1, posts
      value       Scenarios/feed.yaml:34:29  /2/headline  null clears the attribute (mapping.null)
      record      Scenarios/feed.yaml:34:9  /2  created with the key id (population.create, identity.attribute-key)

    """ + cached,
    "Post/2.id": """
    Post/2.id  2
      set by      step 1, posts
      value       Scenarios/feed.yaml:34:14  /2/id  "2"
      path        id (mapping.name)
      type        int64, converted from a string (values.integer)
      record      Scenarios/feed.yaml:34:9  /2  created with the key id (population.create, identity.attribute-key)

    """ + cached,
    "Post/3.likes": """
    Post/3.likes  0
      set by      step 2, more: the default value of the attribute (values.default)
      tried       Scenarios/more.json:4:5  /1  'likes' (mapping.missing)
      record      Scenarios/more.json:4:5  /1  created with the key id (population.create, identity.attribute-key)

    """,
    // A child that is identified by its parent.
    "Counts@Post/1.reads": """
    Counts@Post/1.reads  3
      set by      step 1, posts
      value       Scenarios/feed.yaml:32:25  /0/counts/reads  3
      path        reads (mapping.name)
      type        int32 (values.integer)
      record      Scenarios/feed.yaml:32:17  /0/counts  created with the parent Post/1 (population.create, identity.relationship-key)

    """,
    // A label with a dot, and values that come from no response.
    "User/eva.b.name": """
    User/eva.b.name  "Evi"
      set by      Scenarios/feed.yaml:47:5  step 4, change

    """,
    "User/eva.b.id": """
    User/eva.b.id  "eva.b"
      set by      Scenarios/feed.yaml:23:11  'store' of the scenario

    """,
    // A deleted record.
    "User/ada": """
    User/ada
      record      Scenarios/feed.yaml:33:41  /1/author  step 1, posts: created with the key id (population.create, identity.attribute-key)
      item        Scenarios/feed.yaml:31:17  /0/author  refers to the record (relationships.key-reference)
      deleted     Scenarios/feed.yaml:47:5  step 4, change
      id          Scenarios/feed.yaml:33:46  /1/author/id  "ada"
      name        Scenarios/feed.yaml:33:57  /1/author/name  "Ada"
      posts       Scenarios/feed.yaml:31:17  /0/author  ["Post/1"]

    """,
    // A cached record.
    "Post/2": """
    Post/2
      record      Scenarios/feed.yaml:34:9  /2  step 1, posts: created with the key id (population.create, identity.attribute-key)
      record      step 3, posts: the cached response of step 1, which sets nothing (cache.hit)
      id          Scenarios/feed.yaml:34:14  /2/id  2, from "2"
      title       Scenarios/feed.yaml:34:29  /2/headline  nothing, null clears the attribute
      stars       Scenarios/feed.yaml:34:9  /2  nothing, tried 'stars_count', 'stars'
      likes       Scenarios/feed.yaml:34:9  /2  0, the default value
      author      Scenarios/feed.yaml:34:9  /2  nothing, tried 'author'
      counts      Scenarios/feed.yaml:34:9  /2  nothing, tried 'counts'

    """,
  ]

  @Test(arguments: sampled(explanations.keys.sorted())) func everyValueIsTraced(subject: String) async throws
  {
    let outcome = await Self.outcome(of: subject, in: try Self.suite())
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(outcome.output == Self.explanations[subject], "\(outcome.output)")
  }

  private static func outcome(of arguments: String..., in suite: CommandSuite) async -> CommandSuite.Outcome {
    await suite.recordspec(["explain", "feed"] + arguments)
  }

  /// Keys that no property reads are listed even if none is similar to the path that was tried.
  @Test func unreadKeysAreListed() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: A post in other words
      model:
        entities:
          Post: {primaryKey: id, attributes: {id: int64, text: string}, ignores: [node_*]}
      responses:
        posts: {body: [{id: 1, body: Hello, color: red, node_id: x}]}
      steps:
        - {request: Post, urn: posts}

      """
    ])
    let text = await Self.outcome(of: "Post/1.text", in: suite)
    #expect(
      text.output == """
        Post/1.text  nothing
          mentioned   step 1, posts
          tried       Scenarios/feed.yaml:6:18  /0  'text' (mapping.missing)
          unread      Scenarios/feed.yaml:6:18  /0  'body', 'color'
          record      Scenarios/feed.yaml:6:18  /0  created as a stub with the key id, because no property reads \
        the other keys of the item (population.create, relationships.key-reference, identity.attribute-key)

        """, "\(text.output)")
  }

  @Test func duplicatesAreListed() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: Duplicates
      model:
        entities:
          Post: {primaryKey: id, attributes: {id: int64, text: string, likes: int32, size: int32}}
      responses:
        posts:
          bodyText: |
            [{"id": 1, "text": "Hello", "size": 2},
              {"id": 1, "text": "Helo", "likes": 3}]
      steps:
        - {request: Post, urn: posts}
        - {request: Post, urn: posts, options: {merge: deep}}

      """.replacing("bodyText: |", with: "repeat: true\n    bodyText: |")
    ])
    let text = await Self.outcome(of: "Post/1.text", in: suite)
    #expect(
      text.output == """
        Post/1.text  "Hello"
          set by      step 1, posts
          value       Scenarios/feed.yaml:9:26  /0/text  "Hello"
          path        text (mapping.name)
          type        string (values.string)
          merged      /0, /1: the item with the most properties wins (merge.first-wins)
          lost        Scenarios/feed.yaml:10:27  /1/text  "Helo"
          record      Scenarios/feed.yaml:9:8  /0  created with the key id (population.create, identity.attribute-key)
          then        Scenarios/feed.yaml:9:26  /0/text  step 2, posts: the same value

        """, "\(text.output)")
    let likes = await Self.outcome(of: "Post/1.likes", in: suite)
    #expect(
      likes.output == """
        Post/1.likes  3
          set by      step 2, posts
          value       Scenarios/feed.yaml:10:44  /1/likes  3
          path        likes (mapping.name)
          type        int32 (values.integer)
          merged      /0, /1: the first value that is not null wins (merge.strategy)
          record      Scenarios/feed.yaml:9:8  /0  found by the key id, created in step 1 (population.fetch, identity.attribute-key)

        """, "\(likes.output)")
  }

  /// An unsaved change wins over the value of a later response.
  @Test func anUnsavedChangeStays() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: An unsaved change
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64, title: string}}}}
      store: {Post: [{id: 1, title: S}]}
      responses:
        a: {body: [{id: 1, title: T}]}
      steps:
        - change: {update: {Post/1: {title: U}}}
        - {request: Post, urn: a}

      """
    ])
    let lines = await Self.outcome(of: "Post/1.title", in: suite).output.split(separator: "\n").suffix(1)
    #expect(
      Array(lines) == [
        "  then        Scenarios/feed.yaml:5:29  /0/title  step 2, a: the unsaved change stays (context.conflict)"
      ], "\(lines)")
  }

  /// An attribute keeps its value if a later response has renamed its key.
  @Test func aKeyThatALaterResponseRenamedIsNear() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: A renamed key
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64, title: string, status: string}}}}
      responses:
        a: {body: [{id: 1, title: T, status: open}]}
        b: {body: [{id: 1, title: T, order_status: closed}]}
      steps:
        - {request: Post, urn: a}
        - {request: Post, urn: b}

      """
    ])
    let lines = await Self.outcome(of: "Post/1.status", in: suite).output.split(separator: "\n").suffix(2)
    #expect(
      Array(lines) == [
        "  then        Scenarios/feed.yaml:5:14  /0  step 2, b: not in the item (mapping.missing)",
        "  near        Scenarios/feed.yaml:5:46  /0/order_status  no property reads 'order_status'",
      ], "\(lines)")
  }

  private static let redirected = """
    title: A redirect
    model:
      entities:
        Post:
          primaryKey: id
          attributes: {id: string, text: {type: string, from: body}}
          relationships: {author: {to: User, from: by}, tags: {toMany: Tag}}
        User: {primaryKey: id, attributes: {id: int64, name: string}}
        Tag: {primaryKey: id, attributes: {id: int64}}
    store:
      Tag: [{id: 2}]
    responses:
      latest: {status: 302, headers: {Location: posts/55}}
      posts/55: {body: {id: "https://a.test/55", body: Hello, by: {id: 1, name: Ann}, tags: [{id: 1}, {id: 2}]}}
      posts:
        body:
          - {id: "https://a.test/55", text_body: World, by: {id: 1, name: Ann}}
          - {id: "https://a.test/56", by: {id: 1, name: Ann}}
    steps:
      - {request: Post, urn: latest}
      - {request: Post, urn: posts}
    expect:
      graph:
        Post: [{id: "https://a.test/55", text: World}, {}]

    """

  /// Each request is explained by the response that redirected it, although the address has several.
  @Test func theRedirectIsTheOneOfTheRequest() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: Two redirects of one address
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64}}}}
      responses:
        latest:
          - {status: 302, headers: {Location: posts/1}}
          - {status: 307, headers: {Location: posts/2}}
        posts/1: {body: {id: 1}}
        posts/2: {body: {id: 2}}
      steps:
        - {request: Post, urn: latest}
        - {request: Post, urn: latest}

      """
    ])
    let (first, second) = (
      await Self.outcome(of: "Post/1", in: suite), await Self.outcome(of: "Post/2", in: suite)
    )
    #expect(
      first.output.contains("redirect    Scenarios/feed.yaml:5:7  302 of 'latest' leads to 'posts/1'"),
      "\(first.output)")
    #expect(
      second.output.contains("redirect    Scenarios/feed.yaml:6:7  307 of 'latest' leads to 'posts/2'"),
      "\(second.output)")
  }

  @Test func redirectsPathsAndOriginsAreExplained() async throws {
    let suite = try CommandSuite(["feed": Self.redirected])
    let label = "Post/https:%2F%2Fa.test%2F55"
    let post = await Self.outcome(of: label, in: suite)
    #expect(
      post.output == """
        \(label)
          record      Scenarios/feed.yaml:14:20  the root  step 1, latest, redirected to posts/55: created with the key id (population.create, identity.attribute-key)
          redirect    Scenarios/feed.yaml:13:3  302 of 'latest' leads to 'posts/55'
          record      Scenarios/feed.yaml:17:9  /0  step 2, posts: found by the key id, created in step 1 (population.fetch, identity.attribute-key)
          id          Scenarios/feed.yaml:14:25  /id  "https://a.test/55"
          text        Scenarios/feed.yaml:14:52  /body  "Hello"; step 2, posts: not in the item
          author      Scenarios/feed.yaml:14:63  /by  "User/1"
          tags        Scenarios/feed.yaml:14:89  /tags  ["Tag/1","Tag/2"]

        """, "\(post.output)")
    let tags = await Self.outcome(of: label + ".tags", in: suite)
    #expect(
      tags.output == """
        \(label).tags  ["Tag/1","Tag/2"]
          set by      step 1, latest, redirected to posts/55
          redirect    Scenarios/feed.yaml:13:3  302 of 'latest' leads to 'posts/55'
          member      Scenarios/feed.yaml:14:90  /tags/0  leads to Tag/1 (relationships.to-many)
          member      Scenarios/feed.yaml:14:99  /tags/1  leads to Tag/2 (relationships.to-many)
          path        Scenarios/feed.yaml:14:89  /tags  tags (mapping.name)
          record      Scenarios/feed.yaml:14:20  the root  created with the key id (population.create, identity.attribute-key)

        """, "\(tags.output)")
    let author = await Self.outcome(of: label + ".author", in: suite)
    #expect(
      author.output.contains(
        "  path        by, the first present one of by, author (mapping.alternate-name, mapping.first-match)\n"
      ),
      "\(author.output)")
    let user = await Self.outcome(of: "User/1", in: suite)
    #expect(
      user.output.contains(
        "  item        Scenarios/feed.yaml:18:39  /1/by  repeats the item at /0/by (merge.once)\n"),
      "\(user.output)")
    let tag = await Self.outcome(of: "Tag/2", in: suite)
    #expect(tag.output.contains("found by the key id, from 'store' of the scenario ("), "\(tag.output)")
  }

  /// The property remains in the suggestion for a misspelled label.
  @Test(arguments: [
    ("Pots/56.text", "did you mean 'Post/56.text'?"), ("Pots/56.txet", "did you mean 'Post/56.text'?"),
    ("Pots/56.nothing", "did you mean 'Post/56'?"), ("Pots/56", "did you mean 'Post/56'?"),
  ])
  func aMisspelledLabelKeepsItsProperty(subject: String, advice: String) async throws {
    let suite = try CommandSuite(["feed": Self.redirected.replacing("https://a.test/", with: "")])
    let outcome = await Self.outcome(of: subject, in: suite)
    #expect(outcome.status == 64 && outcome.errors.hasSuffix("; \(advice)\n"), "\(outcome.errors)")
  }

  /// A key that is an address can be written without percent-encoding, and its last part leads to it.
  @Test func aLabelWithAnAddressIsFound() async throws {
    let suite = try CommandSuite(["feed": Self.redirected])
    let label = "Post/https:%2F%2Fa.test%2F55"
    for (decoded, encoded) in [
      ("Post/https://a.test/55", label), ("Post/https://a.test/55.text", label + ".text"),
    ] {
      let outcome = await Self.outcome(of: decoded, in: suite)
      let expected = await Self.outcome(of: encoded, in: suite)
      #expect(outcome.status == 0 && outcome.output == expected.output)
    }
    for (subject, message) in [
      ("Post/55", "error: no record has the label 'Post/55'; did you mean '\(label)'?\n"),
      (
        "Post/Hello",
        "error: no record has the label 'Post/Hello'; the Post records are \(label), Post/https:%2F%2Fa.test%2F56\n"
      ),
    ] {
      let outcome = await Self.outcome(of: subject, in: suite)
      #expect(outcome.status == 64 && outcome.errors == message, "\(outcome.errors)")
    }
    let list = await suite.recordspec(["explain", "feed"]).output.split(separator: "\n")
    #expect(list.contains { $0.hasPrefix("User/1                        Scenarios/") }, "\(list)")
  }

  /// The value of an earlier response remains if a later one has renamed the key, which the failure says.
  @Test func aFailureNamesTheLaterResponseWithoutTheKey() async throws {
    let suite = try CommandSuite(["feed": Self.redirected])
    let outcome = await suite.recordspec(["run"])
    #expect(
      outcome.output.contains(
        """
                = expected: string "World"
                = actual:   string "Hello"
                = note:     set by step 1, latest, redirected to posts/55; the item of step 2 at /0 has 'text_body', which no property reads

        """), "\(outcome.output)")
  }

  @Test func theArticleShowsTheOutput() throws {
    let blocks = try Article("RecordSpec/FindingCauses").blocks
    let file = try #require(blocks.first { $0.fileName == "Scenarios/posts.yaml" })
    let console = try #require(blocks.first { $0.language == "console" && $0.text.contains("explain posts") })
    let suite = try CommandSuite(["posts": file.text])
    var status: Int32 = 0
    #expect(try suite.transcript(of: console.text, status: &status) == console.text)
    #expect(status == 0)
    let note = try #require(blocks.first { $0.language == "text" && $0.text.contains("note:") })
    #expect(note.text == "        " + Self.note)
  }

  /// The article has a line for each kind of fact.
  @Test func theArticleNamesEveryFact() throws {
    let article = try Article("RecordSpec/FindingCauses")
    let named = Set(article.tables(under: "| line | meaning |").map(\.firstColumn).joined())
    let shown = Self.explanations.filter { $0.key.contains(".") }.values.flatMap { text in
      text.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
        line.dropFirst(2).prefix(10).trimmingCharacters(in: .whitespaces)
      }
    }
    #expect(shown.count > 20)
    #expect(shown.filter { !named.contains($0) } == [])
  }

  /// Two cached responses have the same address and the same records, and vary with a header.
  @Test func aCachedAnswerIsAttributedToItsResponse() async throws {
    let suite = try CommandSuite([
      "feed": """
      title: Two languages
      model:
        entities:
          Post: {primaryKey: id, cache: true, attributes: {id: int64, text: string}}
      responses:
        posts:
          - when: {headers: {Accept-Language: de}}
            headers: {Cache-Control: max-age=60, Vary: Accept-Language}
            body: [{id: 1, text: Hallo}]
          - when: {headers: {Accept-Language: en}}
            headers: {Cache-Control: max-age=60, Vary: Accept-Language}
            body: [{id: 1, text: Hello}]
      steps:
        - {request: Post, urn: posts, options: {headers: {Accept-Language: de}}}
        - {request: Post, urn: posts, options: {headers: {Accept-Language: en}}}
        - {request: Post, urn: posts, options: {headers: {Accept-Language: de}}}
        - {request: Post, urn: posts, options: {headers: {Accept-Language: en}}}

      """
    ])
    let output = await Self.outcome(of: "Post/1.text", in: suite).output
    #expect(output.contains("step 3, posts: the cached response of step 1, which sets nothing"), "\(output)")
    #expect(output.contains("step 4, posts: the cached response of step 2, which sets nothing"), "\(output)")
  }

  @Test func everyRecordHasALine() async throws {
    let suite = try Self.suite()
    let outcome = await Self.outcome(in: suite)
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(
      lines.map { String($0.prefix { $0 != " " }) }
        == ["Counts@Post/1", "Post/1", "Post/2", "Post/3", "User/eva.b", "User/ada"])
    #expect(
      lines[3] == """
        Post/3         Scenarios/more.json:4:5  /1  step 2, more: created with the key id (population.create, \
        identity.attribute-key)
        """)
    #expect(lines[5] == "User/ada       Scenarios/feed.yaml:47:5  deleted by step 4, change")
  }

  @Test func explanationsAreJSON() async throws {
    let suite = try Self.suite()
    let outcome = await Self.outcome(of: "Post/1.title", "--json", in: suite)
    let document = try JSONDocument(parsing: Array(outcome.output.utf8))
    #expect(document.root.value.canonicalText() == outcome.output)
    #expect(document.root["value"]?.string == "Bye!")
    let value = try #require(document.root["facts"]?.elements.first { $0["fact"]?.string == "value" })
    #expect(value["line"]?.number?.digits == "3" && value["column"]?.number?.digits == "43")
    #expect(value["pointer"]?.string == "/0/headline" && value["step"]?.number?.digits == "2")
    let all = await Self.outcome(of: "--json", in: suite)
    let records = try JSONDocument(parsing: Array(all.output.utf8)).root["records"]
    #expect(records?.count == 6)
  }

  @Test(arguments: [
    (["feed", "Post/4"], Int32(64), "error: no record has the label 'Post/4'; did you mean 'Post/1'?\n"),
    (
      ["feed", "Post.title"], 64,
      "error: no record has the label 'Post.title'; did you mean 'Post/1.title'?\n"
    ),
    (
      ["feed", "Post/4.title"], 64,
      "error: no record has the label 'Post/4.title'; did you mean 'Post/1.title'?\n"
    ),
    (
      ["feed", "Post/1/title"], 64,
      "error: no record has the label 'Post/1/title'; did you mean 'Post/1.title'?\n"
    ),
    (["feed", "Post/1.titel"], 64, "error: 'Post/1' has no property 'titel'; did you mean 'title'?\n"),
    (
      ["feed", "Post/1.nope"], 64,
      "error: 'Post/1' has no property 'nope'; its properties are id, title, stars, likes, author, counts\n"
    ),
    (["fed"], 4, "error: no scenario is named 'fed'; did you mean 'feed'?\n"),
    (["*"], 64, "error: '*' selects 2 scenarios; name one of them: feed, other\n"),
  ])
  func anUnknownSubjectIsReported(arguments: [String], status: Int32, message: String) async throws {
    let suite = try Self.suite()
    try suite.folder.write(scenario(), to: "Scenarios/other.yaml")
    let outcome = await suite.recordspec(["explain"] + arguments)
    #expect(outcome == .init(status: status, output: "", errors: message))
  }

  @Test func atMostTenPropertiesAreListed() async throws {
    let names = (10..<22).map { "p\($0)" }
    let attributes = names.map { "\($0): string" }.joined(separator: ", ")
    let suite = try CommandSuite([
      "wide": """
      title: Many properties
      model: {entities: {Post: {primaryKey: id, attributes: {id: string, \(attributes)}}}}
      responses: {posts: {body: [{id: a}]}}
      steps: [{request: Post, urn: posts}]
      """
    ])
    let outcome = await suite.recordspec("explain", "wide", "Post/a.unknown")
    #expect(
      outcome.errors
        == "error: 'Post/a' has no property 'unknown'; its properties are id, \(names.prefix(9).joined(separator: ", ")) and 3 more\n"
    )
  }

  @Test func anInvalidScenarioIsReported() async throws {
    let suite = try CommandSuite(["feed": "title: A\nstep: []\n"])
    let outcome = await Self.outcome(in: suite)
    #expect(outcome.status == 2 && outcome.output == "" && outcome.errors.contains("unknown key 'step'"))
  }

  // MARK: Failures

  private static let failing = """
    title: A missing value
    model:
      entities:
        Post: {primaryKey: id, attributes: {id: int64, stars: {type: int32, from: stars_count}}}
    responses: {posts: {body: [{id: 1, stargazers_count: 7}]}}
    steps: [{request: Post, urn: posts}]
    expect: {graph: {Post: [{id: 1, stars: 7}]}}

    """

  private static let note =
    "= note:     tried 'stars_count', 'stars'; the item at /0 has 'stargazers_count', which no property reads\n"

  @Test func aMissingValueGetsANote() async throws {
    let suite = try CommandSuite(["a": Self.failing])
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(Self.note), "\(outcome.output)")
    #expect(!outcome.output.contains("mapping.missing"))
  }

  @Test func aMissingValueInAGoldenFileGetsANote() async throws {
    let passing = Self.failing.replacing("stars_count}", with: "stargazers_count}")
    let suite = try CommandSuite(["a": passing])
    await suite.recordspec("bless")
    try suite.folder.write(
      Self.failing.replacing("expect: {graph: {Post: [{id: 1, stars: 7}]}}", with: ""), to: "Scenarios/a.yaml"
    )
    let outcome = await suite.recordspec("run")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(Self.note.replacing("= ", with: "")), "\(outcome.output)")
  }

  @Test func explainedDifferencesHaveTheirFacts() async throws {
    let suite = try CommandSuite(["a": Self.failing])
    let outcome = await suite.recordspec("run", "--explain")
    let facts = """
      mentioned   step 1, posts
      tried       Scenarios/a.yaml:5:28  /0  'stars_count', 'stars' (mapping.missing)
      near        Scenarios/a.yaml:5:54  /0/stargazers_count  no property reads 'stargazers_count'
      record      Scenarios/a.yaml:5:28  /0  created as a stub with the key id, because no \
      property reads the other keys of the item (population.create, relationships.key-reference, identity.attribute-key)
      """
    let lines = facts.split(separator: "\n").map { "        =   \($0)\n" }.joined()
    #expect(outcome.output.contains("= actual:   nothing\n" + lines), "\(outcome.output)")
    // The facts state the reason, so that no note repeats it.
    #expect(!outcome.output.contains("note:"))
  }

  private static let unconvertible = """
    title: Values that cannot be converted
    model: {entities: {Post: {primaryKey: id, attributes: {id: int64, likes: int64}}}}
    responses: {posts: {body: [{id: 1, likes: few}, {id: 2, likes: many}]}}
    steps: [{request: Post, urn: posts}]
    expect: {graph: {Post: [{id: 1, likes: 3}, {id: 2, likes: 9}]}}

    """

  /// A diagnostic that is reported is not repeated as a note. It describes only the first of several values.
  @Test func aReportedDiagnosticIsNotRepeated() async throws {
    let suite = try CommandSuite(["a": Self.unconvertible])
    let output = await suite.recordspec("run").output
    #expect(output.contains("at /0/likes of posts: cannot convert \"few\" to int64 (and 1 more)"))
    #expect(!output.contains("note:     at /0/likes"), "\(output)")
    #expect(
      output.contains("note:     at /1/likes: \"many\" cannot be converted to int64"), "\(output)")
  }

  /// An explanation does not repeat the sentence of a reported diagnostic, but shows the position of the value.
  @Test func anExplanationDoesNotRepeatADiagnostic() async throws {
    let suite = try CommandSuite(["a": Self.unconvertible])
    let output = await suite.recordspec("run", "--explain").output
    #expect(output.ranges(of: " to int64").count == 2, "\(output)")
    #expect(
      output.contains("value       Scenarios/a.yaml:3:43  /0/likes  reported above (values.integer)\n"),
      "\(output)")
    #expect(
      output.contains("/1/likes  \"many\" cannot be converted to int64 (values.integer)\n"), "\(output)")
  }

  /// Of all responses that mention a record, a missing value is explained by the one that tells most.
  @Test(
    arguments: sampled([
      // The last response does not have the key, but an earlier value was unusable, null or under a similar key.
      ("[{id: 1, likes: few}]", "[{id: 1}]", "step 1", "/0/likes  \"few\" cannot be converted to int64"),
      ("[{id: 1, likes_count: 3}]", "[{id: 1}]", "step 1", "/0  'likes'"),
      ("[{id: 1}]", "[{id: 1, likes: few}]", "step 2", "/0/likes  \"few\" cannot be converted to int64"),
      ("[{id: 1, text: a}]", "[{id: 1, text: b}]", "step 2", "/0  'likes'"),
      ("[{id: 1, text: a}]", "[1]", "step 1", "/0  'likes'"),
    ]))
  func aMissingValueIsExplainedByTheTellingResponse(
    first: String, second: String, step: String, fact: String
  ) async throws {
    let suite = try CommandSuite([
      "a": """
      title: A value that no response sets
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64, text: string, likes: int64}}}}
      responses: {posts: [{body: \(first)}, {body: \(second)}]}
      steps: [{request: Post, urn: posts}, {request: Post, urn: posts}]

      """
    ])
    let output = await suite.recordspec("explain", "a", "Post/1.likes").output
    #expect(output.contains("  mentioned   \(step), posts\n"), "\(output)")
    #expect(output.split(separator: "\n").dropFirst(2).first?.contains(fact) == true, "\(output)")
    // The later response is listed, too.
    #expect(output.contains("  then ") == (step == "step 1"), "\(output)")
    // The line of the property in the explanation of its record does not name it again.
    let record = await suite.recordspec("explain", "a", "Post/1").output
    #expect(record.contains("  likes ") && !record.contains("; step 2"), "\(record)")
  }

  @Test func aClearedValueIsExplainedByTheResponseThatClearedIt() async throws {
    let suite = try CommandSuite([
      "a": """
      title: A value is cleared
      model: {entities: {Post: {primaryKey: id, attributes: {id: int64, likes: int64}}}}
      responses: {posts: [{body: [{id: 1, likes: 3}]}, {body: [{id: 1, likes: null}]}, {body: [{id: 1}]}]}
      steps: [{request: Post, urn: posts}, {request: Post, urn: posts}, {request: Post, urn: posts}]

      """
    ])
    #expect(
      await suite.recordspec("explain", "a", "Post/1.likes").output == """
        Post/1.likes  nothing
          set by      step 2, posts
          value       Scenarios/a.yaml:3:73  /0/likes  null clears the attribute (mapping.null)
          record      Scenarios/a.yaml:3:58  /0  found by the key id, created in step 1 (population.fetch, \
        identity.attribute-key)
          then        Scenarios/a.yaml:3:90  /0  step 3, posts: only a reference, which carries no values (merge.across)

        """)
  }

  /// A property can be missing because the item that has it is a duplicate that lost. Relationships lose, too.
  @Test func whatDuplicatesLoseIsListed() async throws {
    let suite = try CommandSuite([
      "a": """
      title: Duplicates
      model:
        entities:
          Post:
            primaryKey: id
            attributes: {id: int64, text: string, likes: int64, size: int64, pages: int64}
            relationships: {author: {to: User}, editor: {to: User}, readers: {toMany: User, from: seen.by}}
          User: {primaryKey: id, attributes: {id: int64}}
      responses:
        posts:
          body:
            - {id: 1, text: a, author: 7, size: 2, pages: 5}
            - {id: 1, likes: 3, author: 8, editor: 9, seen: [{by: 4}, {by: 5}]}
            - {id: 1, likes: 3, author: 7}
      steps: [{request: Post, urn: posts}]

      """
    ])
    func lines(_ property: String) async -> [Substring] {
      await suite.recordspec("explain", "a", "Post/1.\(property)").output.split(separator: "\n").filter {
        ["  merged", "  lost  ", "  also  "].contains(String($0.prefix(8)))
      }
    }
    let merged: Substring =
      "  merged      /0, /1, /2: the item with the most properties wins (merge.first-wins)"
    #expect(
      await lines("likes") == [
        merged, "  lost        Scenarios/a.yaml:13:24  /1/likes  3",
        "  lost        Scenarios/a.yaml:14:24  /2/likes  3",
      ])
    #expect(
      await lines("author") == [
        merged, "  lost        Scenarios/a.yaml:13:35  /1/author  8",
        "  also        Scenarios/a.yaml:14:35  /2/author  7",
      ])
    #expect(await lines("editor") == [merged, "  lost        Scenarios/a.yaml:13:46  /1/editor  9"])
    #expect(await lines("readers") == [merged, "  lost        Scenarios/a.yaml:13:9  /1  [4,5]"])
  }

  /// Only a failed scenario is run again, and only if records differ.
  @Test func passingScenariosAreRunOnce() async throws {
    let counter = Counter()
    let explain: ScenarioExecutor = { scenario, store in
      counter.count()
      return await ScenarioExecution.executeWithProvenance(scenario, on: store)
    }
    let suite = try CommandSuite(["a": scenario(), "b": scenario(expected: "Bye")])
    var judge = ScenarioJudge(
      execute: { await ScenarioExecution.execute($0, on: $1) },
      golden: GoldenFolder(path: suite.folder.path + "/Golden"), today: "2030-01-01")
    judge.explain = explain
    for name in ["a", "b"] {
      let file = ScenarioFile(path: "\(suite.folder.path)/Scenarios/\(name).yaml", name: name)
      _ = await judge.verdict(on: RunPlan.Entry(file: file))
    }
    #expect(counter.total == 1)
  }

  @Test func failuresOfTestsAreExplained() async throws {
    let suite = try CommandSuite(["a": Self.failing])
    let test = try #require(
      try Scenarios(in: URL(fileURLWithPath: suite.folder.path + "/Scenarios")).first { _ in true })
    let failure = await #expect(throws: ScenarioTest.Failure.self) {
      try await test.check(
        registering: ScenarioRegistrations(), environment: RunEnvironment(), today: "2030-01-01",
        output: { _ in })
    }
    #expect(failure?.description.contains("near        ") ?? false)
    #expect(failure?.annotations.first?.message.contains("'stars_count', 'stars' (mapping.missing)") ?? false)
  }
}

/// A counter that several tasks can use.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var value = 0
  var total: Int { lock.withLock { value } }
  func count() { lock.withLock { value += 1 } }
}
