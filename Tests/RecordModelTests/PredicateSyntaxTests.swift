import JSONTree
import TestSupport
import Testing

@testable import RecordModel

@Suite("Predicates: syntax")
struct PredicateSyntaxTests {
  /// Texts, and the canonical forms of their trees.
  static let trees: [(text: String, tree: String)] = [
    // Comparisons
    ("a = 1", "a == 1"), ("a == 1", "a == 1"), ("a != 1", "a != 1"), ("a <> 1", "a != 1"),
    ("a < 1", "a < 1"), ("a <= 1", "a <= 1"), ("a =< 1", "a <= 1"), ("a > 1", "a > 1"),
    ("a >= 1", "a >= 1"), ("a => 1", "a >= 1"), ("a=1", "a == 1"), ("1 < a", "1 < a"),
    ("a in {1, 2}", "a IN {1, 2}"), ("a IN {}", "a IN {}"), ("a IN tags", "a IN tags"),
    ("'x' IN name", #""x" IN name"#), ("a IN 'abc'", #"a IN "abc""#),
    ("a IN {b, nil, 'x'}", #"a IN {b, nil, "x"}"#),
    ("a between {1, b}", "a BETWEEN {1, b}"),
    ("a contains 'x'", #"a CONTAINS "x""#), ("a CONTAINS 5", "a CONTAINS 5"),
    ("a CONTAINS b.c", "a CONTAINS b.c"),
    ("a beginswith 'x'", #"a BEGINSWITH "x""#), ("a EndsWith b", "a ENDSWITH b"),
    ("a like 'x*'", #"a LIKE "x*""#), ("a matches '[a-z]+'", #"a MATCHES "[a-z]+""#),
    ("a ==[c] 'x'", #"a ==[c] "x""#), ("a contains[dc] 'x'", #"a CONTAINS[cd] "x""#),
    ("a LIKE [CD] 'x'", #"a LIKE[cd] "x""#), ("a <[d] 'x'", #"a <[d] "x""#),
    ("a IN[c] {'x'}", #"a IN[c] {"x"}"#),
    // Logic
    ("a = 1 AND b = 2 OR c = 3 AND d = 4", "(a == 1 AND b == 2) OR (c == 3 AND d == 4)"),
    ("a = 1 and (b = 2 or c = 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("a = 1 && b = 2 && c = 3", "a == 1 AND b == 2 AND c == 3"),
    ("a = 1 || b = 2 || c = 3", "a == 1 OR b == 2 OR c == 3"),
    ("(a = 1 AND b = 2) AND c = 3", "(a == 1 AND b == 2) AND c == 3"),
    ("NOT a = 1 AND b = 2", "(NOT a == 1) AND b == 2"), ("!a = 1 OR b = 2", "(NOT a == 1) OR b == 2"),
    ("not (a = 1 and b = 2)", "NOT (a == 1 AND b == 2)"), ("NOT NOT a = 1", "NOT (NOT a == 1)"),
    ("!!(a = 1)", "NOT (NOT a == 1)"),
    ("NOT a IN {1}", "NOT a IN {1}"), ("TRUEPREDICATE", "TRUEPREDICATE"),
    ("falsepredicate OR (TruePredicate)", "FALSEPREDICATE OR TRUEPREDICATE"),
    ("((a = 1))", "a == 1"), ("(a) = (1)", "a == 1"), ("((a)) = ((b))", "a == b"),
    // To-manys
    ("ANY tags.text = 'x'", #"ANY tags.text == "x""#), ("some tags.text = 'x'", #"ANY tags.text == "x""#),
    ("all tags.text = 'x'", #"ALL tags.text == "x""#), ("NONE tags.text = 'x'", #"NOT ANY tags.text == "x""#),
    ("ANY tags.text IN {'x'} AND b = 1", #"ANY tags.text IN {"x"} AND b == 1"#),
    ("tags.@count > 0", "tags.@count > 0"), ("@count = 2", "@count == 2"),
    // Key paths
    ("a.b.c = 1", "a.b.c == 1"), ("SELF = 'x'", #"SELF == "x""#), ("self.a = 1", "a == 1"),
    ("größe = 1", "größe == 1"), ("_id2 = 1", "_id2 == 1"), ("#any = 1", "#any == 1"),
    ("#IN.b = 1", "#IN.b == 1"),
    ("a.in = 1", "a.#in == 1"), ("#name = 1", "name == 1"),
    (##"#"follower-count" = 1"##, ##"#"follower-count" == 1"##),
    (#"#'a b'.#"c\"d" = 1"#, ##"#"a b".#"c\"d" == 1"##), (##"#"self" = 1"##, "#self == 1"),
    ("first = 1 AND size = 2", "first == 1 AND size == 2"),
    // Values
    ("a = 'it\\'s \"x\"'", #"a == "it's \"x\"""#), (#"a = "\\ \n\t\r \u00e9""#, "a == \"\\\\ \\n\\t\\r é\""),
    ("a = ''", #"a == """#), ("a = -5", "a == -5"), ("a = 1.50", "a == 1.50"), ("a = 2e3", "a == 2e3"),
    ("a = 1E-2", "a == 1E-2"), ("a=-1", "a == -1"), ("a = 0", "a == 0"),
    ("a = 123456789012345678901234567890", "a == 123456789012345678901234567890"),
    ("a = yes AND b = True AND c = NO AND d = false", "a == YES AND b == YES AND c == NO AND d == NO"),
    ("a = nil AND b = NULL AND c != NIL", "a == nil AND b == nil AND c != nil"),
    (#"a > CAST("2001-01-01T00:00:10Z", "NSDate")"#, #"a > CAST(10.0, "NSDate")"#),
    ("a > cast('2000-02-29T23:59:59.5-01:30', 'NSDate')", #"a > CAST(-26433000.5, "NSDate")"#),
    ("a > CAST(0.5, 'NSDate')", #"a > CAST(0.5, "NSDate")"#),
    ("#cast = 1", "#cast == 1"), ("a\t=\n1", "a == 1"),
  ]

  @Test(arguments: trees)
  func parses(text: String, tree: String) throws {
    let predicate = try RecordPredicate(text)
    #expect(predicate.tree.description == tree)
    #expect(predicate.description == text)
    #expect(predicate.syntaxError == nil)
    // The canonical form parses to the same tree.
    #expect(try RecordPredicate(tree).tree == predicate.tree)
    #expect(RecordPredicate(stringLiteral: text) == predicate)
  }

  static let mistakes: [(text: String, range: Range<Int>, message: String, advice: String?)] = [
    ("", 0..<0, "the predicate is empty", "TRUEPREDICATE matches everything"),
    ("  ", 2..<2, "the predicate is empty", "TRUEPREDICATE matches everything"),
    ("name", 0..<4, "missing comparison after name", "to test a Boolean, write name == YES"),
    ("name ==", 5..<7, "missing operand after '=='", nil),
    ("== 5", 0..<2, "missing operand before '=='", nil),
    ("name == AND x == 1", 5..<7, "missing operand after '=='", nil),
    ("a == 1 AND", 7..<10, "missing operand after 'AND'", nil),
    ("a == 1 AND OR b == 2", 7..<10, "missing operand after 'AND'", nil),
    ("AND a == 1", 0..<3, "missing operand before 'AND'", nil),
    ("NOT", 0..<3, "missing operand after 'NOT'", nil),
    ("a == 1 OR == 2", 10..<12, "missing operand before '=='", nil),
    (
      "name = 'abc", 7..<8, "missing closing quote",
      #"close the string with '; inside the string, write \'"#
    ),
    (
      #"name = "abc"#, 7..<8, "missing closing quote",
      #"close the string with "; inside the string, write \""#
    ),
    ("name is nil", 5..<7, "'is' is not a comparison operator", "write name == nil"),
    ("name IS NOT NULL", 5..<7, "'IS' is not a comparison operator", "write name != nil"),
    ("isOpen is true", 7..<9, "'is' is not a comparison operator", "write isOpen == true"),
    ("isOpen IS NOT NO", 7..<9, "'IS' is not a comparison operator", "write isOpen != NO"),
    ("name is 'Ada'", 5..<7, "'is' is not a comparison operator", "write name == 'Ada'"),
    ("age is not 7", 4..<6, "'is' is not a comparison operator", "write age != 7"),
    ("name IS", 5..<7, "'IS' is not a comparison operator", "write name == nil"),
    ("a STARTSWITH 'x'", 2..<12, "'STARTSWITH' is not a comparison operator", "did you mean 'BEGINSWITH'?"),
    ("name hasSuffix 'x'", 5..<14, "'hasSuffix' is not a comparison operator", "did you mean 'ENDSWITH'?"),
    ("name eq 'x'", 5..<7, "'eq' is not a comparison operator", "did you mean '=='?"),
    ("name =~ 'x'", 6..<7, "unexpected '~'", "write MATCHES to compare with a regular expression"),
    ("name LIKE", 5..<9, "missing operand after 'LIKE'", nil),
    ("name LIKE foo*", 10..<14, "'LIKE' expects a string in quotes, found foo*", "write 'foo*'"),
    ("name LIKE 5", 10..<11, "'LIKE' expects a string in quotes, found 5", "write '5'"),
    ("name LIKE[c]", 5..<9, "missing operand after 'LIKE'", nil),
    ("name MATCHES foo", 13..<16, "'MATCHES' expects a string in quotes, found foo", "write 'foo'"),
    (
      "name == John Smith", 13..<18, "expected AND, OR or the end, found Smith",
      "write a string in quotes: 'John Smith'"
    ),
    ("name CONTAIN 'x'", 5..<12, "'CONTAIN' is not a comparison operator", "did you mean 'CONTAINS'?"),
    ("name BEGINWITH 'x'", 5..<14, "'BEGINWITH' is not a comparison operator", "did you mean 'BEGINSWITH'?"),
    ("name foo 'x'", 5..<8, "'foo' is not a comparison operator", nil),
    ("a == 1 adn b == 2", 7..<10, "expected AND, OR or the end, found adn", "did you mean 'AND'?"),
    ("a == 1 b == 2", 7..<8, "expected AND, OR or the end, found b", nil),
    ("a == 1, b == 2", 6..<7, "expected AND, OR or the end, found ,", "join conditions with AND or OR"),
    ("a == 1)", 6..<7, "missing '(' for ')'", nil),
    ("(", 1..<1, "expected a key path or a value, found the end", nil),
    ("(a == 1", 0..<1, "missing ')' for '('", nil),
    ("(a == 1]", 7..<8, "unexpected ']'", nil),
    ("((a == 1)", 0..<1, "missing ')' for '('", nil),
    ("()", 1..<2, "the parentheses are empty", nil),
    ("( )", 2..<3, "the parentheses are empty", nil),
    ("1 < a < 5", 6..<7, "comparisons cannot be chained", "write two comparisons, 1 < a AND a < 5"),
    ("name == == 5", 8..<10, "expected a key path or a value, found ==", nil),
    ("a IN (1, 2)", 5..<6, "'IN' expects a list in braces", "write IN {'a', 'b'}"),
    ("a IN 5", 5..<6, "'IN' expects a list, a to-many relationship or a string, found 5", "write IN {5}"),
    ("a IN {1, 2", 5..<6, "missing '}' at the end of the list", nil),
    ("a IN {1,}", 8..<9, "expected a value, found }", nil),
    ("a IN {,}", 6..<7, "expected a value, found ,", nil),
    ("a IN {{1}}", 6..<7, "a list cannot contain a list", nil),
    ("a IN {1 2}", 8..<9, "expected ',' or '}', found 2", nil),
    (
      "a == {1}", 5..<8, "'==' expects one value, found a list",
      "to match one of several values, write IN"
    ),
    (
      "tags CONTAINS {1}", 14..<17, "'CONTAINS' expects one value, found a list",
      "to match any of several values, write ANY … IN {1}"
    ),
    ("a BETWEEN 1 AND 5", 10..<11, "'BETWEEN' expects two values in braces, found 1", "write BETWEEN {1, 5}"),
    ("a BETWEEN {1}", 10..<13, "'BETWEEN' expects two values, found 1", "write BETWEEN {1, 10}"),
    ("a BETWEEN {1, 2, 3}", 10..<19, "'BETWEEN' expects two values, found 3", "write BETWEEN {1, 10}"),
    ("a BETWEEN[c] {1, 2}", 9..<12, "'BETWEEN' takes no options", nil),
    ("a BETWEEN 5", 10..<11, "'BETWEEN' expects two values in braces, found 5", "write BETWEEN {1, 10}"),
    ("a NOT IN {1}", 2..<5, "'NOT' must come before the whole comparison", "write NOT a IN …"),
    ("a NOT LIKE 'x'", 2..<5, "'NOT' must come before the whole comparison", "write NOT a LIKE …"),
    ("name BEGINSWITH 5", 16..<17, "'BEGINSWITH' expects a string, found 5", "write it in quotes, '5'"),
    ("name ENDSWITH nil", 14..<17, "'ENDSWITH' expects a string, found nil", "write it in quotes, 'nil'"),
    (
      "name ==[x] 'a'", 7..<10, "unknown option '[x]'",
      "[c] ignores case, [d] ignores diacritics, [cd] ignores both"
    ),
    (
      "name ==[] 'a'", 7..<9, "unknown option '[]'",
      "[c] ignores case, [d] ignores diacritics, [cd] ignores both"
    ),
    (
      "name[0] == 1", 4..<7, "unexpected '[0]'",
      "write options after the operator: name ==[c] 'ada'; use ANY or ALL for a to-many relationship"
    ),
    ("name[c == 1", 4..<5, "missing ']' for '['", nil),
    (
      "in == 3", 0..<2, "expected a key path or a value, found in",
      "'in' is a reserved word; for a key with this name, write #in"
    ),
    ("any == 3", 0..<3, "missing key path after 'any'", "for a key with this name, write #any"),
    (
      "name == in", 5..<7, "missing operand after '=='",
      "'in' is a reserved word; write a string in quotes"
    ),
    (
      "name == like 'x'", 5..<7, "missing operand after '=='",
      "'like' is a reserved word; write a string in quotes"
    ),
    ("CONTAINS 'x'", 0..<8, "missing operand before 'CONTAINS'", nil),
    ("a == 1 AND CONTAINS 'x'", 11..<19, "missing operand before 'CONTAINS'", nil),
    (
      "ANY tags.name", 4..<13, "missing comparison after tags.name",
      "to test a Boolean, write tags.name == YES"
    ),
    (
      "ANY (a == 1)", 0..<3, "'ANY' must come before a comparison, not before a parenthesis",
      "write it before each comparison, ANY tags.text == 'a'"
    ),
    (
      "ANY 'x' == tags", 4..<7, "'ANY' expects the key path of a to-many relationship, found ''x''",
      "write the key path on the left, ANY tags.text == 'a'"
    ),
    ("ANY", 0..<3, "missing operand after 'ANY'", nil),
    (
      "ANY SELF == 1", 4..<8, "'ANY' expects the key path of a to-many relationship, found 'SELF'",
      "write the key path on the left, ANY tags.text == 'a'"
    ),
    ("ALL tags", 4..<8, "missing comparison after tags", "to test a Boolean, write tags == YES"),
    (
      "name == %@", 8..<10, "'%@' is a placeholder without an argument",
      "write the value itself, 'Ada' in quotes, 7 or nil"
    ),
    ("%K == 1", 0..<2, "'%K' is a placeholder without an argument", "write the key itself, 'user.name'"),
    (
      "age > %d", 6..<8, "'%d' is a placeholder without an argument",
      "write the value itself, 'Ada' in quotes, 7 or nil"
    ),
    (
      "a == $x", 5..<7, "'$x' is a variable without a value",
      #"write the value itself; for a key with this name, write #"$x""#
    ),
    (#"a == @"x""#, 5..<6, "unexpected '@' before the string", "remove the '@'"),
    ("a == “x”", 5..<6, "'“' is a typographic quote", #"use straight quotes, ' or ""#),
    ("a & b", 2..<3, "unexpected '&'", "did you mean '&&'?"),
    ("a == 1 | b == 1", 7..<8, "unexpected '|'", "did you mean '||'?"),
    ("a ~= 1", 2..<3, "unexpected '~'", "write MATCHES to compare with a regular expression"),
    ("a === 1", 4..<5, "expected a key path or a value, found =", nil),
    ("a =! 1", 3..<4, "expected a key path or a value, found !", nil),
    ("a + 1 == 2", 2..<3, "'+' is not a comparison operator, and predicates do not support arithmetic", nil),
    (
      "follower-count == 3", 8..<9,
      "'-' is not a comparison operator, and predicates do not support arithmetic",
      #"if this is one key, write #"follower-count""#
    ),
    ("a - 1 == 2", 2..<3, "'-' is not a comparison operator, and predicates do not support arithmetic", nil),
    ("a -1 == 2", 2..<4, "expected a comparison, found -1; predicates do not support arithmetic", nil),
    ("a * 2 == 4", 2..<3, "'*' is not a comparison operator, and predicates do not support arithmetic", nil),
    (
      "lower(name) == 'x'", 0..<5, "'lower' looks like a function, and predicates do not support functions",
      nil
    ),
    ("name == now()", 8..<11, "'now' looks like a function, and predicates do not support functions", nil),
    (
      "SUBQUERY(a, $x, $x.b == 1).@count > 0", 12..<14, "'$x' is a variable without a value",
      #"write the value itself; for a key with this name, write #"$x""#
    ),
    ("tags.@cuont == 1", 5..<11, "unknown operator '@cuont'", "did you mean '@count'?"),
    ("tags.@sum == 1", 5..<9, "unknown operator '@sum'", ##"for a key with this name, write #"@sum""##),
    ("tags.@count.x == 1", 5..<11, "'@count' must be the last part of a key path", nil),
    (
      "tags. == 1", 6..<8, "expected a key after '.', found ==",
      #"write a key with special characters as #"odd-key""#
    ),
    ("tags.", 5..<5, "expected a key after '.'", nil),
    (
      "tags.0 == 1", 5..<6, "expected a key after '.', found 0",
      #"write a key with special characters as #"odd-key""#
    ),
    (
      "a == .5", 5..<6, "expected a key path or a value, found .",
      "write a digit before the decimal point, such as 0.5"
    ),
    ("a == 007", 5..<8, "'007' is not a number", "write numbers like 12, -1.5 or 2e3, and strings in quotes"),
    (
      "a == 12abc", 5..<10, "'12abc' is not a number",
      "write numbers like 12, -1.5 or 2e3, and strings in quotes"
    ),
    (
      "a == 1.2.3", 5..<10, "'1.2.3' is not a number",
      "write numbers like 12, -1.5 or 2e3, and strings in quotes"
    ),
    ("a == 1.", 5..<7, "'1.' is not a number", "write numbers like 12, -1.5 or 2e3, and strings in quotes"),
    ("a == -", 5..<6, "expected a key path or a value, found -", nil),
    ("a == +5", 5..<6, "expected a key path or a value, found +", nil),
    (#"a == 'x\d'"#, 7..<9, #"unknown escape '\d'"#, #"write '\\' for a backslash"#),
    (#"a == 'x\"#, 7..<8, "the string ends within an escape", nil),
    (#"a == '\u12'"#, 6..<8, #"expected four hexadecimal digits after '\u'"#, nil),
    ("# == 1", 0..<1, "expected a key after '#'", #"write '#any' or '#"odd key"'"#),
    (#"#"@count" == 1"#, 0..<9, "a predicate cannot use a key named '@count'", nil),
    (
      "a == CAST('2000-13-01T00:00:00Z', 'NSDate')", 10..<32,
      "expected a date as a string, found '2000-13-01T00:00:00Z'", #"write RFC 3339, "2000-01-01T00:00:00Z""#
    ),
    (
      "a == CAST(5, 'NSNumber')", 13..<23, #"expected "NSDate", found 'NSNumber'"#,
      #"CAST only converts to dates: CAST("2000-01-01T00:00:00Z", "NSDate")"#
    ),
    ("a == CAST 5", 10..<11, "expected '(', found 5", #"write CAST("2000-01-01T00:00:00Z", "NSDate")"#),
    (
      "a == CAST('2000-01-01T00:00:00Z')", 32..<33, "expected ',', found )",
      #"write CAST("2000-01-01T00:00:00Z", "NSDate")"#
    ),
    (
      "a == CAST(b, 'NSDate')", 10..<11, "expected a date as a string, found b",
      #"write RFC 3339, "2000-01-01T00:00:00Z""#
    ),
    (
      "TRUEPREDICATE == 1", 14..<16, "comparisons cannot be chained",
      "write two comparisons, 1 < a AND a < 5"
    ),
    ("TRUEPREDICATE FALSEPREDICATE", 14..<28, "expected AND, OR or the end, found FALSEPREDICATE", nil),
    ("name!", 4..<5, "'!' is not a comparison operator", "did you mean '!='?"),
    ("! == 2", 2..<4, "missing operand before '=='", nil),
    ("a == !b", 5..<6, "expected a key path or a value, found !", nil),
    ("SELF.SELF", 0..<9, "missing comparison after SELF.SELF", "to test a Boolean, write SELF.SELF == YES"),
    (
      "name == 'O'Brien'", 16..<17, "missing closing quote",
      #"close the string with '; inside the string, write \'"#
    ),
    ("a == 1 && ", 7..<9, "missing operand after '&&'", nil),
    ("name 'x'", 5..<8, "expected a comparison after name, found 'x'", nil),
    ("name 5", 5..<6, "expected a comparison after name, found 5", nil),
    ("a == 5 -1", 7..<9, "expected AND, OR or the end, found -1", "predicates do not support arithmetic"),
    ("x = y z w", 6..<7, "expected AND, OR or the end, found z", "write a string in quotes: 'y z'"),
    ("NOT name", 4..<8, "missing comparison after name", "to test a Boolean, write name == YES"),
    ("a AND b == 1", 0..<1, "missing comparison after a", "to test a Boolean, write a == YES"),
    ("a == 1;", 6..<7, "unexpected ';'", nil),
    ("a == 1 AND (b)", 11..<14, "missing comparison after (b)", "to test a Boolean, write (b) == YES"),
    (
      "(a == 1) == 2", 9..<11, "comparisons cannot be chained",
      "write two comparisons, 1 < a AND a < 5"
    ),
    ("NONE x", 5..<6, "missing comparison after x", "to test a Boolean, write x == YES"),
  ]

  @Test(arguments: mistakes)
  func reports(text: String, range: Range<Int>, message: String, advice: String?) {
    let expected = PredicateSyntaxError(range: range, message: message, advice: advice)
    #expect(throws: expected) { try RecordPredicate(text) }

    let literal = RecordPredicate(stringLiteral: text)
    #expect(literal.syntaxError == expected)
    #expect(literal.text == text)
    #expect(literal.tree == .constant(false))
  }

  /// The end of these messages comes from the regular expression compiler.
  @Test(arguments: ["(", "a{5,2}", "[z-a]", "*", "\\\\K", "(((("])
  func reportsWrongExpressions(pattern: String) {
    let text = "name MATCHES '\(pattern)'"
    let error = #expect(throws: PredicateSyntaxError.self) { try RecordPredicate(text) }
    #expect(error?.range == 13..<text.unicodeScalars.count)
    #expect(error?.message.hasPrefix("invalid regular expression: ") == true)
  }

  @Test func boundsTheBracketsOfAnExpression() {
    let nested = String(repeating: "[", count: 20_000) + "a" + String(repeating: "]", count: 20_000)
    let error = #expect(throws: PredicateSyntaxError.self) { try RecordPredicate("a MATCHES '\(nested)'") }
    #expect(error?.message == "invalid regular expression: it has more than 100 brackets")
  }

  @Test func keyPathsStandInOrderWithTheirPlaces() throws {
    let text = "ANY tags.text == 'x' AND (größe > min OR SELF IN {a.b, other}) AND #\"a b\".@count = #any"
    let paths = try RecordPredicate(text).keyPaths
    let scalars = Array(text.unicodeScalars)
    let written = paths.map { path in String(String.UnicodeScalarView(scalars[path.range])) }
    #expect(
      paths.map(\.keys) == [
        ["tags", "text"], ["größe"], ["min"], [], ["a", "b"], ["other"], ["a b", "@count"], ["any"],
      ])
    #expect(written == ["tags.text", "größe", "min", "SELF", "a.b", "other", "#\"a b\".@count", "#any"])
    #expect(paths.map(\.mayBeUnquotedText) == [false, false, true, false, false, true, false, false])
  }

  @Test(arguments: ["(", "NOT ", "!", "a IN {", "((a) = (", "a = 1 AND (", "NOT ("])
  func nestingIsBounded(piece: String) {
    let count = piece == "(" ? 100_000 : 10_000
    let text = String(repeating: piece, count: count) + "a = 1" + String(repeating: ")", count: count)
    #expect(throws: PredicateSyntaxError.self) { try RecordPredicate(text) }
  }

  @Test func nestsAsDeepAsItSays() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a = 1" + String(repeating: ")", count: depth)
    }
    let deepest = nested(PredicateParser.maximumDepth)
    #expect(try RecordPredicate(deepest).tree.description == "a == 1")
    let tooDeep = nested(PredicateParser.maximumDepth + 1)
    #expect(
      throws: PredicateSyntaxError(
        range: 64..<65, message: "the predicate is nested more than 64 levels deep", advice: nil)
    ) {
      try RecordPredicate(tooDeep)
    }
    // Chains are not nested, and finished parentheses do not count.
    let chain = Array(repeating: "(a = 1)", count: 10_000).joined(separator: " AND ")
    #expect(try RecordPredicate(chain).keyPaths.count == 10_000)
  }

  @Test func noTextStopsTheProgram() throws {
    var random = SeededGenerator(seed: 21)
    let pieces = [
      "a", "b.c", "tags.@count", "SELF", "#any", "#\"x y\"", "1", "-2.5", "'x'", "\"y\"", "nil", "YES", "(",
      ")", "{", "}",
      ",", ".", "[c]", "[", "]", "=", "==", "!=", "<", ">=", "AND", "OR", "NOT", "!", "&&", "ANY", "ALL",
      "NONE", "IN",
      "BETWEEN", "CONTAINS", "LIKE", "MATCHES", "CAST", "TRUEPREDICATE", "'", "\"", "\\", "#", "@", "%@",
      "$x", "is", "é",
      "🙂", "\u{301}", "\0", "-", "*", "e5", "\"NSDate\"", "'a(b'", "'[a-z]*'",
    ]
    var parsed = 0
    for _ in 0..<40_000 {
      let text = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      let predicate = RecordPredicate(stringLiteral: text)
      if let error = predicate.syntaxError {
        #expect(error.range.upperBound <= text.unicodeScalars.count, "\(text)")
        #expect(!error.message.isEmpty)
      } else {
        parsed += 1
        let canonical = predicate.tree.description
        #expect(RecordPredicate(stringLiteral: canonical).tree == predicate.tree, "\(text)")
      }
    }
    #expect(parsed > 100)
  }

  /// Every random tree is written and parsed to an equal tree.
  @Test func anyTreeIsReadBack() throws {
    var random = SeededGenerator(seed: 22)
    for _ in 0..<3_000 {
      let tree = RandomPredicates.tree(depth: 3, using: &random)
      let text = tree.description
      let read = try RecordPredicate(text).tree
      #expect(read == tree, "\(text)")
    }
  }
}
