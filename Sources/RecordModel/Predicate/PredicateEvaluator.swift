/// A predicate with compiled patterns and prepared key paths, which is evaluated for many subjects.
///
/// It is not sendable: create one for each run of evaluations, in its isolation.
// Inlinable as far as it is called for each subject, so that other modules specialize it for their subjects.
@usableFromInline
package struct PredicateEvaluator<Subject: PredicateSubject> {
  @usableFromInline let condition: Condition<Subject>

  /// Prepares a predicate.
  ///
  /// - Parameter prepare: a closure that returns a key path as the subjects read it.
  package init(_ predicate: RecordPredicate, prepare: ([String]) -> Subject.Path) {
    condition = Condition(predicate.tree, prepare)
  }

  /// Returns a Boolean value that indicates whether the predicate holds for the subject. A predicate with a syntax
  /// error holds for no subject.
  @inlinable
  package func matches(_ subject: Subject) -> Bool { condition.holds(for: subject) }
}

extension PredicateEvaluator where Subject.Path == [String] {
  package init(_ predicate: RecordPredicate) { self.init(predicate, prepare: { $0 }) }
}

extension RecordPredicate {
  /// Returns a Boolean value that indicates whether the predicate holds for the subject. For many subjects, use a
  /// ``PredicateEvaluator``.
  package func matches<Subject: PredicateSubject>(_ subject: Subject) -> Bool where Subject.Path == [String] {
    PredicateEvaluator(self).matches(subject)
  }
}

/// The tree of a predicate with compiled patterns.
@usableFromInline
indirect enum Condition<Subject: PredicateSubject> {
  case constant(Bool)
  case not(Condition)
  case all([Condition])
  case any([Condition])
  case comparison(PredicateTest, left: Operand<Subject>, right: Operand<Subject>)

  init(_ tree: PredicateTree, _ prepare: ([String]) -> Subject.Path) {
    switch tree {
    case .constant(let value): self = .constant(value)
    case .not(let part): self = .not(Condition(part, prepare))
    case .and(let parts): self = .all(parts.map { Condition($0, prepare) })
    case .or(let parts): self = .any(parts.map { Condition($0, prepare) })
    case .comparison(let comparison):
      self = .comparison(
        PredicateTest(comparison), left: Operand(comparison.left, prepare),
        right: Operand(comparison.right, prepare))
    }
  }

  @inlinable
  func holds(for subject: Subject) -> Bool {
    switch self {
    case .constant(let value): value
    case .not(let part): !part.holds(for: subject)
    case .all(let parts): parts.allSatisfy { $0.holds(for: subject) }
    case .any(let parts): parts.contains { $0.holds(for: subject) }
    case .comparison(let test, let left, let right):
      test.holds(left.value(for: subject), right.value(for: subject))
    }
  }
}

/// One side of a comparison with its prepared key path.
@usableFromInline
indirect enum Operand<Subject: PredicateSubject> {
  case value(PredicateValue)
  case keyPath(Subject.Path)
  case list([Operand])

  init(_ operand: PredicateOperand, _ prepare: ([String]) -> Subject.Path) {
    switch operand {
    case .value(.number(let number)): self = .value(PredicateValue(number))
    case .value(let value): self = .value(value)
    case .keyPath(let keys): self = .keyPath(prepare(keys))
    case .list(let elements): self = .list(elements.map { Operand($0, prepare) })
    }
  }

  @inlinable
  func value(for subject: Subject) -> PredicateValue {
    switch self {
    case .value(let value): value
    case .keyPath(let path): subject.value(at: path)
    case .list(let elements): .list(elements.map { $0.value(for: subject) })
    }
  }
}

/// A comparison with its compiled pattern, for callers that have the values of both sides. Not sendable, because
/// patterns are not.
@usableFromInline
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

  @usableFromInline
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
