import JSONTree

/// The comments on a YAML value that is written, and on its parts.
package struct YAMLComments: Hashable, Sendable {
  /// The lines above the value. The comments on the root are followed by an empty line.
  package var above: [String] = []
  /// The comment at the end of the line of the value.
  package var beside: String?
  /// A Boolean value that indicates whether an empty line precedes the value, unless it is the first part.
  package var followsEmptyLine = false
  private var parts: [ScalarString: YAMLComments] = [:]

  package init() {}

  /// A Boolean value that indicates whether a part of the value has comments.
  var hasParts: Bool { !parts.isEmpty }

  /// Returns the comments on the member with a key, or on the element at a position.
  package func part(_ key: String) -> YAMLComments? { parts[ScalarString(key)] }

  /// Accesses the comments on the part at a path of keys and positions.
  package subscript(path: [String]) -> YAMLComments {
    get {
      guard let first = path.first else { return self }
      return parts[ScalarString(first)]?[Array(path.dropFirst())] ?? YAMLComments()
    }
    set {
      guard let first = path.first else {
        self = newValue
        return
      }
      parts[ScalarString(first), default: YAMLComments()][Array(path.dropFirst())] = newValue
    }
  }

  /// Returns the line of a comment. Characters that YAML does not allow become U+FFFD.
  package static func line(_ text: String) -> String {
    guard !text.isEmpty else { return "#" }
    var line = "# ".unicodeScalars
    for scalar in text.unicodeScalars {
      let isForbidden = scalar.garblesText || scalar.value == 0xFFFE || scalar.value == 0xFFFF
      line.append(isForbidden ? "\u{FFFD}" : scalar)
    }
    return String(line)
  }
}
