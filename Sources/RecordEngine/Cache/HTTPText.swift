/// Functions that normalize the values of headers.
enum HTTPText {
  /// Returns the value without leading and trailing blanks.
  static func trimmed(_ text: some StringProtocol) -> String {
    let bytes = Array(text.utf8)
    let start = bytes.firstIndex { !isBlank($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !isBlank($0) } ?? start
    return start == bytes.endIndex ? "" : String(decoding: bytes[start...end], as: UTF8.self)
  }

  /// Returns the names in a list such as the value of `Vary` or `Connection`, in lower case.
  static func names(_ text: String) -> [String] {
    text.split(separator: ",").map { trimmed($0).lowercased() }.filter { !$0.isEmpty }
  }

  /// Returns the value with normalized blanks, so that two values can be compared. Blanks at the ends and next to
  /// commas are removed. Other blanks become one space each. Quoted text is unchanged.
  static func normalized(_ text: String) -> String {
    var result: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    var hasBlank = false
    for byte in text.utf8 {
      if isQuoted {
        result.append(byte)
        if !isEscaped, byte == UInt8(ascii: "\"") { isQuoted = false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      if isBlank(byte) {
        hasBlank = true
        continue
      }
      let comma = UInt8(ascii: ",")
      if hasBlank, let last = result.last, last != comma, byte != comma { result.append(UInt8(ascii: " ")) }
      hasBlank = false
      result.append(byte)
      isQuoted = byte == UInt8(ascii: "\"")
    }
    return String(decoding: result, as: UTF8.self)
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
