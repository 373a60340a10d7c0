import RecordSpec
import Testing

@Suite struct SourceFileTests {
  @Test(arguments: [
    ("", 0, 1, 1), ("abc", 2, 1, 3), ("a\nb", 2, 2, 1), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1),
    ("a\r\nb", 2, 1, 3),
    ("äb", 2, 1, 2), ("a\n", 2, 2, 1), ("a", 99, 1, 2), ("e\u{301}x", 3, 1, 3), ("\n\n\n", 2, 3, 1),
  ])
  func marks(text: String, offset: Int, line: Int, column: Int) {
    let mark = file(text).mark(at: offset)
    #expect(mark == SourceMark(offset: min(offset, text.utf8.count), line: line, column: column))
  }

  @Test(arguments: [
    ("a\nbc\r\nd", 1, "a"), ("a\nbc\r\nd", 2, "bc"), ("a\nbc\r\nd", 3, "d"), ("a", 2, ""), ("a\n", 2, ""),
  ])
  func lines(text: String, line: Int, expected: String) {
    let file = file(text)
    #expect(String(decoding: file.bytes[file.rangeOfLine(line)], as: UTF8.self) == expected)
  }

  /// Columns in lines that are longer than the blocks by which characters are counted.
  @Test(arguments: [("aäe\u{301}", "ä"), ("abc", "d"), ("abc", "ä")])
  func columnsOfLongLines(first: String, second: String) {
    let text = String(repeating: first, count: 1500) + "\n" + String(repeating: second, count: 3000)
    let file = file(text)
    var (line, column) = (1, 1)
    var offset = 0
    for scalar in text.unicodeScalars {
      #expect(file.mark(at: offset) == SourceMark(offset: offset, line: line, column: column))
      offset += String(scalar).utf8.count
      (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }
  }
}
