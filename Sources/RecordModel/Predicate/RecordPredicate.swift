/// A condition on a record or on a raw dictionary, in the everyday subset of the NSPredicate format.
public struct RecordPredicate: Hashable, Sendable {
  /// The predicate as written.
  public let text: String

  /// Parses a predicate. Throws everything that is wrong with it, with its place in the text.
  public init(_ text: String) throws(PredicateSyntaxError) { self.text = text }
}

/// Why a text is no predicate, and where.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  /// The characters of the text that are wrong, as offsets in Unicode scalars.
  public let range: Range<Int>
  /// One line, without the place.
  public let message: String
  /// The way out, if there is one to name.
  public let advice: String?
}
