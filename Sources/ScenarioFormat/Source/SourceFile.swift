/// A file that an author wrote, kept for diagnostics that show its lines.
package final class SourceFile: Sendable {
  /// The path as the user would type it.
  package let path: String
  package let bytes: [UInt8]

  /// The offset of the first byte of each line. As in editors, a line ends at `\n`, `\r\n` or `\r`.
  private let lineStarts: [Int]
  /// The number of characters before each block of ``blockSize`` bytes, so that the column of a byte in a long line is
  /// found without reading the whole line. Empty for a file in ASCII, where each character is one byte.
  private let charactersBeforeBlocks: [Int]
  private static let blockSize = 1024

  /// Creates a source file and finds its lines. Linear in the number of bytes.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for offset in bytes.indices where bytes[offset] <= 0x0D {
        let isLineFeed = bytes[offset] == 0x0A
        let isLoneReturn = bytes[offset] == 0x0D && (offset + 1 == bytes.count || bytes[offset + 1] != 0x0A)
        if isLineFeed || isLoneReturn { starts.append(offset + 1) }
      }
    }
    lineStarts = starts
    guard bytes.contains(where: { $0 >= 0x80 }) else {
      charactersBeforeBlocks = []
      return
    }
    var characters = [0]
    for start in stride(from: Self.blockSize, through: bytes.count, by: Self.blockSize) {
      characters.append(
        characters[characters.count - 1] + Self.characters(in: bytes[(start - Self.blockSize)..<start]))
    }
    charactersBeforeBlocks = characters
  }

  private static func characters(in bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 & 0xC0 != 0x80 } }

  /// Returns the number of characters before an offset. Constant time.
  private func characters(before offset: Int) -> Int {
    if charactersBeforeBlocks.isEmpty { return offset }
    let block = offset / Self.blockSize
    return charactersBeforeBlocks[block] + Self.characters(in: bytes[(block * Self.blockSize)..<offset])
  }

  /// Returns the position of a byte. An offset outside the file means its nearest end. Logarithmic in the number of
  /// lines.
  package func mark(at offset: Int) -> SourceMark {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineStarts.partitioningIndex { $0 > offset } - 1
    let column = characters(before: offset) - characters(before: lineStarts[line])
    return SourceMark(offset: offset, line: line + 1, column: column + 1)
  }

  package func span(_ range: Range<Int>) -> SourceSpan {
    SourceSpan(file: self, start: mark(at: range.lowerBound), end: mark(at: range.upperBound))
  }

  /// Returns the range of a line, from 1, without its indentation.
  package func span(ofLine line: Int) -> SourceSpan {
    let range = rangeOfLine(line)
    let indentation = bytes[range].prefix { $0 == 0x20 || $0 == 0x09 }
    return span(indentation.endIndex..<range.upperBound)
  }

  /// Returns the offsets of a line, from 1, without its line break. The range is empty after the last line.
  package func rangeOfLine(_ line: Int) -> Range<Int> {
    guard lineStarts.indices.contains(line - 1) else { return bytes.count..<bytes.count }
    let start = lineStarts[line - 1]
    var end = line < lineStarts.count ? lineStarts[line] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }
}

extension SourceFile {
  /// The line of the first conflict marker of a merge; nil if the file has none. Linear in the size of the file.
  package var conflict: SourceSpan? {
    let marker = Array("<<<<<<< ".utf8)
    var start = bytes.startIndex
    while !bytes[start...].starts(with: marker) {
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
    }
    let line = bytes[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return span(line.startIndex..<line.endIndex)
  }
}

extension Array {
  /// Returns the first index whose element satisfies a condition that all later elements satisfy as well.
  fileprivate func partitioningIndex(where isInSecondPart: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if isInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
