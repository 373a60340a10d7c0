import TestSupport
import Testing

@testable import RecordModel

@Suite("Regular expressions: what they match, and what is refused")
struct RegularExpressionTests {
  static let matches: [(expression: String, matching: [String], others: [String])] = [
    ("", [""], ["a"]),
    ("a|b|", ["a", "b", ""], ["ab"]),
    ("(?<first>a)(?:b|c)*", ["a", "abcb"], ["", "ad"]),
    ("a{2}b{1,2}c{,2}d{1,}", ["aabd", "aabbccdd"], ["abd", "aabbbd", "aabcccd", "aab"]),
    ("a{2, 3}", ["aa", "aaa"], ["a", "aaaa"]),
    ("a*?b+?c??", ["b", "aabbc"], ["a"]),
    ("a{", ["a{"], ["a"]), ("a{x}", ["a{x}"], []), ("]}", ["]}"], []),
    (".", ["a", "é", "🙂", "\u{301}"], ["", "\n", "\r", "\u{b}", "\u{85}", "\u{2028}", "e\u{301}"]),
    ("(?s).", ["\n", "a"], [""]),
    (#"\d\w\s\D\W\S"#, ["1_ a.x"], ["a_ a.x", "1_ 1.x"]),
    // Swift's `Regex` does not match a digit here, because of the letter after it.
    (#"\w\w"#, ["1σ", "_é"], ["\u{301}a", "-σ"]), (#"\W\D"#, ["-\n"], ["1σ", "\r\n\n"]),
    (#"\h\v\H\V"#, ["\t\nab"], ["\n\tab"]),
    (#"\R\R"#, ["\r\n\n", "\n\r\n", "\r\r", "\u{2028}\u{85}"], ["\r\n"]),
    ("[a-c&&[^b]]+", ["ac"], ["b", "d"]), ("[a-z--[aeiou]]", ["b"], ["a", "-"]),
    (#"[\]\[^-]"#, ["]", "[", "^", "-"], ["\\"]), ("[[:alpha:]_]+", ["a_b"], ["1"]),
    ("[^\\n]", ["a"], ["\n"]),
    (#"\p{Greek}+"#, ["αβγ"], ["abc"]), (#"\P{Lu}"#, ["a"], ["A"]),
    (#"\N{LATIN SMALL LETTER A}"#, ["a"], ["b"]),
    (#"\x41\x{1F642}\u0041\u{41}\U00000041\0101"#, ["A🙂AAAA"], []),
    (#"\a\e\f\n\r\t"#, ["\u{7}\u{1B}\u{C}\n\r\t"], []), (#"\.\*\\"#, [".*\\"], ["a*\\"]),
    (#"\Qa.(b\E|c"#, ["a.(b", "c"], ["axb"]), ("a(?# comment)b", ["ab"], []),
    ("(?i)straße", ["Straße", "STRAẞE"], ["STRASSE"]), ("(?i:a)b", ["Ab"], ["aB"]),
    ("a(?i)b|c", ["aB", "C"], ["Ab"]),
    ("(a(?i)b)c", ["aBc"], ["abC"]), ("(?i)[a-c]x", ["BX"], ["DX"]), ("(?i)k", ["K", "\u{212A}"], []),
    ("^a$", ["a"], ["a\n"]), (#"\Aa\z"#, ["a"], []), (#"a\Z\n?"#, ["a", "a\n"], []), (#"\Ga"#, ["a"], []),
    ("(?m)a$\n^b", ["a\nb"], ["ab"]), (#"a\b b"#, ["a b"], []), (#"a\Bb"#, ["ab"], []),
    (#"\w+\b.\b\w+"#, ["ab-cd"], []),
    // A letter and its marks are repeated as one, and matched as separate scalars.
    ("e\u{301}+", ["e\u{301}", "e\u{301}e\u{301}"], ["e\u{301}\u{301}", "é"]),
    ("[e\u{301}]", ["e", "\u{301}"], ["é"]),
    ("(?:a?){20}a{20}", [String(repeating: "a", count: 20), String(repeating: "a", count: 40)], ["a"]),
    ("(a*)*b|(|a)+", ["", "aaa", "aab"], ["ba"]), (#"(?:^|a)*"#, ["", "aa"], []),
  ]

  @Test(arguments: matches)
  func matchesWholeTexts(expression: String, matching: [String], others: [String]) throws {
    let compiled = try RegularExpression(expression, ignoresCase: false)
    for text in matching {
      #expect(Self.matches(compiled, text), "\(expression) matches \(text.debugDescription)")
    }
    for text in others {
      #expect(!Self.matches(compiled, text), "\(expression) and \(text.debugDescription)")
    }
  }

  static func matches(_ expression: RegularExpression, _ text: String) -> Bool {
    var steps = 0
    return expression.matches(text, countingSteps: &steps)
  }

  @Test func ignoresCaseUntilItIsToldNotTo() throws {
    let expression = try RegularExpression("aé[x-z](?-i)b", ignoresCase: true)
    #expect(Self.matches(expression, "AÉYb"))
    #expect(!Self.matches(expression, "AÉYB"))
  }

  // MARK: Unsupported expressions

  static let refused: [(expression: String, message: String)] = [
    (#"(a)\1"#, #"the backreference '\1' is not supported"#),
    (#"(?<n>a)\k<n>"#, #"the backreference '\k' is not supported"#),
    ("(?P<n>a)(?P=n)", "the backreference '(?P=' is not supported"),
    ("(?=a)a", "the look-around '(?=' is not supported"),
    ("(?!a)b", "the look-around '(?!' is not supported"),
    ("(?<=a)b", "the look-around '(?<=' is not supported"),
    ("(?<!a)b", "the look-around '(?<!' is not supported"),
    ("(*pla:a)b", "the group '(*' is not supported"), ("(?>a*)a", "the atomic group '(?>' is not supported"),
    ("a*+a", "the possessive quantifier '*+' is not supported"),
    ("a{1,2}+", "the possessive quantifier '{1,2}+' is not supported"),
    (#"\X"#, #"the escape '\X' is not supported"#), (#"a\y"#, #"the escape '\y' is not supported"#),
    (#"[\Q]\E]"#, #"the quote in a character class '\Q' is not supported"#),
  ]

  @Test(arguments: refused)
  func saysWhatTakesMoreThanLinearTime(expression: String, message: String) {
    let advice =
      "MATCHES runs in linear time and does not support look-around, backreferences or possessive quantifiers"
    #expect(throws: RegularExpressionError(message, advice: advice)) {
      try RegularExpression(expression, ignoresCase: false)
    }
  }

  @Test(arguments: [
    ("(?x)a b", "(?x"), ("(?R)", "(?R"), ("(?1)", "(?1"), ("(?|a)", "(?|"), ("(?(1)a|b)", "(?("),
  ])
  func saysWhichOptionsThereAre(expression: String, part: String) {
    #expect(
      throws: RegularExpressionError(
        "'\(part)' is not supported in a regular expression", advice: "use the options i, m and s")
    ) { try RegularExpression(expression, ignoresCase: false) }
  }

  /// The message for a malformed expression is that of Swift's `Regex`.
  @Test(arguments: [
    "(", ")", "a)", "[", "[]", "[z-a]", "*", "a**", "a{2,1}", #"\"#, #"\K"#, #"\p{NoSuchProperty}"#, "^*",
    "(?<1>a)",
    #"\x{110000}"#, #"a\E"#, "(?#", "(?<n>a)(?<n>b)",
  ])
  func refusesWhatIsMalformed(expression: String) {
    let error = #expect(throws: RegularExpressionError.self) {
      try RegularExpression(expression, ignoresCase: false)
    }
    #expect(error?.message.hasPrefix("invalid regular expression: ") == true, "\(expression)")
  }

  // MARK: Bounds

  @Test func countsAreBounded() throws {
    let limit = RegularExpressionProgram.maximumInstructionCount
    // The last instruction is the match.
    _ = try RegularExpression("a{\(limit - 1)}", ignoresCase: false)
    let advice = "lower the counts in braces, or repeat without an upper limit"
    let tooLong = RegularExpressionError(
      "the regular expression is longer than 10000 steps with its counts expanded", advice: advice)
    for expression in ["a{10000}", "(?:a{101}){100}", "(?:(?:(?:a{100}){100}){100}){100}", "(?:a|b){,5000}"] {
      #expect(throws: tooLong, "\(expression)") { try RegularExpression(expression, ignoresCase: false) }
    }
    // A brace that does not begin a count is literal, with any number.
    #expect(Self.matches(try RegularExpression("a{99999x", ignoresCase: false), "a{99999x"))
    // An empty part can be repeated any number of times without an instruction.
    _ = try RegularExpression("(?:(?:(){9999}){9999}){9999}", ignoresCase: false)
  }

  @Test(arguments: [
    ("a{99999999999999999999}", "{99999999999999999999}"), ("a{2, 10001}", "{2, 10001}"),
    ("a{20000,3}", "{20000,3}"), ("a{,10001}?b", "{,10001}"),
    ("a{\(String(repeating: "9", count: 200))}", "{\(String(repeating: "9", count: 39))…}"),
  ])
  func saysWhichCountIsTooGreat(expression: String, part: String) {
    let expected = RegularExpressionError(
      "a count in the regular expression is greater than 10000: '\(part)'",
      advice: "lower the count, or repeat without an upper limit")
    #expect(throws: expected) { try RegularExpression(expression, ignoresCase: false) }
  }

  @Test func nestingIsBounded() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> String {
      String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
    }
    let depth = RegularExpressionParser.maximumDepth
    let tooDeep = RegularExpressionError(
      "the groups of the regular expression are nested more than 62 levels deep")
    for (open, close) in [("(", ")*"), ("(?:", ")"), ("(?i:", ")*?"), ("(?:", ")?")] {
      _ = try RegularExpression(nested(depth, open, close), ignoresCase: true)
      for depth in [depth + 1, 100_000] {
        #expect(throws: tooDeep) { try RegularExpression(nested(depth, open, close), ignoresCase: false) }
      }
    }
    #expect(throws: tooDeep) { try RegularExpression(nested(100_000, "(?<n>", ")"), ignoresCase: false) }
    #expect(
      throws: RegularExpressionError("invalid regular expression: it has more than 100 brackets")
    ) { try RegularExpression(nested(20_000, "[", "]"), ignoresCase: false) }
  }

  @Test func aRefusalIsASyntaxErrorOfThePredicate() throws {
    let text = #"name MATCHES "(a)\\1""#
    let expected = PredicateSyntaxError(
      range: 13..<21, message: #"the backreference '\1' is not supported"#,
      advice:
        "MATCHES runs in linear time and does not support look-around, backreferences or possessive quantifiers"
    )
    #expect(throws: expected) { try RecordPredicate(text) }
    // LIKE does not have these constructs.
    let wildcards = #"name LIKE "(a)\\1""#
    _ = try RecordPredicate(wildcards)
  }
}
