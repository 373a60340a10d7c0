import SwiftSyntax

/// The mutants of conditions, as in MC/DC. Each operand of a conjunction is forced to true and each operand of a
/// disjunction to false, as if it were missing. The whole condition is forced to the opposite. Tests that detect these
/// mutants also detect changed negations, and `&&` exchanged for `||`.
extension MutantFinder {
  func mutateConditions(_ conditions: ConditionElementListSyntax, forced: Set<MutantKind>) {
    if conditions.count == 1, let condition = conditions.first?.condition.as(ExprSyntax.self) {
      mutateCondition(condition, forced: forced)
      return
    }
    for element in conditions {
      if let condition = element.condition.as(ExprSyntax.self) {
        mutateCondition(condition, forced: [.alwaysTrue])
      }
    }
    guard conditions.allowsPlanting, let first = conditions.first else { return }
    append(", !planted(#)", to: conditions, mutant(.alwaysFalse, at: first, text: conditions))
  }

  /// Adds the mutants of a Boolean expression and of the operands of `&&`, `||`, and `!` in it.
  func mutateCondition(_ condition: ExprSyntax, forced: Set<MutantKind>) {
    guard claim(condition) else { return }
    if let effect = condition.as(TryExprSyntax.self) {
      mutateCondition(effect.expression, forced: forced)
    } else if let effect = condition.as(AwaitExprSyntax.self) {
      mutateCondition(effect.expression, forced: forced)
    } else if let inner = condition.parenthesised {
      mutateCondition(inner, forced: forced)
    } else if let literal = condition.as(BooleanLiteralExprSyntax.self) {
      force(condition, forced.intersection([literal.literal.text == "true" ? .alwaysFalse : .alwaysTrue]))
    } else if let (left, sign, right) = condition.infix, sign == "&&" || sign == "||" {
      let (neutral, other): (MutantKind, MutantKind) =
        sign == "&&" ? (.alwaysTrue, .alwaysFalse) : (.alwaysFalse, .alwaysTrue)
      force(condition, forced.intersection([other]))
      mutateCondition(left, forced: [neutral])
      mutateCondition(right, forced: [neutral])
    } else if let negation = condition.as(PrefixOperatorExprSyntax.self), negation.operator.text == "!",
      let inner = negation.expression.parenthesised
    {
      mutateCondition(inner, forced: Set(forced.map { $0 == .alwaysTrue ? .alwaysFalse : .alwaysTrue }))
    } else {
      force(condition, forced)
    }
  }

  /// Adds the mutants of a value whose name is that of a Boolean value, as in `isSaved: changes.isEmpty`.
  func mutateNamedBoolean(_ value: ExprSyntax) {
    let callee = value.as(FunctionCallExprSyntax.self)?.calledExpression ?? value
    let name =
      callee.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard let name, name.isBooleanName else { return }
    mutateCondition(value, forced: [.alwaysTrue, .alwaysFalse])
  }

  private func force(_ condition: ExprSyntax, _ kinds: Set<MutantKind>) {
    if kinds.contains(.alwaysTrue) { wrap(condition, .alwaysTrue, in: "plantedTrue") }
    if kinds.contains(.alwaysFalse) { wrap(condition, .alwaysFalse, in: "plantedFalse") }
  }

  /// Adds mutants that skip one case of a switch with a default case, as if its pattern did not match.
  func skipCases(of node: SwitchExprSyntax) {
    let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
    guard cases.contains(where: { $0.label.is(SwitchDefaultLabelSyntax.self) }) else { return }
    for element in cases {
      guard case .case(let label) = element.label,
        label.caseItems.allSatisfy({ $0.whereClause == nil })
      else { continue }
      add(
        Plant(
          mutant: mutant(.skipped, at: label, text: label.caseItems),
          insertions: label.caseItems.map { item in
            let range = item.pattern.textRange
            return Plant.Insertion(
              start: range.lowerBound, end: range.upperBound, suffix: " where !planted(#)")
          }))
    }
  }

  /// Adds the mutants of closures that are known to return a Boolean value or to compare.
  func mutateClosures(of node: FunctionCallExprSyntax) {
    let name =
      node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard let name else { return }
    let forced: Set<MutantKind>
    switch name {
    case "allSatisfy", "contains", "drop", "dropFirst", "filter", "first", "firstIndex", "last", "lastIndex",
      "prefix", "removeAll", "partition":
      forced = [.alwaysTrue, .alwaysFalse]
    // A comparison that is always true is not a valid order.
    case "sort", "sorted", "min", "max": forced = [.alwaysFalse]
    default: return
    }
    let closures =
      [node.trailingClosure].compactMap(\.self)
      + node.arguments.compactMap { $0.expression.as(ClosureExprSyntax.self) }
    for closure in closures {
      guard let statement = closure.statements.first, closure.statements.count == 1,
        let value = statement.item.as(ExprSyntax.self), !value.is(IfExprSyntax.self),
        !value.is(SwitchExprSyntax.self)
      else { continue }
      mutateCondition(value, forced: forced)
    }
  }
}

extension String {
  /// A Boolean value that indicates whether the text is the name of a Boolean value: `isEmpty`, `hasPrefix`,
  /// `contains`.
  fileprivate var isBooleanName: Bool {
    if self == "contains" { return true }
    return ["is", "has"].contains { prefix in
      hasPrefix(prefix) && (dropFirst(prefix.count).first?.isUppercase ?? false)
    }
  }
}
