import Foundation
import JSONTree
import TestSupport
import Testing

@testable import RecordModel

@Suite("Predicates: evaluation")
struct PredicateEvaluationTests {
  static let item = #"""
    {
      "id": 7, "big": 9007199254740993, "price": 1.50, "zero": 0, "name": "Ada", "empty": "", "unset": null,
      "yes": true, "no": false, "city": "São Paulo", "decomposed": "e\u0301", "composed": "é", "street": "STRASSE",
      "date": "2000-01-01T01:00:00+01:00", "digits": "7", "wild": "a*b?c\\d", "lines": "a\nb",
      "user": {"name": "Grace", "address": null, "in": 1, "follower-count": 12},
      "tags": [{"text": "swift", "weight": 3}, {"text": "linux", "weight": 5}, {"weight": 4}],
      "posts": [{"tags": [{"text": "a"}, {"text": "b"}]}, {"tags": []}],
      "words": ["One", "two"], "numbers": [1, 2.0, 3], "nothing": [], "mixed": [null, "x", 1]
    }
    """#

  static let nils: [(String, Bool)] = [
    ("unset == nil", true), ("missing == nil", true), ("unset != nil", false), ("name == nil", false),
    ("name != nil", true), ("nil == nil", true), ("user.address.street == nil", true),
    ("name.x == nil", true),
    ("missing == unset", true), ("unset < 1", false), ("unset > 1", false), ("unset <= nil", false),
    ("nil >= nil", false),
    ("unset == 0", false), ("unset != 0", true), ("unset == ''", false), ("unset == NO", false),
    ("zero == nil", false),
    ("empty == nil", false), ("nothing == nil", false), ("user == nil", false), ("user != nil", true),
    ("unset IN {1, nil}", true), ("unset IN {1}", false), ("unset CONTAINS 'a'", false),
    ("name CONTAINS unset", false),
    ("unset LIKE '*'", false), ("unset MATCHES '.*'", false), ("unset BEGINSWITH ''", false),
    ("unset BETWEEN {0, 1}", false), ("id BETWEEN {unset, 9}", false), ("NOT unset == 1", true),
  ]

  static let numbers: [(String, Bool)] = [
    ("id == 7", true), ("id == 7.0", true), ("id == 70e-1", true), ("id != 7", false), ("id < 8", true),
    ("id <= 7", true), ("id > 6.999999999999999999999", true), ("id >= 8", false), ("8 > id", true),
    ("big == 9007199254740993", true), ("big == 9007199254740992", false), ("big > 9007199254740992", true),
    ("price == 1.5", true), ("price > 1.49999999999999999999", true), ("id == -7", false),
    ("zero == -0", true),
    ("id < 1e400", true), ("id > -1e400", true), ("id == '7'", false), ("id != '7'", true),
    ("digits == 7", false),
    ("id < '8'", false), ("id BETWEEN {7, 7}", true), ("id BETWEEN {8, 9}", false),
    ("id BETWEEN {9, 1}", false),
    ("id IN {1, 7.0}", true), ("id IN {'7'}", false), ("id IN {}", false), ("price < id", true),
    ("yes == YES", true), ("yes == 1", true), ("yes == 2", false), ("no == 0", true), ("no < yes", true),
    ("yes > 0.5", true), ("yes == 'true'", false), ("yes != no", true), ("yes == nil", false),
    ("id == YES", false),
  ]

  static let texts: [(String, Bool)] = [
    ("name == 'Ada'", true), ("name == 'ada'", false), ("name ==[c] 'aDA'", true),
    ("name !=[c] 'ada'", false),
    ("name < 'Adb'", true), ("name < 'ada'", true), ("name <[c] 'ADB'", true), ("name > 'Ad'", true),
    ("name >= 'Ada'", true), ("empty < name", true), ("name == name", true), ("name == user.name", false),
    ("composed == decomposed", false), ("composed ==[d] decomposed", true), ("composed ==[d] 'e'", true),
    ("composed ==[c] 'É'", true), ("composed == 'E'", false), ("composed ==[cd] 'E'", true),
    ("city CONTAINS 'Pau'", true), ("city CONTAINS 'pau'", false), ("city CONTAINS[c] 'pau'", true),
    ("city CONTAINS 'Sao'", false), ("city CONTAINS[d] 'Sao'", true), ("city CONTAINS[cd] 'sao p'", true),
    ("city CONTAINS ''", true), ("empty CONTAINS ''", true), ("empty CONTAINS 'a'", false),
    ("decomposed CONTAINS 'e'", true), ("composed CONTAINS 'e'", false),
    ("city BEGINSWITH 'São'", true), ("city BEGINSWITH 'Paulo'", false), ("city BEGINSWITH[cd] 'SAO'", true),
    ("city ENDSWITH 'Paulo'", true), ("city ENDSWITH 'São'", false), ("city ENDSWITH[c] 'PAULO'", true),
    ("city BEGINSWITH name", false), ("city ENDSWITH ''", true), ("id CONTAINS '7'", false),
    ("'ul' IN city", true), ("'UL' IN city", false), ("'UL' IN[c] city", true),
    ("name IN {'Bob', 'Ada'}", true),
    ("name IN[c] {'ADA'}", true), ("name BETWEEN {'Aa', 'Az'}", true), ("street ==[c] 'strasse'", true),
    ("name LIKE 'Ada'", true), ("name LIKE 'ada'", false), ("name LIKE[c] 'a*'", true),
    ("name LIKE 'A?a'", true),
    ("name LIKE 'A?'", false), ("name LIKE '*'", true), ("name LIKE '*d*'", true), ("name LIKE '???'", true),
    ("name LIKE '????'", false), ("name LIKE '**a'", true), ("name LIKE ''", false), ("empty LIKE ''", true),
    ("empty LIKE '*'", true), ("city LIKE[d] 'Sao*o'", true), ("wild LIKE 'a\\\\*b\\\\?c\\\\\\\\d'", true),
    ("name LIKE 'A\\\\?a'", false), ("lines LIKE 'a?b'", true), ("composed LIKE '?'", true),
    ("decomposed LIKE '??'", true), ("id LIKE '7'", false),
    ("name MATCHES 'A[a-z]+'", true), ("name MATCHES 'A'", false), ("name MATCHES 'a.*'", false),
    ("name MATCHES[c] 'a.*'", true), ("digits MATCHES '\\\\d'", true), ("city MATCHES[d] 'Sao.*'", true),
    ("city MATCHES[cd] 'SÃO.*'", true), ("lines MATCHES 'a.b'", false), ("empty MATCHES ''", true),
    ("decomposed MATCHES '..'", true), ("name MATCHES 'Ada|Bob'", true), ("id MATCHES '7'", false),
  ]

  static let lists: [(String, Bool)] = [
    ("ANY tags.text == 'linux'", true), ("ANY tags.text == 'mac'", false),
    ("ANY tags.text ==[c] 'LINUX'", true),
    ("SOME tags.weight > 4", true), ("ALL tags.weight > 2", true), ("ALL tags.weight > 3", false),
    ("NONE tags.text == 'mac'", true), ("NONE tags.text == 'linux'", false), ("ANY tags.text == nil", true),
    ("ALL tags.text != nil", false), ("ANY tags.text BEGINSWITH 'li'", true),
    ("ANY tags.text IN {'x', 'swift'}", true),
    ("ANY tags.weight BETWEEN {4, 4.5}", true), ("ANY tags.text LIKE 'sw*'", true),
    ("ALL tags.text MATCHES '[a-z]*'", false),
    ("ANY nothing == 1", false), ("ALL nothing == 1", true), ("NONE nothing == 1", true),
    ("ANY nothing.x == nil", false), ("ANY missing == nil", false), ("ALL missing == 1", true),
    ("ANY unset.x == 1", false),
    ("ANY name == 'Ada'", true), ("ALL name == 'Bob'", false), ("ANY posts.tags.text == 'b'", true),
    ("ALL posts.tags.text IN {'a', 'b'}", true), ("ANY posts.tags.text == 'c'", false),
    ("ANY posts.tags.@count == 0", true),
    ("ALL posts.tags.@count < 3", true), ("tags.@count == 3", true), ("nothing.@count == 0", true),
    ("missing.@count == 0", false), ("missing.@count == nil", true), ("name.@count == nil", true),
    ("user.@count == 4", true),
    ("tags.text == 'linux'", false), ("tags.text != 'linux'", true), ("words == nil", false),
    ("words < 1", false),
    ("tags.text CONTAINS 'linux'", true), ("tags.text CONTAINS 'lin'", false),
    ("words CONTAINS 'one'", false),
    ("words CONTAINS[c] 'one'", true), ("numbers CONTAINS 2", true), ("numbers CONTAINS '2'", false),
    ("mixed CONTAINS nil", true), ("words CONTAINS nil", false), ("nothing CONTAINS nil", false),
    ("'two' IN words", true), ("'TWO' IN words", false), ("'TWO' IN[c] words", true), ("3 IN numbers", true),
    ("id IN numbers", false), ("words IN {'One'}", false), ("words BEGINSWITH 'One'", false),
    ("words == words", false),
    ("nil IN mixed", true), ("1 IN id", false), ("ANY words == name", false),
    ("ANY words CONTAINS 'n'", true),
  ]

  static let others: [(String, Bool)] = [
    ("TRUEPREDICATE", true), ("FALSEPREDICATE", false), ("NOT FALSEPREDICATE", true),
    ("id == 7 AND name == 'Bob'", false), ("id == 7 OR name == 'Bob'", true),
    ("id == 1 AND id == 2 OR id == 7", true), ("id == 1 AND (id == 2 OR id == 7)", false),
    ("NOT id == 1 AND id == 7", true), ("NOT (id == 1 OR id == 7)", false),
    ("user.name == 'Grace'", true), ("user.in == 1", true), ("user.#in == 1", true),
    (#"user.#"follower-count" > 10"#, true),
    ("SELF.id == 7", true), ("SELF != nil", true), ("SELF == nil", false), ("SELF == SELF", false),
    ("user == user", false),
    ("user < 1", false), ("user IN {1}", false), ("user CONTAINS 'x'", false),
    ("date == CAST('2000-01-01T00:00:00Z', 'NSDate')", true),
    ("date > CAST('2000-01-01T00:00:00Z', 'NSDate')", false),
    ("date < CAST('2000-01-01T00:00:00.5Z', 'NSDate')", true), ("CAST(-31622400, 'NSDate') == date", true),
    ("date IN {CAST(-31622400, 'NSDate')}", true), ("name == CAST(0, 'NSDate')", false),
    ("name != CAST(0, 'NSDate')", true),
    ("name < CAST(0, 'NSDate')", false), ("id == CAST(7, 'NSDate')", false),
    ("date == '2000-01-01T00:00:00Z'", false),
  ]

  @Test(arguments: nils) func comparesNils(text: String, holds: Bool) throws { try check(text, holds) }
  @Test(arguments: numbers) func comparesNumbers(text: String, holds: Bool) throws { try check(text, holds) }
  @Test(arguments: texts) func comparesTexts(text: String, holds: Bool) throws { try check(text, holds) }
  @Test(arguments: lists) func asksLists(text: String, holds: Bool) throws { try check(text, holds) }
  @Test(arguments: others) func answers(text: String, holds: Bool) throws { try check(text, holds) }

  private func check(_ text: String, _ holds: Bool) throws {
    let subject = try JSONDocument(parsing: Array(Self.item.utf8)).root
    #expect(try RecordPredicate(text).matches(subject) == holds)
  }

  @Test(arguments: [
    ("SELF == 'x'", #""x""#, true), ("SELF IN {1, 2}", "2", true), ("SELF IN {1, 2}", "null", false),
    ("ANY a == 2", #"[{"a": 1}, {"a": 2}]"#, true), ("@count == 2", "[1, 2]", true), ("a == nil", "3", true),
  ])
  func asksAnyNode(text: String, json: String, holds: Bool) throws {
    #expect(try RecordPredicate(text).matches(JSONDocument(parsing: Array(json.utf8)).root) == holds)
  }

  // MARK: Records

  /// A stand-in for a record, with typed values that raw dictionaries do not have.
  struct Subject: PredicateSubject {
    let values: [String: PredicateValue]

    func value(at keyPath: [String]) -> PredicateValue { values[keyPath.joined(separator: ".")] ?? .null }
  }

  static let typed: [(String, Bool)] = [
    ("date == '2000-01-01T00:00:00Z'", true), ("date == '2000-01-01T01:00:00+01:00'", true),
    ("date < '2000-01-01T00:00:00.001Z'", true), ("'2000-01-02T00:00:00Z' > date", true),
    ("date BETWEEN {'1999-01-01T00:00:00Z', '2001-01-01T00:00:00Z'}", true),
    ("date IN {'2000-01-01T00:00:00Z'}", true),
    ("date == '2000-01-01'", false), ("date != '2000-01-01'", true), ("date > '2000-01-01'", false),
    ("date == '2000-02-30T00:00:00Z'", false), ("date == -31622400", false), ("date == date", true),
    ("date LIKE '2000*'", false), ("user == editor", true), ("user == other", false), ("user != other", true),
    ("user == anonymous", false), ("anonymous == anonymous", false), ("user < editor", false),
    ("user IN {editor}", true),
    ("user != nil", true), ("ANY members == user", true), ("members CONTAINS other", false),
    ("double == 0.1", true),
    ("user == 'User/7'", false),
  ]

  @Test(arguments: typed)
  func comparesTypedValues(text: String, holds: Bool) throws {
    let tenth = try #require(JSONNumber(0.1))
    let subject = Subject(values: [
      "date": .date(Date(timeIntervalSinceReferenceDate: -31_622_400)), "double": .number(tenth),
      "user": .opaque("User/7"), "editor": .opaque("User/7"), "other": .opaque("User/8"),
      "anonymous": .opaque(nil),
      "members": .list([.opaque("User/6"), .opaque("User/7")]),
    ])
    #expect(try RecordPredicate(text).matches(subject) == holds)
  }

  @Test func aPredicateWithAMistakeMatchesNothing() {
    let subject = Subject(values: [:])
    #expect(!("a == " as RecordPredicate).matches(subject))
    #expect(("a == nil" as RecordPredicate).matches(subject))
  }

  // MARK: Comparisons with slow implementations

  @Test func wildcardsMatchAsTheSlowWayDoes() {
    func slowly(_ text: Substring, _ pattern: Substring) -> Bool {
      guard let first = pattern.first else { return text.isEmpty }
      if first == "*" {
        return slowly(text, pattern.dropFirst()) || (!text.isEmpty && slowly(text.dropFirst(), pattern))
      }
      return !text.isEmpty && (first == "?" || first == text.first)
        && slowly(text.dropFirst(), pattern.dropFirst())
    }
    var random = SeededGenerator(seed: 31)
    var matches = 0
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...7, using: &random)).map { _ in Bool.random(using: &random) ? "a" : "b" })
      let pattern = String(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in "ab**?".randomElement(using: &random) ?? "*" })
      let expected = slowly(text[...], pattern[...])
      matches += expected ? 1 : 0
      #expect(PredicatePattern(like: pattern, []).matches(text) == expected, "\(text) LIKE \(pattern)")
    }
    #expect(matches > 1_000)
  }

  @Test func aWildcardPatternIsNeverExponential() throws {
    let text = String(repeating: "a", count: 2_000)
    let pattern = String(repeating: "a*", count: 200) + "b"
    let predicate = try RecordPredicate("SELF LIKE '\(pattern)'")
    #expect(!predicate.matches(JSONDocument(.string(text)).root))
  }

  @Test func textsCompareAsFoundationsLiteralSearchDoes() {
    var random = SeededGenerator(seed: 32)
    let letters = ["a", "b", "A", "é", "e\u{301}", "ß", "🙂", "\u{301}", "İ", "ı", "ﬁ"]
    func word(_ length: ClosedRange<Int>) -> String {
      (0..<Int.random(in: length, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
        .joined()
    }
    for _ in 0..<5_000 {
      let (text, part) = (word(0...5), word(1...2))
      let contains = PredicateValue.string(text).holds(.string(part), [])
      #expect(contains == (text.range(of: part, options: .literal) != nil), "\(text) CONTAINS \(part)")
      let folded = PredicateValue.string(text).equals(
        .string(part), [.caseInsensitive, .diacriticInsensitive])
      let all: String.CompareOptions = [.caseInsensitive, .diacriticInsensitive]
      #expect(
        folded
          == (text.folding(options: all, locale: nil).utf8.elementsEqual(
            part.folding(options: all, locale: nil).utf8)))
    }
  }

  @Test func orderIsAnOrder() {
    var random = SeededGenerator(seed: 33)
    let values: [PredicateValue] = [
      .null, .boolean(true), .boolean(false), .number(JSONNumber(1)), .number(JSONNumber(0)), .string("a"),
      .string("B"),
      .string("2001-01-01T00:00:00Z"), .date(Date(timeIntervalSinceReferenceDate: 0)), .list([]),
      .opaque("x"),
      .opaque(nil),
    ]
    for _ in 0..<2_000 {
      guard let left = values.randomElement(using: &random), let right = values.randomElement(using: &random)
      else { break }
      let options = PredicateTextOptions(rawValue: UInt8.random(in: 0...3, using: &random))
      let there = left.order(against: right, options)
      let back = right.order(against: left, options)
      #expect((there == .below) == (back == .above))
      #expect((there == nil) == (back == nil))
      #expect(left.equals(right, options) == right.equals(left, options))
    }
  }

  @Test func datesAreReadAsFoundationReadsThem() {
    var random = SeededGenerator(seed: 34)
    for _ in 0..<3_000 {
      // Before 1582 Foundation uses the Julian calendar, and RFC 3339 does not.
      let seconds = Double(Int.random(in: -13_000_000_000...200_000_000_000, using: &random))
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(predicateDate(date.formatted(.iso8601)) == date)
    }
  }

  @Test(arguments: [
    "2000-13-01T00:00:00Z", "2001-02-29T00:00:00Z", "2000-01-01T24:00:00Z", "2000-01-01T00:60:00Z",
    "2000-01-01T00:00:61Z", "2000-01-01T00:00:00", "2000-01-01T00:00:00Zx", "2000-01-01T00:00:00.Z",
    "2000-1-1T0:0:0Z",
    "2000-01-01T00:00:00+24:00", "2000-01-01T00:00:00+0100", "2000-01-01 00:00:00Z", "x", "",
    "２000-01-01T00:00:00Z",
  ])
  func readsNoOtherDates(text: String) { #expect(predicateDate(text) == nil) }

  /// Every random predicate can be evaluated for a dictionary.
  @Test func everyPredicateIsAnswered() throws {
    var random = SeededGenerator(seed: 35)
    let subject = try JSONDocument(parsing: Array(Self.item.utf8)).root
    var held = 0
    for _ in 0..<2_000 {
      let tree = RandomPredicates.tree(depth: 2, using: &random)
      let predicate = try RecordPredicate(tree.description)
      let negated = try RecordPredicate("NOT (\(tree.description))")
      #expect(predicate.matches(subject) != negated.matches(subject))
      held += predicate.matches(subject) ? 1 : 0
    }
    #expect(held > 100)
  }
}
