extension Parser {
  /// Parses and validates a string, from its opening quote to after its closing quote.
  static func string(_ bytes: Bytes, _ position: inout Int) throws(JSONSyntaxError) -> TapeWord {
    let start = position + 1
    var hasEscapes = false
    position = start
    while true {
      skipPlainText(bytes, &position)
      guard position < bytes.count else {
        throw failure(bytes, start - 1, "the string that starts here has no closing quote")
      }
      switch bytes[position] {
      case .quote:
        position += 1
        return TapeWord(.string, offset: start, length: position - 1 - start, flag: hasEscapes)
      case .backslash:
        hasEscapes = true
        try skipEscape(bytes, &position)
      case 0x80...:
        try skipEncodedScalars(bytes, &position)
      default:
        throw controlCharacter(bytes, position)
      }
    }
  }

  /// Skips to the next byte that is a quote, a backslash, a control character or not ASCII. Compares eight bytes at a
  /// time as one integer, then byte by byte. A byte of `word - n` gets its high bit only if the byte, or a byte below
  /// it, was less than `n`. The lowest hit is therefore always correct.
  @inline(__always)
  private static func skipPlainText(_ bytes: Bytes, _ position: inout Int) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let raw = UnsafeRawBufferPointer(bytes)
    while bytes.count - position >= 8 {
      let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let quotes = word ^ (ones &* UInt64(UInt8.quote))
      let backslashes = word ^ (ones &* UInt64(UInt8.backslash))
      let hits =
        ((quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
          | (word &- ones &* 0x20) & ~word | word) & (ones &* 0x80)
      guard hits == 0 else {
        position += hits.trailingZeroBitCount / 8
        return
      }
      position += 8
    }
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x20 || byte >= 0x80 || byte == .quote || byte == .backslash { return }
      position += 1
    }
  }

  /// Skips scalars that are not ASCII and checks that they are well-formed UTF-8 (Unicode, table 3-7).
  private static func skipEncodedScalars(_ bytes: Bytes, _ position: inout Int) throws(JSONSyntaxError) {
    while position < bytes.count, bytes[position] >= 0x80 {
      let length = encodedScalarLength(bytes, position)
      guard length > 0 else {
        throw failure(
          bytes, position, "\(hexadecimal(bytes[position])) is not the start of a UTF-8 character")
      }
      position += length
    }
  }

  /// Returns the length in bytes of the non-ASCII scalar that starts at `position`; 0 if it is not well-formed.
  static func encodedScalarLength(_ bytes: Bytes, _ position: Int) -> Int {
    func byte(_ distance: Int) -> UInt8 {
      position + distance < bytes.count ? bytes[position + distance] : 0
    }
    func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    let second = byte(1)
    guard isContinuation(second) else { return 0 }
    switch bytes[position] {
    case 0xC2...0xDF: return 2
    case 0xE0 where second < 0xA0: return 0  // overlong
    case 0xED where second > 0x9F: return 0  // a surrogate
    case 0xE0...0xEF: return isContinuation(byte(2)) ? 3 : 0
    case 0xF0 where second < 0x90: return 0  // overlong
    case 0xF4 where second > 0x8F: return 0  // above U+10FFFF
    case 0xF0...0xF4: return isContinuation(byte(2)) && isContinuation(byte(3)) ? 4 : 0
    default: return 0
    }
  }

  private static func skipEscape(_ bytes: Bytes, _ position: inout Int) throws(JSONSyntaxError) {
    let start = position
    guard start + 1 < bytes.count else {
      throw failure(bytes, start, "the document ends within an escape")
    }
    switch bytes[start + 1] {
    case .quote, .backslash, .ascii("/"), .ascii("b"), .ascii("f"), .ascii("n"), .ascii("r"), .ascii("t"):
      position += 2
    case .ascii("u"):
      let unit = try codeUnit(bytes, start)
      position += 6
      guard unit & 0xF800 == 0xD800 else { return }
      guard unit < 0xDC00 else {
        throw failure(
          bytes, start, "\(text(bytes, start, 6)) is the second half of a surrogate pair without the first")
      }
      guard start + 7 < bytes.count, bytes[start + 6] == .backslash, bytes[start + 7] == .ascii("u"),
        try codeUnit(bytes, start + 6) & 0xFC00 == 0xDC00
      else {
        throw failure(
          bytes, start, "\(text(bytes, start, 6)) is the first half of a surrogate pair without the second")
      }
      position += 6
    default:
      throw unknownEscape(bytes, start)
    }
  }

  /// Returns the value of the four digits of the escape that starts at `start`.
  private static func codeUnit(_ bytes: Bytes, _ start: Int) throws(JSONSyntaxError) -> UInt32 {
    var unit: UInt32 = 0
    for position in start + 2..<start + 6 {
      guard position < bytes.count, let digit = bytes[position].hexadecimalValue else {
        throw failure(
          bytes, start, "expected four hexadecimal digits after '\\u', found \(found(bytes, position))")
      }
      unit = unit << 4 | digit
    }
    return unit
  }
}
