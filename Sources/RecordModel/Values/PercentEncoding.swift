import JSONTree

/// Conversions between texts and the parts of a URL.
package enum PercentEncoding {
  /// Encodes a name or a value of a parameter, or one segment of a path. Only letters, digits and `-._~` are kept, so
  /// that all servers decode the result alike.
  package static func parameter(_ text: String) -> String { encoded(text.utf8) { isUnreserved($0) } }

  /// Encodes a path or a query that may be partly encoded already. Only characters that are not allowed there are
  /// encoded.
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

  /// Decodes a part of a query, in which `+` is a space. Invalid escapes are kept unchanged.
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

  /// The characters besides letters, digits and `-._~` that paths and queries may contain.
  private static let punctuation = Set("/?:@!$&'()*+,;=".utf8)

  private static let unreserved = Set("-._~".utf8)

  private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isAlphanumeric || unreserved.contains(byte) }

  /// Encodes the bytes that do not satisfy `isKept`.
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
