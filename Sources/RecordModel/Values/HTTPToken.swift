extension UInt8 {
  /// Whether it may stand in a token of HTTP, as methods and names of headers are (RFC 9110, section 5.6.2).
  package var isTokenByte: Bool { isAlphanumeric || Self.tokenBytes.contains(self) }
  private static let tokenBytes = Set("!#$%&'*+-.^_`|~".utf8)

  /// Whether it is a letter or digit of ASCII.
  package var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// Returns a Boolean value that indicates whether two names are of one header. Only the letters of ASCII have two cases: the
/// Kelvin sign is no `k` (RFC 9110, section 5.1).
package func areOneHeader(_ left: String, _ right: String) -> Bool {
  left.utf8.elementsEqual(right.utf8) { $0.asciiLowercased == $1.asciiLowercased }
}

extension UInt8 {
  /// The lower-case letter, for an upper-case one of ASCII; any other byte is unchanged.
  package var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
