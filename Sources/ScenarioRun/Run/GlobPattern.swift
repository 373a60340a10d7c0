import ScenarioFormat

/// A pattern of names. `*` matches any text within a folder, `**` matches any text, and `?` matches one character
/// except `/`.
struct GlobPattern {
  private enum Part: Equatable {
    case character(Character)
    case one
    case anyInFolder
    case any
  }

  private let parts: [Part]

  /// Creates a pattern; nil if the text has no wildcard.
  init?(_ text: String) {
    guard text.contains(where: { $0 == "*" || $0 == "?" }) else { return nil }
    var parts: [Part] = []
    for character in text {
      switch character {
      case "*" where parts.last == .anyInFolder: parts[parts.count - 1] = .any
      case "*" where parts.last == .any: break
      case "*": parts.append(.anyInFolder)
      case "?": parts.append(.one)
      // `a/**/b` also matches `a/b`.
      case "/" where parts.last == .any && (parts.count == 1 || parts[parts.count - 2] == .character("/")):
        break
      default: parts.append(.character(character))
      }
    }
    self.parts = parts
  }

  /// Returns a Boolean value that indicates whether a text matches the pattern. Takes time proportional to the length
  /// of the text times the length of the pattern.
  func matches(_ text: String) -> Bool {
    // The prefixes of the pattern that the text so far matches.
    var reached = [true] + parts.map { _ in false }
    skipStars(&reached)
    for character in text {
      var next = parts.map { _ in false } + [false]
      for (position, part) in parts.enumerated() where reached[position] {
        switch part {
        case .character(let wanted): if character == wanted { next[position + 1] = true }
        case .one: if character != "/" { next[position + 1] = true }
        case .anyInFolder: if character != "/" { next[position] = true }
        case .any: next[position] = true
        }
      }
      skipStars(&next)
      reached = next
    }
    return reached[parts.count]
  }

  /// Advances past stars, which may match nothing.
  private func skipStars(_ reached: inout [Bool]) {
    for (position, part) in parts.enumerated()
    where reached[position] && (part == .any || part == .anyInFolder) {
      reached[position + 1] = true
    }
  }
}
