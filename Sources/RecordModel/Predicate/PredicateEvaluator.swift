/// A predicate made ready to ask many subjects: patterns are compiled once.
///
/// It is not Sendable: make one for each run of evaluations, where it happens.
package struct PredicateEvaluator {
  private let condition: Condition

  package init(_ predicate: RecordPredicate) { condition = Condition(predicate.tree) }

  /// Whether the predicate holds for the subject. A predicate with a syntax error holds for none.
  package func matches(_ subject: some PredicateSubject) -> Bool { condition.holds(for: subject) }
}

extension RecordPredicate {
  /// Whether the predicate holds for the subject. To ask many subjects, make a ``PredicateEvaluator``.
  package func matches(_ subject: some PredicateSubject) -> Bool { PredicateEvaluator(self).matches(subject) }
}

/// The tree with its patterns compiled.
private indirect enum Condition {
  case constant(Bool)
  case not(Condition)
  case all([Condition])
  case any([Condition])
  case comparison(PredicateComparison, PredicatePattern?)

  init(_ tree: PredicateTree) {
    switch tree {
    case .constant(let value): self = .constant(value)
    case .not(let part): self = .not(Condition(part))
    case .and(let parts): self = .all(parts.map(Condition.init))
    case .or(let parts): self = .any(parts.map(Condition.init))
    case .comparison(let comparison): self = .comparison(comparison, Self.pattern(of: comparison))
    }
  }

  private static func pattern(of comparison: PredicateComparison) -> PredicatePattern? {
    guard case .value(.string(let text)) = comparison.right else { return nil }
    switch comparison.operator {
    case .like: return PredicatePattern(like: text, comparison.options)
    // The parser has compiled it before.
    case .matches: return try? PredicatePattern(expression: text, comparison.options)
    default: return nil
    }
  }

  func holds(for subject: some PredicateSubject) -> Bool {
    switch self {
    case .constant(let value): value
    case .not(let part): !part.holds(for: subject)
    case .all(let parts): parts.allSatisfy { $0.holds(for: subject) }
    case .any(let parts): parts.contains { $0.holds(for: subject) }
    case .comparison(let comparison, let pattern): comparison.holds(for: subject, pattern)
    }
  }
}

extension PredicateComparison {
  fileprivate func holds(for subject: some PredicateSubject, _ pattern: PredicatePattern?) -> Bool {
    let left = left.value(for: subject)
    let right = right.value(for: subject)
    switch modifier {
    case .direct: return holds(left, right, pattern)
    case .any: return left.members.contains { holds($0, right, pattern) }
    case .all: return left.members.allSatisfy { holds($0, right, pattern) }
    }
  }

  private func holds(_ left: PredicateValue, _ right: PredicateValue, _ pattern: PredicatePattern?) -> Bool {
    switch `operator` {
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
