import TestSupport

/// Changes text by lines and words, so that more of the results are accepted by a parser.
struct TextMutator {
  private var random: SeededGenerator

  private static let values = [
    "null", "~", "true", "false", "0", "-0", "1", "-1", "7", "1.5", "1e400", "9007199254740993",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "\"\"", "\"\\ud800\"", "[]", "{}",
    "é", "e\u{301}", "\u{0}", "\u{202E}", "😀", "1999-12-31T23:59:59Z", "2000-02-30", "NaN", "*", ".", "/",
    "..", "@count", "#", "&a", "*a", "<<", "?", "|", ">", "%@", "none", "any",
  ].map { Array($0.utf8) }

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a changed input; nil to use another mutator.
  mutating func mutated(_ input: [UInt8]) -> [UInt8]? {
    guard !input.isEmpty, chance(50) else { return nil }
    var bytes = input
    for _ in 0...number(below: 3) { bytes = chance(50) ? withOtherLines(bytes) : withOtherWords(bytes) }
    return bytes
  }

  private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }

  private mutating func chance(_ percent: Int) -> Bool { number(below: 100) < percent }

  // MARK: Lines

  private mutating func withOtherLines(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    let block = block(in: lines)
    let moved = Array(lines[block])
    switch number(below: 5) {
    case 0: lines.removeSubrange(block)
    case 1: lines.insert(contentsOf: moved, at: number(below: lines.count + 1))
    case 2:
      lines.removeSubrange(block)
      lines.insert(contentsOf: moved, at: number(below: lines.count + 1))
    case 3: lines.replaceSubrange(block, with: moved.map { Array("  ".utf8) + $0 })
    default:
      lines.replaceSubrange(
        block, with: moved.map { $0.starts(with: "  ".utf8) ? Array($0.dropFirst(2)) : $0 })
    }
    return Array(lines.joined(separator: CollectionOfOne(UInt8(ascii: "\n"))))
  }

  /// Returns the range of a line, usually with all lines that are indented below it.
  private mutating func block(in lines: [[UInt8]]) -> Range<Int> {
    func indent(_ line: [UInt8]) -> Int { line.prefix { $0 == UInt8(ascii: " ") }.count }
    let start = number(below: lines.count)
    var end = start + 1
    if chance(70) { while end < lines.count, indent(lines[end]) > indent(lines[start]) { end += 1 } }
    return start..<end
  }

  // MARK: Words

  private mutating func withOtherWords(_ bytes: [UInt8]) -> [UInt8] {
    var words = Self.words(of: bytes)
    guard !words.isEmpty else { return Self.values[number(below: Self.values.count)] }
    let position = number(below: words.count)
    switch number(below: 4) {
    case 0: words[position] = words[number(below: words.count)]
    case 1: words[position] = Self.values[number(below: Self.values.count)][...]
    case 2: words.insert(words[number(below: words.count)], at: position)
    default: words.swapAt(position, number(below: words.count))
    }
    return Array(words.joined())
  }

  /// Splits bytes into words: letters and digits together, blanks together, and each other byte alone.
  private static func words(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    func kind(_ byte: UInt8) -> Int? {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF,
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        0
      case UInt8(ascii: " "): 1
      default: nil
      }
    }
    var words: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
      var end = start + 1
      while end < bytes.count, let found = kind(bytes[end]), found == kind(bytes[start]) { end += 1 }
      words.append(bytes[start..<end])
      start = end
    }
    return words
  }
}
