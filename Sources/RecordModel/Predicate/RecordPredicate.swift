/// A condition on a record or on a raw dictionary, in the everyday subset of the NSPredicate format:
/// `name BEGINSWITH[cd] "a" AND (followers > 10 OR ANY tags.text IN {"swift", "linux"})`.
///
/// Written as a string literal, a text that is no predicate does not stop the program: the predicate keeps
/// its ``syntaxError``, matches nothing, and whatever checks a model or a fetch reports it. That holds for
/// `RecordPredicate("…")` with a literal too; only a text that comes from elsewhere is parsed by the throwing
/// initialiser.
///
/// ## The language
///
/// - Comparisons: `=` `==` `!=` `<>` `<` `<=` `=<` `>` `>=` `=>`, `IN {a, b}`, `BETWEEN {low, high}`,
///   `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE` (`?` is one character, `*` any number), `MATCHES` (a
///   regular expression that matches the whole text). `[c]` behind any but `BETWEEN` ignores case, `[d]`
///   diacritics, `[cd]` both.
/// - `NOT` or `!` binds tightest, then `AND` or `&&`, then `OR` or `||`; parentheses override that.
/// - `ANY` (or `SOME`), `ALL` and `NONE` before a comparison whose left side is a to-many.
/// - Key paths `user.name`, `tags.@count`, `SELF`. A key that is a word of the language is written `#any`,
///   any other odd key `#"follower-count"`.
/// - Values: `"text"` or `'text'`, `12`, `-1.5e3`, `YES` `NO` `TRUE` `FALSE`, `nil` `NULL`,
///   `CAST("2000-01-01T00:00:00Z", "NSDate")`. `TRUEPREDICATE` and `FALSEPREDICATE` are whole predicates.
///
/// Values of a program are put in with ``init(_:arguments:)-(_,[PredicateArgument])``, never by building a text.
///
/// Words are read in any case. What a `MATCHES` costs is up to its expression; everything else is linear in the
/// texts, `LIKE` at most their product.
///
/// ## The meaning
///
/// - nil equals nil and nothing else; it is neither below nor above anything. A key that is missing is nil.
/// - Numbers compare by their exact worth (`1 == 1.0`), booleans as 1 and 0.
/// - Texts compare scalar by scalar: a composed `é` and an `e` with an accent are two texts, unless `[d]` is
///   given. Folding and order depend on no locale. The empty text is part of every text.
/// - A text compared with a date is read as RFC 3339.
/// - Values of kinds that do not compare are unequal (`!=` holds); everything else about them is false.
/// - `ANY` over nothing is false, `ALL` and `NONE` over nothing are true. Lists within lists count as one
///   list, nil as an empty list, a single value as a list of one.
/// - A list without `ANY` or `ALL` has meaning on the left of `CONTAINS` and on the right of `IN`; `IN` and
///   `CONTAINS` over text ask whether one is part of the other. A list equals nothing.
public struct RecordPredicate: Hashable, Sendable {
  /// The predicate as written.
  public let text: String

  /// Why the text is no predicate. Only predicates written as literals can have one.
  public let syntaxError: PredicateSyntaxError?

  /// What the text says; `FALSEPREDICATE` if it is no predicate.
  package let tree: PredicateTree

  /// Every key path of the predicate, in the order of the text.
  package let keyPaths: [PredicateKeyPath]

  /// Parses a predicate. Linear in the text. Throws the first mistake, with its place.
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

  private init(text: String, syntaxError: PredicateSyntaxError) {
    self.text = text
    self.syntaxError = syntaxError
    tree = .constant(false)
    keyPaths = []
  }
}

extension RecordPredicate: CustomStringConvertible {
  /// The predicate as written.
  public var description: String { text }
}

/// A key path in a predicate, with its place: what the check of a model asks for.
package struct PredicateKeyPath: Hashable, Sendable {
  /// The keys; the last may be `@count`. Empty: `SELF`.
  package let keys: [String]
  /// Its characters, as offsets in Unicode scalars.
  package let range: Range<Int>
  /// Whether it is one plain word on the right of a comparison: perhaps a text that lacks its quotes.
  package let mayBeUnquotedText: Bool
}

/// Why a text is no predicate, and where.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  /// The characters of the text that are wrong, as offsets in Unicode scalars. Empty at the end of the text
  /// if something is missing there.
  public let range: Range<Int>
  /// One line, without the place.
  public let message: String
  /// The way out, if there is one to name.
  public let advice: String?
}

extension PredicateSyntaxError: CustomStringConvertible {
  public var description: String {
    "character \(range.lowerBound + 1): \(message)" + (advice.map { "; \($0)" } ?? "")
  }
}
