/// The text of a string between its quotes, and what it stands for.
enum EscapedText {
  /// What the text of a string stands for, in UTF-8. The parser has checked the escapes.
  static func unescaped(_ text: some RandomAccessCollection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == .backslash, let escape = rest.next() else {
        result.append(byte)
        continue
      }
      switch escape {
      case .ascii("b"): result.append(0x08)
      case .ascii("f"): result.append(0x0C)
      case .ascii("n"): result.append(.lineFeed)
      case .ascii("r"): result.append(.carriageReturn)
      case .ascii("t"): result.append(.tab)
      case .ascii("u"):
        var value = codeUnit(&rest)
        if value & 0xFC00 == 0xD800 {
          // The backslash and the u of the second half, which is known to follow.
          _ = rest.next()
          _ = rest.next()
          value = 0x10000 + (value & 0x3FF) << 10 + codeUnit(&rest) & 0x3FF
        }
        result.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
      default: result.append(escape)
      }
    }
    return result
  }

  private static func codeUnit(_ rest: inout some IteratorProtocol<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 { value = value << 4 | (rest.next()?.hexadecimalValue ?? 0) }
    return value
  }

  /// Appends the text of a string, without quotes. Says whether it needed an escape.
  @discardableResult
  static func append(_ string: String, to bytes: inout [UInt8]) -> Bool {
    withUTF8(string) { text in
      // Nearly all strings are copied in one go.
      guard text.contains(where: needsEscape) else {
        bytes.append(contentsOf: text)
        return false
      }
      for byte in text {
        switch byte {
        case .quote, .backslash: bytes += [.backslash, byte]
        case 0..<0x20: bytes += escape(ofControlCharacter: byte).utf8
        default: bytes.append(byte)
        }
      }
      return true
    }
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == .quote || byte == .backslash
  }

  /// `\n`, or `\u001B` where there is no short one.
  static func escape(ofControlCharacter byte: UInt8) -> String {
    switch byte {
    case 0x08: "\\b"
    case .tab: "\\t"
    case .lineFeed: "\\n"
    case 0x0C: "\\f"
    case .carriageReturn: "\\r"
    default: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
  }
}
