extension UInt8 {
  /// A Boolean value that indicates whether the byte is allowed in an HTTP token, such as a method or the name of a
  /// header (RFC 9110, section 5.6.2).
  package var isTokenByte: Bool { isAlphanumeric || Self.tokenBytes.contains(self) }
  private static let tokenBytes = Set("!#$%&'*+-.^_`|~".utf8)

  /// A Boolean value that indicates whether the byte is an ASCII letter or digit.
  package var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// Returns a Boolean value that indicates whether two names refer to the same header. Case is ignored for ASCII letters
/// only: the Kelvin sign is not equal to `k` (RFC 9110, section 5.1).
package func areOneHeader(_ left: String, _ right: String) -> Bool {
  left.utf8.elementsEqual(right.utf8) { $0.asciiLowercased == $1.asciiLowercased }
}

/// Returns a Boolean value that indicates whether a request with a method can have a body. HTTP defines no meaning for the
/// body of a `GET` or `HEAD` request, and a `TRACE` request must not have one (RFC 9110, section 9.3).
package func allowsBody(method: String) -> Bool { !["GET", "HEAD", "TRACE"].contains(method) }

extension UInt8 {
  /// The lowercase letter for an uppercase ASCII letter; other bytes are unchanged.
  package var asciiLowercased: UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
  }
}
