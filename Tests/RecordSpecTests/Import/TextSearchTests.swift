import JSONTree
import RecordModel
import TestSupport
import Testing

@testable import RecordSpec
@testable import RecordSpecCommand

/// Tests for the search for many values in a text.
struct TextSearchTests {
  /// Returns the lengths of the values that a slow search finds, by offset.
  private func slowMatches(_ values: [[UInt8]], in text: [UInt8]) -> [Int?] {
    func isWord(_ byte: UInt8) -> Bool { byte.isAlphanumeric || byte >= 0x80 }
    func isBoundary(_ offset: Int) -> Bool {
      guard offset > 0, offset < text.count, isWord(text[offset - 1]), isWord(text[offset]) else {
        return true
      }
      return offset >= 3 && text[offset - 3] == UInt8(ascii: "%")
        && text[offset - 2...offset - 1].allSatisfy { $0.hexadecimalValue != nil }
    }
    return text.indices.map { offset in
      values.filter { value in
        text[offset...].starts(with: value) && (!isWord(value[0]) || isBoundary(offset))
          && (!isWord(value[value.count - 1]) || isBoundary(offset + value.count))
      }.map(\.count).max()
    }
  }

  @Test(arguments: 1...300 as ClosedRange<UInt64>)
  func theLongestValuesAreFound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
      let parts = ["a", "b", "-", " ", "é", "%2F", "ab"]
      return (0..<Int.random(in: lengths, using: &generator)).flatMap { _ in
        Array(parts.randomElement(using: &generator)!.utf8)
      }
    }
    let values = (0..<6).map { _ in text(1...6) }.filter { $0.count >= 3 }
    let search = TextSearch(values.enumerated().map { (String(decoding: $1, as: UTF8.self), $0) })
    for _ in 0..<10 {
      let text = text(0...20)
      let found = search.matches(in: text)
      let expected = slowMatches(values, in: text)
      #expect(
        found.isEmpty ? expected.allSatisfy { $0 == nil } : found.map { $0?.length } == expected,
        "seed \(seed): \(values.map { String(decoding: $0, as: UTF8.self) }) in \(String(decoding: text, as: UTF8.self))"
      )
    }
  }

  @Test func theFirstOfEqualValuesCounts() {
    let search = TextSearch([("abc", 7), ("abc", 8), ("ab", 9)])
    #expect(
      search.matches(in: Array("x abc ab".utf8)).map { $0?.id } == [nil, nil, 7, nil, nil, nil, nil, nil])
    #expect(TextSearch([]).matches(in: Array("abc".utf8)).isEmpty)
  }

  /// The text nearly contains each value at each offset.
  @Test(.timeLimit(.minutes(5))) func periodicValuesAreFoundInLinearTime() {
    let values = (1...500).map { ("b" + String(repeating: "-a", count: $0 * 2), $0) }
    let text = Array(String(repeating: "-a", count: 200_000).utf8)
    #expect(TextSearch(values).matches(in: text).isEmpty)
  }
}
