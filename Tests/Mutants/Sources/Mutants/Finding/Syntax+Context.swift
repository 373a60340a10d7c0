import SwiftSyntax

extension SyntaxProtocol {
  /// The range of the node without the trivia around it, in bytes.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// The source of the node on one line.
  var oneLine: String {
    let text = trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count <= 160 ? text : text.prefix(157) + "..."
  }

  /// Whether a call of a function of the module may stand here: not in a default argument, which callers evaluate, nor in
  /// a pattern or the value of an enum's case.
  var allowsPlanting: Bool {
    var node = parent
    while let current = node {
      if current.is(FunctionParameterSyntax.self) || current.is(ExpressionPatternSyntax.self)
        || current.is(EnumCaseElementSyntax.self)
      {
        return false
      }
      if current.is(CodeBlockItemSyntax.self) { return true }
      node = current.parent
    }
    return true
  }
}

extension Syntax {
  /// The functions, properties, and types around a node, from the outermost.
  var enclosingDeclaration: String {
    var names: [String] = []
    var node = parent
    while let current = node {
      if let name = current.declaredName { names.append(name) }
      node = current.parent
    }
    return names.reversed().joined(separator: ".")
  }

  private var declaredName: String? {
    if let node = self.as(FunctionDeclSyntax.self) {
      return node.name.text + node.signature.parameterClause.labels
    }
    if let node = self.as(InitializerDeclSyntax.self) {
      return "init" + node.signature.parameterClause.labels
    }
    if let node = self.as(SubscriptDeclSyntax.self) { return "subscript" + node.parameterClause.labels }
    if let node = self.as(VariableDeclSyntax.self) {
      // A local variable is no place of its own.
      guard node.parent?.is(MemberBlockItemSyntax.self) ?? false else { return nil }
      return node.bindings.first?.pattern.trimmedDescription
    }
    if let node = self.as(ExtensionDeclSyntax.self) { return node.extendedType.trimmedDescription }
    return self.asProtocol((any NamedDeclSyntax).self)?.name.text
  }

  /// The type that the innermost function, accessor, or closure around a node returns, where the source says it.
  var returnType: TypeSyntax? {
    var node = parent
    while let current = node {
      if let closure = current.as(ClosureExprSyntax.self) { return closure.signature?.returnClause?.type }
      if let function = current.as(FunctionDeclSyntax.self) { return function.signature.returnClause?.type }
      if let declaration = current.as(SubscriptDeclSyntax.self) { return declaration.returnClause.type }
      if let binding = current.as(PatternBindingSyntax.self) { return binding.typeAnnotation?.type }
      if current.is(InitializerDeclSyntax.self) { return nil }
      if let accessor = current.as(AccessorDeclSyntax.self), accessor.accessorSpecifier.text != "get" {
        return nil
      }
      node = current.parent
    }
    return nil
  }
}

extension FunctionParameterClauseSyntax {
  fileprivate var labels: String { "(" + parameters.map { $0.firstName.text + ":" }.joined() + ")" }
}

extension ExprSyntax {
  /// Whether a call of this only makes room, which no test can tell.
  var reservesCapacity: Bool {
    let name = self.as(MemberAccessExprSyntax.self)?.declName ?? self.as(DeclReferenceExprSyntax.self)
    return name?.baseName.text == "reserveCapacity"
  }

  /// The expression in a pair of parentheses around one.
  var parenthesised: ExprSyntax? {
    guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.label == nil
    else { return nil }
    return element.expression
  }

  /// The operands and the sign of a binary operator, assignments included.
  var infix: (left: ExprSyntax, sign: String, right: ExprSyntax)? {
    guard let node = self.as(InfixOperatorExprSyntax.self) else { return nil }
    return (node.leftOperand, node.operator.trimmedDescription, node.rightOperand)
  }
}
