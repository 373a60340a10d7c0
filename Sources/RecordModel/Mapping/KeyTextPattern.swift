/// The text around a key, such as `*/{key}` for the reference `Patient/p1`: `{key}` is the key, and `*` any text. Several
/// patterns are separated by ` | `; the first one that matches counts. Rule: `identity.key-pattern`.
package struct KeyTextPattern: Hashable, Sendable {
  private let alternatives: [Alternative]

  /// Parses a pattern.
  package init(_ text: String) throws(KeyTextPatternError) {
    alternatives = try text.split(separator: " | ", omittingEmptySubsequences: false)
      .map { (part) throws(KeyTextPatternError) in try Alternative(part) }
  }

  /// Returns the key in a text; nil if the text does not match.
  ///
  /// The key begins after the last text that can precede it, ends before the first that can follow it, and is not empty.
  ///
  /// - Complexity: proportional to the length of the text times the length of the pattern.
  package func key(in text: String) -> String? {
    let bytes = Array(text.utf8)
    return alternatives.lazy.compactMap { $0.key(in: bytes) }.first.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// A pattern with one `{key}`.
  private struct Alternative: Hashable {
    /// The texts before and after the star on each side. Without a star, all text is next to the key.
    private let start: [UInt8]
    private let before: [UInt8]
    private let after: [UInt8]
    private let end: [UInt8]
    private let (hasStarBefore, hasStarAfter): (Bool, Bool)

    init(_ text: Substring) throws(KeyTextPatternError) {
      let sides = text.split(separator: "{key}", omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw KeyTextPatternError(message: "'\(text)' must contain '{key}' once")
      }
      let (left, right) = (Self.parts(of: sides[0]), Self.parts(of: sides[1]))
      guard left.count <= 2, right.count <= 2 else {
        throw KeyTextPatternError(message: "'\(text)' has more than one '*' on a side of '{key}'")
      }
      (start, before) = left.count == 2 ? (left[0], left[1]) : ([], left[0])
      (after, end) = right.count == 2 ? (right[0], right[1]) : (right[0], [])
      (hasStarBefore, hasStarAfter) = (left.count == 2, right.count == 2)
      guard !hasStarBefore || !before.isEmpty, !hasStarAfter || !after.isEmpty else {
        throw KeyTextPatternError(message: "in '\(text)', no text separates '*' from '{key}'")
      }
      guard !before.isEmpty || !after.isEmpty else {
        throw KeyTextPatternError(message: "'\(text)' has no text around '{key}'")
      }
    }

    private static func parts(of side: Substring) -> [[UInt8]] {
      side.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
    }

    func key(in text: [UInt8]) -> ArraySlice<UInt8>? {
      guard text.count >= start.count + end.count, text.starts(with: start),
        text.suffix(end.count).elementsEqual(end)
      else { return nil }
      let inner = text[start.count..<text.count - end.count]
      // The text after the key begins at this index or before it.
      guard let limit = hasStarAfter ? Self.last(after, in: inner) : Self.suffix(after, of: inner),
        limit > inner.startIndex
      else { return nil }
      // Without a star, the key ends at the limit. With one, an earlier end leaves it at least one byte.
      let room = inner[..<(hasStarAfter ? limit - 1 : limit)]
      guard let separator = hasStarBefore ? Self.last(before, in: room) : Self.prefix(before, of: room) else {
        return nil
      }
      let key = inner[(separator + before.count)..<limit]
      if key.isEmpty { return nil }
      guard hasStarAfter else { return key }
      return Self.first(after, in: inner[(key.startIndex + 1)...]).map { key[..<$0] }
    }

    // MARK: The index at which a part begins in a text

    private static func prefix(_ part: [UInt8], of text: ArraySlice<UInt8>) -> Int? {
      text.starts(with: part) ? text.startIndex : nil
    }

    private static func suffix(_ part: [UInt8], of text: ArraySlice<UInt8>) -> Int? {
      text.count >= part.count && text.suffix(part.count).elementsEqual(part)
        ? text.endIndex - part.count : nil
    }

    private static func first(_ part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
      guard part.count <= text.count else { return nil }
      return (text.startIndex...text.endIndex - part.count).first { text[$0...].starts(with: part) }
    }

    private static func last(_ part: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
      guard part.count <= text.count else { return nil }
      return (text.startIndex...text.endIndex - part.count).last { text[$0...].starts(with: part) }
    }
  }
}

/// The reason why a text is not a pattern of keys.
package struct KeyTextPatternError: Error, Hashable, Sendable {
  package let message: String
  package let advice = "write the text around the key, such as '*/{key}' for 'people/7'"
}
