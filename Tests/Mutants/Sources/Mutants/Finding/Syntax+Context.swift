import SwiftSyntax

extension SyntaxProtocol {
  /// The range of the node without its leading and trailing trivia, in bytes.
  var textRange: Range<Int> {
    positionAfterSkippingLeadingTrivia.utf8Offset..<endPositionBeforeTrailingTrivia.utf8Offset
  }

  /// The source of the node on one line.
  var oneLine: String {
    let text = trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.count <= 160 ? text : text.prefix(157) + "..."
  }

  /// A Boolean value that indicates whether a call of a function of the module is allowed here. It is not allowed in a
  /// default argument, which callers evaluate, in a pattern, or in the value of an enum's case.
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
  /// The names of the functions, properties, and types around a node, starting with the outermost.
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
      // A local variable is not named.
      guard node.parent?.is(MemberBlockItemSyntax.self) ?? false else { return nil }
      return node.bindings.first?.pattern.trimmedDescription
    }
    if let node = self.as(ExtensionDeclSyntax.self) { return node.extendedType.trimmedDescription }
    return self.asProtocol((any NamedDeclSyntax).self)?.name.text
  }

  /// The return type of the innermost function, accessor, or closure around a node; nil if the source does not specify
  /// it.
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
  /// A Boolean value that indicates whether a call of this only reserves capacity, which tests cannot detect.
  var reservesCapacity: Bool {
    let name = self.as(MemberAccessExprSyntax.self)?.declName ?? self.as(DeclReferenceExprSyntax.self)
    return name?.baseName.text == "reserveCapacity"
  }

  /// The expression within a pair of parentheses.
  var parenthesised: ExprSyntax? {
    guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.label == nil
    else { return nil }
    return element.expression
  }

  /// The operands and the sign of a binary operator or an assignment.
  var infix: (left: ExprSyntax, sign: String, right: ExprSyntax)? {
    guard let node = self.as(InfixOperatorExprSyntax.self) else { return nil }
    return (node.leftOperand, node.operator.trimmedDescription, node.rightOperand)
  }
}
