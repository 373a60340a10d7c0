/// A place in a JSON document, as in RFC 6901.
public struct JSONPointer: Hashable, Sendable {
  /// The reference tokens, unescaped. Empty for the whole document.
  public var tokens: [String]

  public init(tokens: [String] = []) { self.tokens = tokens }

  /// Nil unless `text` is empty or starts with `/`, with `~` only in `~0` and `~1`.
  public init?(_ text: String) { nil }
}
