import RecordEngine
import RecordModel

/// The addresses in texts, and their parts.
enum AddressText {
  /// Returns the ranges of the addresses in a text: its words that begin with a slash, or contain `://`.
  ///
  /// - Complexity: linear in the length of the text.
  static func addresses(in text: String) -> [Range<String.Index>] {
    guard text.utf8.contains(UInt8(ascii: "/")) else { return [] }
    return text.split(whereSeparator: separates).compactMap { word in
      word.hasPrefix("/") || word.contains("://") ? word.startIndex..<word.endIndex : nil
    }
  }

  private static func separates(_ character: Character) -> Bool {
    character.isWhitespace || "<>\"'`(){}[],".contains(character)
  }

  /// Returns the decoded parts of a path.
  static func parts(of path: String) -> [String] {
    path.split(separator: "/").map { PercentEncoding.decoded($0) }
  }
}
