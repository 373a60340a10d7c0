import SwiftSyntax

extension MutantFinder {
  func mutateOperator(_ node: InfixOperatorExprSyntax) {
    guard let (left, sign, right) = ExprSyntax(node).infix else { return }
    switch sign {
    case "&&", "||", "==", "!=", "===", "!==", "~=":
      mutateCondition(ExprSyntax(node), forced: [.alwaysTrue, .alwaysFalse])
    case "<", "<=", ">", ">=":
      mutateCondition(ExprSyntax(node), forced: [.alwaysTrue, .alwaysFalse])
      // In a comparison for sorting, equal elements are equal with both operators.
      guard !node.isOrder else { return }
      let functions = [
        "<": "plantedLess", "<=": "plantedLessOrEqual", ">": "plantedGreater", ">=": "plantedGreaterOrEqual",
      ]
      if let function = functions[sign] { replaceOperator(node, .boundary, by: function) }
    case "+" where !left.isText && !right.isText: replaceOperator(node, .arithmetic, by: "plantedPlus")
    case "-": replaceOperator(node, .arithmetic, by: "plantedMinus")
    case "..<", "...": wrap(right, .range, in: "plantedOneLess")
    case "=": mutateNamedBoolean(right)
    case "??": replaceOperator(node, .fallback, by: "plantedFallback")
    default: break
    }
  }

  /// Adds the mutants of a value that a function returns.
  func mutateValue(_ value: ExprSyntax, _ type: TypeSyntax) {
    if let choice = value.as(IfExprSyntax.self) {
      mutateBranches(of: choice, type)
    } else if let choice = value.as(SwitchExprSyntax.self) {
      for element in choice.cases {
        if let element = element.as(SwitchCaseSyntax.self) {
          mutateImplicitValue(of: element.statements, type)
        }
      }
    } else if type.trimmedDescription == "Bool" {
      mutateCondition(value, forced: [.alwaysTrue, .alwaysFalse])
    } else if type.is(OptionalTypeSyntax.self) {
      if !value.is(NilLiteralExprSyntax.self) { wrap(value, .returnedNil, in: "plantedNil") }
    } else if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self)
      || type.as(IdentifierTypeSyntax.self)?.name.text == "Set"
    {
      if !value.isEmptyLiteral { wrap(value, .returnedEmpty, in: "plantedEmpty") }
    }
  }

  private func mutateBranches(of choice: IfExprSyntax, _ type: TypeSyntax) {
    mutateImplicitValue(of: choice.body.statements, type)
    switch choice.elseBody {
    case .ifExpr(let next): mutateBranches(of: next, type)
    case .codeBlock(let block): mutateImplicitValue(of: block.statements, type)
    case nil: break
    }
  }

  /// Adds the mutants of a body that is a single expression.
  func mutateImplicitValue(of statements: CodeBlockItemListSyntax, _ type: TypeSyntax) {
    guard let statement = statements.first, statements.count == 1 else { return }
    if let value = statement.item.as(ExprSyntax.self) {
      _ = claim(statement)
      mutateValue(value, type)
    } else if let value = statement.item.as(ExpressionStmtSyntax.self)?.expression, value.isWholeChoice {
      _ = claim(statement)
      mutateValue(value, type)
    }
  }
}

extension ExprSyntax {
  /// A Boolean value that indicates whether every branch of an `if` or `switch` is a value and not a statement.
  fileprivate var isWholeChoice: Bool {
    if let choice = self.as(IfExprSyntax.self) {
      return choice.body.statements.isValue
        && (choice.elseBody.map { body in
          switch body {
          case .ifExpr(let next): ExprSyntax(next).isWholeChoice
          case .codeBlock(let block): block.statements.isValue
          }
        } ?? false)
    }
    return self.as(SwitchExprSyntax.self)?.cases.allSatisfy {
      $0.as(SwitchCaseSyntax.self)?.statements.isValue ?? false
    } ?? false
  }

  fileprivate var isEmptyLiteral: Bool {
    self.as(ArrayExprSyntax.self)?.elements.isEmpty ?? false
      || self.as(DictionaryExprSyntax.self).map { $0.content.is(TokenSyntax.self) } ?? false
  }

  /// A Boolean value that indicates whether this is known to be a text or an array, which can be joined but not
  /// subtracted.
  fileprivate var isText: Bool {
    if let inner = parenthesised { return inner.isText }
    if let (left, sign, right) = infix, sign == "+" { return left.isText || right.isText }
    return self.is(StringLiteralExprSyntax.self) || self.is(ArrayExprSyntax.self)
  }
}

extension CodeBlockItemListSyntax {
  fileprivate var isValue: Bool {
    guard count == 1, let item = first?.item else { return false }
    if let statement = item.as(ExpressionStmtSyntax.self) { return statement.expression.isWholeChoice }
    // One of the branches may be a `throw`.
    return item.is(ExprSyntax.self) || item.is(ThrowStmtSyntax.self)
  }
}

extension InfixOperatorExprSyntax {
  /// A Boolean value that indicates whether this is a comparison in a closure that sorts elements.
  fileprivate var isOrder: Bool {
    var node = Syntax(self).parent
    while let current = node, !current.is(ClosureExprSyntax.self) {
      if current.is(CodeBlockSyntax.self) || current.is(MemberBlockSyntax.self) { return false }
      node = current.parent
    }
    guard let closure = node else { return false }
    let call =
      closure.parent?.as(FunctionCallExprSyntax.self)
      ?? closure.parent?.parent?.parent?.as(FunctionCallExprSyntax.self)
    let name = call?.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return name.map { ["sort", "sorted", "min", "max"].contains($0) } ?? false
  }
}
