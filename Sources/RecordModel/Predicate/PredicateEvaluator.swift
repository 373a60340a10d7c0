/// A predicate with compiled patterns, which is evaluated for many subjects.
///
/// It is not sendable: create one for each run of evaluations, in its isolation.
package struct PredicateEvaluator {
  private let condition: Condition

  package init(_ predicate: RecordPredicate) { condition = Condition(predicate.tree) }

  /// Returns a Boolean value that indicates whether the predicate holds for the subject. A predicate with a syntax
  /// error holds for no subject.
  package func matches(_ subject: some PredicateSubject) -> Bool { condition.holds(for: subject) }
}

extension RecordPredicate {
  /// Returns a Boolean value that indicates whether the predicate holds for the subject. For many subjects, use a
  /// ``PredicateEvaluator``.
  package func matches(_ subject: some PredicateSubject) -> Bool { PredicateEvaluator(self).matches(subject) }
}

/// The tree of a predicate with compiled patterns.
private indirect enum Condition {
  case constant(Bool)
  case not(Condition)
  case all([Condition])
  case any([Condition])
  case comparison(PredicateTest)

  init(_ tree: PredicateTree) {
    switch tree {
    case .constant(let value): self = .constant(value)
    case .not(let part): self = .not(Condition(part))
    case .and(let parts): self = .all(parts.map(Condition.init))
    case .or(let parts): self = .any(parts.map(Condition.init))
    case .comparison(let comparison): self = .comparison(PredicateTest(comparison))
    }
  }

  func holds(for subject: some PredicateSubject) -> Bool {
    switch self {
    case .constant(let value): value
    case .not(let part): !part.holds(for: subject)
    case .all(let parts): parts.allSatisfy { $0.holds(for: subject) }
    case .any(let parts): parts.contains { $0.holds(for: subject) }
    case .comparison(let test):
      test.holds(test.comparison.left.value(for: subject), test.comparison.right.value(for: subject))
    }
  }
}

/// A comparison with its compiled pattern, for callers that have the values of both sides. Not sendable, because
/// patterns are not.
package struct PredicateTest {
  package let comparison: PredicateComparison
  private let pattern: PredicatePattern?

  package init(_ comparison: PredicateComparison) {
    self.comparison = comparison
    pattern =
      switch (comparison.operator, comparison.right) {
      case (.like, .value(.string(let text))): PredicatePattern(like: text, comparison.options)
      // The parser has compiled it before, so it is valid.
      case (.matches, .value(.string(let text))):
        try? PredicatePattern(expression: text, comparison.options)
      default: nil
      }
  }

  package func holds(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    switch comparison.modifier {
    case .direct: compares(left, right)
    case .any: left.members.contains { compares($0, right) }
    case .all: left.members.allSatisfy { compares($0, right) }
    }
  }

  private func compares(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
    let options = comparison.options
    return switch comparison.operator {
    case .equal: left.equals(right, options)
    case .notEqual: !left.equals(right, options)
    case .less: left.order(against: right, options) == .below
    case .lessOrEqual: left.order(against: right, options).map { $0 != .above } ?? false
    case .greater: left.order(against: right, options) == .above
    case .greaterOrEqual: left.order(against: right, options).map { $0 != .below } ?? false
    case .in: right.holds(left, options)
    case .contains: left.holds(right, options)
    case .between: left.lies(between: right, options)
    case .beginsWith: left.folded(with: right, options).map { $0.starts(with: $1) } ?? false
    case .endsWith:
      left.folded(with: right, options).map { $0.reversed().starts(with: $1.reversed()) } ?? false
    case .like, .matches: left.text.flatMap { pattern?.matches($0) } ?? false
    }
  }
}

extension PredicateOperand {
  fileprivate func value(for subject: some PredicateSubject) -> PredicateValue {
    switch self {
    case .value(let value): value
    case .keyPath(let keys): subject.value(at: keys)
    case .list(let elements): .list(elements.map { $0.value(for: subject) })
    }
  }
}
