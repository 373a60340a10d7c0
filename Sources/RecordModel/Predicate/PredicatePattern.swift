import Foundation

/// The compiled pattern of `LIKE` or `MATCHES`. Not sendable, because `RegularExpression` is not.
/// Rule: `predicate.pattern`.
enum PredicatePattern {
  /// A pattern of `LIKE`, folded by the options.
  case wildcards([Wildcard], PredicateTextOptions)
  /// A pattern of `MATCHES`.
  case expression(RegularExpression, PredicateTextOptions)

  enum Wildcard: Equatable {
    case scalar(Unicode.Scalar)
    /// `?`
    case anyScalar
    /// `*`
    case anyText
  }

  init(like pattern: String, _ options: PredicateTextOptions) {
    var wildcards: [Wildcard] = []
    var isEscaped = false
    for scalar in options.fold(pattern).unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "?" where !isEscaped: wildcards.append(.anyScalar)
      case "*" where !isEscaped: wildcards.append(.anyText)
      default: wildcards.append(.scalar(scalar))
      }
      isEscaped = false
    }
    if isEscaped { wildcards.append(.scalar("\\")) }
    self = .wildcards(wildcards, options)
  }

  init(expression: String, _ options: PredicateTextOptions) throws(RegularExpressionError) {
    let withoutDiacritics = options.intersection(.diacriticInsensitive)
    self = .expression(
      try RegularExpression(
        withoutDiacritics.fold(expression), ignoresCase: options.contains(.caseInsensitive)),
      withoutDiacritics)
  }

  /// Returns whether the whole text matches.
  func matches(_ text: String) -> Bool {
    var steps = 0
    return matches(text, countingSteps: &steps)
  }

  /// Returns whether the whole text matches.
  ///
  /// - Parameter steps: a counter that is increased by one for each comparison of a part of the pattern with a scalar.
  func matches(_ text: String, countingSteps steps: inout Int) -> Bool {
    switch self {
    case .wildcards(let wildcards, let options):
      Self.matches(Array(options.fold(text).unicodeScalars), wildcards, &steps)
    case .expression(let expression, let options):
      expression.matches(options.fold(text), countingSteps: &steps)
    }
  }

  /// Returns whether the text matches. Takes at most as many steps as the product of both lengths, because only the
  /// last `*` is tried again.
  private static func matches(
    _ text: [Unicode.Scalar], _ wildcards: [Wildcard], _ steps: inout Int
  ) -> Bool {
    var position = 0
    var index = 0
    var retry: (position: Int, index: Int)?
    while position < text.count {
      steps += 1
      if index < wildcards.count, wildcards[index] == .anyText {
        retry = (position, index)
        index += 1
      } else if index < wildcards.count,
        wildcards[index] == .anyScalar || wildcards[index] == .scalar(text[position])
      {
        position += 1
        index += 1
      } else if let last = retry {
        retry = (last.position + 1, last.index)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return wildcards[index...].allSatisfy { $0 == .anyText }
  }
}

extension PredicateTextOptions {
  /// Returns the text without the distinctions that these options ignore. The result does not depend on the locale.
  /// Rule: `predicate.text`.
  func fold(_ text: String) -> String {
    if isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return contains(.caseInsensitive) ? text.lowercased() : text }
    var options: String.CompareOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return text.folding(options: options, locale: nil)
  }
}
