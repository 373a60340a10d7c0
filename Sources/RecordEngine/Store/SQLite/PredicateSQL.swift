import RecordModel

/// A compiler that translates predicates to SQL conditions. A condition holds for exactly the rows for which the
/// predicate holds.
///
/// A condition that is NULL does not hold, and `IS NOT TRUE` negates a condition, so nil has the same meaning as in
/// predicates. If SQL compares values differently, the condition calls the evaluation code of predicates as `holds(…)`.
struct PredicateSQL {
  let schema: Schema
  let layout: SQLiteLayout
  /// The values that are bound to `?1`, `?2` and so on.
  private(set) var values: [SQLiteValue] = []
  private var aliasCount = 0

  init(schema: Schema, layout: SQLiteLayout) {
    self.schema = schema
    self.layout = layout
  }

  /// The row that a condition refers to: its alias in SQL, and its entity, which includes sub-entities.
  struct RowReference {
    var alias: String
    var entity: EntityIndex
  }

  /// The maximum number of comparisons in a condition, because SQLite limits the depth of expressions.
  private static let greatestComparisonCount = 200
  /// The maximum nesting depth of a condition, in symbols on the stack of SQLite's parser. The stack holds 100 symbols,
  /// and the surrounding statement and a single comparison need up to half of them.
  static let greatestDepth = 40
  /// The maximum number of to-many relationships in a key path. SQLite joins at most 64 tables, and each relationship
  /// takes two.
  static let greatestToManyCount = 8
  private var depth = 0

  /// Returns a condition for the part of a predicate that SQL can evaluate, and whether this is the whole predicate. If
  /// it is not, the condition also holds for other rows, but for all rows for which the predicate holds.
  mutating func condition(_ predicate: RecordPredicate, at reference: RowReference) -> (
    sql: String, isWhole: Bool
  ) {
    let tree = predicate.tree.folded
    guard tree.comparisonCount <= Self.greatestComparisonCount else { return ("1", false) }
    let parts = if case .and(let parts) = tree { parts } else { [tree] }
    var conditions: [String] = []
    for part in parts {
      let bound = values
      if let condition = condition(part, at: reference) {
        conditions.append(condition)
      } else {
        values = bound
      }
    }
    return (Self.conjunction(conditions), conditions.count == parts.count)
  }

  /// Returns the condition for a part of a predicate; nil if SQL cannot evaluate it.
  private mutating func condition(_ tree: PredicateTree, at reference: RowReference) -> String? {
    switch tree {
    case .constant(let value): return value ? "1" : "0"
    case .not(let part):
      return nested(2) { sql in sql.condition(part, at: reference).map(Self.negation) }
    case .and(let parts):
      return nested(3) { sql in sql.conditions(parts, at: reference).map(Self.conjunction) }
    case .or(let parts):
      return nested(3) { sql in
        sql.conditions(parts, at: reference).map { "(\($0.joined(separator: " OR ")))" }
      }
    case .comparison(let comparison): return condition(comparison, at: reference)
    }
  }

  private mutating func conditions(_ trees: [PredicateTree], at reference: RowReference) -> [String]? {
    var conditions: [String] = []
    for tree in trees {
      guard let condition = condition(tree, at: reference) else { return nil }
      conditions.append(condition)
    }
    return conditions
  }

  // MARK: Building

  /// Returns the result of `body`, nested by a number of additional symbols; nil if this exceeds the maximum depth.
  mutating func nested<Result>(_ symbolCount: Int, _ body: (inout PredicateSQL) -> Result?) -> Result? {
    guard depth + symbolCount <= Self.greatestDepth else { return nil }
    depth += symbolCount
    defer { depth -= symbolCount }
    return body(&self)
  }

  mutating func bind(_ value: SQLiteValue) -> String {
    values.append(value)
    return "?\(values.count)"
  }

  mutating func newAlias() -> String {
    aliasCount += 1
    return "t\(aliasCount)"
  }

  mutating func newReference(_ entity: EntityIndex) -> RowReference {
    RowReference(alias: newAlias(), entity: entity)
  }

  static func negation(_ condition: String) -> String { "(\(condition)) IS NOT TRUE" }

  static func conjunction(_ conditions: [String]) -> String {
    switch conditions.count {
    case 0: "1"
    case 1: conditions[0]
    default: "(\(conditions.joined(separator: " AND ")))"
    }
  }
}

extension PredicateTree {
  fileprivate var comparisonCount: Int {
    switch self {
    case .constant: 0
    case .comparison: 1
    case .not(let part): part.comparisonCount
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.comparisonCount }
    }
  }

  /// The equivalent tree without nested constants and double negations.
  fileprivate var folded: PredicateTree {
    switch self {
    case .constant, .comparison: return self
    case .not(let part):
      switch part.folded {
      case .constant(let value): return .constant(!value)
      case .not(let part): return part
      case let part: return .not(part)
      }
    case .and(let parts): return Self.folded(parts, PredicateTree.and, neutral: true)
    case .or(let parts): return Self.folded(parts, PredicateTree.or, neutral: false)
    }
  }

  private static func folded(
    _ parts: [PredicateTree], _ join: ([PredicateTree]) -> PredicateTree, neutral: Bool
  ) -> PredicateTree {
    var remaining: [PredicateTree] = []
    for part in parts.map(\.folded) {
      guard case .constant(let value) = part else {
        remaining.append(part)
        continue
      }
      if value != neutral { return part }
    }
    switch remaining.count {
    case 0: return .constant(neutral)
    case 1: return remaining[0]
    default: return join(remaining)
    }
  }
}

// MARK: - Comparisons

extension PredicateSQL {
  private mutating func condition(_ comparison: PredicateComparison, at reference: RowReference) -> String? {
    guard let left = operand(comparison.left, at: reference),
      let right = operand(comparison.right, at: reference)
    else { return nil }
    return condition(comparison, left, right, at: reference)
  }

  private mutating func condition(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand, at reference: RowReference
  ) -> String? {
    var single = comparison
    single.modifier = .direct
    switch (comparison.modifier, left) {
    // A transformable value can be a list. Its elements would have to count as members, too.
    case (.any, .members(let path)) where path.endsInTransformable: return nil
    case (.all, .members(let path)) where path.endsInTransformable: return nil
    case (.any, .members(let path)):
      return exists(path, from: reference) { sql, member in
        sql.condition(single, .scalar(member), right, at: reference)
      }
    case (.all, .members(let path)):
      let exception = exists(path, from: reference) { sql, member in
        sql.condition(single, .scalar(member), right, at: reference).map(Self.negation)
      }
      return exception.map { "NOT \($0)" }
    case (.any, .scalar(let scalar)) where scalar.type != .attribute(.transformable):
      return condition(single, left, right, at: reference).map { "(\(scalar.sql) IS NOT NULL AND \($0))" }
    case (.all, .scalar(let scalar)) where scalar.type != .attribute(.transformable):
      return condition(single, left, right, at: reference).map { "(\(scalar.sql) IS NULL OR \($0))" }
    case (.direct, .members(let path)):
      // Several values equal nothing. They can only contain a value.
      guard comparison.operator == .contains, path.toManys.count == 1 else { return nil }
      single.operator = .equal
      return exists(path, from: reference) { sql, member in
        sql.condition(single, .scalar(member), right, at: reference)
      }
    case (.direct, _):
      guard case .members(let path) = right else { return compare(single, left, right) }
      guard comparison.operator == .in, path.toManys.count == 1 else { return nil }
      single.operator = .equal
      return exists(path, from: reference) { sql, member in sql.compare(single, .scalar(member), left) }
    case (.any, _), (.all, _): return test(comparison, left, right)
    }
  }

  /// Compares operands that are not members of a to-many.
  private mutating func compare(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand
  ) -> String? {
    native(comparison, left, right) ?? test(comparison, left, right)
  }

  /// Translates a comparison to a call of the evaluation code of predicates.
  private mutating func test(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand
  ) -> String? {
    var arguments: [Scalar] = []
    guard let left = left.source(&arguments), let right = right.source(&arguments),
      // SQLite limits the number of arguments.
      arguments.count < 90
    else { return nil }
    let test = PredicateTest(comparison)
    guard !arguments.isEmpty else {
      return test.holds(left.value { _ in .null }, right.value { _ in .null }) ? "1" : "0"
    }
    let types = arguments.map(\.type)
    let condition = SQLiteCondition { cells throws(SQLiteError) in
      var values: [PredicateValue] = []
      for (index, type) in types.enumerated() {
        values.append(try PredicateValue(cells, Int32(index), type))
      }
      return test.holds(left.value { values[$0] }, right.value { values[$0] })
    }
    return "holds(\(bind(.condition(condition))), \(arguments.map(\.sql).joined(separator: ", ")))"
  }
}

/// The source of an operand that the evaluation code of predicates compares.
private indirect enum ValueSource {
  case value(PredicateValue)
  case argument(Int)
  case list([ValueSource])

  func value(_ argument: (Int) -> PredicateValue) -> PredicateValue {
    switch self {
    case .value(let value): value
    case .argument(let index): argument(index)
    case .list(let elements): .list(elements.map { $0.value(argument) })
    }
  }
}

extension PredicateSQL.Operand {
  fileprivate func source(_ arguments: inout [PredicateSQL.Scalar]) -> ValueSource? {
    switch self {
    case .value(let value): return .value(value)
    case .members: return nil
    case .scalar(let scalar):
      arguments.append(scalar)
      return .argument(arguments.count - 1)
    case .list(let elements):
      var sources: [ValueSource] = []
      for element in elements {
        guard let source = element.source(&arguments) else { return nil }
        sources.append(source)
      }
      return .list(sources)
    }
  }
}
