/// A place in the text of a document.
public struct JSONLocation: Hashable, Sendable {
  /// Bytes before it.
  public let offset: Int
  /// From 1. A line ends with a line feed, a carriage return, or both.
  public let line: Int
  /// From 1, in Unicode scalars.
  public let column: Int
}

extension JSONLocation: CustomStringConvertible {
  /// `line 3, column 14`.
  public var description: String { "line \(line), column \(column)" }
}

/// Counts lines and columns from the start of a text. It only moves forward, so that many places cost one pass.
struct LocationCounter {
  private var offset = 0
  private var line = 1
  private var column = 1

  /// The place of `target`, which must not lie before the last one asked for.
  mutating func location(ofByte target: Int, in bytes: UnsafeBufferPointer<UInt8>) -> JSONLocation {
    let target = min(target, bytes.count)
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      // The line feed of a CR LF ends the line; its carriage return is just a column.
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
