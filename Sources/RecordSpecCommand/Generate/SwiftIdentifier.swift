/// The identifiers of generated Swift code.
enum SwiftIdentifier {
  /// Returns a name as it is written in a declaration, in backticks if it is a keyword.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns the name, with `_` in place of the characters that identifiers cannot contain.
  ///
  /// The names of a model are checked to be identifiers, but Swift allows fewer characters, and the classes and the file
  /// names of a model are arbitrary texts.
  static func valid(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      if result.isEmpty, isPart(scalar), !isHead(scalar) { result += "_" }
      result.unicodeScalars.append(isPart(scalar) ? scalar : "_")
    }
    return result.isEmpty ? "_" : result
  }

  /// Returns a Boolean value that indicates whether an identifier can begin with the character.
  private static func isHead(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: false
    default: isPart(scalar)
    }
  }

  /// Returns a Boolean value that indicates whether an identifier can contain the character. The ranges are those of
  /// the Swift grammar.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A, 0xA8, 0xAA, 0xAD, 0xAF, 0xB2...0xB5, 0xB7...0xBA,
      0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F, 0x1681...0x180D, 0x180F...0x1FFF, 0x200B...0x200D,
      0x202A...0x202E, 0x203F...0x2040, 0x2054, 0x2060...0x218F, 0x2460...0x24FF, 0x2776...0x2793,
      0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0xD7FF, 0xF900...0xFD3D,
      0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFFD:
      true
    // The last two characters of each plane are not characters.
    case 0x10000...0xEFFFF: scalar.value & 0xFFFF < 0xFFFE
    default: false
    }
  }

  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "_", "as", "associatedtype", "break", "case", "catch", "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
    "var", "where", "while",
  ]
}
