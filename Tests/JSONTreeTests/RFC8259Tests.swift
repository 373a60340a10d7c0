import JSONTree
import Testing

/// The grammar of RFC 8259. Each of its rules has a row with texts that it accepts and texts that it does not accept.
///
/// Section 8.1 allows a parser to ignore a byte order mark. Section 8.2 does not specify the handling of half a
/// surrogate pair. Section 9 allows a parser to set limits. This parser does not accept the first two, and limits only
/// the depth.
@Suite struct RFC8259Tests {
  @Test(arguments: RFC8259Rule.all) func rule(_ rule: RFC8259Rule) {
    for bytes in rule.accepted {
      #expect(refusal(of: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
    for bytes in rule.refused {
      #expect(refusal(of: bytes) != nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func eachRowIsOfASection() {
    let sections = RFC8259Rule.all.map(\.section)
    #expect(sections == sections.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(Set(RFC8259Rule.all.map(\.testDescription)).count == sections.count)
  }

  /// Names are compared by Unicode scalars, after unescaping. Section 8.3.
  @Test func namesAreComparedByScalars() throws {
    #expect(try parse(#"{"a\\b": 1}"#).root["a\\b"]?.value == 1)
    #expect(try parse(#"{"a\u005Cb": 1}"#).root["a\\b"]?.value == 1)
    #expect(try parse(#"{"\u00e9": 1}"#).root["e\u{301}"] == nil)
    #expect(try parse(#"{"a": 1, "A": 2}"#).root["A"]?.value == 2)
  }

  /// Integers of up to 53 bits are exact in every parser. In this parser, longer integers are exact, too. Section 6.
  @Test func numbersKeepTheirDigits() throws {
    for digits in ["9007199254740991", "-9007199254740991", "18446744073709551616", "0.1", "1E400"] {
      #expect(try parse(digits).root.number?.digits == digits)
    }
  }
}

/// A row of the table.
struct RFC8259Rule: CustomTestStringConvertible, Sendable {
  /// The numbers of the section.
  var section: [Int]
  var text: String
  var accepted: [[UInt8]]
  var refused: [[UInt8]]

  init(_ section: Int..., text: String, accepts accepted: [String], refuses refused: [String]) {
    self.init(section, text, accepted.map { Array($0.utf8) }, refused.map { Array($0.utf8) })
  }

  private init(_ section: [Int], _ text: String, _ accepted: [[UInt8]], _ refused: [[UInt8]]) {
    (self.section, self.text, self.accepted, self.refused) = (section, text, accepted, refused)
  }

  var testDescription: String { "§\(section.map(String.init).joined(separator: ".")) \(text)" }
}

extension RFC8259Rule {
  static let all = grammar + objectsAndArrays + numbers + strings + encoding + limits

  // MARK: 2. JSON Grammar, 3. Values

  private static let grammar: [RFC8259Rule] = [
    .init(
      2, text: "a text is one value, of any kind", accepts: ["1", "null", "\"a\"", "[]", "{}"],
      refuses: ["", " ", "1 1", "[][]", "{}{}", "1,", ",1"]),
    .init(
      2, text: "whitespace is space, tab, line feed and carriage return, around any token",
      accepts: [" 1", "\t1", "\n1", "\r1", "1 \t\r\n", " [ 1 , 2 ] ", "{ \"a\" : 1 }", "\r\n{\r\n}\r\n"],
      refuses: ["\u{B}1", "\u{C}1", "\u{A0}1", "\u{2028}1", "\u{3000}1", "1\u{0}", "- 1", "1 .5", "tr ue"]),
    .init(
      2, text: "there are six structural characters and no comments",
      accepts: ["[{\"a\":[1,2]}]"],
      refuses: ["(1)", "<1>", "[1;2]", "{\"a\"=1}", "/* a */ 1", "1 // a", "# a\n1", "[1]]", "{}}", "[1}"]),
    .init(
      3, text: "three literal names, in lower case, and no others", accepts: ["true", "false", "null"],
      refuses: [
        "True", "FALSE", "Null", "nil", "undefined", "yes", "t", "nul", "truee", "null0", "[true false]",
      ]),
  ]

  // MARK: 4. Objects, 5. Arrays

  private static let objectsAndArrays: [RFC8259Rule] = [
    .init(
      4, text: "an object has pairs of a string and a value, with commas between them",
      accepts: ["{}", "{\"a\":1}", "{\"a\":1,\"b\":{}}", "{\"\":0}", "{\"\\u0061\":1}"],
      refuses: [
        "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}", "{\"a\"::1}", "{:1}", "{,}", "{\"a\":1,}",
        "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\":1 \"b\":2}", "{\"a\":1;\"b\":2}", "{\"a\":1",
        "{\"a\":1]",
      ]),
    .init(
      4, text: "a name is a string", accepts: ["{\"1\":1}", "{\"null\":1}"],
      refuses: ["{a:1}", "{1:1}", "{null:1}", "{'a':1}", "{[]:1}", "{{}:1}", "{\"a\nb\":1}"]),
    .init(
      4, text: "names should be unique, and need not be", accepts: ["{\"a\":1,\"a\":2}"], refuses: []),
    .init(
      5, text: "an array has values of any kind, with commas between them",
      accepts: ["[]", "[1]", "[1,\"a\",null,[],{}]", "[[[]]]"],
      refuses: ["[", "]", "[,]", "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1:2]", "[1", "[1}", "[\"a\":1]"]),
  ]

  // MARK: 6. Numbers

  private static let numbers: [RFC8259Rule] = [
    .init(
      6, text: "an integer is 0, or begins with another digit",
      accepts: ["0", "7", "10", "1234567890", "123456789012345678901234567890"],
      refuses: ["00", "01", "0123", "1_000", "1,000", "0x1", "0b1", "0o7", "1a", "\u{661}", "\u{FF11}"]),
    .init(
      6, text: "a minus may come first, and no plus", accepts: ["-0", "-1", "-10.5"],
      refuses: ["-", "--1", "+1", "+0", "- 1", "-01", "-a", "\u{2212}1", "1-"]),
    .init(
      6, text: "a fraction has a point and digits", accepts: ["0.0", "1.50", "-0.001"],
      refuses: ["1.", ".1", "-.1", ".", "1..2", "1.2.3", "1,5", "1.a", "0.-1"]),
    .init(
      6, text: "an exponent has an E, perhaps a sign, and digits",
      accepts: ["1e1", "1E1", "1e+1", "1e-1", "0e0", "1.5E+007", "1e00"],
      refuses: ["e1", "1e", "1e+", "1e-", "1ee1", "1e1.5", "1e+-1", "1.e1", "1 e1", "1e 1"]),
    .init(
      6, text: "what is no number has no number",
      accepts: ["1e400", "-1e400", "1e-400"], refuses: ["NaN", "Infinity", "-Infinity", "inf", "-NaN"]),
  ]

  // MARK: 7. Strings

  private static let strings: [RFC8259Rule] = [
    .init(
      7, text: "a string stands in double quotes", accepts: ["\"\"", "\"a\"", "\"'\""],
      refuses: ["\"", "'a'", "\"a", "a\"", "`a`", "\u{201C}a\u{201D}", "\"a'", "\"a\"b\""]),
    .init(
      7, text: "all characters stand as they are but quotes, backslashes and the first 32",
      accepts: ["\" \"", "\"!#$~\"", "\"[]{},:/\"", "\"\u{7F}\"", "\"\u{80}\u{2028}\u{FFFF}\u{10FFFF}\""],
      refuses: (0..<0x20).map { "\"a" + String(UnicodeScalar(UInt8($0))) + "\"" } + ["\"\\\"", "\"\"\""]),
    .init(
      7, text: "eight characters have short escapes",
      accepts: ["\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""],
      refuses: ["a", "v", "0", "x41", "'", "e", "N", "U0041", " ", "\n", "é"].map { "\"\\\($0)\"" }),
    .init(
      7, text: "any character may be an escape of four hexadecimal digits, in either case",
      accepts: ["\"\\u0000\"", "\"\\u0041\"", "\"\\u00e9\\u00E9\"", "\"\\uFFFF\""],
      refuses: [
        "\"\\u\"", "\"\\u1\"", "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\U0041\"", "\"\\u+123\"",
        "\"\\u 123\"", "\"\\u{41}\"", "\"\\u\u{FF11}234\"",
      ]),
    .init(
      7, text: "two escapes are a character beyond the first 65,536",
      accepts: ["\"\\uD834\\uDD1E\"", "\"\\ud83d\\ude00\""], refuses: []),
  ]

  // MARK: 8. String and Character Issues

  private static let encoding: [RFC8259Rule] = [
    .init(8, 1, text: "a text is UTF-8", ["é", "日", "😀"].map(quoted), ill.map(quoted)),
    .init(
      8, 1, text: "text of another encoding is not JSON", [],
      [
        [0xFF, 0xFE, 0x31, 0x00], [0xFE, 0xFF, 0x00, 0x31], [0x31, 0x00], [0x00, 0x31],
        [0xFF, 0xFE, 0x00, 0x00, 0x31, 0x00, 0x00, 0x00],
      ]),
    .init(
      8, 1, text: "a byte order mark before a text is ignored", accepts: ["\"\u{FEFF}\"", "\u{FEFF}1"],
      refuses: ["\u{FEFF}", "\u{FEFF}\u{FEFF}1", "1\u{FEFF}"]),
    .init(
      8, 2, text: "half a surrogate pair is no character", accepts: [],
      refuses: ["\"\\uD800\"", "\"\\uDC00\"", "\"\\uD800\\n\"", "\"\\uD800\\uD800\"", "\"\\uDC00\\uD800\""]),
  ]

  /// Invalid UTF-8: lone and missing continuation bytes, overlong forms, surrogates, and values beyond the last
  /// character.
  private static let ill: [[UInt8]] = [
    [0x80], [0xBF], [0xFF], [0xFE], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28],
    [0xE2, 0x28, 0xA1],
    [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
  ]

  private static func quoted(_ text: String) -> [UInt8] { quoted(Array(text.utf8)) }
  private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

  private init(_ section: Int..., text: String, _ accepted: [[UInt8]], _ refused: [[UInt8]]) {
    self.init(section, text, accepted, refused)
  }

  // MARK: 9. Parsers

  private static let limits: [RFC8259Rule] = [
    .init(
      9, text: "a text may be as long as it likes, and as deep as the limit",
      accepts: [
        nested(512), "[" + String(repeating: "1,", count: 100_000) + "1]",
        "\"" + String(repeating: "a", count: 1_000_000) + "\"", String(repeating: "9", count: 10_000),
      ],
      refuses: [
        nested(513), String(repeating: "[", count: 100_000), String(repeating: "{\"\":", count: 100_000),
      ])
  ]

  private static func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }
}
