import Foundation
import JSONTree
import RecordModel
import Testing

/// Arguments for placeholders are taken literally, regardless of their contents.
@Suite struct PredicateArgumentTests {
  private func holds(
    _ text: String, _ arguments: PredicateArgument..., for dictionary: JSONValue
  ) throws -> Bool {
    try RecordPredicate(text, arguments: arguments).matches(JSONDocument(dictionary).root)
  }

  @Test(arguments: [
    "O'Brien", "C:\\new", "x' OR TRUEPREDICATE OR name == 'x", "\"", "%@", "%K", "\n\t\u{0}", "", "é",
    "e\u{301}", "nil",
  ])
  func textsMeanThemselves(text: String) throws {
    #expect(try holds("name == %@", .value(.string(text)), for: ["name": .string(text)]))
    #expect(try !holds("name == %@", .value(.string(text)), for: ["name": "Ada"]))
    #expect(try holds("name IN %@", .list([.string("a"), .string(text)]), for: ["name": .string(text)]))
  }

  @Test func valuesOfAllKinds() throws {
    #expect(
      try holds(
        "a == %@ AND b == %@", .value(.integer(.min)), .value(.double(1e300)),
        for: ["a": -9_223_372_036_854_775_808, "b": 1e300]))
    #expect(try holds("a == %@", .value(nil), for: ["b": 1]))
    #expect(try holds("a == %@", .value(.boolean(true)), for: ["a": true]))
    #expect(try holds("a > %@", .value(.decimal(Decimal(string: "0.1") ?? 0)), for: ["a": 0.2]))
    let date = Date(timeIntervalSinceReferenceDate: 0.25)
    #expect(try holds("a == %@", .value(.date(date)), for: ["a": "2001-01-01T00:00:00.25Z"]))
    #expect(try holds("a BETWEEN %@", .list([.integer(1), .integer(3)]), for: ["a": 2]))
    #expect(try holds("a IN %@", .list([]), for: ["a": 2]) == false)
  }

  @Test func keyPathsAreKeysAlone() throws {
    let dictionary: JSONValue = ["user": ["follower-count": 7], "any": 1]
    #expect(
      try holds(
        "%K > 5 AND %K == 1", .keyPath(["user", "follower-count"]), .keyPath(["any"]), for: dictionary))
  }

  @Test func placeholdersWithinQuotesAreText() throws {
    #expect(try holds(#"a == '%@' AND b == "\"%K""#, for: ["a": "%@", "b": "\"%K"]))
  }

  @Test(arguments: [
    ("a == %@", [], 5..<7, "missing argument for '%@': the predicate has 0 arguments"),
    (
      "a == 1", [PredicateArgument.value(.integer(1))], 6..<6,
      "1 argument for 0 placeholders"
    ),
    ("%K == 1", [.value(.string("a"))], 0..<2, "'%K' takes a key path"),
    ("a == %@", [.keyPath(["b"])], 5..<7, "'%@' takes a value or a list of values"),
    ("a == %@", [.value(.double(.nan))], 5..<7, "a predicate cannot contain this value"),
    ("a == %@", [.value(.binary(Data([1])))], 5..<7, "a predicate cannot contain this value"),
  ])
  func mistakes(text: String, arguments: [PredicateArgument], range: Range<Int>, message: String) {
    let error = #expect(throws: PredicateSyntaxError.self) { try RecordPredicate(text, arguments: arguments) }
    #expect(error?.range == range)
    #expect(error?.message == message)
  }
}
