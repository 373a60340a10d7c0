import Foundation
import TestSupport
import Testing

@testable import RecordModel

/// Random expressions are compared with two other engines. Hostile expressions are tested for their number of steps.
///
/// The other engines try one path after the other, and finish on texts of a few letters.
@Suite("Regular expressions: laws")
struct RegularExpressionLawsTests {
  /// The parts of random expressions.
  private struct Grammar {
    var parts: [String]
    var letters: [String]
    var quantifiers = ["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}"]

    func expression(_ depth: Int, _ random: inout SeededGenerator) -> String {
      switch depth == 0 ? 0 : Int.random(in: 0...9, using: &random) {
      case 0...2: return parts.randomElement(using: &random) ?? "a"
      case 3: return expression(depth - 1, &random) + "|" + expression(depth - 1, &random)
      case 4:
        let open = ["(", "(?:", "(?i:", "(?<n>"].randomElement(using: &random) ?? "("
        return open + expression(depth - 1, &random) + ")"
      case 5, 6:
        let quantifier = quantifiers.randomElement(using: &random) ?? "*"
        return "(?:" + expression(depth - 1, &random) + ")" + quantifier
      default: return expression(depth - 1, &random) + expression(depth - 1, &random)
      }
    }
  }

  /// Parts with the same meaning in all dialects. Reluctant quantifiers follow only single parts, because Foundation
  /// does not finish if they repeat an empty part.
  private static let parts = [
    "a", "b", "c", "A", "s", "k", "é", "漢", "🙂", " ", "-", "1", "_", "(a|b)", #"\."#, #"\n"#, #"\t"#,
    #"\x41"#, #"\x{301}"#, #"\x{1F642}"#, #"\u0061"#, #"\u00E9"#, #"\U0001F642"#, #"\0101"#, #"\Qa.b\E"#,
    ".", #"\s"#, #"\S"#, #"\h"#, #"\H"#, #"\v"#, #"\V"#, #"\d"#, #"\D"#, #"\R"#, #"\p{Lu}"#, #"\P{L}"#,
    "[ab]", "[^a]", "[a-c]", "[^A-b]", "[a-z&&[^b]]", "[a-c--[b]]", "[ab[1_]]", #"[\]a\-]"#, "[[:alpha:]]",
    #"[^\s\p{L}]"#, "^", #"\A"#, #"\z"#, #"\G"#, "(?i)", "(?-i)", "(?m)", "(?-m)", "(?#x)", "a*?", "[ab]+?",
    ".??", "b{1,2}?",
  ]
  /// Parts that Foundation does not accept or reads differently from Swift, whose dialect is used here:
  /// - A brace that does not begin a count is literal, and `{,2}` is a count.
  /// - A mark forms one character with the letter or sign before it, and is repeated together with it.
  /// - Words end by the rules of Unicode, and marks are not part of them.
  /// - `\p{Greek}` contains the characters of several scripts, including Greek.
  /// - `\N{…}` and named classes have a case even if case is ignored.
  /// - `$` is only the end without the option `m`.
  /// - A carriage return followed by a line feed is two line ends for `$` and `\Z`.
  /// - Case is ignored letter by letter, so that `ς` does not match `σ`, and `ß` does not match `ss`.
  /// - With the option `s`, `.` matches a carriage return without the line feed after it.
  ///
  /// `\w` is missing, because Swift's `\w` does not match a digit before a letter beyond ASCII.
  private static let swiftParts = [
    "{", "a{,2}", "e\u{301}", "\u{301}", "ς", "ß", "(?s)", "(?-s)", "$", #"\b"#, #"\B"#, #"\p{Greek}"#,
    #"\N{LATIN SMALL LETTER A}"#, "[[:upper:]]", #"\p{Ll}"#, #"\Z"#,
  ]
  private static let letters = [
    "a", "b", "c", "A", "B", "é", "É", "🙂", "\u{301}", " ", "\t", "\n", "\r\n", "-", ".", "1", "_", "ß", "ẞ",
    "S",
    "k", "漢", "\u{2028}",
  ]
  private static let swiftLetters = ["σ", "ς"]

  /// Compares random expressions with the same expressions in another engine.
  ///
  /// - Parameter oracle: a closure that returns a matching function; nil to skip the expression.
  private func compare(
    _ grammar: Grammar, seed: UInt64, with oracle: (String, Bool) -> ((String) throws -> Bool?)?
  ) throws {
    var random = SeededGenerator(seed: seed)
    var (compared, matched) = (0, 0)
    for _ in 0..<4_000 {
      let text = grammar.expression(3, &random)
      let ignoresCase = Bool.random(using: &random)
      guard let expression = try? RegularExpression(text, ignoresCase: ignoresCase),
        let other = oracle(text, ignoresCase)
      else { continue }
      for _ in 0..<12 {
        let subject = (0..<Int.random(in: 0...6, using: &random))
          .map { _ in grammar.letters.randomElement(using: &random) ?? "a" }.joined()
        guard let expected = try other(subject) else { continue }
        var steps = 0
        let matches = expression.matches(subject, countingSteps: &steps)
        if matches != expected || steps > Self.bound(expression, subject) {
          Issue.record(
            "\(text.debugDescription) over \(subject.debugDescription): \(matches), \(steps) steps, \(ignoresCase)"
          )
        }
        (compared, matched) = (compared + 1, matched + (matches ? 1 : 0))
      }
    }
    #expect(compared > 25_000)
    #expect(matched > 1_500)
  }

  @Test func matchAsFoundationDoes() throws {
    try compare(Grammar(parts: Self.parts, letters: Self.letters), seed: 41) { text, ignoresCase in
      // Foundation ignores case for properties and named classes, too.
      if ignoresCase || text.contains("(?i"), text.contains(#"\p"#) || text.contains(#"\P"#) { return nil }
      let options: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
      let whole = #"\A(?:"# + text + #")\z"#
      guard let expression = try? NSRegularExpression(pattern: whole, options: options) else { return nil }
      // No line begins between a carriage return and a line feed.
      let splitsLines = text.contains("(?m)") && text.contains("^")
      return { subject in
        if splitsLines, subject.utf8.contains(UInt8(ascii: "\r")) { return nil }
        return expression.firstMatch(in: subject, range: NSRange(subject.startIndex..., in: subject)) != nil
      }
    }
  }

  @Test func matchAsSwiftDoes() throws {
    // Swift leaves a loop at the first empty iteration, even before the minimum count is reached.
    let grammar = Grammar(
      parts: Self.parts + Self.swiftParts, letters: Self.letters + Self.swiftLetters,
      quantifiers: ["*", "+", "?", "{2}", "{1,2}", "{0,2}"])
    try compare(grammar, seed: 42) { text, ignoresCase in
      guard let read = try? Regex(text).matchingSemantics(.unicodeScalar) else { return nil }
      let expression = ignoresCase ? read.ignoresCase() : read
      // In Swift these match a carriage return together with the line feed after it, which no single scalar does.
      let takesNewlines = [#"\D"#, #"\H"#, "(?s)"].contains { text.contains($0) }
      return { subject in
        if takesNewlines, subject.utf8.contains(UInt8(ascii: "\r")) { return nil }
        return try expression.wholeMatch(in: subject) != nil
      }
    }
  }

  /// Returns the maximum number of steps. Each instruction is followed at most once at each position, reached over at
  /// most two edges, and tested once.
  private static func bound(_ expression: RegularExpression, _ subject: String) -> Int {
    3 * expression.instructionCount * (subject.unicodeScalars.count + 1)
  }

  // MARK: Hostile expressions

  static let hostile: [(expression: String, letter: String)] = [
    ("(a+)+", "a"), ("(a*)*b", "a"), ("(a|aa)+b", "a"), ("(a|a|b)*c", "a"), ("(?:a?){50}a{50}", "a"),
    ("(.*)*x", "a"),
    ("(.*a.*)*b", "a"), ("([a-z0-9]+[._-]?)*@x", "a"), (#"(\w+\s?)+!"#, "é "),
    (#"^(([a-z])+.)+[A-Z]([a-z])+$"#, "a"),
    (#"(\b\w*\b)*!"#, "a"), (#"(?i)(é|É)*x"#, "é"), (#"(\R|\n)*x"#, "\n"), ("(a?(b?(c?)*)*)*x", "abc"),
    (#"(.*?,){11}P"#, "1,"), (#"(\p{L}|[^\d])*1"#, "漢"),
  ]

  @Test(arguments: hostile)
  func takeStepsInProportionToTheText(expression: String, letter: String) throws {
    let compiled = try RegularExpression(expression, ignoresCase: false)
    var steps: [Int] = []
    for count in [1_000, 2_000, 4_000] {
      let subject = String(repeating: letter, count: count)
      var taken = 0
      _ = compiled.matches(subject + "\u{0}", countingSteps: &taken)
      #expect(taken <= Self.bound(compiled, subject + "\u{0}"))
      steps.append(taken)
    }
    // Twice the text takes twice the steps, except for the steps at its ends.
    #expect(steps[2] - steps[1] <= 2 * (steps[1] - steps[0]) + 1_000)
  }

  @Test func aRepeatedSetIsAskedOnceForEachScalar() throws {
    // The set is long and occurs in a thousand instructions.
    let letters = (0x4E00..<0x5200).compactMap { Unicode.Scalar($0 as Int) }.map { String($0) }.joined()
    let compiled = try RegularExpression("[\(letters)]{1,1000}x", ignoresCase: false)
    var steps = 0
    let subject = String(repeating: "一", count: 2_000)
    #expect(!compiled.matches(subject, countingSteps: &steps))
    #expect(steps <= Self.bound(compiled, subject))
  }

  @Test func wildcardsTakeAtMostTheProductOfPatternAndText() {
    for (pattern, letter) in [
      ("*a*a*a*a*b", "a"), ("a*a*?*?*b*", "a"), ("*?*?*?x", "é"), ("*aaaaaaaaaab", "a"),
    ] {
      let subject = String(repeating: letter, count: 3_000)
      var steps = 0
      #expect(!PredicatePattern(like: pattern, []).matches(subject, countingSteps: &steps))
      #expect(steps <= (pattern.count + 1) * (subject.count + 1))
    }
  }
}
