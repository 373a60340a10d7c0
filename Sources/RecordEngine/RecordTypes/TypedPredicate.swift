public import RecordModel

/// A condition on the records of a record type, written with the property wrappers of the type.
///
/// ```swift
/// let posts = try context.fetch(
///   Post.self, where: \.$stars > 10 && \.$author.$name == "Ada", sortedBy: .descending(\.$stars))
/// ```
///
/// It is the same condition as a ``RecordPredicate``, so all its rules apply: `nil` is neither less nor
/// greater than any value, for example. A property that does not exist, or a value of another type, does not compile.
///
/// | condition | expression |
/// |---|---|
/// | comparison | `\.$stars == 10`, also with `!=`, `<`, `<=`, `>` and `>=` |
/// | no value | `\.$text == nil` |
/// | range | `.between(\.$stars, 10...20)` |
/// | one of several values | `.in(\.$state, [.open, .closed])` |
/// | text | `.contains(\.$text, "swift")`, also with `beginsWith` and `endsWith` |
/// | property of a related record | `\.$author.$name == "Ada"` |
/// | members of a to-many | `\.$labels.any.$name == "bug"`, also with `all` and `none` |
/// | number of members | `\.$labels.count > 2` |
/// | existence of a related record | `.exists(\.$author)` |
/// | logic | `&&`, `\|\|`, `!` |
public struct TypedPredicate<RecordType: Record>: Hashable, Sendable {
  private enum Form: Hashable, Sendable { case single, and, or }

  private let form: Form
  /// The text of the predicate, with a placeholder for each argument.
  private let text: String
  private let arguments: [PredicateArgument]

  fileprivate init<Value>(
    _ path: FieldPath<Value>, _ comparison: String, _ argument: PredicateArgument, options: TextOptions = []
  ) {
    form = .single
    let quantifier = path.quantifier.map { $0.rawValue + " " } ?? ""
    text = "\(quantifier)%K \(comparison)\(options.suffix) %@"
    arguments = [.keyPath(path.keys), argument]
  }

  private init(_ form: Form, _ text: String, _ arguments: [PredicateArgument]) {
    (self.form, self.text, self.arguments) = (form, text, arguments)
  }

  /// The predicate. If it contains a value that predicates cannot express (binary data, JSON, infinity or NaN), it has a
  /// ``RecordPredicate/syntaxError`` and matches nothing, and a fetch throws this error.
  public var predicate: RecordPredicate { RecordPredicate(validating: text, arguments: arguments) }

  /// Returns a condition that is true if both conditions are true.
  public static func && (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
    combined(left, "AND", right, as: .and)
  }

  /// Returns a condition that is true if at least one of the conditions is true.
  public static func || (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
    combined(left, "OR", right, as: .or)
  }

  /// Returns a condition that is true if the condition is false.
  public static prefix func ! (condition: TypedPredicate) -> TypedPredicate {
    TypedPredicate(.single, "NOT (\(condition.text))", condition.arguments)
  }

  private static func combined(
    _ left: TypedPredicate, _ word: String, _ right: TypedPredicate, as form: Form
  ) -> TypedPredicate {
    TypedPredicate(
      form, "\(left.operand(of: form)) \(word) \(right.operand(of: form))", left.arguments + right.arguments)
  }

  private func operand(of outer: Form) -> String { form == .single || form == outer ? text : "(\(text))" }
}

/// Options for the comparison of texts.
public struct TextOptions: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Upper and lower case are equal.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Letters with and without diacritics are equal.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)

  fileprivate var suffix: String {
    let letters = (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
    return letters.isEmpty ? "" : "[\(letters)]"
  }
}

extension TypedPredicate {
  /// Returns a condition that the text of an attribute contains another text.
  public static func contains<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>, _ text: String, options: TextOptions = []
  ) -> TypedPredicate where Value.WrappedValue == String {
    TypedPredicate(path.resolved, "CONTAINS", .value(.string(text)), options: options)
  }

  /// Returns a condition that the text of an attribute begins with another text.
  public static func beginsWith<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>, _ text: String, options: TextOptions = []
  ) -> TypedPredicate where Value.WrappedValue == String {
    TypedPredicate(path.resolved, "BEGINSWITH", .value(.string(text)), options: options)
  }

  /// Returns a condition that the text of an attribute ends with another text.
  public static func endsWith<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>, _ text: String, options: TextOptions = []
  ) -> TypedPredicate where Value.WrappedValue == String {
    TypedPredicate(path.resolved, "ENDSWITH", .value(.string(text)), options: options)
  }

  /// Returns a condition that the value of an attribute is one of several values.
  public static func `in`<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>, _ values: some Sequence<Value.WrappedValue>
  ) -> TypedPredicate {
    TypedPredicate(path.resolved, "IN", .list(values.map(\.attributeValue)))
  }

  /// Returns a condition that the value of an attribute lies in a range, including its bounds.
  public static func between<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>, _ range: ClosedRange<Value.WrappedValue>
  ) -> TypedPredicate where Value.WrappedValue: Comparable {
    TypedPredicate(
      path.resolved, "BETWEEN", .list([range.lowerBound.attributeValue, range.upperBound.attributeValue]))
  }

  /// Returns a condition that a to-one relationship leads to a record.
  public static func exists<Destination>(
    _ path: KeyPath<RecordType, ToOnePath<Destination>>
  ) -> TypedPredicate {
    let keys = RecordType.prototype()[keyPath: path].keys
    return TypedPredicate(FieldPath<Int>(keys: keys), "!=", .value(nil))
  }
}

extension KeyPath where Root: Record {
  /// The path of keys from a record to the attribute.
  fileprivate var resolved: Value { Root.prototype()[keyPath: self] }
}

/// Returns a condition that an attribute has a value, or none if the value is nil.
public func == <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue?
) -> TypedPredicate<RecordType> {
  TypedPredicate(left.resolved, "==", .value(right?.attributeValue))
}

/// Returns a condition that an attribute does not have a value, or that it has one if the value is nil.
public func != <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue?
) -> TypedPredicate<RecordType> {
  TypedPredicate(left.resolved, "!=", .value(right?.attributeValue))
}

/// Returns a condition that the value of an attribute is less than another value.
public func < <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue
) -> TypedPredicate<RecordType> where Value.WrappedValue: Comparable {
  TypedPredicate(left.resolved, "<", .value(right.attributeValue))
}

/// Returns a condition that the value of an attribute is at most another value.
public func <= <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue
) -> TypedPredicate<RecordType> where Value.WrappedValue: Comparable {
  TypedPredicate(left.resolved, "<=", .value(right.attributeValue))
}

/// Returns a condition that the value of an attribute is greater than another value.
public func > <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue
) -> TypedPredicate<RecordType> where Value.WrappedValue: Comparable {
  TypedPredicate(left.resolved, ">", .value(right.attributeValue))
}

/// Returns a condition that the value of an attribute is at least another value.
public func >= <RecordType: Record, Value: FieldValue>(
  left: KeyPath<RecordType, FieldPath<Value>>, right: Value.WrappedValue
) -> TypedPredicate<RecordType> where Value.WrappedValue: Comparable {
  TypedPredicate(left.resolved, ">=", .value(right.attributeValue))
}
