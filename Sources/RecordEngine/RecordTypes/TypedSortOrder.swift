import RecordModel

/// An attribute to sort the records of a record type by, written with the property wrappers of the type.
///
/// ```swift
/// try context.fetch(Post.self, sortedBy: .ascending(\.$author.$name), .descending(\.$stars))
/// ```
public struct TypedSortDescriptor<RecordType: Record>: Hashable, Sendable {
  /// The same sort descriptor with names.
  public let sortDescriptor: RecordSortDescriptor

  /// Returns a descriptor that sorts the smallest value first. Records without a value come before all others.
  public static func ascending<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>
  ) -> TypedSortDescriptor { TypedSortDescriptor(path, isAscending: true) }

  /// Returns a descriptor that sorts the largest value first. Records without a value come after all others.
  public static func descending<Value: FieldValue>(
    _ path: KeyPath<RecordType, FieldPath<Value>>
  ) -> TypedSortDescriptor { TypedSortDescriptor(path, isAscending: false) }

  private init<Value>(_ path: KeyPath<RecordType, FieldPath<Value>>, isAscending: Bool) {
    let keys = RecordType.prototype()[keyPath: path].keys
    sortDescriptor = RecordSortDescriptor(keys.map { PropertyName($0) }, isAscending: isAscending)
  }
}
