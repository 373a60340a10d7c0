/// The scalars that match an expression of a single scalar: `\d`, `\p{Greek}`, `[a-z&&[^b]]`.
///
/// Swift's `Regex` tests each scalar, in constant time. The latest results are cached.
final class ScalarSet {
  private let regex: Regex<AnyRegexOutput>
  /// The cached results. Each slot has a scalar, shifted by two bits: one that is set if the slot is in use, and one
  /// that is set if the scalar is in the set. Empty until the first test.
  private var answers: [UInt32] = []

  init(_ source: String, ignoresCase: Bool) throws {
    let regex = try Regex(source).matchingSemantics(.unicodeScalar)
    self.regex = ignoresCase ? regex.ignoresCase() : regex
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    if answers.isEmpty { answers = Array(repeating: 0, count: 1 << 10) }
    let slot = Int(scalar.value) & (answers.count - 1)
    if answers[slot] & ~1 == scalar.value << 2 | 2 { return answers[slot] & 1 == 1 }
    // Only custom Swift parsers can make matching throw, and the text of an expression cannot contain one.
    let isContained = (try? regex.wholeMatch(in: String(scalar))) != nil
    answers[slot] = scalar.value << 2 | 2 | (isContained ? 1 : 0)
    return isContained
  }
}
