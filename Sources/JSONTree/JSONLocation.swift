/// A location in the text of a document.
public struct JSONLocation: Hashable, Sendable {
  /// The number of bytes before the location.
  public let offset: Int
  /// The line, starting at 1. A line ends with a line feed, a carriage return, or both.
  public let line: Int
  /// The column in Unicode scalars, starting at 1.
  public let column: Int
}

extension JSONLocation: CustomStringConvertible {
  /// The location as text: `line 3, column 14`.
  public var description: String { "line \(line), column \(column)" }
}

/// Counts lines and columns from the start of a text. It only moves forward, so that many locations need one pass.
struct LocationCounter {
  private var offset = 0
  private var line = 1
  private var column = 1

  /// The byte order mark of UTF-8, which is not counted as a column.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the location of `target`, which must not precede the previous target.
  mutating func location(ofByte target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> JSONLocation {
    let target = min(target, bytes.count)
    if offset == 0, target >= 3, bytes.starts(with: Self.byteOrderMark) { offset = 3 }
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      // In CR LF the line feed ends the line; the carriage return is an ordinary column.
      let endsLine =
        byte == .lineFeed || byte == .carriageReturn && !(offset < bytes.count && bytes[offset] == .lineFeed)
      if endsLine {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return JSONLocation(offset: target, line: line, column: column)
  }
}
