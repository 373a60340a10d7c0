/// A condition on a record or on a raw dictionary, in a common subset of the NSPredicate format:
/// `name BEGINSWITH[cd] "a" AND (followers > 10 OR ANY tags.text IN {"swift", "linux"})`.
///
/// An invalid predicate in a string literal does not stop the program. The predicate keeps its ``syntaxError`` and
/// matches nothing, and the validation of the model or the fetch reports the error. This applies to
/// `RecordPredicate("…")` with a literal, too. The throwing initializer parses only texts that are not literals.
///
/// ## The language
///
/// - Comparisons: `=` `==` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>`, `IN {a, b}`, `BETWEEN {low, high}`, `CONTAINS`,
///   `BEGINSWITH`, `ENDSWITH`, `LIKE` (`?` matches one character, `*` any number), `MATCHES` (a regular expression that
///   matches the whole text). After any operator except `BETWEEN`, `[c]` ignores case, `[d]` ignores diacritics, and
///   `[cd]` both.
/// - Logic: `NOT` or `!` has the highest precedence, then `AND` or `&&`, then `OR` or `||`. Parentheses override it.
/// - Modifiers: `ANY` (or `SOME`), `ALL` and `NONE` before a comparison whose left side is a to-many.
/// - Key paths: `user.name`, `tags.@count`, `SELF`. A key that is a word of the language is written `#any`, any other
///   unusual key `#"follower-count"`.
/// - Values: `"text"` or `'text'`, `12`, `-1.5e3`, `YES` `NO` `TRUE` `FALSE`, `nil` `NULL`,
///   `CAST("2000-01-01T00:00:00Z", "NSDate")`.
/// - `TRUEPREDICATE` and `FALSEPREDICATE` are complete predicates.
///
/// Keywords are not case-sensitive. To insert values of a program, use ``init(_:arguments:)-(_,[PredicateArgument])``,
/// and do not build a text.
///
/// `LIKE` takes time up to the product of both lengths, and `MATCHES` depends on its expression. All other comparisons
/// are linear in the length of the texts.
///
/// ## The meaning
///
/// - nil equals only nil, and is neither less nor greater than any value. A missing key is nil.
/// - Numbers are compared by their exact value (`1 == 1.0`), and booleans as 1 and 0.
/// - Texts are compared by Unicode scalars: a composed `é` differs from an `e` with a combining accent, except with
///   `[d]`. Folding and order do not depend on the locale. The empty text is part of every text.
/// - A text that is compared with a date is read as RFC 3339.
/// - Values of kinds that cannot be compared are unequal (`!=` is true); every other comparison of them is false.
/// - `ANY` is false for an empty list; `ALL` and `NONE` are true. Lists within lists count as one list, nil counts as
///   an empty list, and a single value as a list of one.
/// - A list without `ANY` or `ALL` is useful only to the left of `CONTAINS` and to the right of `IN`. Between texts,
///   `IN` and `CONTAINS` test whether one is part of the other. A list equals nothing.
public struct RecordPredicate: Hashable, Sendable {
  /// The original text of the predicate.
  public let text: String

  /// The error of an invalid predicate; nil if the predicate is valid. Only predicates from literals can be invalid.
  public let syntaxError: PredicateSyntaxError?

  /// The parsed text; `FALSEPREDICATE` if the text is invalid.
  package let tree: PredicateTree

  /// The key paths of the predicate, in the order of the text.
  package let keyPaths: [PredicateKeyPath]

  /// Parses a predicate.
  ///
  /// - Throws: the first error, with its location.
  /// - Complexity: linear in the length of the text.
  public init(_ text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text)
    tree = try parser.parse()
    keyPaths = parser.keyPaths
    self.text = text
    syntaxError = nil
  }
}

extension RecordPredicate: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do throws(PredicateSyntaxError) {
      try self.init(text)
    } catch {
      self.init(text: text, syntaxError: error)
    }
  }

  init(text: String, syntaxError: PredicateSyntaxError) {
    self.text = text
    self.syntaxError = syntaxError
    tree = .constant(false)
    keyPaths = []
  }
}

extension RecordPredicate {
  /// A Boolean value that indicates whether a key path leads to a value from around the item.
  package var leadsOutside: Bool {
    keyPaths.contains { $0.keys.first.flatMap(MappingPath.Place.init) != nil }
  }
}

extension RecordPredicate: CustomStringConvertible {
  /// The original text of the predicate.
  public var description: String { text }
}

/// A key path in a predicate with its position, for the validation of a model.
package struct PredicateKeyPath: Hashable, Sendable {
  /// The keys. The last key may be `@count`. Empty for `SELF`.
  package let keys: [String]
  /// The position in the text, as offsets in Unicode scalars.
  package let range: Range<Int>
  /// A Boolean value that indicates whether it is one plain word on the right of a comparison, which may be text
  /// without its quotes.
  package let mayBeUnquotedText: Bool
}

/// The reason why a text is not a predicate.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  /// The invalid characters of the text, as offsets in Unicode scalars. The range is empty at the end of the text if
  /// something is missing there.
  public let range: Range<Int>
  /// One line, without the location.
  public let message: String
  /// The correction to suggest, if there is one.
  public let advice: String?
}

extension PredicateSyntaxError: CustomStringConvertible {
  public var description: String {
    "character \(range.lowerBound + 1): \(message)" + (advice.map { "; \($0)" } ?? "")
  }
}
