import JSONTree
import TestSupport
import Testing

@testable import ScenarioComparison
@testable import ScenarioFormat
@testable import ScenarioReport

@Suite struct YAMLWriterTests {
  private func parsed(_ text: String) throws -> JSONValue {
    let (root, diagnostics) = YAMLParser.parse(SourceFile(path: "a.yaml", bytes: Array(text.utf8)))
    try #require(diagnostics.isEmpty, "\(DiagnosticRenderer().text(of: diagnostics))\(text)")
    var problems: [AuthorDiagnostic] = []
    return try #require(root?.jsonValue(&problems), "\(text)")
  }

  @Test(arguments: [
    ("id", "id"), ("two words", "two words"), (#"kind == "a""#, #"kind == "a""#),
    ("Größe", "Größe"), ("yyyy-MM-dd", "yyyy-MM-dd"),
    ("true", #""true""#), ("Null", #""Null""#), ("12", #""12""#), ("1e3", #""1e3""#), ("", #""""#),
    (" a", #"" a""#), ("a ", #""a ""#), ("a: b", #""a: b""#), ("a #b", #""a #b""#), ("-", #""-""#),
    ("a?b", #""a?b""#),
    ("Yes", #""Yes""#), ("off", #""off""#), ("nonsense", "nonsense"), ("2031-05-01", #""2031-05-01""#),
    ("2031-5-1 x", #""2031-5-1 x""#), ("2031-05-01a", "2031-05-01a"), ("1_000", #""1_000""#),
    ("1.", #""1.""#),
    ("0b10", #""0b10""#), ("0x_f", #""0x_f""#), ("1-2", "1-2"), ("9f8", "9f8"), ("{id}", #""{id}""#),
    (#"[a, "b"]"#, #"'[a, "b"]'"#), (#"it's "[b]""#, #"'it''s "[b]"'"#),
    ("'\u{301}[\"", "'''\u{301}[\"'"),
    ("a\nb", #""a\nb""#), ("\u{2028}", #""\u2028""#), ("\u{FFFE}a", #""\uFFFEa""#), ("é[", "\"é[\""),
  ])
  func textsAreQuotedIfNecessary(text: String, written: String) throws {
    #expect(JSONValue.object(["a": .string(text)]).yamlText() == "{a: \(written)}\n")
    #expect(try parsed(JSONValue.string(text).yamlText()) == .string(text))
  }

  /// Some readers take a question mark for the start of a key, but only inside of brackets.
  @Test func aQuestionMarkIsQuotedInBrackets() {
    let value: JSONValue = ["a?b": "c?d", "on": 1, "list": ["e?f", ["g?h": "i"]]]
    #expect(value.yamlText() == "a?b: c?d\n\"on\": 1\nlist:\n  - e?f\n  - {\"g?h\": i}\n")
  }

  @Test func mappingsWithMappingsHaveALinePerMember() throws {
    let value: JSONValue = [
      "a": ["b": ["c": 1, "d": []], "e": ["f": ["g": [[1, 2], nil]]]],
      "list": [["x": ["y": true]], [["z": 1.50]], "w"],
      "empty": [:],
    ]
    let text = """
      a:
        b: {c: 1, d: []}
        e:
          f: {g: [[1, 2], null]}
      list:
        - x: {y: true}
        - - {z: 1.5}
        - w
      empty: {}

      """
    #expect(value.yamlText() == text)
    #expect(try parsed(text) == value)
  }

  @Test func longLinesAreDivided() throws {
    let names = (0..<30).map { JSONValue.string("name\($0)") }
    let text = JSONValue.object(["names": .array(names)]).yamlText()
    #expect(text.hasPrefix("names:\n  - name0\n  - name1\n"))
    #expect(try parsed(text)["names"] == .array(names))
    // libyaml needs a question mark before a long key.
    let long = JSONValue.object([String(repeating: "k", count: 2000): ["a": ["b": 1]]])
    #expect(try parsed(long.yamlText()) == long)
  }

  /// The reader returns every random value that is written.
  @Test func anyValueIsReadBack() throws {
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      let value = RandomValue.value(&random, depth: 5)
      let text = value.yamlText()
      #expect(try parsed(text) == value, "seed \(seed):\n\(text)")
    }
  }
}

/// Random JSON values whose texts have a meaning in YAML.
enum RandomValue {
  private static let parts = [
    "a", "Z", "é", "e\u{301}", "0", "9", "-", "_", ".", ":", "#", "'", "\"", "\\", " ", "  ", ",", "[", "]",
    "{", "}", "&", "*", "!", "|", ">", "%", "@", "`", "?", "~", "<<", "null", "true", "\n", "\t", "\r",
    "\u{0}",
    "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}", "\u{1F600}", "\u{200F}", "---", "...",
  ]

  static func text(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
      .joined()
  }

  static func value(_ random: inout SeededGenerator, depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
    case 0: return .null
    case 1: return .boolean(.random(using: &random))
    case 2: return .number(JSONNumber(.random(in: -1000...1000, using: &random)))
    case 3: return .number(JSONNumber(Double.random(in: -1e30...1e30, using: &random)) ?? JSONNumber(0))
    case 4, 5: return .string(text(&random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in value(&random, depth: depth - 1) })
    default:
      // The reader compares keys by canonical equivalence.
      var members = JSONObject()
      var keys: Set<String> = []
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let key = text(&random)
        if keys.insert(key).inserted { members[key] = value(&random, depth: depth - 1) }
      }
      return .object(members)
    }
  }
}

/// Tests for comments in YAML.
struct YAMLCommentTests {
  @Test func commentsStandAboveAndBesideTheirValues() throws {
    let value: JSONValue = ["title": "x", "list": [["a": 1, "b": [2]], 3], "map": ["k": ["v": 1], "l": 2]]
    var comments = YAMLComments()
    comments.above = ["Start\u{7}"]
    comments[["list"]].followsEmptyLine = true
    comments[["list", "0"]].above = ["first"]
    comments[["list", "1"]].beside = "last"
    comments[["map", "k"]].above = ["one", "two"]
    comments[["map", "l"]].beside = "#"
    let text = value.yamlText(comments: comments)
    #expect(
      text == """
        # Start\u{FFFD}

        title: x

        list:
          # first
          - {a: 1, b: [2]}
          - 3 # last
        map:
          # one
          # two
          k: {v: 1}
          l: 2 # #

        """, "\(text)")
    let (root, diagnostics) = YAMLParser.parse(SourceFile(path: "", bytes: Array(text.utf8)))
    var problems: [AuthorDiagnostic] = []
    #expect(diagnostics.isEmpty && root?.jsonValue(&problems) == value)
  }
}
