import JSONTree
import Testing

@Suite struct AcceptedAndRefusedTests {
  @Test(
    arguments: [
      ("null", JSONValue.null), ("true", true), ("false", false),
      ("0", 0), ("-0", 0), ("7", 7), ("-12.5e-1", -1.25), ("1E+2", 100), ("0.5", 0.5), ("0e0", 0),
      (#""""#, ""), (#""a""#, "a"), (#""é日😀""#, "é日😀"), (#""\u00e9\ud83d\uDE00\u0000""#, "é😀\u{0}"),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
      ("[]", []), ("[ ]", []), ("{}", [:]), ("{\n}", [:]), (" \t\r\n1 \t\r\n", 1),
      ("[1,[2,[3]],{}]", [1, [2, [3]], [:]]), (#"{"a":{"b":[null]},"":""}"#, ["a": ["b": [nil]], "": ""]),
      (#"{"a" : 1 , "b" : 2}"#, ["a": 1, "b": 2]), (#"[""]"#, [""]),
      (#""0123456789abcdef\n0123456789""#, "0123456789abcdef\n0123456789"),
    ] as [(String, JSONValue)])
  func accepts(text: String, value: JSONValue) throws {
    #expect(try parse(text).root.value == value)
  }

  @Test(arguments: [
    ("", "1:1 expected a value, but the document is empty"),
    (" \n\t ", "1:1 expected a value, but the document is empty"),
    ("\u{FEFF}", "1:1 expected a value, but the document is empty"),
    ("\u{FEFF}[1,]", "1:4 expected a value after ',', found ']'"),
    // Values
    (
      "[",
      "1:2 expected a value, found the end of the document; the array that starts in line 1, column 1 is not closed"
    ),
    ("[1,]", "1:4 expected a value after ',', found ']'"),
    ("[,1]", "1:2 expected a value, found ','"),
    ("[1,,2]", "1:4 expected a value after ',', found ','"),
    ("{\"a\":}", "1:6 expected a value, found '}'"),
    ("]", "1:1 expected a value, found ']'"),
    ("True", "1:1 expected a value, found 'True'; write 'true'"),
    ("nul", "1:1 expected a value, found 'nul'; strings need double quotes"),
    ("nullx", "1:1 expected a value, found 'nullx'; strings need double quotes"),
    ("[NaN]", "1:2 expected a value, found 'NaN'; JSON does not have this number"),
    ("[Infinity]", "1:2 expected a value, found 'Infinity'; JSON does not have this number"),
    ("undefined", "1:1 expected a value, found 'undefined'; write 'null'"),
    ("'a'", "1:1 expected a value, found a single quote; strings need double quotes"),
    ("// a", "1:1 expected a value, found '/'; JSON does not allow comments"),
    ("é", "1:1 expected a value, found 'é'"),
    ("\u{0}", "1:1 expected a value, found the control character 0x00"),
    ("\u{B}1", "1:1 expected a value, found the control character 0x0B"),
    ("\u{A0}1", "1:1 expected a value, found '\u{A0}'"),
    // Containers
    ("[1 2]", "1:4 expected ',' or ']', found '2'"),
    ("[1}", "1:3 expected ',' or ']', found '}'"),
    (
      "[1\n",
      "2:1 expected ',' or ']', found the end of the document; the array that starts in line 1, column 1 is not closed"
    ),
    (
      "{\n  \"a\": [\n    {\"b\": 1",
      "3:12 expected ',' or '}', found the end of the document; "
        + "the object that starts in line 3, column 5 is not closed"
    ),
    ("{\"a\":1]", "1:7 expected ',' or '}', found ']'"),
    (
      "{",
      "1:2 expected a key or '}', found the end of the document; the object that starts in line 1, column 1 is not closed"
    ),
    ("{a:1}", "1:2 expected a key or '}', found 'a'; keys need double quotes"),
    ("{1:1}", "1:2 expected a key or '}', found '1'; keys need double quotes"),
    ("{\"a\":1,}", "1:8 expected a key after ',', found '}'"),
    ("{,}", "1:2 expected a key or '}', found ','"),
    ("{\"a\" 1}", "1:6 expected ':' after the key, found '1'"),
    ("{\"a\"", "1:5 expected ':' after the key, found the end of the document"),
    ("1 2", "1:3 expected the end of the document, found '2'"),
    ("[]\r\n}", "2:1 expected the end of the document, found '}'"),
    ("\"é\" x", "1:5 expected the end of the document, found 'x'"),
    // Numbers
    ("01", "1:1 a number cannot have leading zeros"),
    ("-01", "1:1 a number cannot have leading zeros"),
    ("-", "1:2 expected a digit after '-', found the end of the document"),
    ("[-]", "1:3 expected a digit after '-', found ']'"),
    ("+1", "1:1 expected a value, found '+'; a number starts with a digit or '-'"),
    (".5", "1:1 expected a value, found '.'; a number starts with a digit or '-'"),
    ("1.", "1:3 expected a digit after '.', found the end of the document"),
    ("[1.e1]", "1:4 expected a digit after '.', found 'e'"),
    ("1e", "1:3 expected a digit in the exponent, found the end of the document"),
    ("1e+]", "1:4 expected a digit in the exponent, found ']'"),
    ("0x10", "1:2 expected the end of the document, found 'x'"),
    ("-Infinity", "1:2 expected a digit after '-', found 'I'"),
    // Strings
    ("[\"a", "1:2 the string that starts here has no closing quote"),
    ("\"", "1:1 the string that starts here has no closing quote"),
    ("\"0123456789", "1:1 the string that starts here has no closing quote"),
    ("\"a\\", "1:3 the document ends within an escape"),
    ("\"a\nb\"", "1:3 the end of the line must be escaped in a string; write '\\n'"),
    ("\"a\tb\"", "1:3 a tab must be escaped in a string; write '\\t'"),
    (
      "\"0123456789\u{1B}\"",
      "1:12 the control character 0x1B must be escaped in a string; write '\\u001B'"
    ),
    (
      "\"\\x\"",
      "1:2 unknown escape: '\\x'; use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits"
    ),
    (
      "\"\\é\"",
      "1:2 unknown escape: a backslash before 'é'; "
        + "use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits"
    ),
    ("\"\\u12\"", "1:2 expected four hexadecimal digits after '\\u', found '\"'"),
    ("\"\\u", "1:2 expected four hexadecimal digits after '\\u', found the end of the document"),
    ("\"\\u12G4\"", "1:2 expected four hexadecimal digits after '\\u', found 'G'"),
    ("\"\\ud800\"", "1:2 '\\ud800' is the first half of a surrogate pair without the second"),
    ("\"\\ud800\\n\"", "1:2 '\\ud800' is the first half of a surrogate pair without the second"),
    ("\"\\ud800\\u0041\"", "1:2 '\\ud800' is the first half of a surrogate pair without the second"),
    ("\"\\udc00\"", "1:2 '\\udc00' is the second half of a surrogate pair without the first"),
  ])
  func refuses(text: String, message: String) {
    #expect(refusal(of: Array(text.utf8)) == message)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "1:2 0xFF is not the start of a UTF-8 character"),
      ([0x22, 0x80, 0x22], "1:2 0x80 is not the start of a UTF-8 character"),
      ([0x22, 0xC3, 0x22], "1:2 0xC3 is not the start of a UTF-8 character"),
      ([0x22, 0xC3], "1:2 0xC3 is not the start of a UTF-8 character"),
      ([0x22, 0xC0, 0x80, 0x22], "1:2 0xC0 is not the start of a UTF-8 character"),
      ([0x22, 0xE0, 0x80, 0x80, 0x22], "1:2 0xE0 is not the start of a UTF-8 character"),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], "1:2 0xED is not the start of a UTF-8 character"),
      ([0x22, 0xF0, 0x80, 0x80, 0x80, 0x22], "1:2 0xF0 is not the start of a UTF-8 character"),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "1:2 0xF4 is not the start of a UTF-8 character"),
      ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], "1:2 0xF5 is not the start of a UTF-8 character"),
      ([0x22, 0xE2, 0x82, 0x22], "1:2 0xE2 is not the start of a UTF-8 character"),
      ([0x22, 0xC3, 0xA9, 0xFF, 0x22], "1:3 0xFF is not the start of a UTF-8 character"),
      ([0xFF], "1:1 expected a value, found 0xFF, which is not valid UTF-8"),
    ] as [([UInt8], String)])
  func refusesWhatIsNoUTF8(bytes: [UInt8], message: String) {
    #expect(refusal(of: bytes) == message)
  }

  @Test func depth() throws {
    func nested(_ depth: Int) -> [UInt8] {
      [UInt8](repeating: UInt8(ascii: "["), count: depth)
        + [UInt8](repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(refusal(of: nested(512)) == nil)
    #expect(refusal(of: nested(513)) == "1:513 the document is nested more than 512 levels deep")
    #expect(refusal(of: nested(5_000)) == "1:513 the document is nested more than 512 levels deep")
    #expect(refusal(of: nested(1), maximumDepth: 0) == "1:1 the document is nested more than 0 levels deep")
    #expect(refusal(of: Array("7".utf8), maximumDepth: 0) == nil)
    // The limit is for the depth, not for the number of containers.
    #expect(refusal(of: Array("[[],[],[]]".utf8), maximumDepth: 2) == nil)

    let deep = try JSONDocument(parsing: nested(200_000), maximumDepth: .max)
    var node = deep.root
    var depth = 1
    while let child = node[0] {
      node = child
      depth += 1
    }
    #expect(depth == 200_000)
    #expect(node.pointer.tokens.count == 199_999)
  }

  @Test func errorsSayWhere() {
    #expect {
      try parse("[\n  1,\n]")
    } throws: { error in
      "\(error)" == "line 3, column 1: expected a value after ',', found ']'"
        && (error as? JSONSyntaxError)?.location.offset == 7
    }
  }

  @Test func lineEnds() throws {
    let document = try parse("[\n1,\r2,\r\n3,\n\r4, \"é\", 5]")
    let places = document.root.elements.map { "\($0.location.line):\($0.location.column)" }
    #expect(places == ["2:1", "3:1", "4:1", "6:1", "6:4", "6:9"])
  }
}
