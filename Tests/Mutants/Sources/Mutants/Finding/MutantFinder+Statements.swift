import SwiftSyntax

extension MutantFinder {
  /// Adds a mutant that removes a call or an assignment, if the source is still complete without it.
  func removeStatement(_ node: CodeBlockItemSyntax) {
    guard claim(node), let statement = node.item.as(ExprSyntax.self), statement.isRemovable,
      !node.isAloneInBranch, !node.isOnlyValueOfClosure, !node.isValueOfChoice, node.allowsPlanting
    else { return }
    let range = node.item.textRange
    add(
      Plant(
        mutant: mutant(.removed, at: node),
        insertions: [
          Plant.Insertion(
            start: range.lowerBound, end: range.upperBound, prefix: "if !planted(#) { ", suffix: " }")
        ]))
  }
}

extension ExprSyntax {
  fileprivate var isRemovable: Bool {
    if let effect = self.as(TryExprSyntax.self) { return effect.expression.isRemovable }
    if let effect = self.as(AwaitExprSyntax.self) { return effect.expression.isRemovable }
    if let call = self.as(FunctionCallExprSyntax.self) {
      if call.calledExpression.reservesCapacity { return false }
      let name = call.calledExpression.trimmedDescription
      // Without these, the source does not compile or behaves the same.
      return !["super.init", "self.init", "precondition", "assert", "preconditionFailure", "fatalError"]
        .contains(name)
    }
    guard let (target, sign, _) = infix, sign.hasSuffix("="),
      !["==", "!=", "===", "!==", "<=", ">=", "~="].contains(sign)
    else { return false }
    return sign != "=" || !target.isInitialised
  }

  /// A Boolean value that indicates whether an assignment to this may be the first: in an initializer, or of a local
  /// variable that is declared without a value.
  private var isInitialised: Bool {
    let names =
      self.as(TupleExprSyntax.self)?.elements.map(\.expression.trimmedDescription)
      ?? [self.as(DeclReferenceExprSyntax.self)?.baseName.text].compactMap(\.self)
    var node = parent
    while let current = node {
      if current.is(InitializerDeclSyntax.self) { return true }
      if let list = current.as(CodeBlockItemListSyntax.self), names.contains(where: list.declaresWithoutValue)
      {
        return true
      }
      if current.is(FunctionDeclSyntax.self) || current.is(AccessorBlockSyntax.self) { return false }
      node = current.parent
    }
    return false
  }
}

extension CodeBlockItemListSyntax {
  fileprivate func declaresWithoutValue(_ name: String) -> Bool {
    contains { item in
      guard let declaration = item.item.as(VariableDeclSyntax.self) else { return false }
      // An optional variable is nil until its first assignment.
      let isVariable = declaration.bindingSpecifier.text == "var"
      return declaration.bindings.contains {
        $0.initializer == nil && $0.pattern.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
          && !(isVariable && $0.typeAnnotation?.type.is(OptionalTypeSyntax.self) ?? false)
      }
    }
  }
}

extension CodeBlockItemSyntax {
  /// A Boolean value that indicates whether this is the only statement of a loop, or of an `if` without `else`. Another
  /// mutant removes it, too.
  fileprivate var isAloneInBranch: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      let block = list.parent?.as(CodeBlockSyntax.self)
    else { return false }
    if let choice = block.parent?.as(IfExprSyntax.self) {
      return choice.elseBody == nil && choice.parent?.as(IfExprSyntax.self) == nil
    }
    return block.parent?.is(ForStmtSyntax.self) ?? false
  }

  /// A Boolean value that indicates whether a closure returns this, or may return it.
  fileprivate var isOnlyValueOfClosure: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      let closure = list.parent?.as(ClosureExprSyntax.self), let value = item.as(ExprSyntax.self)
    else { return false }
    // An assignment has no value.
    return closure.signature?.returnClause == nil && !(value.infix?.sign.hasSuffix("=") ?? false)
  }

  /// A Boolean value that indicates whether this is the value of a branch of an `if` or `switch` expression.
  fileprivate var isValueOfChoice: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
    var choice = list.parent
    while let current = choice, !current.is(IfExprSyntax.self), !current.is(SwitchExprSyntax.self) {
      guard
        current.is(CodeBlockSyntax.self) || current.is(SwitchCaseSyntax.self)
          || current.is(SwitchCaseListSyntax.self)
      else { return false }
      choice = current.parent
    }
    while let next = choice?.parent, next.is(IfExprSyntax.self) { choice = next }
    return choice.map { $0.parent.map { !$0.is(ExpressionStmtSyntax.self) } ?? true } ?? false
  }
}
