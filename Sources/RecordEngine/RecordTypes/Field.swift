public import RecordModel

/// A typed attribute of a record.
///
/// ```swift
/// final class Post: Record {
///   @Field("id", isPrimaryKey: true) var id: Int
///   @Field("text") var text: String?
///   @Field("stars") var stars = 0
///   @Field("state") var state: State?
/// }
/// ```
///
/// The type of the property is an ``AttributeConvertible`` type or an optional of one. If the attribute has no value that
/// the type can represent, reading the property has these results:
///
/// - If the type is optional, the property is nil.
/// - If the property has an initial value, it returns that value. The stored value does not change.
/// - Any other property stops the program.
///
/// A container checks the wrappers of its record types when it is created. It throws a ``ModelError`` if the entity has
/// no such attribute, or if the type does not fit: The type of the attribute must be
/// ``AttributeConvertible/attributeType``, or another integer type, or another floating-point type. A type that cannot
/// represent each value of the attribute must be optional, or needs an initial value. So does each type if the attribute
/// is optional.
///
/// Setting a value out of the attribute's range (70,000 for an `int16`) stops the program.
@propertyWrapper
public struct Field<Value: FieldValue> {
  @usableFromInline let name: PropertyName
  let isPrimaryKey: Bool
  let initialValue: (() -> Value)?
  let configure: ((inout AttributeDescription) -> Void)?

  /// Creates a property without an initial value.
  ///
  /// - Parameters:
  ///   - name: the name of the attribute.
  ///   - isPrimaryKey: true if the attribute identifies the record, alone or together with others.
  ///   - configure: changes the description of the attribute. This parameter and `isPrimaryKey` are used only by
  ///     ``ManagedObjectModel/init(_:_:dateFormat:nulls:names:nullValues:configure:)``.
  public init(
    _ name: PropertyName, isPrimaryKey: Bool = false,
    _ configure: ((inout AttributeDescription) -> Void)? = nil
  ) {
    (self.name, self.isPrimaryKey, self.configure) = (name, isPrimaryKey, configure)
    initialValue = nil
  }

  /// Creates a property with an initial value.
  public init(
    wrappedValue: @autoclosure @escaping () -> Value, _ name: PropertyName, isPrimaryKey: Bool = false,
    _ configure: ((inout AttributeDescription) -> Void)? = nil
  ) {
    (self.name, self.isPrimaryKey, self.configure) = (name, isPrimaryKey, configure)
    initialValue = wrappedValue
  }

  /// The attribute in the conditions and orders of fetches.
  public var projectedValue: FieldPath<Value> { FieldPath(keys: [name.rawValue]) }

  @available(*, unavailable, message: "'@Field' belongs to a property of a subclass of 'Record'")
  public var wrappedValue: Value {
    get { preconditionFailure() }
    // swift-format-ignore
    set { preconditionFailure() }
  }

  /// Accesses the value of the attribute.
  public static subscript<RecordType: Record>(
    _enclosingInstance record: RecordType, wrapped _: ReferenceWritableKeyPath<RecordType, Value>,
    storage storage: ReferenceWritableKeyPath<RecordType, Field<Value>>
  ) -> Value {
    // Inlinable so that the key path becomes a direct access to the name, without a copy of the wrapper.
    @inlinable
    get {
      let value: Value.WrappedValue? = record[record[keyPath: storage].name]
      return Value(fieldValue: value) ?? record[keyPath: storage].valueIfMissing(of: record)
    }
    @inlinable
    set { record[record[keyPath: storage].name] = newValue.fieldValue }
  }

  /// Returns the value of a property that is not optional, if the attribute has none that the type can represent.
  @usableFromInline
  func valueIfMissing(of record: Record) -> Value {
    guard let initialValue else {
      // Responses cannot lead here: a container refuses a property whose attribute can lack a value, unless its type is
      // optional. Only code can, by reading a record that it has inserted without the value. A precondition prints no
      // message in release builds.
      fatalError("'\(name)' of \(record) has no value, and its type is not optional")
    }
    return initialValue()
  }
}
