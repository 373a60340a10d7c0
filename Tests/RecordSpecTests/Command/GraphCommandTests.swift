import Foundation
import TestSupport
import Testing

@testable import RecordSpecCommand

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Tests for the output of `recordspec graph`.
struct GraphCommandTests {
  private static let feed = """
    title: Posts & "tags"
    model:
      entities:
        Post:
          primaryKey: id
          attributes: {id: string, text: string}
          relationships:
            author: {to: User, inverse: posts}
            tags: {toMany: Tag}
            parent: {to: Post}
        User:
          primaryKey: id
          attributes: {id: int64, name: string}
          relationships: {posts: {toMany: Post, inverse: author}}
        Tag: {primaryKey: name, attributes: {name: string}}
    responses:
      posts:
        - body:
            - {id: "1", text: "<Hello> \\"all\\" & #1", author: {id: 7, name: Ada}, tags: [{name: 'a\\b'}]}
            - {id: "2", text: Again, author: {id: 7}}
        - body: [{id: "1", text: Bye, author: {id: 8, name: Eva}, parent: {id: "1"}}]
    steps:
      - {request: Post, urn: posts}
      - {request: Post, urn: posts}
      - change: {delete: [Post/2]}
    """

  private func suite() throws -> CommandSuite { try CommandSuite(["feed": Self.feed]) }

  @Test func dotHasOneEdgeForBothInverses() async throws {
    #expect(
      try await suite().recordspec("graph", "feed", "--step", "1", "--format", "dot")
        == .init(
          status: 0,
          output: #"""
            digraph {
              rankdir=LR
              label="feed: Posts &amp; \"tags\"\lafter step 1: request Post, GET posts\l4 records, + 4 inserted\l"
              labelloc=t
              labeljust=l
              node [shape=box, fontname=monospace]
              edge [fontname=monospace]
              n0 [label="+ Post/1\ltext: <Hello> \"all\" &amp; #1\l", color="#1a7f37", penwidth=2]
              n1 [label="+ Post/2\ltext: Again\l", color="#1a7f37", penwidth=2]
              n2 [label="+ Tag/a\\b\l", color="#1a7f37", penwidth=2]
              n3 [label="+ User/7\lname: Ada\l", color="#1a7f37", penwidth=2]
              n0 -> n2 [label="+ tags", color="#1a7f37", penwidth=2]
              n3 -> n0 [label="+ posts / author", dir=both, color="#1a7f37", penwidth=2]
              n3 -> n1 [label="+ posts / author", dir=both, color="#1a7f37", penwidth=2]
            }

            """#, errors: ""))
  }

  @Test func changesAreMarked() async throws {
    let suite = try suite()
    #expect(
      await suite.recordspec("graph", "feed", "--step", "2", "--format", "mermaid").output == """
        %% feed: Posts & "tags"; after step 2: request Post, GET posts; 5 records, + 1 inserted, ~ 2 updated
        flowchart LR
          n0["~ Post/1<br/>~ text: #60;Hello#62; #34;all#34;… → Bye<br/>~ author: User/7 → User/8<br/>~ parent: – → Post/1"]:::updated
          n1["Post/2<br/>text: Again"]
          n2["Tag/a#92;b"]
          n3["~ User/7<br/>~ posts: −1<br/>name: Ada"]:::updated
          n4["+ User/8<br/>name: Eva"]:::inserted
          n0 -->|"+ parent"| n0
          n0 -->|"tags"| n2
          n3 <-.->|"− posts / author"| n0
          n3 <-->|"posts / author"| n1
          n4 <-->|"+ posts / author"| n0
          classDef inserted stroke:#1a7f37,stroke-width:3px
          classDef updated stroke:#9a6700,stroke-width:3px

        """)
    let deleted = await suite.recordspec("graph", "feed", "--format", "mermaid").output
    #expect(deleted.contains("  n1[\"− Post/2<br/>text: Again\"]:::deleted\n"))
    #expect(deleted.contains("  n3 <-.->|\"− posts / author\"| n1\n"))
    #expect(deleted.contains("; 4 records, ~ 1 updated, − 1 deleted\n"))
  }

  /// Long values are clipped to where they begin to differ.
  @Test(arguments: [
    ("The harbour reopens today", "The harbour reopens tomorrow", "… today → … tomorrow"),
    ("short", "another", "short → another"), ("The harbour reopens today", "Gone", "The harbour r… → Gone"),
    ("The harbour", "The harbour reopens today and then", "…our → …our reopens t…"),
  ])
  func changedTextsAreClippedToTheirDifference(old: String, new: String, shown: String) async throws {
    let suite = try CommandSuite([
      "a": scenario(text: old, more: "store: {Post: [{id: \"1\", text: \(old)}]}")
        .replacing("text: \(old)}]}}\n", with: "text: \(new)}]}}\n")
    ])
    let output = await suite.recordspec("graph", "a", "--format", "mermaid").output
    #expect(output.contains("<br/>~ text: \(shown)\"]"), "\(output)")
  }

  @Test func beforeTheFirstStepNothingHasChanged() async throws {
    let suite = try CommandSuite(["a": scenario(more: "store: {Post: [{id: \"7\", text: Stored}]}")])
    #expect(
      await suite.recordspec("graph", "a", "--step", "0", "--format", "mermaid").output == """
        %% a: One post; before step 1; 1 record
        flowchart LR
          n0["Post/7<br/>text: Stored"]

        """)
  }

  /// The texts of an SVG file by their classes, and all class attributes. The file must be well-formed.
  private final class Texts: NSObject, XMLParserDelegate {
    private(set) var texts: [String] = []
    private(set) var classes: [String] = []
    private(set) var isWellFormed = false
    private var isInText = false

    init(_ svg: String) {
      super.init()
      let parser = XMLParser(data: Data(svg.utf8))
      parser.delegate = self
      isWellFormed = parser.parse()
    }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      isInText = name == "text"
      if isInText { texts.append("") }
      if let style = attributes["class"] { classes.append(style) }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if isInText, !texts.isEmpty { texts[texts.count - 1] += text }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      isInText = false
    }
  }

  @Test func svgHasAllTexts() async throws {
    let svg = try await suite().recordspec("graph", "feed", "--step", "2").output
    let texts = Texts(svg)
    #expect(texts.isWellFormed)
    #expect(
      texts.texts == [
        #"feed: Posts & "tags""#, "after step 2: request Post, GET posts",
        "5 records, + 1 inserted, ~ 2 updated", "~ Post/1", #"~ text: <Hello> "all"… → Bye"#,
        "~ author: User/7 → User/8", "~ parent: – → Post/1", "↻ + parent", "Post/2", "text: Again",
        #"Tag/a\b"#, "~ User/7", "~ posts: −1", "name: Ada", "+ User/8", "name: Eva", "tags",
        "− posts / author", "posts / author", "+ posts / author",
      ])
    // A deleted line is dashed, and boxes differ by their lines and signs.
    #expect(texts.classes.filter { $0 == "line deleted" }.count == 1)
    #expect(
      texts.classes.filter { $0.hasPrefix("box") } == [
        "box updated", "box none", "box none", "box updated", "box inserted",
      ])
    #expect(svg.contains(".line.deleted { stroke: #cf222e; stroke-dasharray: 6 4 }"))
    #expect(svg.contains("@media (prefers-color-scheme: dark)"))
    // The file refers to no other file.
    #expect(svg.ranges(of: "http").count == 1 && !svg.contains("url(") && !svg.contains("href"))
  }

  @Test(arguments: [
    ("feed.svg", nil, "<svg "), ("out/feed.dot", nil, "digraph {"), ("feed.GV", nil, "digraph {"),
    ("feed.mmd", nil, "%% feed"), ("feed.mermaid", nil, "%% feed"), ("feed.txt", "mermaid", "%% feed"),
    ("feed.svg", "dot", "digraph {"),
  ])
  func theFileDecidesTheFormat(file: String, format: String?, start: String) async throws {
    let suite = try suite()
    let arguments = ["graph", "feed", "-o", suite.path(file)] + (format.map { ["--format", $0] } ?? [])
    #expect(await suite.recordspec(arguments) == .init(status: 0, output: "", errors: ""))
    #expect(try suite.folder.read(file).hasPrefix(start))
    #expect(suite.written == [file])
  }

  @Test(arguments: sampled(["feed.png", "feed", "svg", ".svg"]))
  func aFileWithoutTheExtensionOfAFormatIsRefused(file: String) async throws {
    let suite = try suite()
    let outcome = await suite.recordspec("graph", "feed", "--output", suite.path(file))
    #expect(outcome.status == 64 && outcome.output == "")
    #expect(
      outcome.errors.contains(
        "error: '--output \(file)' has no extension of a format: .svg, .dot, .gv, .mmd or .mermaid; name the format with '--format'"
      ), "\(outcome.errors)")
    #expect(suite.written == [])
  }

  @Test func aHyphenIsStandardOutput() async throws {
    let suite = try suite()
    let dot = ["graph", "feed", "--format", "dot"]
    #expect(await suite.recordspec(dot + ["-o", "-"]) == suite.recordspec(dot))
    #expect(await suite.recordspec("graph", "feed", "-o", "-").output.hasPrefix("<svg "))
    #expect(suite.written == [])
  }

  @Test func aFileThatCannotBeWrittenIsAnError() async throws {
    let suite = try suite()
    try suite.folder.makeFolder("feed.svg")
    let outcome = await suite.recordspec("graph", "feed", "--output", suite.path("feed.svg"))
    #expect(outcome.status == 3 && outcome.output == "")
    #expect(outcome.errors.hasPrefix("error: 'feed.svg' cannot be written: "), "\(outcome.errors)")
  }

  /// Returns a scenario with posts in two responses, in which the second one has the given number more.
  private static func posts(_ count: Int, more: Int = 0) -> String {
    func body(_ range: ClosedRange<Int>) -> String {
      range.map { "{id: p\($0), user: {id: u\($0 % 3)}}" }.joined(separator: ", ")
    }
    return """
      title: Many posts
      model:
        entities:
          Post:
            primaryKey: id
            attributes: {id: string}
            relationships: {user: {to: User, inverse: posts}, next: {to: Post}}
          User:
            primaryKey: id
            attributes: {id: string}
            relationships: {posts: {toMany: Post, inverse: user}}
      responses:
        posts:
          - {body: [\(body(1...count))]}
          - {body: [{id: p1, next: {id: p2}}, \(body(2...count + more))]}
      steps: [{request: Post, urn: posts}, {request: Post, urn: posts}, {change: {delete: [Post/p3]}}]
      """
  }

  /// Of 60 records, each has a node.
  @Test func aLargeGraphIsFolded() async throws {
    let suite = try CommandSuite(["small": Self.posts(57), "large": Self.posts(58, more: 4)])
    let small = await suite.recordspec("graph", "small", "--step", "1", "--format", "dot").output
    #expect(small.matches(of: #/(?m)^  n\d+ \[/#).count == 60)
    #expect(small.matches(of: #/(?m)^  n\d+ -> /#).count == 57)
    #expect(
      await suite.recordspec("graph", "large", "--step", "2", "--format", "mermaid").output == """
        %% large: Many posts; after step 2: request Post, GET posts; 65 records, + 4 inserted, ~ 4 updated
        flowchart LR
          n0["~ Post<br/>62 records<br/>+ 4 inserted<br/>~ 1 updated"]:::updated
          n1["~ User<br/>3 records<br/>~ 3 updated"]:::updated
          n0 -->|"next ×1 (+1)"| n0
          n1 <-->|"posts / user ×62 (+4)"| n0
          classDef updated stroke:#9a6700,stroke-width:3px

        """)
    let deleted = await suite.recordspec("graph", "large", "--format", "mermaid").output
    #expect(deleted.contains("\"~ Post<br/>61 records<br/>− 1 deleted\""), "\(deleted)")
    #expect(deleted.contains("|\"posts / user ×61 (−1)\"|"), "\(deleted)")
  }

  /// A folded graph also has at most 60 nodes.
  @Test func theRestOfManyEntitiesIsCounted() async throws {
    let names = (10..<75).map { "E\($0)" }
    let entities = names.map { "\($0): {primaryKey: id, attributes: {id: string}}" }
    let seeds = names.enumerated().map { index, name in
      "\(name): [{id: a}\(index < 60 ? ", {id: b}" : "")]"
    }
    let suite = try CommandSuite([
      "a": """
      title: Many entities
      model: {entities: {\(entities.joined(separator: ", "))}}
      store: {\(seeds.joined(separator: ", "))}
      steps: [{fetch: E10}]
      """
    ])
    let output = await suite.recordspec("graph", "a", "--format", "mermaid").output
    #expect(
      output.hasPrefix(
        "%% a: Many entities; after step 1: fetch E10; 125 records; and 5 more entities with 5 records\n"))
    #expect(output.matches(of: #/(?m)^  n\d+\[/#).count == 60)
  }

  @Test func anEmptyGraphIsADrawing() async throws {
    let suite = try CommandSuite([
      "a": """
      title: One post
      model: {entities: {Post: {}}}
      responses: {posts: {body: []}}
      steps: [{request: Post, urn: posts}]
      """
    ])
    let svg = await suite.recordspec("graph", "a").output
    let texts = Texts(svg)
    #expect(texts.isWellFormed)
    #expect(texts.texts == ["a: One post", "after step 1: request Post, GET posts", "0 records"])
  }

  @Test func aRelationshipThatIsItsOwnInverseIsOneEdge() async throws {
    let suite = try CommandSuite([
      "a": """
      title: Friends
      model:
        entities:
          User:
            primaryKey: id
            attributes: {id: string}
            relationships: {friends: {toMany: User, inverse: friends}}
      responses: {users: {body: [{id: b, friends: [{id: a}, {id: c}]}]}}
      steps: [{request: User, urn: users}]
      """
    ])
    let output = await suite.recordspec("graph", "a", "--format", "mermaid").output
    #expect(output.contains("  n0 <-->|\"+ friends\"| n1\n  n1 <-->|\"+ friends\"| n2\n"), "\(output)")
    #expect(output.ranges(of: "friends").count == 2)
  }
}
