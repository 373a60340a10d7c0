extension JSONValue {
  /// The one canonical text of the value: keys sorted (keys that are integers as numbers, before the others),
  /// two spaces of indent, a final newline. Small values stand on one line; see the golden file's format.
  public func canonicalText() -> String { "" }

  /// The value on one line, keys in their own order, no spaces: `{"id":7}`.
  public func compactText() -> String { "" }
}
