import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds the mutants of a file in its syntax tree.
///
/// If the source allows it, a mutant is planted around an expression. It then needs no copy of the source, and mutants
/// can be nested.
final class MutantFinder: SyntaxVisitor {
  private let path: String
  private let converter: SourceLocationConverter
  private(set) var plants: [Plant] = []
  private var counts: [String: Int] = [:]
  /// The nodes whose mutants have been added.
  private var judged: Set<SyntaxIdentifier> = []

  /// Returns the mutants of a source in the order of the text.
  static func plants(in source: String, path: String) -> [Plant] {
    let parsed = Parser.parse(source: source)
    // An expression with an unknown operator stays unfolded, without mutants of operators.
    let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let finder = MutantFinder(path: path, converter: SourceLocationConverter(fileName: path, tree: tree))
    finder.walk(tree)
    var plants = finder.plants.enumerated().sorted { left, right in
      let (one, other) = (left.element.mutant, right.element.mutant)
      return (one.line, one.column, left.offset) < (other.line, other.column, right.offset)
    }.map(\.element)
    var occurrences: [Mutant.Key: Int] = [:]
    for index in plants.indices {
      let occurrence = occurrences[plants[index].mutant.key, default: 0] + 1
      occurrences[plants[index].mutant.key] = occurrence
      plants[index].mutant.occurrence = occurrence
    }
    return plants
  }

  private init(path: String, converter: SourceLocationConverter) {
    self.path = path
    self.converter = converter
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Adding mutants

  func mutant(_ kind: MutantKind, at node: some SyntaxProtocol, text: (any SyntaxProtocol)? = nil) -> Mutant {
    let location = node.startLocation(converter: converter)
    var mutant = Mutant(
      file: path, line: location.line, column: location.column, kind: kind,
      function: Syntax(node).enclosingDeclaration, text: (text ?? node).oneLine)
    let count = counts[mutant.id, default: 0] + 1
    counts[mutant.id] = count
    mutant.ordinal = count
    return mutant
  }

  func add(_ plant: Plant) { plants.append(plant) }

  /// Adds a mutant that is planted as a call around an expression.
  func wrap(_ node: some SyntaxProtocol, _ kind: MutantKind, in function: String) {
    guard node.allowsPlanting else { return }
    add(.wrapping(mutant(kind, at: node), node.textRange, in: function))
  }

  /// Adds a mutant that is planted as a call in place of a binary operator.
  func replaceOperator(_ node: InfixOperatorExprSyntax, _ kind: MutantKind, by function: String) {
    guard node.allowsPlanting else { return }
    let sign = node.operator.textRange
    var plant = Plant.wrapping(mutant(kind, at: node.operator, text: node), node.textRange, in: function)
    plant.insertions.append(
      Plant.Insertion(start: sign.lowerBound, end: sign.upperBound, prefix: ",", replaces: true))
    add(plant)
  }

  /// Adds a mutant that is planted as text after a node.
  func append(_ text: String, to node: some SyntaxProtocol, _ mutant: Mutant) {
    let range = node.textRange
    add(
      Plant(
        mutant: mutant,
        insertions: [Plant.Insertion(start: range.lowerBound, end: range.upperBound, suffix: text)]))
  }

  func claim(_ node: some SyntaxProtocol) -> Bool { judged.insert(node.id).inserted }

  // MARK: Visiting

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    mutateConditions(node.conditions, forced: [.alwaysTrue, .alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    mutateConditions(node.conditions, forced: [.alwaysTrue, .alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
    // The condition of an endless loop stays unchanged, because the compiler accepts a missing return after it. Other
    // conditions are not forced to true, because an endless loop proves little.
    if node.conditions.trimmedDescription == "true" { return .visitChildren }
    mutateConditions(node.conditions, forced: [.alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    mutateCondition(node.condition, forced: [.alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    if let condition = node.whereClause?.condition {
      mutateCondition(condition, forced: [.alwaysTrue, .alwaysFalse])
    } else {
      append(" where !planted(#)", to: node.sequence, mutant(.skipped, at: node, text: node.sequence))
    }
    return .visitChildren
  }

  override func visit(_ node: SwitchExprSyntax) -> SyntaxVisitorContinueKind {
    skipCases(of: node)
    return .visitChildren
  }

  override func visit(_ node: SwitchCaseItemSyntax) -> SyntaxVisitorContinueKind {
    if let condition = node.whereClause?.condition {
      mutateCondition(condition, forced: [.alwaysTrue, .alwaysFalse])
    }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    mutateCondition(node.condition, forced: [.alwaysTrue, .alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    mutateOperator(node)
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { mutateCondition(ExprSyntax(node), forced: [.alwaysTrue, .alwaysFalse]) }
    return .visitChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if node.parent?.is(ConditionElementSyntax.self) ?? false { return .skipChildren }
    mutateCondition(ExprSyntax(node), forced: [.alwaysTrue, .alwaysFalse])
    return .visitChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    if node.calledExpression.reservesCapacity { return .skipChildren }
    mutateClosures(of: node)
    return .visitChildren
  }

  override func visit(_ node: LabeledExprSyntax) -> SyntaxVisitorContinueKind {
    mutateNamedBoolean(node.expression)
    return .visitChildren
  }

  override func visit(_ node: InitializerClauseSyntax) -> SyntaxVisitorContinueKind {
    mutateNamedBoolean(node.value)
    return .visitChildren
  }

  override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
    if let value = node.expression, let type = Syntax(node).returnType { mutateValue(value, type) }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "reserveCapacity" { return .skipChildren }
    if let body = node.body, let type = node.signature.returnClause?.type {
      mutateImplicitValue(of: body.statements, type)
    }
    return .visitChildren
  }

  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind {
    if case .getter(let statements) = node.accessors, let type = Syntax(node).returnType {
      mutateImplicitValue(of: statements, type)
    }
    return .visitChildren
  }

  override func visit(_ node: AccessorDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.accessorSpecifier.text == "get", let body = node.body, let type = Syntax(node).returnType {
      mutateImplicitValue(of: body.statements, type)
    }
    return .visitChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    removeStatement(node)
    return .visitChildren
  }

  // Code in these may not be compiled or run.
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
