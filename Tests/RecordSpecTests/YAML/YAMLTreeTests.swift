import RecordSpec
import TestSupport
import Testing

@Suite struct YAMLTreeTests {
  @Test(arguments: [
    ("a: 1\nb: [x, 'y', \"z\"]\n", "{a: 1, b: [x, 'y', 'z']}"),
    ("- a\n- {b: c}\n-\n", "[a, {b: c}, ]"),
    ("text: |\n  one\n  two\nnext: >-\n  folded\n  text\n", "{text: 'one\ntwo\n', next: 'folded text'}"),
    ("200: ok\ntrue: yes\n\"a b\": 1\n? plain\n: value\n", "{200: ok, true: yes, a b: 1, plain: value}"),
    ("---\na: 1\n...\n", "{a: 1}"),
    ("%YAML 1.2\n---\na: 1\n", "{a: 1}"),
    ("\u{FEFF}a: 1\n", "{a: 1}"),
    ("a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"),
    ("a: \"\\u00e9\\x41\\/\"\n", "{a: 'éA/'}"),
    ("ä: {ö: ü}\n", "{ä: {ö: ü}}"),
    // Aliases
    ("a: &x [1, 2]\nb: *x\n", "{a: [1, 2], b: [1, 2]}"),
    ("a: &x one\nb: &x two\nc: *x\n", "{a: one, b: two, c: two}"),
    ("- &k name\n- {*k : 1}\n", "[name, {name: 1}]"),
    // Merge keys: explicit values take precedence, then values of earlier merged mappings. Keys keep their positions.
    ("a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a, z: 4}\n", "{a: {x: 1, y: 2}, b: {y: 3, x: 1, z: 4}}"),
    ("b:\n  <<: [{x: 1}, {x: 2, y: 2}]\n  z: 0\n", "{b: {x: 1, y: 2, z: 0}}"),
    ("'<<': 1\n", "{<<: 1}"),
  ])
  func parses(text: String, expected: String) {
    #expect(outline(text) == expected)
  }

  @Test(arguments: [
    ("a: !!str 1", YAMLScalarValue.string("1")),
    ("a: ! 1", .string("1")),
    ("a: !!int 012", .number(digits: "12", isInteger: true)),
    ("a: !!int \"7\"", .number(digits: "7", isInteger: true)),
    ("a: !!float 1", .number(digits: "1", isInteger: false)),
    ("a: !!null ''", .null),
    ("a: !!bool true", .boolean(true)),
  ])
  func readsTags(text: String, expected: YAMLScalarValue) throws {
    let (root, diagnostics) = YAMLParser.parse(file(text))
    #expect(diagnostics.isEmpty)
    #expect(root?["a"]?.scalar?.value == expected)
  }

  @Test func spansEndWithTheirText() throws {
    let text =
      "map:\n  a: ünï\n  b: [1,\n    2]   # comment\n\nlist:\n  - x\n  - |\n    block\n\n\nlast: 'q'\n"
    let (root, _) = YAMLParser.parse(file(text))
    func source(_ node: YAMLNode?) -> String? {
      node.map { String(decoding: $0.file.bytes[$0.range], as: UTF8.self) }
    }
    #expect(source(root?["map"]) == "a: ünï\n  b: [1,\n    2]")
    #expect(source(root?["map"]?["a"]) == "ünï")
    #expect(source(root?["list"]) == "- x\n  - |\n    block")
    #expect(source(root?["list"]?.elements?.last) == "|\n    block")
    #expect(source(root?["last"]) == "'q'")
    #expect(root?["last"]?.span.start == SourceMark(offset: text.utf8.count - 4, line: 12, column: 7))
  }

  @Test func billionLaughsEndAtOnce() throws {
    var text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1...40 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let (root, diagnostics) = YAMLParser.parse(file(text))
    #expect(root == nil)
    #expect(diagnostics.map(\.code) == [.yamlAliasLimit])
  }

  @Test func depthIsBounded() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(YAMLParser.parse(file(nested(YAMLParser.maximumDepth))).diagnostics.isEmpty)
    for depth in [YAMLParser.maximumDepth + 1, 200_000] {
      #expect(YAMLParser.parse(file(nested(depth))).diagnostics.map(\.code) == [.yamlDepth])
    }
    let aliased =
      "a: &a \(nested(100))\nb: &b [[[[\(nested(20)), *a]]]]\nc: [[[[[[[[[[[[[[[[[[[[[[[[*b]]]]]]]]]]]]]]]]]]]]]]]]\n"
    #expect(YAMLParser.parse(file(aliased)).diagnostics.map(\.code) == [.yamlDepth])
  }

  /// Damaged bytes result in a root node or a message, and never in a crash.
  @Test func damagedFilesAreAnswered() {
    let text = """
      title: "Two \\u00e9" # note
      model: &m {entities: {Post: {primaryKey: id, attributes: {id: string}}}}
      list:
        - |
          block
        - <<: *m
          x: !!int 7
      """
    var random = SeededGenerator(seed: 7)
    for _ in 0..<3_000 {
      var bytes = Array(text.utf8)
      for _ in 0...(random.next() % 4) {
        let location = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[location] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: location)
        default:
          bytes.insert("\t:[]{}&*!|>'\"%@`- \n\u{80}".utf8.map(\.self)[Int(random.next() % 20)], at: location)
        }
      }
      let (root, diagnostics) = YAMLParser.parse(SourceFile(path: "a.yaml", bytes: bytes))
      #expect(root != nil || !diagnostics.isEmpty)
      #expect(!DiagnosticRenderer().text(of: diagnostics).contains("did not find"))
    }
  }
}
