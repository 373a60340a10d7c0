import JSONTree
import Testing

@Suite struct WriterTests {
  private func canonical(_ text: String) throws -> String { try parse(text).root.value.canonicalText() }

  @Test(arguments: [
    ("null", "null"), ("true", "true"), ("-1.50E+2", "-1.50E+2"), ("1.0", "1.0"), ("\"\"", "\"\""),
    ("[]", "[]"), ("{}", "{}"),
    ("[ 1,2 , [ ] , [ 3,{ } ] ]", "[1, 2, [], [3, {}]]"),
    (#"{"b":1,"a":[]}"#, #"{ "a": [], "b": 1 }"#),
    // Integers by value, before other keys by scalars
    (
      #"{"b":0,"10":0,"9":0,"":0,"01":0,"-1":0,"B":0,"é":0,"z":0,"10000000000000000000000":0,"0":0,"1.5":0}"#,
      """
      {
        "0": 0,
        "9": 0,
        "10": 0,
        "10000000000000000000000": 0,
        "": 0,
        "-1": 0,
        "01": 0,
        "1.5": 0,
        "B": 0,
        "b": 0,
        "z": 0,
        "é": 0
      }
      """
    ),
    (
      "{\"\u{FF5E}\":0,\"\u{1F600}\":0,\"e\u{301}\":0,\"f\":0}",
      "{ \"e\u{301}\": 0, \"f\": 0, \"\u{FF5E}\": 0, \"\u{1F600}\": 0 }"
    ),
    // Escapes
    (
      #"["\"\\\/\b\f\n\r\t\u0000\u001f\u007f\u00e9\ud83d\ude00\u2028"]"#,
      #"["\"\\/\b\f\n\r\t\u0000\u001F\u007Fé😀\u2028"]"#
    ),
    // C1 controls and the controls of bidirectional text would garble terminals and reviews.
    (
      "[\"\u{80}\u{9B}2J\u{A0}\u{202E}\u{2066}\u{FEFF}\u{61C}“…\u{200D}\"]",
      "[\"\\u0080\\u009B2J\u{A0}\\u202E\\u2066\\uFEFF\\u061C“…\u{200D}\"]"
    ),
    // A container is split if an object within it has members; an empty object does not split it
    (#"[{"a":1}]"#, "[\n  { \"a\": 1 }\n]"),
    (#"{"a":{}}"#, #"{ "a": {} }"#),
    (#"[[[{"a":[1]}]],[]]"#, "[\n  [\n    [\n      { \"a\": [1] }\n    ]\n  ],\n  []\n]"),
  ])
  func canonicalTexts(text: String, expected: String) throws {
    #expect(try canonical(text) == expected + "\n")
  }

  @Test func goldenFile() throws {
    let text = """
      {"steps":[{"urn":"stream/global","request":"Post","records":["Post/1","Post/2"]}],
       "graph":{"User":{"User/7":{"posts":["Post/1","Post/2"],"id":"7","name":"Ada"}},
       "Post":{"Post/2":{"id":"2","user":"User/7","text":"Again"},"Post/1":{"id":"1","text":"Hello","user":"User/7"}}}}
      """
    #expect(
      try canonical(text) == """
        {
          "graph": {
            "Post": {
              "Post/1": { "id": "1", "text": "Hello", "user": "User/7" },
              "Post/2": { "id": "2", "text": "Again", "user": "User/7" }
            },
            "User": {
              "User/7": { "id": "7", "name": "Ada", "posts": ["Post/1", "Post/2"] }
            }
          },
          "steps": [
            { "records": ["Post/1", "Post/2"], "request": "Post", "urn": "stream/global" }
          ]
        }

        """)
  }

  /// A line has at most 100 columns, with space for a comma even if no comma follows.
  @Test(arguments: ["x", "é", "😀"])
  func longLines(character: String) throws {
    func value(_ count: Int) -> JSONValue {
      ["key": [.string(String(repeating: character, count: count))], "other": ["a": ["b": 1]]]
    }
    // `  "key": ["` and `"],` have 14 columns.
    #expect(value(86).canonicalText().hasPrefix("{\n  \"key\": [\"\(character)"))
    #expect(value(87).canonicalText().hasPrefix("{\n  \"key\": [\n    \"\(character)"))
    let whole = value(86).canonicalText().split(separator: "\n")[1]
    #expect(whole.count == 100 && whole.hasSuffix(","))
  }

  @Test func longLinesBreakFromOutside() {
    let row: JSONValue = .array((0..<30).map { .number(JSONNumber(Int64($0))) })
    let text = JSONValue.array([row, []]).canonicalText()
    #expect(text.hasPrefix("[\n  [\n    0,\n    1,\n"))
    let short: JSONValue = .array((0..<20).map { .number(JSONNumber(Int64($0))) })
    let line = "[" + (0..<20).map(String.init).joined(separator: ", ") + "]"
    #expect(JSONValue.array([short, short]).canonicalText() == "[\n  \(line),\n  \(line)\n]\n")
  }

  @Test func compactTexts() throws {
    let text = #"{"b":[1.0,2e3,null,true,"a\"\u0001é"],"a":{},"c":[]}"#
    #expect(try parse(" " + text.replacing(",", with: " , ") + "\n").root.value.compactText() == text)
  }

  @Test func veryLongStringsAreNoTrouble() {
    let text = String(repeating: "é", count: 100_000)
    let value: JSONValue = [[[[[.string(text)]]]]]
    #expect(value.canonicalText().contains("\n          \"\(text)\"\n"))
  }
}
