/// A regular expression that is matched in time linear in the text, whatever the expression and the text are.
///
/// The syntax and the meaning are those of Swift's `Regex`, scalar by scalar. `Regex` tries one way through the expression
/// after the other, which can take exponential time; here all ways advance together. What needs more than that is refused:
/// backreferences, look-around, atomic groups and possessive quantifiers.
///
/// Not Sendable, because its scalar sets keep answers.
struct RegularExpression {
  private let program: RegularExpressionProgram

  /// Parses an expression. What `Regex` refuses is refused here too.
  init(_ text: String, ignoresCase: Bool) throws(RegularExpressionError) {
    var parser = RegularExpressionParser(text, ignoresCase: ignoresCase)
    do throws(RegularExpressionError) {
      let node = try parser.parse()
      program = try RegularExpressionProgram(node, sets: parser.sets)
    } catch {
      // `Regex` has more to say of what may be malformed.
      if error.isSyntax { try Self.check(text) }
      throw error
    }
    try Self.check(text)
  }

  private static func check(_ text: String) throws(RegularExpressionError) {
    do {
      _ = try Regex(text)
    } catch {
      throw RegularExpressionError("the text is no regular expression: \(error)")
    }
  }

  /// Returns whether the whole text matches.
  ///
  /// - Parameter steps: is increased by one for each instruction that is looked at.
  /// - Complexity: the length of the text times the number of instructions.
  func matches(_ text: String, countingSteps steps: inout Int) -> Bool {
    var matcher = RegularExpressionMatcher(program, text)
    defer { steps += matcher.steps }
    return matcher.matches()
  }

  /// The number of instructions of the program, which bounds the steps for each scalar of a text.
  var instructionCount: Int { program.instructions.count }
}

/// The reason why a text is not accepted as a regular expression.
struct RegularExpressionError: Error, Equatable {
  /// One line, which names the part of the expression.
  let message: String
  let advice: String?
  /// Whether the part was not understood, so that the expression may be malformed.
  let isSyntax: Bool

  init(_ message: String, advice: String? = nil, isSyntax: Bool = false) {
    self.message = message
    self.advice = advice
    self.isSyntax = isSyntax
  }
}
