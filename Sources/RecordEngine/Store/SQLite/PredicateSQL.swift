import RecordModel

/// Turns predicates into SQL conditions that hold for exactly the rows that the predicates hold for.
///
/// A condition that is NULL does not hold, and `IS NOT TRUE` negates it, so that nil means what it means in predicates.
/// What SQL compares otherwise than predicates do is left to the very code of predicates, which SQL calls as `holds(…)`.
struct PredicateSQL {
  let schema: Schema
  let layout: SQLiteLayout
  /// What is bound to `?1`, `?2` and so on.
  private(set) var values: [SQLiteValue] = []
  private var aliasCount = 0

  init(schema: Schema, layout: SQLiteLayout) {
    self.schema = schema
    self.layout = layout
  }

  /// A row that conditions are about: under which name SQL has it, and of which entity or sub-entity it is.
  struct RowReference {
    var alias: String
    var entity: EntityIndex
  }

  /// How many comparisons a condition may have: SQLite bounds the depth of expressions.
  private static let greatestComparisonCount = 200
  /// How deep conditions may stand within each other, in symbols that SQLite's parser has to remember. It remembers 100,
  /// of which the statement around a condition and a comparison by itself need up to half.
  static let greatestDepth = 40
  /// How many to-manys a key path may go through: SQLite joins 64 tables, and each takes two.
  static let greatestToManyCount = 8
  private var depth = 0

  /// The condition for as much of a predicate as SQL can tell, and whether that is all of it. Where it is not, the rows
  /// for which the predicate holds are among those for which the condition does.
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

  /// Nil: SQL cannot tell.
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

  // MARK: Small things

  /// What `body` makes, to stand behind so many symbols more; nil, for SQL cannot tell, where that is too deep.
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

  /// The same without constants within it, and with nothing negated twice.
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
    var rest: [PredicateTree] = []
    for part in parts.map(\.folded) {
      guard case .constant(let value) = part else {
        rest.append(part)
        continue
      }
      if value != neutral { return part }
    }
    switch rest.count {
    case 0: return .constant(neutral)
    case 1: return rest[0]
    default: return join(rest)
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
    // A transformable value may be a list, whose elements are members like all others.
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
      // What has several members is equal to nothing; it can only contain.
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

  /// Compares what are no members of a to-many.
  private mutating func compare(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand
  ) -> String? {
    native(comparison, left, right) ?? test(comparison, left, right)
  }

  /// Leaves a comparison to the code of predicates.
  private mutating func test(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand
  ) -> String? {
    var arguments: [Scalar] = []
    guard let left = left.source(&arguments), let right = right.source(&arguments),
      // SQLite bounds the number of arguments.
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

/// Where a side of a comparison that the code of predicates makes has its value from.
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
