public import RecordModel

/// A typed to-one relationship of a record.
///
/// ```swift
/// final class Post: Record {
///   @ToOne("author", inverse: "posts") var author: User?
/// }
/// ```
///
/// A container checks the wrappers of its record types when it is created. It throws a ``ModelError`` if the entity has
/// no such to-one relationship, or if the records at its other end need not have the type of the property.
@propertyWrapper
public struct ToOne<Destination: Record> {
  @usableFromInline let name: PropertyName
  let inverse: PropertyName?
  let isPrimaryKey: Bool
  let configure: ((inout RelationshipDescription) -> Void)?

  /// Creates a property.
  ///
  /// - Parameters:
  ///   - name: the name of the relationship.
  ///   - inverse: the name of the inverse relationship; nil if there is none.
  ///   - isPrimaryKey: true if the relationship identifies the record.
  ///   - configure: changes the description of the relationship. This parameter, `inverse` and `isPrimaryKey` are used
  ///     only by ``ManagedObjectModel/init(_:_:dateFormat:nulls:names:nullValues:configure:)``.
  public init(
    _ name: PropertyName, inverse: PropertyName? = nil, isPrimaryKey: Bool = false,
    _ configure: ((inout RelationshipDescription) -> Void)? = nil
  ) {
    (self.name, self.inverse, self.isPrimaryKey, self.configure) = (name, inverse, isPrimaryKey, configure)
  }

  /// The relationship in the conditions and orders of fetches.
  public var projectedValue: ToOnePath<Destination> { ToOnePath(keys: [name.rawValue]) }

  @available(*, unavailable, message: "'@ToOne' belongs to a property of a subclass of 'Record'")
  public var wrappedValue: Destination? {
    get { preconditionFailure() }
    // swift-format-ignore
    set { preconditionFailure() }
  }

  /// Accesses the destination of the relationship.
  public static subscript<RecordType: Record>(
    _enclosingInstance record: RecordType, wrapped _: ReferenceWritableKeyPath<RecordType, Destination?>,
    storage storage: ReferenceWritableKeyPath<RecordType, ToOne<Destination>>
  ) -> Destination? {
    @inlinable
    get { record[record[keyPath: storage].name] }
    @inlinable
    set { record[record[keyPath: storage].name] = newValue }
  }
}
