/// Conversions between the escaped text of a JSON string and the string that it represents.
enum EscapedText {
  /// Returns the UTF-8 of the string that an escaped text represents. The parser has checked the escapes.
  static func unescaped(_ text: some RandomAccessCollection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var iterator = text.makeIterator()
    while let byte = iterator.next() {
      guard byte == .backslash, let escape = iterator.next() else {
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
        var value = codeUnit(&iterator)
        if value & 0xFC00 == 0xD800 {
          // Skip the `\u` of the second half, which the parser has checked.
          _ = iterator.next()
          _ = iterator.next()
          value = 0x10000 + (value & 0x3FF) << 10 + codeUnit(&iterator) & 0x3FF
        }
        result.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
      default: result.append(escape)
      }
    }
    return result
  }

  private static func codeUnit(_ iterator: inout some IteratorProtocol<UInt8>) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 { value = value << 4 | (iterator.next()?.hexadecimalValue ?? 0) }
    return value
  }

  /// Appends the escaped text of a string, without quotes. Returns whether it contains escapes.
  @discardableResult
  static func append(_ string: String, to bytes: inout [UInt8]) -> Bool {
    withUTF8(string) { text in
      // Nearly all strings are copied at once.
      guard text.contains(where: mayStartEscaped) else {
        bytes.append(contentsOf: text)
        return false
      }
      var isEscaped = false
      for scalar in string.unicodeScalars {
        if let escape = escape(of: scalar) {
          bytes += escape.utf8
          isEscaped = true
        } else {
          bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      }
      return isEscaped
    }
  }

  /// Returns whether an escaped character may begin with this byte.
  private static func mayStartEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<0x20, .quote, .backslash, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
    default: false
    }
  }

  private static func escape(of scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "\"", "\\": "\\\(scalar)"
    case "\0"..<" ": escape(ofControlCharacter: UInt8(truncatingIfNeeded: scalar.value))
    case _ where scalar.garblesText:
      "\\u" + String(repeating: "0", count: scalar.value < 0x100 ? 2 : scalar.value < 0x1000 ? 1 : 0)
        + String(scalar.value, radix: 16, uppercase: true)
    default: nil
    }
  }

  /// Returns the short escape of a control character if it has one (`\n`), else the long one (`\u001B`).
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

extension Unicode.Scalar {
  /// A Boolean value that indicates whether the character is a control character, or changes the order or the lines of
  /// the surrounding text.
  package var garblesText: Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
