import Foundation
import JSONTree
import RecordModel

/// Comparisons for which SQL has the same result as predicates, and can use indexes.
extension PredicateSQL {
  /// Returns the condition for a comparison; nil if SQL compares differently.
  mutating func native(
    _ comparison: PredicateComparison, _ left: Operand, _ right: Operand
  ) -> String? {
    guard comparison.options.isEmpty else { return nil }
    switch (comparison.operator, left, right) {
    case (.equal, _, _): return equal(left, right)
    case (.notEqual, _, _): return equal(left, right).map(Self.negation)
    case (.less, _, _): return order(.less, left, right)
    case (.lessOrEqual, _, _): return order(.lessOrEqual, left, right)
    case (.greater, _, _): return order(.greater, left, right)
    case (.greaterOrEqual, _, _): return order(.greaterOrEqual, left, right)
    case (.between, _, .list(let bounds)) where bounds.count == 2:
      guard let low = order(.greaterOrEqual, left, bounds[0]), let high = order(.lessOrEqual, left, bounds[1])
      else { return nil }
      return Self.conjunction([low, high])
    case (.in, .scalar(let scalar), .list(let elements)): return isOneOf(scalar, elements)
    default: return nil
    }
  }

  // MARK: Equality

  private mutating func equal(_ left: Operand, _ right: Operand) -> String? {
    switch (left, right) {
    case (.value, .scalar): return equal(right, left)
    case (.scalar(let scalar), .value(let value)):
      switch scalar.form(of: value) {
      case .null: return "\(scalar.sql) IS NULL"
      case .value(let value): return "\(scalar.sql) = \(bind(value))"
      case .never: return "0"
      case nil: return nil
      }
    case (.scalar(let left), .scalar(let right)):
      switch (left.type.sqlClass, right.type.sqlClass) {
      case (.record(let tree), .record(let other)) where tree != other:
        return "(\(left.sql) IS NULL AND \(right.sql) IS NULL)"
      case (let first?, let second?) where first == second: return "\(left.sql) IS \(right.sql)"
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func isOneOf(_ scalar: Scalar, _ elements: [Operand]) -> String? {
    var values: [SQLiteValue] = []
    var hasNull = false
    for element in elements {
      guard case .value(let value) = element, let form = scalar.form(of: value) else { return nil }
      switch form {
      case .null: hasNull = true
      case .value(let value): values.append(value)
      case .never: break
      }
    }
    var conditions: [String] = hasNull ? ["\(scalar.sql) IS NULL"] : []
    if values.count > 20 {
      let list = SQLiteList(values)
      conditions.append("\(scalar.sql) IN (SELECT c0 FROM \"$list\"(\(bind(.list(list)))))")
    } else if !values.isEmpty {
      let names = values.map { bind($0) }
      conditions.append("\(scalar.sql) IN (\(names.joined(separator: ", ")))")
    }
    return conditions.isEmpty ? "0" : "(\(conditions.joined(separator: " OR ")))"
  }

  // MARK: Order

  private mutating func order(_ order: PredicateOperator, _ left: Operand, _ right: Operand) -> String? {
    switch (left, right) {
    case (.value, .scalar): return self.order(order.mirrored, right, left)
    case (.scalar(let scalar), .value(let value)): return self.order(order, scalar, value)
    case (.scalar(let left), .scalar(let right)):
      guard let first = left.type.sqlClass, first == right.type.sqlClass,
        [.integer, .double, .text, .date].contains(first)
      else { return nil }
      return "\(left.sql) \(order.rawValue) \(right.sql)"
    default: return nil
    }
  }

  private mutating func order(
    _ order: PredicateOperator, _ scalar: Scalar, _ value: PredicateValue
  ) -> String? {
    switch (scalar.type.sqlClass, value) {
    case (_, .null), (.record, _): return "0"
    case (.double, .number), (.double, .boolean):
      return value.number.flatMap { orderOfDouble(order, scalar.sql, $0) }
    // The form of a UUID is only valid for equality.
    case (.uuid, _): return nil
    default:
      switch scalar.form(of: value) {
      case .value(let value): return "\(scalar.sql) \(order.rawValue) \(bind(value))"
      // A number that is not an integer is between two integers, so the result depends on the value of the column.
      case .never where value.number != nil && scalar.type.sqlClass == .integer: return nil
      case .null, .never: return "0"
      case nil: return nil
      }
    }
  }

  /// Returns the condition for the order of a double and a number. Predicates compare the shortest decimal text of a
  /// double. This text is between the neighbors of the double, and so is every number that reads as the double. Only
  /// the double nearest to the number therefore requires an exact comparison. Infinite doubles are never stored.
  private mutating func orderOfDouble(
    _ order: PredicateOperator, _ sql: String, _ number: JSONNumber
  ) -> String? {
    guard let nearest = number.doubleValue, let worth = JSONNumber(nearest) else { return nil }
    let isDownwards = order == .less || order == .lessOrEqual
    var order = order
    if worth != number {
      let isIncluded = isDownwards == (worth < number)
      order = isDownwards ? (isIncluded ? .lessOrEqual : .less) : (isIncluded ? .greaterOrEqual : .greater)
    }
    return "\(sql) \(order.rawValue) \(bind(.double(nearest)))"
  }
}

extension PredicateOperator {
  fileprivate var mirrored: PredicateOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}

extension SQLiteList {
  /// Creates a list of values in the column `c0`.
  fileprivate convenience init(_ values: [SQLiteValue]) {
    self.init(count: values.count) { row, _, cell in
      switch values[row] {
      case .integer(let value): cell.set(value)
      case .double(let value): cell.set(value)
      case .text(let value): cell.set(value)
      case .blob(let bytes): bytes.withUnsafeBytes { cell.set($0) }
      case .null, .list, .condition: break
      }
    }
  }
}

// MARK: - Forms of values

/// The form of a value in a column.
private enum ColumnForm {
  case null
  /// The only value of the column that equals it.
  case value(SQLiteValue)
  /// No value of the column equals it or can be ordered against it, except that numbers can always be ordered.
  case never
}

extension PredicateSQL.ScalarType {
  /// Classes of columns in which SQL and predicates agree about equality.
  fileprivate enum SQLClass: Hashable {
    case integer, double, text, date, uuid
    case record(tree: TreeIndex)
  }

  /// The class of the column; nil if only predicates can compare its values. A float compares like its shortest text as
  /// a float, and a decimal is stored as text.
  fileprivate var sqlClass: SQLClass? {
    switch self {
    case .count: .integer
    case .record(let tree): .record(tree: tree)
    case .attribute(let type):
      switch type {
      case .int16, .int32, .int64, .boolean: .integer
      case .double: .double
      case .string, .uri: .text
      case .date: .date
      case .uuid: .uuid
      case .float, .decimal, .binary, .transformable: nil
      }
    }
  }
}

extension PredicateSQL.Scalar {
  /// Returns the form of a value in the column; nil if only predicates can compare it.
  fileprivate func form(of value: PredicateValue) -> ColumnForm? {
    if case .null = value { return .null }
    switch (type.sqlClass, value) {
    case (nil, _): return nil
    case (.integer, .number), (.integer, .boolean):
      return value.number?.int64Value.map { .value(.integer($0)) } ?? .never
    case (.double, .number), (.double, .boolean):
      guard let number = value.number, let double = number.doubleValue, JSONNumber(double) == number else {
        return .never
      }
      return .value(.double(double))
    case (.text, .string(let text)): return .value(.text(text))
    // Each text would have to be parsed as a date.
    case (.text, .date): return nil
    case (.date, .date(let date)): return .value(.double(date.timeIntervalSinceReferenceDate))
    case (.date, .string(let text)):
      return predicateDate(text).map { .value(.double($0.timeIntervalSinceReferenceDate)) } ?? .never
    case (.uuid, .string(let text)):
      guard let uuid = UUID(uuidString: text), uuid.uuidString == text else { return .never }
      return .value(.blob(withUnsafeBytes(of: uuid.uuid, Array.init)))
    default: return .never
    }
  }
}

extension PredicateValue {
  /// Creates an argument of `holds(…)` as a value for predicates.
  init(_ cells: SQLiteArguments, _ index: Int32, _ type: PredicateSQL.ScalarType) throws(SQLiteError) {
    guard cells.kind(index) != .null else {
      self = .null
      return
    }
    switch type {
    case .count: self = .integer(cells.integer(index))
    case .record(let tree): self = .record(try RecordID(checkedTree: tree, cells.integer(index)))
    case .attribute(let type):
      self = try AttributeValue.read(cells, index, type).map { PredicateValue($0, type) } ?? .null
    }
  }
}
