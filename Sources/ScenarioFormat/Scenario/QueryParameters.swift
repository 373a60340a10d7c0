/// The decoding of query parameters. Requests and canned addresses are compared by their decoded parameters as text.
package enum QueryParameters {
  /// An error in a query.
  package struct SyntaxError: Error {
    package let message: String
    package let advice: String?
  }

  /// Parses a query such as `a=1&b=x%20y`. A `+` means a space, as in a form. A parameter without `=` has an empty
  /// value. The values of a repeated parameter keep their order. Throws an error for a parameter without a name.
  package static func parse(_ query: Substring) throws(SyntaxError) -> [String: [String]] {
    var parameters: [String: [String]] = [:]
    for part in query.unicodeScalars.split(separator: "&") {
      let name = try decoded(Substring(part.prefix { $0 != "=" }))
      let value = try decoded(Substring(part.drop { $0 != "=" }.dropFirst()))
      guard !name.isEmpty else {
        throw SyntaxError(message: "a parameter has no name", advice: "write a '=' in a value as '%3D'")
      }
      parameters[name, default: []].append(value)
    }
    return parameters
  }

  private static func decoded(_ text: Substring) throws(SyntaxError) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = Substring(rest.prefix(2))
        guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16), !digits.hasPrefix("+") else {
          throw SyntaxError(
            message: "expected two hexadecimal digits after '%'", advice: "write a '%' as '%25'")
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw SyntaxError(message: "the parameters are not valid UTF-8", advice: nil)
    }
    return decoded
  }
}
