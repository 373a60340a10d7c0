public import RecordModel

/// A typed to-many relationship of a record.
///
/// ```swift
/// final class User: Record {
///   @ToMany("posts", inverse: "author") var posts: [Post]
/// }
/// ```
///
/// The members have their own order if the relationship is ordered, and are sorted by age otherwise, the oldest first. To
/// add or remove one member, ``Record/add(_:to:)`` and ``Record/remove(_:from:)`` are cheaper than setting the list.
///
/// A container checks the wrappers of its record types when it is created. It throws a ``ModelError`` if the entity has
/// no such to-many relationship, or if the records at its other end need not have the type of the elements.
@propertyWrapper
public struct ToMany<Destination: Record> {
  @usableFromInline let name: PropertyName
  let inverse: PropertyName?
  let configure: ((inout RelationshipDescription) -> Void)?

  /// Creates a property.
  ///
  /// - Parameters:
  ///   - name: the name of the relationship.
  ///   - inverse: the name of the inverse relationship; nil if there is none.
  ///   - configure: changes the description of the relationship. This parameter and `inverse` are used only by
  ///     ``ManagedObjectModel/init(_:_:dateFormat:nulls:names:nullValues:configure:)``.
  public init(
    _ name: PropertyName, inverse: PropertyName? = nil,
    _ configure: ((inout RelationshipDescription) -> Void)? = nil
  ) {
    (self.name, self.inverse, self.configure) = (name, inverse, configure)
  }

  /// The relationship in the conditions of fetches.
  public var projectedValue: ToManyPath<Destination> { ToManyPath(keys: [name.rawValue]) }

  @available(*, unavailable, message: "'@ToMany' belongs to a property of a subclass of 'Record'")
  public var wrappedValue: [Destination] {
    get { preconditionFailure() }
    // swift-format-ignore
    set { preconditionFailure() }
  }

  /// Accesses the members of the relationship.
  public static subscript<RecordType: Record>(
    _enclosingInstance record: RecordType, wrapped _: ReferenceWritableKeyPath<RecordType, [Destination]>,
    storage storage: ReferenceWritableKeyPath<RecordType, ToMany<Destination>>
  ) -> [Destination] {
    @inlinable
    get { record[record[keyPath: storage].name] }
    @inlinable
    set { record[record[keyPath: storage].name] = newValue }
  }
}
