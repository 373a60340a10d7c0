/// A regular expression that is matched in time linear in the text, for all expressions and texts.
///
/// The syntax and the meaning are those of Swift's `Regex` with the semantics of Unicode scalars. `Regex` tries one
/// path through the expression after the other, which can take exponential time. Here all paths advance together.
/// Constructs that this does not support are errors: backreferences, look-around, atomic groups and possessive
/// quantifiers.
///
/// Not sendable, because its scalar sets cache results.
struct RegularExpression {
  private let program: RegularExpressionProgram

  /// Parses an expression. An expression that `Regex` does not accept is an error here, too.
  init(_ text: String, ignoresCase: Bool) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(text, ignoresCase: ignoresCase)
    do throws(RegularExpressionError) {
      let node = try parser.parse()
      program = try RegularExpressionProgram(node, sets: parser.sets)
    } catch {
      // The message of `Regex` is more precise if the expression is malformed.
      if error.isSyntax { try Self.check(text) }
      throw error
    }
    try Self.check(text)
  }

  private static func check(_ text: String) throws(RegularExpressionError) {
    do {
      _ = try Regex(text)
    } catch {
      throw RegularExpressionError("invalid regular expression: \(error)")
    }
  }

  /// Returns whether the whole text matches.
  ///
  /// - Parameter steps: a counter that is increased by one for each instruction that is visited.
  /// - Complexity: O(*n* · *m*), where *n* is the length of the text and *m* is the number of instructions.
  func matches(_ text: String, countingSteps steps: inout Int) -> Bool {
    var matcher = RegularExpressionMatcher(program, text)
    defer { steps += matcher.steps }
    return matcher.matches()
  }

  /// The number of instructions of the program, which limits the steps for each scalar of a text.
  var instructionCount: Int { program.instructions.count }
}

/// The reason why a text is not a supported regular expression.
struct RegularExpressionError: Error, Equatable {
  /// One line that names the part of the expression.
  let message: String
  let advice: String?
  /// A Boolean value that indicates whether the part is unknown, so that the expression may be malformed.
  let isSyntax: Bool

  init(_ message: String, advice: String? = nil, isSyntax: Bool = false) {
    self.message = message
    self.advice = advice
    self.isSyntax = isSyntax
  }
}
