/// A pattern of keys, such as `*_url`: `*` matches any text, and all other characters match themselves. Keys of nested
/// objects are joined with dots. Rule: `diagnostics.drift-ignored`.
package struct KeyPattern: Sendable {
  /// The literal parts around the stars, as UTF-8.
  private let parts: [[UInt8]]

  /// Creates a pattern from its text.
  package init(_ text: String) {
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
  }

  /// Returns a Boolean value that indicates whether the pattern matches a key or the keys of a path.
  ///
  /// - Complexity: proportional to the length of the keys times the length of the pattern.
  package func matches(_ keyText: String) -> Bool {
    var rest = Array(keyText.utf8)[...]
    // Without a star, the first part is also the last one.
    guard let first = parts.first, let last = parts.last, rest.starts(with: first) else { return false }
    guard parts.count > 1 else { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    for part in parts.dropFirst().dropLast() {
      guard let end = Self.end(of: part, in: rest) else { return false }
      rest = rest[end...]
    }
    return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
  }

  /// Returns the end of the first occurrence of a part; nil if there is none.
  private static func end(of part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    guard part.count <= text.count else { return nil }
    for start in text.startIndex...text.endIndex - part.count where text[start...].starts(with: part) {
      return start + part.count
    }
    return nil
  }
}

extension MappingPath {
  /// The keys of the path, joined with dots.
  package var keyText: String {
    components.compactMap { if case .key(let key) = $0 { key } else { nil } }.joined(separator: ".")
  }
}
