/// The scalars that an expression of one scalar matches: `\d`, `\p{Greek}`, `[a-z&&[^b]]`.
///
/// Swift's `Regex` decides about each scalar. For one scalar that takes constant time, and the last answers are kept.
final class ScalarSet {
  private let regex: Regex<AnyRegexOutput>
  /// For each slot the scalar in it, shifted by two bits, which say whether there is one and whether it is in the set.
  /// Empty until the first question.
  private var answers: [UInt32] = []

  init(_ source: String, ignoresCase: Bool) throws {
    let regex = try Regex(source).matchingSemantics(.unicodeScalar)
    self.regex = ignoresCase ? regex.ignoresCase() : regex
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    if answers.isEmpty { answers = Array(repeating: 0, count: 1 << 10) }
    let slot = Int(scalar.value) & (answers.count - 1)
    if answers[slot] & ~1 == scalar.value << 2 | 2 { return answers[slot] & 1 == 1 }
    // Matching fails to run only for custom Swift parsers within an expression, which a text cannot have.
    let isContained = (try? regex.wholeMatch(in: String(scalar))) != nil
    answers[slot] = scalar.value << 2 | 2 | (isContained ? 1 : 0)
    return isContained
  }
}
