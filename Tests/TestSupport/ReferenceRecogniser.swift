/// A slow and obvious check whether bytes are valid JSON: the grammar of RFC 8259, with one function for each rule.
package struct ReferenceRecogniser {
  private var remaining: [Unicode.Scalar]

  package static func accepts(_ bytes: [UInt8], maximumDepth: Int = 512) -> Bool {
    guard let text = String(validating: bytes, as: UTF8.self) else { return false }
    var recogniser = ReferenceRecogniser(remaining: text.unicodeScalars.reversed())
    return recogniser.element(depth: maximumDepth) && recogniser.remaining.isEmpty
  }

  /// Consumes the next scalar if it is one of these. Returns whether it is.
  private mutating func take(_ choices: String) -> Bool {
    guard let next = remaining.last, choices.unicodeScalars.contains(next) else { return false }
    remaining.removeLast()
    return true
  }

  private mutating func space() { while take(" \t\n\r") {} }

  private mutating func element(depth: Int) -> Bool {
    space()
    guard value(depth: depth) else { return false }
    space()
    return true
  }

  private mutating func value(depth: Int) -> Bool {
    switch remaining.last {
    case "{": return depth > 0 && list("{", "}") { $0.member(depth: depth - 1) }
    case "[": return depth > 0 && list("[", "]") { $0.element(depth: depth - 1) }
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func list(
    _ open: String, _ close: String, item: (inout ReferenceRecogniser) -> Bool
  ) -> Bool {
    guard take(open) else { return false }
    space()
    if take(close) { return true }
    repeat {
      guard item(&self) else { return false }
    } while take(",")
    return take(close)
  }

  private mutating func member(depth: Int) -> Bool {
    space()
    guard string() else { return false }
    space()
    return take(":") && element(depth: depth)
  }

  private mutating func word(_ word: String) -> Bool { word.allSatisfy { take(String($0)) } }

  private mutating func number() -> Bool {
    _ = take("-")
    guard take("0") || digits("123456789") && (digits() || true) else { return false }
    if take("."), !digits() { return false }
    if take("eE") {
      _ = take("+-")
      return digits()
    }
    return true
  }

  /// Consumes one digit of `first`, or one or more digits without it. Returns whether they follow.
  private mutating func digits(_ first: String? = nil) -> Bool {
    guard take(first ?? "0123456789") else { return false }
    while first == nil, take("0123456789") {}
    return true
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let next = remaining.popLast() {
      switch next {
      case "\"": return true
      case "\\":
        if take("\"\\/bfnrt") { continue }
        guard take("u"), let unit = hexadecimal() else { return false }
        if unit >= 0xD800, unit < 0xDC00 {
          guard take("\\"), take("u"), let second = hexadecimal(), second >= 0xDC00, second < 0xE000 else {
            return false
          }
        } else if unit >= 0xDC00, unit < 0xE000 {
          return false
        }
      default: if next.value < 0x20 { return false }
      }
    }
    return false
  }

  private mutating func hexadecimal() -> Int? {
    let digits = String(String.UnicodeScalarView(remaining.suffix(4).reversed()))
    guard digits.unicodeScalars.count == 4,
      digits.unicodeScalars.allSatisfy("0123456789abcdefABCDEF".unicodeScalars.contains)
    else { return nil }
    remaining.removeLast(4)
    return Int(digits, radix: 16)
  }
}
