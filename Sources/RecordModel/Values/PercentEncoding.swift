import JSONTree

/// Texts as parts of an address.
package enum PercentEncoding {
  /// A name or a value of a parameter, or one part of a path. Only letters, digits and `-._~` stay, so that every server reads the same.
  package static func parameter(_ text: String) -> String { encoded(text.utf8) { isUnreserved($0) } }

  /// A path or a query that may have been encoded already: only what may not stand there is.
  package static func address(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var offset = -1
    return encoded(bytes) { byte in
      offset += 1
      if byte == UInt8(ascii: "%") {
        return offset + 2 < bytes.count && bytes[offset + 1].hexadecimalValue != nil
          && bytes[offset + 2].hexadecimalValue != nil
      }
      return isUnreserved(byte) || punctuation.contains(byte)
    }
  }

  /// The text that part of a query stands for; `+` is a space. What is no encoding stands for itself.
  package static func decoded(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "%"), offset + 2 < bytes.count,
        let high = bytes[offset + 1].hexadecimalValue, let low = bytes[offset + 2].hexadecimalValue
      {
        result.append(UInt8(high << 4 | low))
        offset += 3
      } else {
        result.append(bytes[offset] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// What may stand in paths and queries beside letters and digits.
  private static let punctuation = Set("/?:@!$&'()*+,;=".utf8)

  private static let unreserved = Set("-._~".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isAlphanumeric || unreserved.contains(byte) }

  /// Escapes every byte that is not to be kept.
  package static func encoded(_ bytes: some Sequence<UInt8>, isKept: (UInt8) -> Bool) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      if isKept(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
