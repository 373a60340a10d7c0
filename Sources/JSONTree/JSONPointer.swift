/// The path of a value in a JSON document, as in RFC 6901.
public struct JSONPointer: Hashable, Sendable {
  /// The reference tokens, unescaped. Empty for the whole document.
  public var tokens: [String]

  /// Creates a pointer from unescaped tokens.
  public init(tokens: [String] = []) { self.tokens = tokens }

  /// Creates a pointer from its text; nil unless `text` is empty or starts with `/`, with `~` only in `~0` and `~1`.
  public init?(_ text: String) {
    guard let first = text.unicodeScalars.first else {
      tokens = []
      return
    }
    guard first == "/" else { return nil }
    tokens = []
    var token = String.UnicodeScalarView()
    var scalars = text.unicodeScalars.dropFirst().makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "/":
        tokens.append(String(token))
        token = String.UnicodeScalarView()
      case "~":
        switch scalars.next() {
        case "0": token.append("~")
        case "1": token.append("/")
        default: return nil
        }
      default: token.append(scalar)
      }
    }
    tokens.append(String(token))
  }

  /// Returns the path of a member of the object at this path.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }

  /// Returns the path of the element at a position, starting at 0, of the array at this path.
  public func appending(_ position: Int) -> JSONPointer { appending(String(position)) }

  /// Returns whether a token can refer to an element of an array: digits without leading zeros.
  static func isPosition(_ token: String) -> Bool {
    let digits = token.utf8
    return !digits.isEmpty && digits.allSatisfy(\.isDigit) && (digits.first != .zero || digits.count == 1)
  }

  /// Returns the position in an array that a token refers to; nil for other tokens.
  static func position(_ token: String) -> Int? { isPosition(token) ? Int(token) : nil }
}

/// Pointers are equal if their tokens have the same Unicode scalars.
extension JSONPointer {
  public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
    left.tokens.elementsEqual(right.tokens, by: haveSameScalars)
  }

  public func hash(into hasher: inout Hasher) {
    for token in tokens { hasher.combine(scalarsOf: token) }
  }
}

extension JSONPointer: CustomStringConvertible {
  /// The pointer as text, for example `/data/0/a~1b`; empty for the whole document.
  public var description: String {
    var text = String.UnicodeScalarView()
    for token in tokens {
      text.append("/")
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text.append(contentsOf: "~0".unicodeScalars)
        case "/": text.append(contentsOf: "~1".unicodeScalars)
        default: text.append(scalar)
        }
      }
    }
    return String(text)
  }
}
