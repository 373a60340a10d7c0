/// A JSON number with its digits as written, so that no digit is lost on the way to the attribute that wants it.
public struct JSONNumber: Sendable {
  /// The number as JSON text, for example `-12.50` or `1e3`.
  public let digits: String

  /// Nil unless `digits` is a number by the grammar of RFC 8259.
  public init?(digits: String) { nil }

  /// Used by the parser, which has checked the grammar.
  package init(checkedDigits: String) { digits = checkedDigits }

  public init(_ value: Int64) { digits = String(value) }

  /// The shortest text that reads back as `value`; nil for infinities and NaN, which JSON does not have.
  public init?(_ value: Double) { nil }
}

extension JSONNumber: Hashable {}
